"""An edition as text that says all of it."""

from __future__ import annotations

import pytest

from phaseten.notation.editions import format_edition, is_by_the_book
from phaseten.rules.editions import BOOK_EDITIONS, edition, read_edition

OWN = """\
based_on = "elchavo"
name = "quick"
title = 'Tía "Lola"'
deal = 7
house = ["no_rediscard"]
phases = ["set 3 + run 4", "color 5"]
[must_show]
2 = 9
"""


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_an_edition_of_the_book_comes_back(name):
    assert read_edition(format_edition(edition(name)), "a copy") == edition(name)
    assert is_by_the_book(edition(name))


def test_an_edition_of_ones_own_comes_back_without_what_it_was_based_on():
    own = read_edition(OWN, "own")
    text = format_edition(own)
    assert "based_on" not in text
    assert read_edition(text, "a copy") == own
    assert format_edition(read_edition(text, "a copy")) == text
    assert not is_by_the_book(own)


def test_a_changed_edition_under_a_name_of_the_book_is_not_by_the_book():
    assert not is_by_the_book(read_edition('based_on = "classic"\ndeal = 9\n', "own"))
