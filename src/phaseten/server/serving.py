"""Running the application until somebody says stop."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
from contextlib import suppress
from functools import partial
from typing import Final, cast

import uvicorn
from starlette.types import ASGIApp

from phaseten.server.app import Server
from phaseten.server.http.transport import Door, Http
from phaseten.server.logs import log, set_up_logs
from phaseten.server.running.chance import SECRET, Chance
from phaseten.server.settings import Limits, Settings
from phaseten.server.socket.doorman import Doorman
from phaseten.server.socket.transport import Socket
from phaseten.server.store.database import open_store

if sys.platform == "win32":
    resource = None
else:
    import resource

GRACE_SECONDS: Final = 10
OWN_FILES: Final = 100
"""Files that the server itself has open: databases, bots, pages."""
WAITING_CONNECTIONS: Final = 2_048
STALLED_SECONDS: Final = 15
"""After so long without taking what is sent, a client is gone; else it would keep its place for ever."""
LONGEST_FRAME: Final = 16_384
"""Bytes; who sends more is cut off. Messages have to be shorter still."""
COLLECTIONS: Final = (20_000, 10, 20)
"""When garbage is looked for. Looking through all of it stops everybody for a tenth of a second with some
thousand connections; what tables and connections leave behind has no cycles (tests look for them)."""


def listen(host: str, port: int) -> socket.socket:
    """A socket on which to listen; an OSError where that cannot be done."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # every connection inherits it; Linux only
            stalled = STALLED_SECONDS * 1_000
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, stalled)
        listening.bind((host, port))
        listening.listen(WAITING_CONNECTIONS)  # who comes before we are ready waits
    except BaseException:
        listening.close()
        raise
    return listening


async def check_database(database: str) -> None:
    """Make the database, or bring it up to date; a StoreError where it cannot be used."""
    store = await open_store(database)
    await store.close()


def configuration(
    app: ASGIApp, proxies: str = "", door: Door | None = None, kind: type[Socket] = Socket
) -> uvicorn.Config:
    """How uvicorn serves the application."""
    protocol = partial(Http, door=door or Door(Limits(), proxies))
    return uvicorn.Config(
        app,
        http=cast("type[asyncio.Protocol]", protocol),
        log_config=None,
        access_log=False,
        server_header=False,
        ws=kind,
        backlog=WAITING_CONNECTIONS,
        ws_max_size=LONGEST_FRAME,
        ws_per_message_deflate=False,  # half the processor's time, for small messages
        timeout_graceful_shutdown=GRACE_SECONDS,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
    )


class _LedServer(uvicorn.Server):
    """A node among others on one port: it also serves what they hand over."""

    def __init__(
        self, config: uvicorn.Config, doorman: Doorman, kind: type[Socket], door: Door
    ) -> None:
        super().__init__(config)
        self._door = door
        self._doorman = doorman
        self._kind = kind

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        self._taking = asyncio.create_task(self._doorman.take_in(self, self._kind, self._door))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End in good order."""
        self._taking.cancel()
        await super().shutdown(sockets)


def serve(
    settings: Settings,
    listening: socket.socket,
    proxies: str,
    chance: Chance = SECRET,
    *,
    doorman: Doorman | None = None,
) -> None:
    """Serve until the process is told to end; then finish what was begun."""
    set_up_logs()
    gc.freeze()  # what was imported is never garbage
    gc.set_threshold(*COLLECTIONS)
    host, port, *_ = listening.getsockname()
    log.info("started", extra={"address": f"{host} {port}"})
    server = Server(settings, chance=chance)
    limits = settings.limits._replace(sockets=min(settings.limits.sockets, _most_sockets()))
    door = Door(limits, proxies, server.metrics.turned_away)
    if doorman is None:
        uvicorn.Server(configuration(server.app, proxies, door)).run([listening])
        return

    class Led(Socket):
        """A WebSocket that may be another node's."""

        leads_away = doorman.leads_away

    _LedServer(configuration(server.app, proxies, door, Led), doorman, Led, door).run([listening])


def _most_sockets() -> int:
    """How many connections there are file descriptors for, once all are asked for that may be had."""
    if resource is None:  # Windows has no such limit
        return sys.maxsize
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # some systems promise more than they give
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    found, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if found == resource.RLIM_INFINITY else max(found - OWN_FILES, found // 2)
