"""The web application: tables over HTTP, play over WebSocket."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from phaseten.server.answers import (
    DeclinedError,
    Problem,
    WithHeaders,
    answer_declined,
    answer_failure,
    answer_http,
    answer_unavailable,
    declined,
    json_answer,
    language_of,
    text_answer,
)
from phaseten.server.connection import Connection
from phaseten.server.guests import Guest, guest_of, is_same_origin
from phaseten.server.hall import CODE_LENGTH, CODE_LETTERS, Hall
from phaseten.server.limits import Buckets, Places
from phaseten.server.listing import listed_table
from phaseten.server.metrics import Metrics
from phaseten.server.opening import open_store
from phaseten.server.options import Options, OptionsError
from phaseten.server.records import record_of
from phaseten.server.settings import Settings
from phaseten.server.showing import may_look, table_form, viewer_of
from phaseten.server.store import Store, StoreError
from phaseten.server.table import Table
from phaseten.server.thinking import Thinkers

MOST_BODY: Final = 16_384
MOST_LISTED: Final = 100


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table that somebody wants to open."""

    name: Annotated[str, Meta(max_length=100, description="The host's name.")]
    options: Options = Options()


class Opened(Struct, frozen=True):
    """A table that was opened."""

    code: str


_NEW_TABLE: Final = msgspec.json.Decoder(NewTable)


class Server:
    """The application and all that it holds."""

    def __init__(self, settings: Settings) -> None:
        limits = settings.limits
        self._settings = settings
        self._metrics = Metrics()
        self._requests = Buckets(limits.requests)
        self._guesses = Buckets(limits.guesses)
        self._tables = Buckets(limits.tables)
        self._places = Places(limits.connections, limits.connections_of_address)
        self._store: Store
        self._hall: Hall
        inner = Starlette(
            routes=[
                Route("/healthz", self._health),
                Route("/readyz", self._ready),
                Route("/metrics", self._measures),
                Route("/api/tables", self._list, methods=["GET"]),
                Route("/api/tables", self._open, methods=["POST"]),
                Route("/api/mine", self._mine),
                Route("/api/tables/{code}", self._show),
                Route("/api/tables/{code}/record", self._record),
                WebSocketRoute("/api/tables/{code}/play", self._play),
            ],
            lifespan=self._lifespan,
            exception_handlers={
                DeclinedError: answer_declined,
                HTTPException: answer_http,
                StoreError: answer_unavailable,
                Exception: answer_failure,
            },
        )
        self.app: ASGIApp = WithHeaders(inner, secure=settings.secure)

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncGenerator[None]:
        self._store = await open_store(self._settings.database)
        thinkers = Thinkers(self._settings.bots)
        self._hall = Hall(self._store, thinkers, self._metrics)
        try:
            async with self._hall.running():
                yield
        finally:
            await thinkers.close()
            await self._store.close()

    # -- operation -------------------------------------------------------------------------------

    async def _health(self, _request: Request) -> Response:
        return text_answer("ok")

    async def _ready(self, _request: Request) -> Response:
        try:
            await self._store.check()
        except StoreError:
            return text_answer("the store does not answer", 503)
        return text_answer("ready")

    async def _measures(self, _request: Request) -> Response:
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4")

    # -- tables ----------------------------------------------------------------------------------

    async def _list(self, request: Request) -> Response:
        self._slow_down(request)
        found = await self._store.public_tables(MOST_LISTED)
        return json_answer([listed_table(listed) for listed in found])

    async def _mine(self, request: Request) -> Response:
        self._slow_down(request)
        guest = guest_of(request)
        found = await self._store.tables_of(guest.owner, MOST_LISTED)
        return json_answer([listed_table(listed) for listed in found], 200, self._cookie(guest))

    async def _open(self, request: Request) -> Response:
        self._slow_down(request)
        self._check_origin(request)
        wanted = await _read_new_table(request)
        if not self._tables.of(_address(request)).take():
            raise declined(429, "too-fast", request)
        guest = guest_of(request)
        try:
            code = await self._hall.open(guest.owner, wanted.name, wanted.options)
        except OptionsError as error:
            raise DeclinedError(422, Problem("options", str(error))) from error
        if not isinstance(code, str):
            raise declined(422, code.reason, request, code.values)
        return json_answer(Opened(code), 201, self._cookie(guest))

    async def _show(self, request: Request) -> Response:
        return json_answer(table_form(await self._find(request)))

    async def _record(self, request: Request) -> Response:
        table = await self._find(request)
        viewer = viewer_of(table, guest_of(request).owner)
        if not may_look(table, viewer):
            raise declined(403, "no-watchers", request)
        text = record_of(table, await self._hall.steps(table), viewer.seat)
        if text is None:
            raise declined(404, "no-game", request)
        name = {"content-disposition": f'attachment; filename="{table.code}.p10"'}
        return Response(text, 200, name, media_type="text/plain; charset=utf-8")

    async def _find(self, connection: HTTPConnection) -> Table:
        """The table of the code in the address. Who guesses codes is slowed down."""
        self._slow_down(connection)
        guesses = self._guesses.of(_address(connection))
        if guesses.is_empty:
            raise declined(429, "too-fast", connection)
        code: str = connection.path_params["code"]
        table = None
        if len(code) == CODE_LENGTH and not set(code) - set(CODE_LETTERS):
            table = await self._hall.table(code)
        if table is None:
            guesses.take()
            raise declined(404, "no-table", connection)
        return table

    # -- play ------------------------------------------------------------------------------------

    async def _play(self, socket: WebSocket) -> None:
        try:
            self._check_origin(socket)
            table = await self._find(socket)
        except DeclinedError as error:
            await socket.send_denial_response(await answer_declined(socket, error))
            return
        except StoreError as error:
            await socket.send_denial_response(await answer_unavailable(socket, error))
            return
        with self._places.place(_address(socket)) as has_room:
            if has_room:
                await self._serve(socket, table.code)
            else:
                await socket.send_denial_response(text_answer("full", 503))

    async def _serve(self, socket: WebSocket, code: str) -> None:
        guest = guest_of(socket)
        cookie = [(k.encode(), v.encode()) for k, v in self._cookie(guest).items()]
        await socket.accept(headers=cookie)
        connection = Connection(
            socket,
            self._hall,
            self._metrics,
            self._settings.limits,
            code=code,
            owner=guest.owner,
            language=language_of(socket),
        )
        await connection.run(_after(socket))

    # -- who asks --------------------------------------------------------------------------------

    def _slow_down(self, connection: HTTPConnection) -> None:
        if not self._requests.of(_address(connection)).take():
            raise declined(429, "too-fast", connection)

    def _check_origin(self, connection: HTTPConnection) -> None:
        if not is_same_origin(connection.headers, self._settings.origins):
            raise DeclinedError(403, Problem("origin", "This page is not of this server."))

    def _cookie(self, guest: Guest) -> dict[str, str]:
        return guest.headers(secure=self._settings.secure)


async def _read_new_table(request: Request) -> NewTable:
    """The table in the body of the request."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise declined(415, "malformed", request)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            raise declined(413, "malformed", request)
    try:
        return _NEW_TABLE.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise declined(422, "malformed", request) from error


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client is not None else ""


def _after(connection: HTTPConnection) -> int | None:
    """The last version that the client knows."""
    text = connection.query_params.get("after", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else None
