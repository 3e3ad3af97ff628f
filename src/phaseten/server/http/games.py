"""Requests about finished games, and films of records."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Final, TypeVar

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from phaseten.notation.records import RecordSyntaxError, decode_record, parse_record
from phaseten.notation.replay import IllegalRecordError
from phaseten.server.http.bodies import read_text
from phaseten.server.http.guard import Guard
from phaseten.server.http.openapi import TEXT, Body, Operation
from phaseten.server.http.replays import (
    MOST_STEPS,
    MomentForm,
    NoSuchSeatError,
    NoSuchStepError,
    ReplayForm,
    moment,
    moment_of,
    replay,
)
from phaseten.server.http.responses import (
    file_response,
    json_response,
    language_of,
    packed_response,
    server_problem,
    table_problem,
)
from phaseten.server.running.services import Services
from phaseten.server.store.deletion import without_game
from phaseten.server.store.games import (
    ListedGame,
    LoadedGame,
    ShownGame,
    is_game_id,
    listed_game,
    load_game,
    read_game,
    shown_game,
)
from phaseten.server.store.interface import ConflictError, KeptGame
from phaseten.server.store.statistics import Statistics, statistics_of
from phaseten.table.beginnings import MOST_COMPLETED, complete_position
from phaseten.table.options import OptionsError
from phaseten.table.state import FINISHED

T = TypeVar("T")

MOST_RECORD: Final = 131_072
"""Bytes; the record of a game has some ten thousand."""
MOST_LISTED: Final = 200
MOST_COUNTED: Final = 1_000
"""Games of which statistics are made: the last ones."""
MOST_TRIES: Final = 5
ALL: Final = "all"
EXPIRED: Final = 0
"""The version of a table of which only finished games are left."""

_SEAT: Final = {"seat": "Whose eyes: the number of a seat, or all for all hands open."}
_STEP: Final = {**_SEAT, "step": "After which step of the replay, counted from 0."}


class GameRoutes:
    """Lists finished games, tells them, and deletes them."""

    def __init__(self, guard: Guard, services: Services) -> None:
        self._guard = guard
        self._services = services
        self._one_at_a_time = asyncio.Lock()

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked for."""
        return (*self._kept_games, *self._replays)

    @property
    def _kept_games(self) -> tuple[Operation, ...]:
        """What is asked about finished games."""
        return (
            Operation(
                method="GET",
                path="/api/games",
                handle=self._list,
                summary="The finished games that the one who asks played, the last one first.",
                answer=list[ListedGame],
            ),
            Operation(
                method="GET",
                path="/api/statistics",
                handle=self._statistics,
                summary="What the finished games of the one who asks come to.",
                answer=Statistics,
            ),
            Operation(
                method="GET",
                path="/api/games/{id}",
                handle=self._show,
                summary="A finished game.",
                answer=ShownGame,
                errors=(404,),
            ),
            Operation(
                method="DELETE",
                path="/api/games/{id}",
                handle=self._delete,
                summary="Delete a finished game for good; only who was its host when it ended can.",
                status=204,
                errors=(403, 404, 409),
            ),
            Operation(
                method="GET",
                path="/api/games/{id}/record",
                handle=self._record,
                summary="Its whole record (.p10), with the seeds.",
                answer=str,
                media=TEXT,
                errors=(404,),
            ),
            Operation(
                method="GET",
                path="/api/games/{id}/edition",
                handle=self._edition,
                summary="The edition of its own by which it was played (TOML), to lie beside the record.",
                answer=str,
                media=TEXT,
                errors=(404,),
            ),
        )

    @property
    def _replays(self) -> tuple[Operation, ...]:
        """What is asked to watch one."""
        return (
            Operation(
                method="GET",
                path="/api/games/{id}/replay",
                handle=self._replay,
                summary="The game step by step, for a client that knows no rules.",
                answer=ReplayForm,
                errors=(404, 422),
                query=_SEAT,
            ),
            Operation(
                method="POST",
                path="/api/replay",
                handle=self._replay_sent,
                summary="The same for a record that is sent, whole or as a seat knew it.",
                body=Body(kind=RecordText, media=TEXT),
                answer=ReplayForm,
                errors=(413, 415, 422),
                query=_SEAT,
            ),
            Operation(
                method="GET",
                path="/api/games/{id}/moment",
                handle=self._moment,
                summary="The position after a step of it, to play on from.",
                answer=MomentForm,
                errors=(404, 422),
                query=_STEP,
            ),
            Operation(
                method="POST",
                path="/api/moment",
                handle=self._moment_sent,
                summary="The same for a record that is sent.",
                body=Body(kind=RecordText, media=TEXT),
                answer=MomentForm,
                errors=(413, 415, 422),
                query=_STEP,
            ),
            Operation(
                method="POST",
                path="/api/position",
                handle=self._position_sent,
                summary="The same for the line of a position; below it may stand the edition of one's own that it names.",
                body=Body(kind=_PositionText, media=TEXT),
                answer=MomentForm,
                errors=(413, 415, 422),
            ),
        )

    async def _list(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        guest = self._guard.guest(request)
        found = await self._services.store.games_of(guest.owner, MOST_LISTED)
        listed = [listed_game(played, guest.owner) for played in found]
        return json_response(listed)

    async def _statistics(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        guest = self._guard.guest(request)
        found = await self._services.store.games_of(guest.owner, MOST_COUNTED)
        return json_response(await self._aside(lambda: statistics_of(found)))

    async def _show(self, request: Request) -> Response:
        game = await self._find(request)
        return json_response(shown_game(game, self._guard.guest(request).owner))

    async def _record(self, request: Request) -> Response:
        told = await self.tell(request)
        return file_response(told.record, f"{told.game.game}.p10")

    async def _edition(self, request: Request) -> Response:
        told = await self.tell(request)
        if not told.edition:
            raise server_problem(404, "own-edition", request)
        return file_response(told.edition, f"{told.game.game}.toml")

    async def _replay(self, request: Request) -> Response:
        told = await self.tell(request)
        seat, language = _seat(request), language_of(request)
        box = told.table.rules.edition

        def make() -> Response:
            record = parse_record(told.record)
            return packed_response(replay(record, seat, language, lambda _: box), request)

        return await self.read_sent(request, make)

    async def _replay_sent(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        data = await read_text(request, MOST_RECORD)
        seat, language = _seat(request), language_of(request)

        def make() -> Response:
            record = parse_record(decode_record(data))
            return packed_response(replay(record, seat, language), request)

        return await self.read_sent(request, make)

    async def _moment(self, request: Request) -> Response:
        told = await self.tell(request)
        box = told.table.rules.edition

        def make() -> MomentForm:
            return moment(parse_record(told.record), _seat(request), _step(request), lambda _: box)

        return json_response(await self.read_sent(request, make))

    async def _moment_sent(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        data = await read_text(request, MOST_RECORD)

        def make() -> MomentForm:
            return moment(parse_record(decode_record(data)), _seat(request), _step(request))

        return json_response(await self.read_sent(request, make))

    async def _position_sent(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        data = await read_text(request, MOST_COMPLETED)
        try:
            position = await self._aside(lambda: complete_position(data.decode(errors="replace")))
        except OptionsError as error:
            raise table_problem(422, "bad-options", request, {"problem": error.mistake}) from error
        return json_response(moment_of(position))

    async def read_sent(self, request: Request, make: Callable[[], T]) -> T:
        """What is made of a record, or what is wrong with the record."""
        try:
            return await self._aside(make)
        except (RecordSyntaxError, IllegalRecordError) as error:
            why = language_of(request).fault(error.why)
            raise server_problem(422, "bad-record", request, line=error.line, why=why) from error
        except NoSuchSeatError as error:
            raise server_problem(422, "no-such-view", request) from error
        except NoSuchStepError as error:
            raise server_problem(422, "no-such-step", request) from error

    async def _delete(self, request: Request) -> Response:
        self._guard.check_origin(request)
        game = await self._find(request)
        if game.host != self._guard.guest(request).owner:
            raise server_problem(403, "not-its-host", request)
        for _ in range(MOST_TRIES):
            try:
                await self._forget(game)
            except ConflictError:
                continue  # the table has moved on meanwhile: look again
            await self._services.node.registry.reread(game.table)
            return Response(status_code=204)
        raise server_problem(409, "busy", request)

    async def _forget(self, game: KeptGame) -> None:
        store = self._services.store
        table = await self._services.node.registry.table(game.table)
        version = table.version if table is not None else EXPIRED
        games = await store.games_at(game.table)
        if game.game not in [other.game for other in games]:  # somebody else was faster
            return
        is_over = table is None or table.stage == FINISHED
        if is_over and len(games) == 1:
            await store.forget(game, version, None)
            return
        log = await store.read(game.table, game.first - 1)
        rest = await self._aside(lambda: without_game(table, log, game, games))
        await store.forget(game, version, rest)

    async def _find(self, request: Request) -> KeptGame:
        """The game of that name. Who guesses names is slowed down."""
        self._guard.limit_requests(request)
        guesses = self._guard.guesses(request)
        name: str = request.path_params["id"]
        game = await self._services.store.game(name) if is_game_id(name) else None
        if game is None:
            guesses.take()
            raise server_problem(404, "no-finished-game", request)
        return game

    async def tell(self, request: Request) -> LoadedGame:
        """The finished game that is asked about."""
        game = await self._find(request)
        table, log = await read_game(self._services.store, game)
        told = await self._aside(lambda: load_game(game, table, log))
        if told is None:
            raise server_problem(404, "no-finished-game", request)
        return told

    async def _aside(self, work: Callable[[], T]) -> T:
        """Do what takes long beside the play of others, and one such thing at a time."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(work)


RecordText = Annotated[str, Meta(max_length=MOST_RECORD, description="A record (.p10).")]
_PositionText = Annotated[
    str, Meta(max_length=MOST_COMPLETED, description="A position in one line.")
]


def _seat(request: Request) -> int | None:
    """Whose eyes were asked for; None for all hands open, or for the eyes of the record itself."""
    text = request.query_params.get("seat", ALL)
    if text == ALL:
        return None
    if len(text) == 1 and text in "123456":
        return int(text)
    raise server_problem(422, "no-such-view", request)


def _step(request: Request) -> int:
    """The step that was asked for; without one, the first."""
    text = request.query_params.get("step", "0")
    if text.isascii() and text.isdecimal() and len(text) <= len(str(MOST_STEPS)):
        return int(text)
    raise server_problem(422, "no-such-step", request)
