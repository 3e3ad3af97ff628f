"""Puzzles as they are sent: positions in which one action is clearly best, in somebody's language."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from phaseten.analysis.puzzles import THEMES, Puzzle, Theme, offer, puzzle_reasons, puzzles
from phaseten.language import Language
from phaseten.language.speech import capital
from phaseten.notation.codec import write_rules, write_view
from phaseten.rules.actions import Action
from phaseten.server.http.replays import FrameForm, ReplayForm


class ListedPuzzle(Struct, frozen=True):
    """A puzzle in a list."""

    number: int
    theme: Theme
    edition: str
    players: int
    phase: int


class ThemeForm(Struct, frozen=True):
    """What puzzles can be about."""

    name: Theme
    title: str


class PuzzleList(Struct, frozen=True):
    """All puzzles."""

    themes: tuple[ThemeForm, ...]

    day: Annotated[int, Meta(description="The number of today's, the same for everybody.")]
    puzzles: tuple[ListedPuzzle, ...]


class AnswerForm(Struct, frozen=True):
    """Something that can be answered."""

    text: str
    chance: Annotated[float, Meta(description="The chance to win after it, from 0 to 1.")]
    loss: Annotated[float, Meta(description="What it gives away; 0: it is the best.")]
    reasons: Annotated[tuple[str, ...], Meta(description="What speaks for it, or against it.")]


class PuzzleForm(Struct, frozen=True):
    """A puzzle, with its sentences in the language that was asked for."""

    number: int
    title: str
    gap: Annotated[float, Meta(description="How much better the best is than anything else.")]
    moment: Annotated[ReplayForm, Meta(description="The position, as its seat knows it.")]
    answers: tuple[AnswerForm, ...]


def puzzle_list(today: Puzzle, words: Language) -> PuzzleList:
    """All puzzles, and which is today's."""
    listed = [
        ListedPuzzle(each.number, each.theme, each.edition, each.players, each.phase)
        for each in puzzles()
    ]
    themes = [ThemeForm(name, words.say(f"puzzles.theme.{name}")) for name in THEMES]
    return PuzzleList(tuple(themes), today.number, tuple(listed))


def puzzle_form(puzzle: Puzzle, words: Language) -> PuzzleForm:
    """The puzzle in that language."""
    theme = words.say(f"puzzles.theme.{puzzle.theme}")
    return PuzzleForm(
        puzzle.number,
        words.say("puzzles.title", number=puzzle.number, theme=theme),
        round(puzzle.gap, 4),
        _moment(puzzle, words),
        tuple([_answer(puzzle, action, words) for action in offer(puzzle)]),
    )


def _moment(puzzle: Puzzle, words: Language) -> ReplayForm:
    """The position as a film of one picture."""
    view = puzzle.view
    names = tuple(
        [
            words.say("puzzles.you") if seat == view.seat else capital(words.player(seat, ()))
            for seat in range(1, puzzle.players + 1)
        ]
    )
    phases = tuple([words.phase(phase) for phase in view.rules.phases])
    frame = FrameForm(0, (), (), (), write_view(view))
    return ReplayForm(names, view.seat, words.code, write_rules(view.rules), phases, (frame,))


def _answer(puzzle: Puzzle, action: Action, words: Language) -> AnswerForm:
    return AnswerForm(
        words.action(action, puzzle.view, ()),
        round(dict(puzzle.chances).get(action.text, 0.0), 4),
        round(puzzle.loss(action), 4),
        tuple(puzzle_reasons(puzzle, action, words)),
    )
