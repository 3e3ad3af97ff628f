"""uvicorn's WebSocket, with a shorter way in and a shorter way out.

An ASGI application sends through a coroutine and half a dozen layers, which for a small message to four
people cost more than the message itself. This protocol also takes a text at once, as it is. And it reads
by itself what clients send all the time: a message in one frame, in ASCII. Whatever else comes is left to uvicorn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION: Final = "phaseten.write"

_WHOLE_TEXT: Final = 0x81
_MASKED: Final = 0x80
_SHORT: Final = 126
_LONG: Final = 65_536
_MOST_UNREAD: Final = 8
"""Messages that may wait for the application before nothing more is read."""

Write = Callable[[bytes], bool]
"""Sends a text. False, and nothing is sent, where the other side does not keep up or is gone."""


def _nothing() -> None:
    pass


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket whose scope has our EXTENSION."""

    leads_away: Callable[[asyncio.Transport, bytes], bool] | None = None
    """Whether a connection, with what was read of it, is another node's."""
    _rest = b""
    """The beginning of a frame whose end has not come yet."""
    left: Callable[[], None] = staticmethod(_nothing)
    """Whom to tell when it is over."""

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        super().connection_lost(exc)
        self.left()
        scope = cast("dict[str, Any] | None", getattr(self, "scope", None))
        if scope is not None:
            # It knows this one: neither would be freed before garbage is looked for.
            scope["extensions"].pop(EXTENSION, None)

    def handle_connect(self, event: Any) -> None:
        """Somebody wants to connect."""
        super().handle_connect(event)
        if not self.close_sent:
            scope = cast("dict[str, Any]", self.scope)
            scope["extensions"][EXTENSION] = {"write": self._write}

    def data_received(self, data: bytes) -> None:
        """Something came in: frames, and parts of frames."""
        if not self.handshake_complete or self.close_sent:
            leads_away = type(self).leads_away
            is_new = not (self.handshake_initiated or self.transport.is_closing())
            if leads_away is None or not is_new or not leads_away(self.transport, data):
                super().data_received(data)
            return
        data = self._rest + data if self._rest else data
        while data:
            size = _frame_size(data)
            if size > len(data):
                if size > self.config.ws_max_size:  # uvicorn says why that is too much
                    super().data_received(data)
                    data = b""
                break
            self._take_frame(data[:size] if size < len(data) else data)
            data = data[size:]
        self._rest = data

    def _take_frame(self, frame: bytes) -> None:
        """A whole frame."""
        text = _text_in(frame) if not (self.frames or self.close_sent) else None
        if text is None:
            super().data_received(frame)
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if not self.read_paused and self.queue.qsize() >= _MOST_UNREAD:
            self.read_paused = True
            self.transport.pause_reading()

    def _write(self, text: bytes) -> bool:
        is_open = self.handshake_complete and not (self.close_sent or self.disconnected)
        if not is_open or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(_head(len(text)) + text)
        return True


def _frame_size(data: bytes) -> int:
    """How many bytes the frame has that begins here, or at least has (RFC 6455, 5.2)."""
    if len(data) < 2:
        return 2
    size = data[1] & ~_MASKED
    head = 2
    if size >= _SHORT:
        head = 4 if size == _SHORT else 10
        if len(data) < head:
            return head
        size = int.from_bytes(data[2:head], "big")
    return head + size + (4 if data[1] & _MASKED else 0)


def _text_in(frame: bytes) -> str | None:
    """The text in a frame, if that is a whole message and short, and in ASCII; None: look more closely."""
    if frame[0] != _WHOLE_TEXT or not _MASKED <= frame[1] < _MASKED + _SHORT:
        return None
    text = _unmasked(frame[6:], frame[2:6])
    return text.decode() if text.isascii() else None


def _unmasked(data: bytes, mask: bytes) -> bytes:
    size = len(data)
    pattern = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data, "big") ^ int.from_bytes(pattern, "big")).to_bytes(size, "big")


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
