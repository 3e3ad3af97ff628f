"""What is sent over one WebSocket: at once where that can be done, and otherwise in order."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from starlette.websockets import WebSocket, WebSocketState

from phaseten.server.socket.transport import write_of

TRY_LATER: Final = 1013


class Outbox:
    """The way out of a connection. Who does not keep up is cut off, and can come back."""

    def __init__(self, socket: WebSocket, most_waiting: int) -> None:
        self._socket = socket
        self._write_at_once = write_of(socket.scope)
        self._is_writing = False
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue(most_waiting)
        self._closing = 0
        """With which code the connection is closed."""

    @property
    def is_closing(self) -> bool:
        """Whether nothing more is sent."""
        return self._closing != 0

    def send(self, data: bytes) -> None:
        """Send it in good time."""
        if self._closing:
            return
        if not self._is_writing and self._waiting.empty() and self._write_at_once(data):
            return
        try:
            self._waiting.put_nowait(data)
        except asyncio.QueueFull:
            self.close(TRY_LATER)

    def close(self, code: int) -> None:
        """Close the connection, once what is waiting has been written."""
        if self._closing:
            return
        self._closing = code
        if self._waiting.full():
            while not self._waiting.empty():
                self._waiting.get_nowait()
        self._waiting.put_nowait(None)

    async def write(self) -> None:
        """Write what is waiting, until the connection is closed."""
        while (data := await self._waiting.get()) is not None:
            self._is_writing = True
            await self._socket.send_text(data.decode())
            self._is_writing = False
        if self._socket.application_state is WebSocketState.CONNECTED:
            with suppress(RuntimeError):  # the other side was faster
                await self._socket.close(self._closing)
