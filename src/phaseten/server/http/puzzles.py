"""Requests for puzzles: positions in which one action is clearly best."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from phaseten.analysis.puzzles import puzzle_of_the_day, puzzles
from phaseten.server.http.guard import Guard
from phaseten.server.http.openapi import Operation
from phaseten.server.http.puzzle_forms import PuzzleForm, PuzzleList, puzzle_form, puzzle_list
from phaseten.server.http.responses import json_response, language_of, server_problem

MOST_DIGITS = 6


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
        today = puzzle_of_the_day(datetime.now(UTC).date())
        return json_response(puzzle_list(today, language_of(request)))

    async def _show(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        text: str = request.path_params["number"]
        is_number = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
        number = int(text) if is_number else 0
        if not 1 <= number <= len(puzzles()):
            raise server_problem(404, "no-puzzle", request, most=len(puzzles()))
        return json_response(puzzle_form(puzzles()[number - 1], language_of(request)))
