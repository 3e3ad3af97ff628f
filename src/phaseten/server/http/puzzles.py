"""Requests for puzzles: positions in which one action is clearly best."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from phaseten.analysis.puzzles import THEMES, Puzzle, Theme, offer, puzzle_of_the_day, puzzles
from phaseten.bots.reasons import explain
from phaseten.language import Language
from phaseten.language.speech import capital
from phaseten.notation.codec import write_rules, write_view
from phaseten.rules.actions import Action
from phaseten.server.http.guard import Guard
from phaseten.server.http.openapi import Operation
from phaseten.server.http.replays import FrameForm, ReplayForm
from phaseten.server.http.responses import json_response, language_of, server_problem

MOST_DIGITS = 6


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


class PuzzleRoutes:
    """Shows puzzles; who has solved which is known on the own device alone."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked for."""
        return (
            Operation(
                method="GET",
                path="/api/puzzles",
                handle=self._list,
                summary="All puzzles, and which is today's.",
                answer=PuzzleList,
            ),
            Operation(
                method="GET",
                path="/api/puzzles/{number}",
                handle=self._show,
                summary="A puzzle: the position, what can be answered, and how good that is.",
                answer=PuzzleForm,
                errors=(404,),
            ),
        )

    async def _list(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        listed = [
            ListedPuzzle(each.number, each.theme, each.edition, each.players, each.phase)
            for each in puzzles()
        ]
        today = puzzle_of_the_day(datetime.now(UTC).date())
        words = language_of(request)
        themes = [ThemeForm(name, words.say(f"puzzles.theme.{name}")) for name in THEMES]
        return json_response(PuzzleList(tuple(themes), today.number, tuple(listed)))

    async def _show(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        text: str = request.path_params["number"]
        is_number = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
        number = int(text) if is_number else 0
        if not 1 <= number <= len(puzzles()):
            raise server_problem(404, "no-puzzle", request, most=len(puzzles()))
        return json_response(puzzle_form(puzzles()[number - 1], language_of(request)))


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
        tuple([words.reason(each, ()) for each in explain(puzzle.view, action)]),
    )
