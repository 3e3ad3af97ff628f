"""What is counted of how bots play."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from phaseten.arena.habits import HABITS, Count, Habits, watch
from phaseten.bots.builtin import BuiltIn
from phaseten.bots.ladder import make_bot
from phaseten.kernel.game import Game

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


class Noted:
    """Plays as a bot does, and notes its actions as records write them."""

    def __init__(self, bot: BuiltIn) -> None:
        self.bot = bot
        self.done: list[str] = []

    def choose_in(self, game: Game) -> int:
        number = self.bot.choose_in(game)
        self.done.append(game.name(number))
        return number


def so(counts: list[Count], *names: str) -> int:
    return sum(count for name, count, _ in counts if name in names)


@pytest.mark.parametrize(("edition", "players"), [("classic", 2), ("express", 3), ("elchavo", 4)])
def test_what_is_counted_is_what_was_done(edition: str, players: int) -> None:
    seats = [Noted(make_bot("casual", seed=seat)) for seat in range(players)]
    found = watch(Game(edition, players, seed=3), seats, make_bot("sharp"))
    for counts, seat in zip(found, seats, strict=True):
        kinds = Counter("-S" if text.startswith("-S") else text[0] for text in seat.done)
        assert so(counts, "lay") == kinds["L"] == so(counts, "lay_first", "lay_after")
        assert so(counts, "lay") == so(counts, "lay_out", "lay_few", "lay_many")
        assert so(counts, "take_near", "take_other", "take_laid") == kinds["P"]
        assert so(counts, "skip_early", "skip_late") == kinds["-S"]
        assert so(counts, "wild_away") == sum(text.startswith("-W") for text in seat.done)
        assert {name for name, _, _ in counts} <= set(HABITS)
    everybody = [count for counts in found for count in counts]
    taken = sum(text == "P" for seat in seats for text in seat.done)
    opened = taken - so(everybody, "taken")
    assert 0 <= opened <= taken // 2  # cards of the deal, or taken after a Skip


def test_sharp_lays_at_once_and_takes_what_it_advises() -> None:
    habits = Habits()
    for seed in range(3):
        seats = [make_bot("sharp"), make_bot("sharp")]
        for counts in watch(Game("classic", 2, seed=seed), seats, make_bot("sharp")):
            habits.add(counts)
    for name, value in (("lay", 1), ("take_near", 1), ("take_other", 0), ("caught", 0)):
        figure = habits.figure(name)
        assert figure is not None
        assert figure.value == value
    points = habits.figure("points")
    assert points is not None
    assert 5 <= points.value <= 10
    assert habits.figure("skip_next") is None  # nobody has a choice at two


def test_parts_are_merged() -> None:
    one, other, both = Habits(), Habits(), Habits()
    first: list[Count] = [("lay", 1, 1), ("lay", 0, 1)]
    second: list[Count] = [("lay", 1, 1)]
    one.add(first)
    other.add(second)
    both.add(first)
    both.add(second)
    one.merge(other)
    assert one.figure("lay") == both.figure("lay")
    assert Habits().figure("lay") is None


def strategy_make() -> ModuleType:
    """The program that writes the page."""
    spec = importlib.util.spec_from_file_location("strategy_make", DOCS / "strategy_make.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_pages_say_what_was_measured() -> None:
    made = strategy_make()
    known = json.loads((DOCS / "strategy.json").read_text("utf-8"))
    told = json.loads(made.DATA.read_text("utf-8"))
    assert told == {"games": known["games"], "tips": made.find_tips(known)}
    page = (DOCS / "strategy.md").read_text("utf-8")
    assert made.tips(known) in page
    assert made.habits_table(known) in page
    assert made.worth_table(known) in page
    assert made.sheets_table(known) in page


@pytest.mark.parametrize(
    ("made", "totals", "found"),
    [
        ((5, 5), (100, 150), [("fewer_points", 1)]),
        ((5, 5), (150, 100), [("fewer_points", 2)]),
        ((5, 5), (100, 180), []),
        ((3, 3), (100, 150), []),
        ((4, 5), (100, 110), [("phase_ahead", 2)]),
        ((5, 3), (100, 100), []),
        ((8, 7), (200, 190), [("phase_ahead_late", 1)]),
    ],
)
def test_which_score_sheets_are_counted(
    made: tuple[int, int], totals: tuple[int, int], found: list[tuple[str, int]]
) -> None:
    left = tuple(tuple(range(count + 1, 11)) for count in made)
    game = SimpleNamespace(left=left, totals=totals, rules=SimpleNamespace(phases=range(10)))
    assert list(strategy_make().standings(game)) == found
