"""What all games of a kind share: the rules, their tables, and the translation."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import cache, lru_cache

from phaseten.kernel import book as _book
from phaseten.kernel.book import Book
from phaseten.kernel.convert import Converter
from phaseten.kernel.tables import tables_for
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules, check_house, parse_variant

compiled: bool = not _book.__file__.endswith(".py")
"""Whether the kernel was compiled when phaseten was installed."""

POLICIES = {"random": 0, "greedy": 1, "expert": 2, "rookie": 3}


class Kind:
    """One set of rules for one number of seats."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.book = Book(tables_for(rules, seats))
        self.convert = Converter(rules, self.book)


@lru_cache(maxsize=256)
def kind_of(rules: Rules, seats: int) -> Kind:
    """The kind of game with these rules and that many seats."""
    if not compiled:
        _say_that_it_is_slow()
    return Kind(rules, seats)


@cache  # once is enough
def _say_that_it_is_slow() -> None:
    warnings.warn(
        "the kernel is not compiled and runs slowly: install a C compiler and phaseten again",
        RuntimeWarning,
        stacklevel=5,
    )


def find_kind(
    rules: str | Rules, seats: int, variant: str = "standard", house: Iterable[str] = ()
) -> Kind:
    """The kind of game for rules, or for the name of an edition with options."""
    if isinstance(rules, str):
        rules = Rules(edition(rules), parse_variant(variant), check_house(house))
    return kind_of(rules, seats)


def policy_number(name: str) -> int:
    """The number of a built-in policy."""
    if name not in POLICIES:
        raise ValueError(f"there is no policy {name!r}: choose from {', '.join(POLICIES)}")
    return POLICIES[name]
