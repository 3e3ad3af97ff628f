"""The store in a SQLite file: one thread writes, and commits together what came in together."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

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

T = TypeVar("T")

BUSY_SECONDS: Final = 5.0
MOST_TOGETHER: Final = 256
"""Appends in one commit."""


class _Append(NamedTuple):
    """An append that waits for the writer."""

    table: str
    expected: int
    step: Step
    listing: Listing
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[int]


class SqliteStore:
    """Tables in one file, for one server process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._waiting: queue.SimpleQueue[_Append | None] = queue.SimpleQueue()
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="phaseten-read")
        self._reader: sqlite3.Connection | None = None
        self._writer = threading.Thread(target=self._write, name="phaseten-write", daemon=True)
        self._closed = False

    @classmethod
    async def open(cls, path: Path) -> SqliteStore:
        """The store in that file, which is made, or brought up to date, where needed."""
        store = cls(path)
        await asyncio.to_thread(_prepare, path)
        store._writer.start()
        return store

    async def append(self, table: str, expected_version: int, step: Step, listing: Listing) -> int:
        if self._closed:
            raise StoreUnavailableError("The store is closed.")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[int] = loop.create_future()
        self._waiting.put(_Append(table, expected_version, step, listing, loop, future))
        return await future

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
        """Nobody else writes to the file: there are none."""
        yield _never()

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._reading.shutdown)
        if self._reader is not None:
            self._reader.close()

    # -- reading ---------------------------------------------------------------------------------

    async def _fetch(self, sql: str, *values: Value) -> list[Any]:
        if self._closed:
            raise StoreUnavailableError("The store is closed.")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reading, self._fetch_here, sql, values)

    def _fetch_here(self, sql: str, values: Sequence[Value]) -> list[Any]:
        try:
            if self._reader is None:
                self._reader = _connect(self.path)
            return self._reader.execute(sql, _named(values)).fetchall()
        except sqlite3.Error as error:
            raise _unavailable(self.path, error) from error

    # -- writing ---------------------------------------------------------------------------------

    def _write(self) -> None:
        """The writer's thread."""
        connection: sqlite3.Connection | None = None
        going_on = True
        while going_on:
            batch, going_on = self._next_batch()
            if not batch:
                continue
            try:
                connection = connection or _connect(self.path)
                outcomes = _commit(connection, batch)
            except sqlite3.Error as error:
                problem = _unavailable(self.path, error)
                _tell([(append, problem) for append in batch])
                if connection is not None:  # what is wrong may lie in the connection itself
                    with suppress(sqlite3.Error):
                        connection.close()
                    connection = None
            else:
                _tell(outcomes)
        if connection is not None:
            connection.close()

    def _next_batch(self) -> tuple[list[_Append], bool]:
        """Everything that waits, and whether more may come."""
        batch: list[_Append] = []
        item = self._waiting.get()
        while item is not None:
            batch.append(item)
            if len(batch) == MOST_TOGETHER or self._waiting.empty():
                return batch, True
            item = self._waiting.get()
        return batch, False


_Outcome = tuple[_Append, int | Exception]


def _commit(connection: sqlite3.Connection, batch: Sequence[_Append]) -> list[_Outcome]:
    """Make these appends in one transaction; what came of each, once it is safe on the disk."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        outcomes: list[_Outcome] = [(append, _insert(connection, append)) for append in batch]
        connection.execute("COMMIT")
    except sqlite3.Error:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    return outcomes


def _insert(connection: sqlite3.Connection, append: _Append) -> int | Exception:
    table, expected, step, listing, *_ = append
    inserted = connection.execute(
        INSERT_STEP, _named((table, expected, step.at, step.events))
    ).rowcount
    if not inserted:
        return ConflictError(table, expected)
    version = expected + 1
    connection.execute(LIST_TABLE, _named(listing_values(table, version, step, listing)))
    for owner in listing.owners:
        connection.execute(LIST_OWNER, _named((owner, table)))
    return version


def _tell(outcomes: Sequence[_Outcome]) -> None:
    """Bring the outcomes to those who wait for them."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Outcome]] = {}
    for outcome in outcomes:
        by_loop.setdefault(outcome[0].loop, []).append(outcome)
    for loop, mine in by_loop.items():
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_resolve, mine)


def _resolve(outcomes: Sequence[_Outcome]) -> None:
    for append, outcome in outcomes:
        if append.future.done():  # whoever waited has given up
            continue
        if isinstance(outcome, Exception):
            append.future.set_exception(outcome)
        else:
            append.future.set_result(outcome)


def _prepare(path: Path) -> None:
    """Make the file and its tables, or bring them up to date."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(path)
        try:
            _migrate(connection)
        finally:
            connection.close()
    except OSError as error:
        raise StoreUnavailableError(
            f"{path.parent} cannot be used for the database: {error.strerror or error}."
        ) from error
    except sqlite3.Error as error:
        raise _unavailable(path, error) from error


def _migrate(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(SCHEMA_TABLE)
        (found,) = connection.execute(READ_SCHEMA).fetchone()
        missing = missing_migrations(found)
        for migration in missing:
            for statement in migration:
                connection.execute(statement)
        if missing:
            connection.execute(CLEAR_SCHEMA)
            connection.execute(WRITE_SCHEMA, _named((found + len(missing),)))
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA journal_mode = WAL")
    # In WAL mode only FULL writes the log through to the disk at every commit.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS lies otherwise
    return connection


def _named(values: Sequence[Value]) -> dict[str, Value]:
    """SQLite takes PostgreSQL's ``$1`` for a parameter that is called 1."""
    return {str(number): value for number, value in enumerate(values, 1)}


def _unavailable(path: Path, error: sqlite3.Error) -> StoreUnavailableError:
    code = getattr(error, "sqlite_errorcode", None)
    say: Callable[[str], StoreUnavailableError] = StoreUnavailableError
    if code == sqlite3.SQLITE_FULL:
        return say(f"The disk is full: nothing more can be kept in {path}. Make room on it.")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return say(f"{path} is in use by another program.")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return say(f"{path} is not a database, or it is damaged: put a backup in its place.")
    return say(f"{path} cannot be used: {error}.")


async def _never() -> AsyncGenerator[Change | None]:
    await asyncio.Event().wait()
    yield None
