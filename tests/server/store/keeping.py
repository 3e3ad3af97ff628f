"""A store for a test, and something to keep in it."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from phaseten.server.store.database import open_store
from phaseten.server.store.interface import (
    Listing,
    Step,
    Store,
)

LISTING = Listing("playing", public=True, due=None, about="{}", owners=())


def step(text: str = "[]", at: int = 1) -> Step:
    return Step(at, text)


@asynccontextmanager
async def opened(database: str) -> AsyncGenerator[Store]:
    store = await open_store(database)
    try:
        yield store
    finally:
        await store.close()


def with_store(database: str, use: Callable[[Store], Awaitable[None]]) -> None:
    async def main() -> None:
        async with opened(database) as store:
            await use(store)

    asyncio.run(main())


async def execute(database: str, *statements: str) -> None:
    """Do this with the database itself."""
    if database.startswith("postgresql"):
        import asyncpg  # noqa: PLC0415 - only here

        connection = await asyncpg.connect(database)
        for sql in statements:
            await connection.execute(sql)
        await connection.close()
        return
    with sqlite3.connect(database) as file:
        for sql in statements:
            file.execute(sql)
    file.close()
