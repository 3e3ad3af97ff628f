"""The store in a SQLite file: one thread writes, and commits together what came in together."""

from __future__ import annotations

import asyncio
import queue
import re
import sqlite3
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from phaseten.server.logs import log, where
from phaseten.server.store.interface import (
    ConflictError,
    Heard,
    KeptGame,
    KeptStep,
    Listing,
    Notice,
    Snapshot,
    Step,
    StoreUnavailableError,
    Subscription,
)
from phaseten.server.store.queries import Queries
from phaseten.server.store.sql import (
    CLAIM_DUE,
    CLEAR_SCHEMA,
    FORGET_LEASES,
    FORGET_SUBSCRIPTION,
    FORGET_TICKETS,
    HOLD_DUE,
    INSERT_STEP,
    IS_DUE,
    KEEP_ANALYSIS,
    KEEP_KEY,
    KEEP_TICKET,
    MOVE_TABLE,
    OLD_LEASE,
    READ_KEY,
    READ_NEEDS,
    READ_SCHEMA,
    SCHEMA_TABLE,
    TAKE_TICKET,
    WRITE_SCHEMA,
    Statement,
    Value,
    Write,
    append_write,
    expire_write,
    forget_write,
    is_move,
    is_newer,
    missing_migrations,
    snapshot_statement,
    subscription_statements,
)

BUSY_SECONDS: Final = 5.0
MOST_TOGETHER: Final = 256
"""Writes in one commit, or somewhat more: what came in together is not parted."""

_SHRINK: Final = "PRAGMA shrink_memory"

_Work = Callable[[sqlite3.Connection], Any]


class _Job(NamedTuple):
    """A write that waits for the writer."""

    work: _Work
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    move: Write | None = None
    """Where it is a step like most: those that wait together are written together."""


class SqliteStore(Queries):
    """Tables in one file, for one server process."""

    is_shared = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self._gathered: list[_Job] = []
        """What came in since the writer was last called: to wake it for each would keep everybody waiting."""
        self._waiting: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
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
        write = append_write(table, expected_version, step, listing)
        await self._do(partial(_carry_out, write), write if is_move(write) else None)
        return write.version

    async def forget(
        self, game: KeptGame, expected_version: int, steps: Sequence[KeptStep] | None
    ) -> None:
        await self._do(partial(_carry_out, forget_write(game, expected_version, steps)))

    async def expire(self, table: str, expected_version: int) -> None:
        await self._do(partial(_carry_out, expire_write(table, expected_version)))

    async def keep_snapshot(self, table: str, snapshot: Snapshot) -> None:
        await self._do(partial(_execute, (snapshot_statement(table, snapshot),)))

    async def keep_analysis(self, game: str, reports: Mapping[str, str]) -> None:
        rows = [(game, language, report) for language, report in reports.items()]
        await self._do(partial(_execute, (Statement(KEEP_ANALYSIS, rows),)))

    async def keep_key(self, name: str, key: str) -> str:
        await self._do(partial(_execute, (Statement(KEEP_KEY, [(name, key)]),)))
        return (await self._fetch(READ_KEY, name))[0][0]

    async def keep_ticket(self, ticket: str, sealed: str, now: int, expires: int) -> None:
        statements = (
            Statement(FORGET_TICKETS, [(now,)]),
            Statement(KEEP_TICKET, [(ticket, sealed, expires)]),
        )
        await self._do(partial(_execute, statements))

    async def take_ticket(self, ticket: str, now: int) -> str | None:
        def take(connection: sqlite3.Connection) -> str | None:
            found = connection.execute(_sql(TAKE_TICKET), (ticket, now)).fetchall()
            return found[0][0] if found else None

        return await self._do(take)

    async def keep_subscription(self, owner: str, subscription: Subscription, now: int) -> None:
        await self._do(partial(_execute, subscription_statements(owner, subscription, now)))

    async def forget_subscription(self, owner: str, endpoint: str) -> None:
        await self._do(partial(_execute, (Statement(FORGET_SUBSCRIPTION, [(owner, endpoint)]),)))

    async def clock(self) -> int:
        return time.time_ns() // 1_000_000

    async def claim_due(self, before: int, now: int, lease: int, most: int) -> Sequence[str]:
        if not await self._fetch(IS_DUE, before):  # nobody is kept waiting for that nothing is done
            return []

        def claim(connection: sqlite3.Connection) -> list[str]:
            connection.execute(_sql(FORGET_LEASES), (now - OLD_LEASE,))
            found = connection.execute(_sql(CLAIM_DUE), (before, now, lease, most))
            return [table for (table,) in found.fetchall()]

        return await self._do(claim)

    async def hold_due(self, tables: Mapping[str, int], until: int) -> None:
        rows = [(table, version, until) for table, version in tables.items()]
        await self._do(partial(_execute, (Statement(HOLD_DUE, rows),)))

    async def shrink(self) -> None:
        await self._fetch(_SHRINK)
        await self._do(lambda connection: connection.execute(_SHRINK).close())

    async def listen(self, table: str) -> None:
        """There is nobody to hear."""

    async def stop_listening(self, tables: Sequence[str]) -> None:
        """There is nobody to hear."""

    async def announce(self, notices: Sequence[Notice]) -> None:
        """There is nobody to tell."""

    @asynccontextmanager
    async def changes(self) -> AsyncGenerator[AsyncIterator[Heard]]:
        """Nobody else writes to the file: there are none."""
        yield _never()

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._hand_over()
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
            return self._reader.execute(_sql(sql), values).fetchall()
        except sqlite3.Error as error:
            raise _unavailable(self.path, error) from error

    # -- writing ---------------------------------------------------------------------------------

    async def _do(self, work: _Work, move: Write | None = None) -> Any:
        """Let the writer do it; what came of it, once it is safe on the disk."""
        if self._closed:
            raise StoreUnavailableError("The store is closed.")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._gathered.append(_Job(work, loop, future, move))
        if len(self._gathered) == 1:
            loop.call_soon(self._hand_over)
        return await future

    def _hand_over(self) -> None:
        """Give the writer what has come in."""
        if self._gathered:
            self._waiting.put(self._gathered)
            self._gathered = []

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
                outcomes = _commit(connection, batch, self.path)
            except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
                problem = _problem(self.path, error)
                outcomes = [(job, problem) for job in batch]
                connection = _let_go(connection)  # what is wrong may lie in the connection itself
            _tell(outcomes)
            del batch, outcomes  # nobody needs them while this thread waits
        _let_go(connection)

    def _next_batch(self) -> tuple[list[_Job], bool]:
        """Everything that waits, and whether more may come."""
        batch: list[_Job] = []
        jobs = self._waiting.get()
        while jobs is not None:
            batch += jobs
            if len(batch) >= MOST_TOGETHER or self._waiting.empty():
                return batch, True
            jobs = self._waiting.get()
        return batch, False


