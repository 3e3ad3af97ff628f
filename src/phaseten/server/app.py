"""The web application: tables over HTTP, play over WebSocket."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from phaseten.server.http.devices import MoveRequests
from phaseten.server.http.games import GameRequests
from phaseten.server.http.guard import Gate, address_of
from phaseten.server.http.identity import guest_of
from phaseten.server.http.openapi import TEXT, Endpoint, Operation, describe, routes
from phaseten.server.http.pages import FOLDER, Site
from phaseten.server.http.responses import (
    DeclinedError,
    WithHeaders,
    answer_declined,
    answer_failure,
    answer_http,
    answer_unavailable,
    json_answer,
    language_of,
    text_answer,
)
from phaseten.server.http.sheets import SheetRequests
from phaseten.server.http.tables import TableRequests
from phaseten.server.metrics import Metrics
from phaseten.server.running.bots import Thinkers
from phaseten.server.running.registry import Hall
from phaseten.server.running.services import Backstage
from phaseten.server.settings import Settings
from phaseten.server.socket.connection import Connection
from phaseten.server.store.database import open_store
from phaseten.server.store.interface import StoreError
from phaseten.server.throttle import Places


class Server:
    """The application and all that it holds."""

    def __init__(self, settings: Settings, site: Path = FOLDER) -> None:
        limits = settings.limits
        self._settings = settings
        self._metrics = Metrics()
        self._gate = Gate(settings)
        self._places = Places(limits.connections, limits.connections_of_address)
        self._backstage = Backstage()
        self._tables = TableRequests(settings, self._gate, self._backstage)
        self.operations: tuple[Operation, ...] = (
            *self._tables.operations,
            *GameRequests(self._gate, self._backstage).operations,
            *MoveRequests(settings, self._gate, self._backstage).operations,
            *SheetRequests(settings, self._gate, self._backstage).operations,
            *self._own_operations,
        )
        self._description = describe(self.operations)
        inner = Starlette(
            routes=[
                *routes(self.operations),
                WebSocketRoute("/api/tables/{code}/play", self._play),
                Route("/{path:path}", Endpoint({"GET": Site(site).answer})),
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
        store = await open_store(self._settings.database)
        thinkers = Thinkers(self._settings.bots)
        hall = Hall(store, thinkers, self._metrics)
        self._backstage.open(store, hall)
        try:
            async with hall.running():
                yield
        finally:
            await thinkers.close()
            await store.close()

    # -- operation -------------------------------------------------------------------------------

    @property
    def _own_operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                method="GET",
                path="/api/openapi.json",
                handle=self._describe,
                summary="This description.",
                answer=dict[str, Any],
            ),
            Operation(
                method="GET",
                path="/healthz",
                handle=self._health,
                summary="Whether the process lives.",
                answer=str,
                media=TEXT,
            ),
            Operation(
                method="GET",
                path="/readyz",
                handle=self._ready,
                summary="Whether its database answers.",
                answer=str,
                media=TEXT,
                errors=(503,),
            ),
            Operation(
                method="GET",
                path="/metrics",
                handle=self._measures,
                summary="What the server counts, for Prometheus.",
                answer=str,
                media=TEXT,
            ),
        )

    async def _describe(self, request: Request) -> Response:
        self._gate.slow_down(request)
        return json_answer(self._description)

    async def _health(self, _request: Request) -> Response:
        return text_answer("ok")

    async def _ready(self, _request: Request) -> Response:
        await self._backstage.store.check()
        return text_answer("ready")

    async def _measures(self, _request: Request) -> Response:
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4")

    # -- play ------------------------------------------------------------------------------------

    async def _play(self, socket: WebSocket) -> None:
        try:
            self._gate.check_origin(socket)
            table = await self._tables.find(socket)
        except DeclinedError as error:
            await socket.send_denial_response(await answer_declined(socket, error))
            return
        except StoreError as error:
            await socket.send_denial_response(await answer_unavailable(socket, error))
            return
        with self._places.place(address_of(socket)) as has_room:
            if has_room:
                await self._serve(socket, table.code)
            else:
                await socket.send_denial_response(text_answer("full", 503))

    async def _serve(self, socket: WebSocket, code: str) -> None:
        guest = guest_of(socket)
        cookie = [(k.encode(), v.encode()) for k, v in self._gate.cookie(guest).items()]
        await socket.accept(headers=cookie)
        connection = Connection(
            socket,
            self._backstage.hall,
            self._metrics,
            self._settings.limits,
            code=code,
            owner=guest.owner,
            language=language_of(socket),
        )
        await connection.run(_after(socket))


def _after(connection: HTTPConnection) -> int | None:
    """The last version that the client knows."""
    text = connection.query_params.get("after", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else None
