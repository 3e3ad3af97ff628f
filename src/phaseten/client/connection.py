"""The wire to a table of a server: it is taken up again when it breaks, and nothing is asked twice."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Final, cast
from urllib.parse import urlsplit, urlunsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.sync.client import ClientConnection, connect

from phaseten.client.seated_bot import JoinError, SeatedBot, TryAgainError
from phaseten.notation.shapes import Data

LONGEST_MESSAGE: Final = 1_000_000
FIRST_WAIT: Final = 0.25
LONGEST_WAIT: Final = 15.0
"""Seconds between two attempts to reach the server; they grow from the first to the longest."""
LONGEST_OUTAGE: Final = 300.0
"""Seconds without the server after which it is given up."""
_LOST: Final = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, EOFError)


class TableConnection:
    """One bot's way to a table. ``play`` returns when the game is over."""

    def __init__(
        self, address: str, code: str, bot: SeatedBot, report: Callable[[str], None] = print
    ) -> None:
        self._address = find_socket(address, code)
        self._bot = bot
        self._report = report
        self._cookie = ""

    def play(self) -> str:
        """Play until the game is over; how it ended."""
        wait, lost_at = FIRST_WAIT, 0.0
        while self._bot.result is None:
            heard = self._bot.version
            try:
                with self._open() as socket:
                    if lost_at:
                        self._report("The server is there again.")
                    wait, lost_at = FIRST_WAIT, 0.0
                    self._converse(socket)
            except (*_LOST, TryAgainError) as error:
                now = time.monotonic()
                if isinstance(error, InvalidStatus) and error.response.status_code < 500:
                    raise JoinError(_why_not(error.response.status_code)) from error
                if heard is None and self._bot.version is None:
                    raise JoinError(f"no server answers at {self._address}: {error}") from error
                if not lost_at:
                    self._report("The connection is lost; trying again …")
                    lost_at = now
                if now - lost_at > LONGEST_OUTAGE:
                    raise JoinError("the server has not been there for five minutes") from error
                time.sleep(wait)
                wait = min(LONGEST_WAIT, 2 * wait)
        return self._bot.result

    def leave(self) -> None:
        """Give the seat up, as well as that can be done: the server puts a bot in it."""
        try:
            with self._open() as socket:
                socket.send(json.dumps({"do": "leave"}))
                socket.recv(timeout=2)
        except _LOST:
            return

    def _open(self) -> ClientConnection:
        address = self._address
        if self._bot.version is not None:
            address += f"?after={self._bot.version}"
        headers = {"Cookie": self._cookie} if self._cookie else {}
        socket = connect(address, additional_headers=headers, max_size=LONGEST_MESSAGE)
        if socket.response is not None:
            cookies = SimpleCookie()
            for line in socket.response.headers.get_all("Set-Cookie"):
                cookies.load(line)
            if cookies:
                self._cookie = "; ".join(f"{name}={one.value}" for name, one in cookies.items())
        self._bot.reconnected()
        return socket

    def _converse(self, socket: ClientConnection) -> None:
        for text in socket:
            message = cast("Data", json.loads(text))
            request = self._bot.hear(message)
            if request is not None:
                socket.send(json.dumps(request))
            if self._bot.result is not None:
                return


def find_socket(address: str, code: str) -> str:
    """Where the table's WebSocket is, from the address of the server's pages."""
    parts = urlsplit(address if "://" in address else f"http://{address}")
    scheme = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}.get(parts.scheme)
    if scheme is None or not parts.hostname:
        raise JoinError(f"{address!r} is not the address of a server: write http://host:8000")
    path = f"/api/tables/{code.strip().upper()}/play"
    try:
        return urlunsplit((scheme, parts.netloc, path, "", ""))
    except (ValueError, InvalidURI) as error:
        raise JoinError(f"{address!r} is not the address of a server: {error}") from error


def _why_not(status: int) -> str:
    if status == 404:
        return "there is no table of that code"
    if status == 429:
        return "the server lets nobody in from here for a while: too many attempts"
    return f"the server does not let the bot in (HTTP {status})"
