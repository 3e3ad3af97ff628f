"""The web application: tables over HTTP, play over WebSocket."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from phaseten.server.allowances import Allowances, Who
from phaseten.server.http.analyses import AnalysisRoutes
from phaseten.server.http.devices import DeviceRoutes
from phaseten.server.http.editions import EditionRoutes
from phaseten.server.http.games import GameRoutes
from phaseten.server.http.guard import Guard, address_of
from phaseten.server.http.hosts import WithHosts
from phaseten.server.http.identity import Tokens, cookie_name
from phaseten.server.http.openapi import TEXT, Endpoint, Operation, describe, routes
from phaseten.server.http.pages import FOLDER, Pages
from phaseten.server.http.pushes import PushRoutes
from phaseten.server.http.puzzles import PuzzleRoutes
from phaseten.server.http.responses import (
    ProblemError,
    WithHeaders,
    json_response,
    language_of,
    respond_to_failure,
    respond_to_http_error,
    respond_to_problem,
    respond_to_store_error,
    text_response,
)
from phaseten.server.http.sheets import SheetRoutes
from phaseten.server.http.tables import TableRoutes
from phaseten.server.metrics import Metrics
from phaseten.server.push.offer import open_sender
from phaseten.server.running.bot_processes import BotProcesses
from phaseten.server.running.chance import SECRET, Chance
from phaseten.server.running.coaching import Coach
from phaseten.server.running.node import Node
from phaseten.server.running.services import Services
from phaseten.server.running.tasks import once_available
from phaseten.server.settings import Settings
from phaseten.server.socket.connection import Connection
from phaseten.server.socket.speaker import MessageSpeaker
from phaseten.server.store.database import open_store
from phaseten.server.store.interface import StoreError
from phaseten.server.throttle import Slots

GUEST_KEY: Final = "guests"
"""The name under which the store keeps what tokens are signed with."""


class Server:
    """The application and all that it holds."""

    def __init__(self, settings: Settings, site: Path = FOLDER, chance: Chance = SECRET) -> None:
        limits = settings.limits
        self._settings = settings
        self._chance = chance
        self.metrics = Metrics()
        self._guard = Guard(settings)
        self._slots = Slots(limits.connections, limits.connections_of_address)
        self._allowances = Allowances(limits)
        self._services = Services()
        self._tables = TableRoutes(settings, self._guard, self._services)
        games = GameRoutes(self._guard, self._services)
        self.operations: tuple[Operation, ...] = (
            *self._tables.operations,
            *games.operations,
            *AnalysisRoutes(self._guard, self._services, games, self.metrics).operations,
            *EditionRoutes(self._guard).operations,
            *PuzzleRoutes(self._guard).operations,
            *DeviceRoutes(settings, self._guard, self._services).operations,
            *PushRoutes(settings, self._guard, self._services).operations,
            *SheetRoutes(settings, self._guard, self._services).operations,
            *self._own_operations,
        )
        self._description = describe(self.operations, cookie_name(secure=settings.secure))
        inner = Starlette(
            routes=[
                *routes(self.operations),
                WebSocketRoute("/api/tables/{code}/play", self._play),
                Route("/{path:path}", Endpoint({"GET": Pages(site).answer})),
            ],
            lifespan=self._lifespan,
            exception_handlers={
                ProblemError: respond_to_problem,
                HTTPException: respond_to_http_error,
                StoreError: respond_to_store_error,
                Exception: respond_to_failure,
            },
        )
        named = WithHosts(inner, (*settings.hosts, settings.host))
        self.app: ASGIApp = WithHeaders(named, secure=settings.secure)

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncGenerator[None]:
        store = await once_available(lambda: open_store(self._settings.database), self.metrics)
        new_key = self._chance.new_key().hex()
        key = await once_available(lambda: store.keep_key(GUEST_KEY, new_key), self.metrics)
        self._guard.open(Tokens(bytes.fromhex(key)))
        sender = await once_available(
            lambda: open_sender(store, self._settings.push_services), self.metrics
        )
        bots = BotProcesses(self._settings.bots, self._chance.new_bot_seed)
        node = Node(
            store,
            bots,
            MessageSpeaker(),
            self.metrics,
            new_seed=self._chance.new_seed,
            expire=self._settings.expire,
            sender=sender,
            forget=self._forget,
        )
        coach = Coach()
        self._services.open(store, node, coach, sender)
        try:
            async with node.running():
                yield
        finally:
            await coach.close()
            await bots.close()
            await store.close()

    def _forget(self) -> None:
        """Forget what makes no difference."""
        self._guard.forget_full()
        self._allowances.forget_full()

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
                summary="Whether its database answers, and all that it does by itself is running.",
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
        self._guard.limit_requests(request)
        return json_response(self._description)

    async def _health(self, _request: Request) -> Response:
        return text_response("ok")

    async def _ready(self, _request: Request) -> Response:
        await self._services.node.check()
        return text_response("ready")

    async def _measures(self, _request: Request) -> Response:
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4")

    # -- play ------------------------------------------------------------------------------------

    async def _play(self, socket: WebSocket) -> None:
        try:
            self._guard.check_origin(socket)
            table = await self._tables.find(socket)
        except ProblemError as error:
            await socket.send_denial_response(await respond_to_problem(socket, error))
            return
        except StoreError as error:
            await socket.send_denial_response(await respond_to_store_error(socket, error))
            return
        with self._slots.slot(address_of(socket)) as has_room:
            if has_room:
                await self._serve(socket, table.code)
            else:
                await socket.send_denial_response(text_response("full", 503))

    async def _serve(self, socket: WebSocket, code: str) -> None:
        guest = self._guard.guest(socket)
        # Renewed each time, so that whoever comes back stays the same.
        cookie = [(k.encode(), v.encode()) for k, v in self._guard.cookie(guest.token).items()]
        await socket.accept(headers=cookie)
        connection = Connection(
            socket,
            self._services.node,
            self.metrics,
            self._allowances,
            who=Who(guest.owner, address_of(socket), code),
            waiting=self._settings.limits.waiting,
            language=language_of(socket),
        )
        await connection.run(_after(socket))


def _after(connection: HTTPConnection) -> int | None:
    """The last version that the client knows."""
    text = connection.query_params.get("after", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else None
