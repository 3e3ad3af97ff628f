"""Several nodes behind one port: each table's people are led to the same one of them.

The system gives a new connection to whichever node is free. Where that node finds, by the code in the path, that
another one has the table, it hands the connection over with what has been read of it, and the client
notices nothing. Where the other node cannot take it, this one serves the table as well as any.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, Protocol
from zlib import crc32

import uvicorn

from phaseten.server.socket.transport import Socket

_PLAY: Final = re.compile(rb"GET [^ ]*/api/tables/([^/ ?]+)/play[ ?]")
_LONGEST_REQUEST: Final = 65_536
_SECONDS: Final = 2.0
"""For the other node's part of a hand-over; it is on the same machine."""
_WAITING: Final = 1_024


def node_of(code: str, nodes: int) -> int:
    """Which of so many nodes has the table of that code."""
    return crc32(code.upper().encode()) % nodes


class Gate(Protocol):
    """Counts connections, from wherever they come."""

    def enter(self, host: str) -> str | None:
        """Take a place for a connection from there; what to give back in the end, or None where there is none."""
        ...

    def leave(self, address: str) -> None:
        """Give the place back."""
        ...


class Doorman(NamedTuple):
    """Knows which node of the machine has which tables."""

    folder: Path
    """Where the nodes have their own doors, for each other."""
    number: int
    """This node's."""
    nodes: int
    door: socket.socket
    """This node's: who is sent there before the node is ready waits."""

    def leads_away(self, transport: asyncio.Transport, request: bytes) -> bool:
        """Whether the connection belongs to another node, and that one has it now."""
        found = _PLAY.match(request)
        if found is None:
            return False
        other = node_of(found[1].decode("latin-1"), self.nodes)
        if other == self.number or len(request) > _LONGEST_REQUEST:
            return False
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as way:
                way.settimeout(0)
                way.connect(str(self.folder / str(other)))
                socket.send_fds(way, [request], [transport.get_extra_info("socket").fileno()])
        except OSError:
            return False
        transport.abort()  # the connection itself is the other node's
        return True

    async def take_in(
        self, server: uvicorn.Server, kind: Callable[..., Socket], gate: Gate
    ) -> None:
        """Serve what other nodes hand over, as long as this runs: who comes so is counted like everybody else."""
        loop = asyncio.get_running_loop()
        self.door.settimeout(0)
        while True:
            way, _ = await loop.sock_accept(self.door)
            with way:
                way.settimeout(_SECONDS)
                request, handles = _received(way)
            for handle in handles:
                taken = socket.socket(fileno=handle)
                place = gate.enter(_host_of(taken))
                if place is None:
                    _turn_away(taken)
                else:
                    await _serve(server, kind, taken, request, partial(gate.leave, place))


def make_doormen(folder: Path, nodes: int) -> list[Doorman]:
    """One for each of so many nodes, with their doors in that folder."""
    return [
        Doorman(folder, number, nodes, _make_door(folder / str(number))) for number in range(nodes)
    ]


def _make_door(path: Path) -> socket.socket:
    door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    door.bind(str(path))
    door.listen(_WAITING)
    return door


def _received(way: socket.socket) -> tuple[bytes, list[int]]:
    """What was handed over: it was sent before anybody was let in."""
    try:
        request, handles, *_ = socket.recv_fds(way, _LONGEST_REQUEST, 1)
    except OSError:
        return b"", []
    return request, list(handles)


def _host_of(taken: socket.socket) -> str:
    try:
        return str(taken.getpeername()[0])
    except OSError:  # the client is gone already
        return ""


def _turn_away(taken: socket.socket) -> None:
    """There is no place for the connection."""
    with taken, suppress(OSError):
        taken.settimeout(0)
        taken.send(
            b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        )


async def _serve(
    server: uvicorn.Server,
    kind: Callable[..., Socket],
    taken: socket.socket,
    request: bytes,
    left: Callable[[], None],
) -> None:
    """Go on with a connection as if it had come here."""
    taken.settimeout(0)
    state = server.server_state

    def make() -> Socket:
        made = kind(config=server.config, server_state=state, app_state=server.lifespan.state)
        made.left = left
        return made

    try:
        loop = asyncio.get_running_loop()
        _, protocol = await loop.connect_accepted_socket(make, taken)
    except OSError:  # the client is gone already
        os.close(taken.detach())
        left()
        return
    protocol.data_received(request)
