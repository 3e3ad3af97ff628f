"""The store in PostgreSQL: shared by any number of server processes.

A notification carries the table and its new version only; whoever wants the step reads it.
"""

# asyncpg is not typed.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownLambdaType=false

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import asyncpg

from phaseten.server.store import (
    CLEAR_SCHEMA,
    INSERT_STEP,
    LIST_OWNER,
    LIST_TABLE,
    READ_DUE,
    READ_OWNED,
    READ_PUBLIC,
    READ_SCHEMA,
    READ_STEPS,
    SCHEMA_TABLE,
    WRITE_SCHEMA,
    Change,
    ConflictError,
    KeptStep,
    Listed,
    Listing,
    Step,
    StoreUnavailableError,
    Value,
    listing_values,
    missing_migrations,
)

CHANNEL: Final = "phaseten"
NOTIFY: Final = f"SELECT pg_notify('{CHANNEL}', $1)"
MIGRATION_LOCK: Final = "SELECT pg_advisory_xact_lock(7010)"
"""So that nodes that start together do not migrate together."""

CONNECT_SECONDS: Final = 5
ANSWER_SECONDS: Final = 10.0
RETRY_SECONDS: Final = 0.5

_FAILURES: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    OSError,  # with TimeoutError
)


class PostgresStore:
    """Tables in a PostgreSQL database."""

    def __init__(self, url: str, pool: asyncpg.Pool) -> None:
        self._url = url
        self._pool = pool

    @classmethod
    async def open(cls, url: str, *, connections: int = 8) -> PostgresStore:
        """The store at that URL; its tables are made, or brought up to date, where needed."""
        try:
            pool = await asyncpg.create_pool(
                url,
                min_size=1,
                max_size=connections,
                timeout=CONNECT_SECONDS,
                command_timeout=ANSWER_SECONDS,
            )
        except _FAILURES as error:
            raise _unavailable(error) from error
        store = cls(url, pool)
        try:
            async with pool.acquire() as connection, connection.transaction():
                await _migrate(connection)
        except BaseException as error:
            await store.close()
            if isinstance(error, _FAILURES):
                raise _unavailable(error) from error
            raise
        return store

    async def append(self, table: str, expected_version: int, step: Step, listing: Listing) -> int:
        version = expected_version + 1
        try:
            async with (
                self._pool.acquire(timeout=CONNECT_SECONDS) as connection,
                connection.transaction(),
            ):
                done = await connection.execute(
                    INSERT_STEP, table, expected_version, step.at, step.events
                )
                if done == "INSERT 0 0":
                    raise ConflictError(table, expected_version)
                await connection.execute(LIST_TABLE, *listing_values(table, version, step, listing))
                if listing.owners:
                    await connection.executemany(
                        LIST_OWNER, [(owner, table) for owner in listing.owners]
                    )
                await connection.execute(NOTIFY, f"{table} {version}")
        except _FAILURES as error:
            raise _unavailable(error) from error
        return version

    async def read(self, table: str, after: int = 0) -> Sequence[KeptStep]:
        rows = await self._fetch(READ_STEPS, table, after)
        return [KeptStep(version, Step(at, events)) for version, at, events in rows]

    async def due(self, before: int, most: int) -> Sequence[str]:
        return [table for (table,) in await self._fetch(READ_DUE, before, most)]

    async def public_tables(self, most: int) -> Sequence[Listed]:
        return [Listed(*row) for row in await self._fetch(READ_PUBLIC, most)]

    async def tables_of(self, owner: str, most: int) -> Sequence[Listed]:
        return [Listed(*row) for row in await self._fetch(READ_OWNED, owner, most)]

    async def check(self) -> None:
        await self._fetch(READ_SCHEMA)

    @asynccontextmanager
    async def changes(self) -> AsyncGenerator[AsyncIterator[Change | None]]:
        """Listen on a connection of its own, and again whenever it is lost."""
        heard: asyncio.Queue[Change | None] = asyncio.Queue()
        ready = asyncio.Event()
        listener = asyncio.create_task(self._listen(heard, ready))
        try:
            await ready.wait()
            yield _taken(heard)
        finally:
            listener.cancel()
            with suppress(asyncio.CancelledError):
                await listener

    async def close(self) -> None:
        try:
            await asyncio.wait_for(self._pool.close(), ANSWER_SECONDS)
        except TimeoutError:
            self._pool.terminate()

    async def _fetch(self, sql: str, *values: Value) -> list[Any]:
        try:
            return await self._pool.fetch(sql, *values)
        except _FAILURES as error:
            raise _unavailable(error) from error

    async def _listen(self, heard: asyncio.Queue[Change | None], ready: asyncio.Event) -> None:
        def hear(_connection: object, _process: int, _channel: str, payload: object) -> None:
            table, _, version = str(payload).partition(" ")
            heard.put_nowait(Change(table, int(version)))

        while True:
            lost = asyncio.Event()
            try:
                connection = await asyncpg.connect(self._url, timeout=CONNECT_SECONDS)
                try:
                    connection.add_termination_listener(lambda _, lost=lost: lost.set())
                    await connection.add_listener(CHANNEL, hear)
                    if ready.is_set():  # this is not the first time: there was a gap
                        heard.put_nowait(None)
                    ready.set()
                    await lost.wait()
                finally:
                    with suppress(*_FAILURES):
                        await connection.close(timeout=1)
            except _FAILURES:
                await asyncio.sleep(RETRY_SECONDS)


async def _taken(heard: asyncio.Queue[Change | None]) -> AsyncGenerator[Change | None]:
    while True:
        yield await heard.get()


async def _migrate(connection: Any) -> None:
    await connection.execute(MIGRATION_LOCK)
    await connection.execute(SCHEMA_TABLE)
    found = await connection.fetchval(READ_SCHEMA)
    missing = missing_migrations(found)
    for migration in missing:
        for statement in migration:
            await connection.execute(statement)
    if missing:
        await connection.execute(CLEAR_SCHEMA)
        await connection.execute(WRITE_SCHEMA, found + len(missing))


def _unavailable(error: Exception) -> StoreUnavailableError:
    if isinstance(error, asyncpg.DiskFullError):
        return StoreUnavailableError("The database's disk is full. Make room on it.")
    if isinstance(error, asyncpg.InvalidAuthorizationSpecificationError):
        return StoreUnavailableError("The database refuses this user or password.")
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return StoreUnavailableError("There is no such database: create it with createdb.")
    if isinstance(error, asyncpg.PostgresError):
        return StoreUnavailableError(f"The database refuses: {type(error).__name__}.")
    return StoreUnavailableError("The database does not answer.")
