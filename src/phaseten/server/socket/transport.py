"""uvicorn's WebSocket, with a shorter way out.

An ASGI application sends through a coroutine and half a dozen layers, which for a small message to four
people cost more than the message itself. This protocol also takes a text at once, as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION: Final = "phaseten.write"

_WHOLE_TEXT: Final = 0x81
_SHORT: Final = 126
_LONG: Final = 65_536

Write = Callable[[bytes], bool]
"""Sends a text. False, and nothing is sent, where the other side does not keep up or is gone."""


def _nothing() -> None:
    pass


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket whose scope has our EXTENSION."""

    left: Callable[[], None] = staticmethod(_nothing)
    """Whom to tell when it is over."""

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        super().connection_lost(exc)
        self.left()

    def handle_connect(self, event: Any) -> None:
        """Somebody wants to connect."""
        super().handle_connect(event)
        if not self.close_sent:
            scope = cast("dict[str, Any]", self.scope)
            scope["extensions"][EXTENSION] = {"write": self._write}

    def _write(self, text: bytes) -> bool:
        is_open = self.handshake_complete and not (self.close_sent or self.disconnected)
        if not is_open or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(_head(len(text)) + text)
        return True


def _head(size: int) -> bytes:
    """What stands before a text of so many bytes (RFC 6455, 5.2)."""
    if size < _SHORT:
        return bytes((_WHOLE_TEXT, size))
    if size < _LONG:
        return bytes((_WHOLE_TEXT, _SHORT)) + size.to_bytes(2, "big")
    return bytes((_WHOLE_TEXT, _SHORT + 1)) + size.to_bytes(8, "big")


def _cannot(_text: bytes) -> bool:
    return False


def write_of(scope: Mapping[str, Any]) -> Write:
    """The short way out, where the server has one."""
    extension = scope.get("extensions", {}).get(EXTENSION)
    return extension["write"] if extension is not None else _cannot
