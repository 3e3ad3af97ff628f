"""Puzzles: positions from games of bots in which one action is clearly best.

They ship as data (``puzzles.json``), found by ``phaseten puzzles --find``. A puzzle is what one seat knows, as a
position in one line, and the answer stands by trials in so many worlds that nothing else comes near.

>>> puzzle = puzzles()[0]
>>> puzzle.view.seat == puzzle.view.board.turn
True
>>> puzzle.loss(puzzle.best)
0.0
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, Literal

from phaseten.bots.reasons import explain, recommend
from phaseten.language import CardText, Language
from phaseten.notation.moves import parse_action
from phaseten.notation.positions import parse_position
from phaseten.rules.actions import Action, Discard, Hit, LayPhase
from phaseten.rules.cards import SKIP
from phaseten.rules.state import DRAW
from phaseten.rules.views import View

DATA: Final = Path(__file__).parent / "puzzles.json"
LICENCE: Final = (
    "Found by phaseten in games of its own bots. MIT licence, as phaseten itself: see LICENSE."
)

SHARP: Final = "sharp"
DEEP: Final = "deep"

MOST_ANSWERS: Final = 6
"""So many actions are offered, the best and the tempting one among them."""

LAY: Final = "lay"
Theme = Literal["keep", "take", "lay", "wild", "skip", "end"]
THEMES: Final[tuple[Theme, ...]] = ("keep", "take", "lay", "wild", "skip", "end")
"""Which card to keep, taking the discard, when and how to lay, Wilds, whom to skip, the end of the hand."""


@dataclass(frozen=True)
class Puzzle:
    """A position and what is best there."""

    number: int
    position: str
    """What the seat on turn knows, in one line."""
    theme: Theme
    edition: str
    players: int
    phase: int
    answer: str
    """The best action."""
    tempting: str
    """What a casual player does."""
    chances: tuple[tuple[str, float], ...]
    """Every action and the chance to win after it, the best first."""
    gap: float
    """By how much the best action is better than any other."""
    error: float
    """The standard error of that."""
    worlds: int
    trials: str = SHARP
    """Who plays the trials out."""

    @cached_property
    def view(self) -> View:
        """What the seat on turn knows."""
        position = parse_position(self.position)
        assert isinstance(position, View), "a puzzle is what one seat knows"
        return position

    @property
    def best(self) -> Action:
        """The best action."""
        return parse_action(self.answer)

    def loss(self, action: Action) -> float:
        """What an action gives away; an action that was not tried gives away as much as the worst."""
        chances = dict(self.chances)
        worst = min(chances.values())
        return chances[self.answer] - chances.get(action.text, worst)

    def write(self) -> dict[str, Any]:
        """As it stands in the data."""
        return {
            "number": self.number,
            "position": self.position,
            "theme": self.theme,
            "edition": self.edition,
            "players": self.players,
            "phase": self.phase,
            "answer": self.answer,
            "tempting": self.tempting,
            "chances": [[action, round(chance, 4)] for action, chance in self.chances],
            "gap": round(self.gap, 4),
            "error": round(self.error, 5),
            "worlds": self.worlds,
            "trials": self.trials,
        }


def read_puzzle(data: dict[str, Any]) -> Puzzle:
    """A puzzle of the data."""
    chances = tuple((str(action), float(chance)) for action, chance in data["chances"])
    rest: dict[str, Any] = {name: value for name, value in data.items() if name != "chances"}
    return Puzzle(chances=chances, **rest)


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """All puzzles, in their order."""
    return tuple(read_puzzle(entry) for entry in read_data(DATA))


def read_data(path: Path) -> list[dict[str, Any]]:
    """The puzzles in a file."""
    return json.loads(path.read_text(encoding="utf-8"))["puzzles"]


def write_data(path: Path, found: Iterable[Puzzle]) -> None:
    """Write puzzles into a file, one in each line."""
    lines = ",\n".join(json.dumps(puzzle.write(), ensure_ascii=False) for puzzle in found)
    text = f'{{"licence": {json.dumps(LICENCE)},\n"puzzles": [\n{lines}\n]}}\n'
    path.write_text(text, encoding="utf-8")


def offer(puzzle: Puzzle) -> list[Action]:
    """What can be answered: the best, what tempts, and others that are not far; in a fixed order."""
    texts = dict.fromkeys([puzzle.answer, puzzle.tempting, *[text for text, _ in puzzle.chances]])
    return [parse_action(text) for text in sorted([*texts][:MOST_ANSWERS])]


def puzzle_reasons(
    puzzle: Puzzle, action: Action, words: Language, card_text: CardText | None = None
) -> list[str]:
    """What speaks for an answer, or against it; of the best one, what speaks for it."""
    is_best = action == puzzle.best
    found = recommend(puzzle.view, action) if is_best else explain(puzzle.view, action)
    held = list[str]()
    if puzzle.theme == LAY and is_best and not isinstance(action, LayPhase):
        # To hold a Phase back has no reason that can be counted out: it was found by playing on.
        held.append(words.say("puzzles.held_back", worlds=puzzle.worlds))
    return [*held, *[words.reason(each, (), card_text) for each in found]]


def puzzle_of_the_day(day: date) -> Puzzle:
    """The same for everybody who has the same puzzles; neighbours in the data are days apart."""
    found = puzzles()
    return found[day.toordinal() * 89 % len(found)]


def theme_of(view: View, best: Action, tempting: Action) -> Theme:
    """What a puzzle is about, by its answer and by what tempts."""
    board = view.board
    assert board is not None, "a puzzle is about a hand that is going on"
    if board.step == DRAW:
        return "take"
    both = (best, tempting)
    if any(isinstance(action, Discard) and action.card is SKIP for action in both):
        return "skip"
    lays = [action for action in both if isinstance(action, LayPhase)]
    if len(lays) == 2 and any(card.is_wild for lay in lays for row in lay.melds for card in row):
        return "wild"
    if any(_spends_wild(action) for action in both):
        return "wild"
    if lays:
        return "lay"
    return "end" if board.made[board.turn - 1] else "keep"


def _spends_wild(action: Action) -> bool:
    """Whether the action gives a Wild away, other than in a Phase."""
    match action:
        case Discard(card):
            return card.is_wild
        case Hit(cards):
            return any(card.is_wild for card in cards)
        case _:
            return False
