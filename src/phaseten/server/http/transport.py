"""uvicorn's HTTP, with a doorkeeper: how many connect, how much they say before they ask, and how long they take.

uvicorn itself waits for ever for the first request of a connection, and reads headers of any length.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, Final, Protocol, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from phaseten.server.logs import log
from phaseten.server.settings import Limits
from phaseten.server.throttle import Slots, network_of

MOST_HEAD: Final = 16_384
"""Bytes of a request line and its headers; browsers send one or two thousand."""
MOST_HEADERS: Final = 100
MOST_BODY: Final = 524_288
"""Bytes that are taken in, whoever reads them: no route reads more than half of it."""
HEAD_SECONDS: Final = 10.0
"""For the first byte of a connection, and from the first byte of a request to the end of its headers."""
BODY_SECONDS: Final = 30.0
LOG_SECONDS: Final = 10.0
"""Between two lines about connections that are turned away: there may be thousands."""

_HEAD_TOO_LONG: Final = "431 Request Header Fields Too Large"
_BODY_TOO_LONG: Final = "413 Content Too Large"
_TOO_SLOW: Final = "408 Request Timeout"
_FULL: Final = "503 Service Unavailable"


class Counter(Protocol):
    """Counts what is turned away."""

    def inc(self) -> None:
        """One more."""
        ...


class Door:
    """Counts connections from the moment they are accepted, whatever they do then.

    Those of proxies count in all, but not for an address: behind them is everybody.
    """

    def __init__(
        self, limits: Limits, proxies: str = "", turned_away: Counter | None = None
    ) -> None:
        self._slots = Slots(limits.sockets, limits.sockets_of_address)
        self._proxies = _networks(proxies)
        self._turned_away = turned_away
        self._unlogged = 0
        self._quiet_until = 0.0

    def enter(self, host: str) -> str | None:
        """Take a place for a connection from there; what to give back in the end, or None where there is none."""
        address = "" if self._is_proxy(host) else network_of(host)
        if self._slots.take(address):
            return address
        if self._turned_away is not None:
            self._turned_away.inc()
        self._unlogged += 1
        if time.monotonic() >= self._quiet_until:
            self._quiet_until = time.monotonic() + LOG_SECONDS
            why = f"{self._unlogged} connections too many"
            log.warning("turned away", extra={"what": "door", "why": why, "address": address})
            self._unlogged = 0
        return None

    def leave(self, address: str) -> None:
        """Give the place back."""
        self._slots.give(address)

    def _is_proxy(self, host: str) -> bool:
        if self._proxies is None:
            return True
        try:
            address = ip_address(host)
        except ValueError:  # a socket of this machine, which has no address
            return host in ("", "unix:")
        return any(address in network for network in self._proxies)


def _networks(proxies: str) -> list[IPv4Network | IPv6Network] | None:
    """The networks that ``--proxies`` names; None for everybody."""
    found: list[IPv4Network | IPv6Network] = []
    for text in proxies.replace(",", " ").split():
        if text == "*":
            return None
        try:
            found.append(ip_network(text, strict=False))
        except ValueError:
            continue  # uvicorn takes it for the name of a socket
    return found


class Http(HttpToolsProtocol):
    """An HTTP connection that has to get on."""

    def __init__(self, *arguments: Any, door: Door, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._door = door
        self._place: str | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._in_head = True
        self._head = 0
        """Bytes of the headers that are coming in."""
        self._body = 0

    # -- coming and going ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Somebody has connected."""
        super().connection_made(transport)
        self._place = self._door.enter(self.client[0] if self.client else "")
        if self._place is None:
            self._refuse(_FULL)
        else:
            self._wait(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._stop_waiting()
        super().connection_lost(exc)
        self._leave()

    def _leave(self) -> None:
        if self._place is not None:
            self._door.leave(self._place)
            self._place = None

    def handle_websocket_upgrade(self) -> None:
        """It becomes a WebSocket, which keeps its place."""
        self._stop_waiting()
        super().handle_websocket_upgrade()
        place, self._place = self._place, None
        if place is not None:
            left = partial(self._door.leave, place)
            cast("Any", self.transport.get_protocol()).left = left
        # The parser knows this one: neither would be freed before garbage is looked for.
        self.parser = cast("Any", None)

    # -- reading ---------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read in parts, so that what is too long is noticed before it is taken in."""
        for start in range(0, len(data), MOST_HEAD):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            part = data[start : start + MOST_HEAD]
            if self._in_head:
                self._head += len(part)
                if self._deadline is None:
                    self._wait(HEAD_SECONDS)
            super().data_received(part)
            if self._in_head and self._head >= MOST_HEAD:
                self._refuse(_HEAD_TOO_LONG)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._body = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header has come."""
        if len(self.headers) >= MOST_HEADERS:
            raise ValueError("too many headers")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """All headers are there."""
        self._in_head, self._head = False, 0
        self._wait(BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body has come."""
        self._body += len(body)
        if self._body > MOST_BODY:
            self._refuse(_BODY_TOO_LONG)
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is there: now it is the server's turn, and after that uvicorn waits for the next."""
        self._stop_waiting()
        self._in_head = True
        super().on_message_complete()

    # -- ending ----------------------------------------------------------------------------------

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds, self._refuse, _TOO_SLOW)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, status: str) -> None:
        """Say why, where no answer has begun, and end the connection."""
        if self.transport.is_closing():
            return
        cycle = cast("Any", self.cycle)
        if cycle is None or cycle.response_complete or not cycle.response_started:
            head = f"HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            self.transport.write(head.encode())
        self.transport.close()
