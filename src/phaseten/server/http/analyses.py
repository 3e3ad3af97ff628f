"""Requests to the coach, who says line by line how far it is and what it has found."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from phaseten.analysis.walk import check_whole, walk_steps
from phaseten.notation.records import decode_record, parse_record
from phaseten.notation.replay import follow, start_of
from phaseten.server.breathing import breathing
from phaseten.server.http.bodies import read_text
from phaseten.server.http.games import MOST_RECORD, GameRoutes, RecordText
from phaseten.server.http.guard import Guard
from phaseten.server.http.openapi import TEXT, Body, Operation
from phaseten.server.http.replays import book_edition
from phaseten.server.http.responses import language_of, server_problem
from phaseten.server.metrics import Metrics
from phaseten.server.running.coaching import (
    AnalysisForm,
    CoachFailedError,
    Reading,
    ReportForm,
    line_of,
)
from phaseten.server.running.services import Services
from phaseten.server.store.interface import StoreError

LINES: Final = "application/x-ndjson"
MOST_WAITING: Final = 8
"""Games that may wait for the coach."""


class AnalysisRoutes:
    """Takes games to the coach. Who does not want to wait any longer closes the connection."""

    def __init__(
        self, guard: Guard, services: Services, games: GameRoutes, metrics: Metrics
    ) -> None:
        self._guard = guard
        self._services = services
        self._games = games
        self._metrics = metrics

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked for."""
        return (
            Operation(
                method="GET",
                path="/api/games/{id}/analysis",
                handle=self._of_kept_game,
                summary="What the coach says about a finished game: a line each time it knows more.",
                answer=AnalysisForm,
                media=LINES,
                errors=(404,),
            ),
            Operation(
                method="POST",
                path="/api/analysis",
                handle=self._of_sent_record,
                summary="The same about a whole record that is sent.",
                body=Body(kind=RecordText, media=TEXT),
                answer=AnalysisForm,
                media=LINES,
                errors=(413, 415, 422),
            ),
        )

    async def _of_kept_game(self, request: Request) -> Response:
        told = await self._games.tell(request)
        game, code = told.game.game, language_of(request).code
        report = _read(await self._services.store.analysis(game, code))
        if report is not None:
            return Response(line_of(AnalysisForm(1.0, report)), media_type=LINES)
        self._check_room(request)
        edition = told.table.rules.edition if told.edition else None
        return self._stream(request, Reading(told.record, edition, code), game)

    async def _of_sent_record(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        text = decode_record(await read_text(request, MOST_RECORD))

        await self._games.read_sent(request, lambda: check_sent(text))
        self._check_room(request)
        return self._stream(request, Reading(text, None, language_of(request).code))

    def _check_room(self, request: Request) -> None:
        if self._services.coach.waiting >= MOST_WAITING:
            raise server_problem(503, "coach-busy", request)
        self._guard.limit_analyses(request)

    def _stream(self, request: Request, reading: Reading, game: str = "") -> Response:
        failed = server_problem(503, "coach-failed", request).problem.sentence
        return StreamingResponse(self._lines(reading, game, failed), media_type=LINES)

    async def _lines(self, reading: Reading, game: str, failed: str) -> AsyncGenerator[bytes]:
        try:
            async with aclosing(self._services.coach.read(reading)) as coach:
                async for line, reports in coach:
                    if game and reports:
                        await self._keep(game, reports)
                    yield line
        except CoachFailedError as error:
            self._metrics.report("coach", str(error))
            yield line_of(AnalysisForm(0.0, None, failed))

    async def _keep(self, game: str, reports: Mapping[str, str]) -> None:
        try:
            await self._services.store.keep_analysis(game, reports)
        except StoreError as error:  # who waits for the report gets it all the same
            self._metrics.report("store", str(error))


def check_sent(text: str) -> None:
    """Raises RecordSyntaxError or IllegalRecordError where the coach could not read it."""
    record = parse_record(text)
    check_whole(record.header)
    start = start_of(record.header, book_edition)
    walk_steps(start, record.header.names, breathing(follow(record, book_edition)))


def _read(kept: str | None) -> ReportForm | None:
    """The report that was kept; None where there is none, or one of another version's form."""
    try:
        return msgspec.json.decode(kept, type=ReportForm) if kept else None
    except msgspec.ValidationError:
        return None