_Outcome = tuple[_Job, Any]
"""A job and what came of it; an exception where that is what came of it."""


def _commit(connection: sqlite3.Connection, batch: Sequence[_Job], path: Path) -> list[_Outcome]:
    """Do these jobs in one transaction; what came of each, once it is safe on the disk."""
    connection.execute("BEGIN IMMEDIATE")
    outcomes: list[_Outcome] = []
    moves = [job.move for job in batch if job.move is not None]
    if len(moves) > 1 and _move_all(connection, moves):
        outcomes += [(job, None) for job in batch if job.move is not None]
        batch = [job for job in batch if job.move is None]
    outcomes += [(job, _outcome(connection, job, path)) for job in batch]
    connection.execute("COMMIT")
    return outcomes


def _move_all(connection: sqlite3.Connection, moves: Sequence[Write]) -> bool:
    """Write steps of many tables, a third of the time that one after the other would take.

    False where one of them cannot be written: then none is, and it is found out which.
    """
    connection.execute("SAVEPOINT moves")
    try:
        claims = [move.claim.rows[0] for move in moves]
        are_moved = connection.executemany(_sql(MOVE_TABLE), claims).rowcount == len(moves)
        if are_moved:
            steps = [move.rest[0].rows[0] for move in moves]
            connection.executemany(_sql(INSERT_STEP), steps)
    except sqlite3.Error:
        if not connection.in_transaction:  # SQLite itself has given all of it up
            raise
        are_moved = False
    if not are_moved:
        connection.execute("ROLLBACK TO moves")
    connection.execute("RELEASE moves")
    return are_moved


def _outcome(connection: sqlite3.Connection, job: _Job, path: Path) -> Any:
    """Do one job. If it cannot be done, the others of the transaction are not lost for that."""
    connection.execute("SAVEPOINT job")
    try:
        outcome = job.work(connection)
    except ConflictError as conflict:  # nothing was written
        outcome = conflict
    except Exception as error:
        if not connection.in_transaction:  # SQLite itself has given all of it up
            raise
        connection.execute("ROLLBACK TO job")
        outcome = _problem(path, error)
    connection.execute("RELEASE job")
    return outcome


def _carry_out(write: Write, connection: sqlite3.Connection) -> None:
    (values,) = write.claim.rows
    if not connection.execute(_sql(write.claim.sql), values).rowcount:
        raise ConflictError(write.table, write.expected)
    _execute(write.rest, connection)


def _execute(statements: Sequence[Statement], connection: sqlite3.Connection) -> None:
    for sql, rows in statements:
        if rows:
            connection.executemany(_sql(sql), rows)


def _let_go(connection: sqlite3.Connection | None) -> None:
    """Close the connection, and with it what it has not committed."""
    if connection is not None:
        with suppress(sqlite3.Error):
            connection.close()


def _tell(outcomes: Sequence[_Outcome]) -> None:
    """Bring the outcomes to those who wait for them."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Outcome]] = {}
    for outcome in outcomes:
        by_loop.setdefault(outcome[0].loop, []).append(outcome)
    for loop, mine in by_loop.items():
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_resolve, mine)


def _resolve(outcomes: Sequence[_Outcome]) -> None:
    for job, outcome in outcomes:
        if job.future.done():  # whoever waited has given up
            continue
        if isinstance(outcome, Exception):
            job.future.set_exception(outcome)
        else:
            job.future.set_result(outcome)


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
        needs = connection.execute(READ_NEEDS).fetchone()[0] if is_newer(found) else 0
        missing = missing_migrations(found, needs)
        for migration in missing:
            for statement in migration:
                connection.execute(statement)
        if missing:
            connection.execute(CLEAR_SCHEMA)
            connection.execute(_sql(WRITE_SCHEMA), (found + len(missing),))
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


_PRAGMAS: Final = (
    "journal_mode = WAL",
    # In WAL mode only FULL writes the log through to the disk at every commit.
    "synchronous = FULL",
    "fullfsync = ON",  # macOS lies otherwise
    "secure_delete = ON",  # what was deleted is overwritten
)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


@cache  # there are as many as sql.py has
def _sql(sql: str) -> str:
    """PostgreSQL's ``$1`` as SQLite writes it."""
    return re.sub(r"\$(\d+)", r"?\1", sql)


def _problem(path: Path, error: Exception) -> StoreUnavailableError:
    if isinstance(error, sqlite3.Error):
        return _unavailable(path, error)
    log.error("failed", extra={"what": "store", "why": where(error)})
    return StoreUnavailableError("This cannot be kept.")


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


async def _never() -> AsyncGenerator[Heard]:
    await asyncio.Event().wait()
    yield None
