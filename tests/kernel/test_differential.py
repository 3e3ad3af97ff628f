"""Two engines, one law: every state, every view, every legal action and the order of ways to lay."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from functools import cache

import pytest

from phaseten.rules import shapes
from phaseten.rules.editions import BOOK_EDITIONS, HOUSE_RULES, KINDS, edition
from phaseten.rules.events import HandDealt
from phaseten.rules.options import Rules, Variant
from tests.effort import LONG, every
from tests.kernel.twins import RARE, STYLES, Table, make_edition, notes_on, play, random_table

PARTS, ACTIONS = 8, 2_000
LONG_PARTS, LONG_ACTIONS = 200, 50_000
MOST = 1_500
"""Actions of one game: some hands cannot end."""


def compare_games(seed: str, actions: int) -> int:
    """Random tables until so many actions were compared."""
    shapes._plan.cache_clear()  # tens of thousands of editions would fill the memory
    rng = random.Random(seed)
    done = 0
    while done < actions:
        for _, events in play(random_table(rng), MOST):
            done += bool(events) and not isinstance(events[0], HandDealt)
            if done == actions:
                break
    return done


@pytest.mark.parametrize("part", range(PARTS))
def test_both_engines_play_the_same_games(part: int) -> None:
    assert compare_games(f"short {part}", ACTIONS) == ACTIONS


@pytest.mark.long
@pytest.mark.parametrize("part", range(LONG_PARTS))
def test_both_engines_play_the_same_ten_million_actions(part: int) -> None:
    assert compare_games(f"long {part}", LONG_ACTIONS) == LONG_ACTIONS


# -- nothing is left out -----------------------------------------------------------------------

HOUSES: list[frozenset[str]] = [
    frozenset(rules)
    for count in range(len(HOUSE_RULES) + 1)
    for rules in itertools.combinations(HOUSE_RULES, count)
]
VARIANTS = [
    Variant(ten_hands, first, even)
    for ten_hands in (False, True)
    for first in (None, 2, 5)
    for even in (False, True)
]


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_every_edition_with_every_number_of_seats(name: str) -> None:
    for seats in range(2, 7):
        for _ in play(Table(Rules(edition(name)), seats, seats), 400 if LONG else 200):
            pass


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: "+".join(sorted(house)) or "none")
def test_every_combination_of_house_rules_with_every_variation(house: frozenset[str]) -> None:
    for i, variant in every(6, list(enumerate(VARIANTS)), HOUSES.index(house)):
        box = edition(BOOK_EDITIONS[(i + len(house)) % 5])
        for _ in play(Table(Rules(box, variant, house), 2 + i % 5, i), 40):
            pass


WANTED = {
    "HandDealt", "CardDrawn", "PileReshuffled", "DiscardTaken", "NothingDrawn", "PhaseLaid",
    "MeldHit", "CardDiscarded", "TurnLost", "HandScored", "GameTied", "GameWon",
    "tie-break without some seats", "a Skip turned up", "a Skip played", "a Skip without target",
    "nothing drawn, some held", "nothing drawn, none held", "a Wild hit", "a pair hit",
    "a tangled Phase laid",
}  # fmt: skip


def test_everything_that_can_happen_is_compared() -> None:
    seen = Counter(
        note
        for table in RARE
        for twins, events in play(table, 300)
        for note in notes_on(twins, events)
    )
    assert not WANTED - set(seen)


@cache
def _tables() -> tuple[Table, ...]:
    rng = random.Random("tables")
    return tuple(random_table(rng) for _ in range(2_000))


def test_random_tables_are_of_every_sort() -> None:
    tables = _tables()
    boxes = [table.rules.edition for table in tables]
    groups = {group.kind.name for box in boxes for phase in box.phases for group in phase.groups}
    assert groups == set(KINDS)
    assert {box.name for box in boxes} == {*BOOK_EDITIONS, *STYLES}
    assert {table.rules.house for table in tables} == set(HOUSES)
    assert {(t.rules.variant.ten_hands, t.rules.variant.even) for t in tables} == {
        (False, False), (False, True), (True, False), (True, True),
    }  # fmt: skip
    assert {table.seats for table in tables} == set(range(2, 7))
    assert {len(box.colors) for box in boxes} == set(range(1, 6))
    assert {box.highest for box in boxes} == set(range(1, 13))
    assert {box.copies for box in boxes} == {1, 2, 3}
    assert {box.skip_goes_to for box in boxes} == {"pile", "front"}
    assert any(phase.must_show for box in boxes for phase in box.phases if box.name in STYLES)


def test_the_largest_edition_that_a_file_can_describe() -> None:
    groups = [f"{name} {size}" for name in KINDS for size in (2, 3)]
    box = make_edition(
        deal=20, colors="GOBYR", highest=12, copies=3, wilds=20, skips=20,
        phases=",".join([*groups, "set 10 + run 11", "colorrun 2 + colorrun 2"]),
    )  # fmt: skip
    assert len(box.phases) == 20
    for seats, house in ((6, frozenset[str]()), (5, frozenset({"choose_phase"}))):
        for _ in play(Table(Rules(box, house=house), seats, seats), 150 if LONG else 30):
            pass
