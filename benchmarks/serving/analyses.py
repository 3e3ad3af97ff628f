"""People who have the coach read games, one after the other, while others play."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import phaseten
from serving.people import token

READERS = 4
"""So many ask at the same time: one game is read, the others wait."""
REQUEST = """\
POST /api/analysis HTTP/1.1\r
Host: 127.0.0.1\r
Content-Type: text/plain\r
Content-Length: {length}\r
Cookie: phaseten={token}\r
Connection: close\r
\r
"""


def long_game() -> bytes:
    """The record of a whole game of Classic between two bots."""
    game = phaseten.Game("classic", ["Ana", "Beto"], seed=1)
    bot = phaseten.make_bot("casual")
    while not game.is_over:
        game.play(bot.choose(game.view()))
    return game.record().encode()


class Readers:
    """They let the coach read the same game again and again."""

    def __init__(self, port: int, record: bytes) -> None:
        self._port = port
        self._record = record
        self.bytes = 0
        """What the coach has said to all of them."""

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[None]:
        """Read on as long as the block runs."""
        tasks = [asyncio.create_task(self._read(number)) for number in range(READERS)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            problems = [one for one in ended if not isinstance(one, asyncio.CancelledError)]
            if problems:
                raise RuntimeError(f"the coach cannot be asked: {problems[0]}")

    async def _read(self, number: int) -> None:
        head = REQUEST.format(length=len(self._record), token=token(10**9 + number)).encode()
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            try:
                writer.write(head + self._record)
                status = await reader.readline()
                if b" 200 " not in status:
                    raise RuntimeError(status.decode())
                while data := await reader.read(2**16):
                    self.bytes += len(data)
            finally:
                writer.close()
