"""A WebSocket client that costs as little as it can: what is measured is the other side.

The masks are all zeros, which RFC 6455 allows on the wire, so that nothing has to be masked.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
LAST = 0x80
MASKED = 0x80
NO_MASK = bytes(4)
SHORT, LONG = 126, 65_536
AT_ONCE = 1 << 16


class Socket:
    """One connection; what comes is handed to ``heard``, one message at a time."""

    def __init__(self, connection: socket.socket, heard: Callable[[bytes], None]) -> None:
        self._connection = connection
        self._heard = heard
        self._rest = b""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(connection, self._hear)

    @classmethod
    async def open(
        cls, port: int, path: str, cookie: str, heard: Callable[[bytes], None]
    ) -> Socket:
        connection = socket.socket()
        connection.settimeout(0)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(connection, ("127.0.0.1", port))
        request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
        )
        await loop.sock_sendall(connection, request.encode())
        head, end, rest = b"", b"", b""
        while not end:
            head, end, rest = (head + await loop.sock_recv(connection, AT_ONCE)).partition(
                b"\r\n\r\n"
            )
        if b" 101 " not in head[:16]:
            raise ConnectionError(head.decode())
        opened = cls(connection, heard)
        opened._read(rest)
        return opened

    def _hear(self) -> None:
        data = self._connection.recv(AT_ONCE)
        if not data:
            self.close()
            raise ConnectionError("the server closed a connection")
        self._read(self._rest + data if self._rest else data)

    def _read(self, data: bytes) -> None:
        start, end = 0, len(data)
        while end - start >= 2:
            size = data[start + 1]
            body = start + 2
            if size == SHORT:
                body = start + 4
                size = int.from_bytes(data[start + 2 : body], "big")
            elif size > SHORT:
                body = start + 10
                size = int.from_bytes(data[start + 2 : body], "big")
            if body + size > end:
                break
            self._take(data[start] & 0x0F, data[body : body + size])
            start = body + size
        self._rest = data[start:]

    def _take(self, kind: int, body: bytes) -> None:
        if kind == TEXT:
            self._heard(body)
        elif kind == PING:
            self._write(PONG, body)
        elif kind == CLOSE:
            self.close()

    def send(self, text: bytes) -> None:
        self._write(TEXT, text)

    def _write(self, kind: int, body: bytes) -> None:
        size = len(body)
        if size < SHORT:
            head = bytes((LAST | kind, MASKED | size))
        else:
            assert size < LONG
            head = bytes((LAST | kind, MASKED | SHORT)) + size.to_bytes(2, "big")
        frame = head + NO_MASK + body
        assert self._connection.send(frame) == len(frame)

    def close(self) -> None:
        self._loop.remove_reader(self._connection)
        self._connection.close()
