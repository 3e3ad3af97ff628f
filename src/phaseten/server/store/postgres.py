"""The store in PostgreSQL: shared by any number of server processes.

A notification carries the table and its new version only; whoever wants the step reads it. It is sent where
another node listens to the table: it takes a lock on the whole database, so that all commits would wait for each
other. Who listens stands in the table's own row, which every change claims: whoever has written there, and
reads after that, misses nothing.
"""

# asyncpg is not typed.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownLambdaType=false

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any, Final, TypeVar

import asyncpg

from phaseten.server.store.interface import (
    REWRITTEN,
    Change,
    ConflictError,
    Garbled,
    Heard,
    KeptGame,
    KeptStep,
    Listing,
    Notice,
    OutcomeUnknownError,
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
    KEEP_ANALYSIS,
    KEEP_KEY,
    KEEP_TICKET,
    OLD_LEASE,
    READ_KEY,
    READ_NEEDS,
    READ_SCHEMA,
    SCHEMA_TABLE,
    TAKE_TICKET,
    WRITE_SCHEMA,
    Value,
    Write,
    append_write,
    expire_write,
    forget_write,
    is_newer,
    missing_migrations,
    snapshot_statement,
    subscription_statements,
)

_Got = TypeVar("_Got")

CHANNEL: Final = "phaseten"
NOTIFY: Final = f"SELECT pg_notify('{CHANNEL}', $1)"
NOTIFY_OTHERS: Final = f"""
    SELECT pg_notify('{CHANNEL}', $2) FROM tables
    WHERE table_id = $1 AND (listeners NOT IN ('', $3) OR $4::boolean)
"""
NAME: Final = "phaseten"
"""How the connections of nodes are called; those that listen have the node's name as well."""
LISTEN: Final = f"""
    UPDATE tables SET listeners = (
        SELECT string_agg(one, ' ' ORDER BY one)
        FROM (SELECT unnest(string_to_array(listeners, ' ')) UNION SELECT $2) AS found (one)
        WHERE one = $2 OR EXISTS (
            SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
            AND application_name = '{NAME} ' || split_part(one, '.', 1)
        )
    )
    WHERE table_id = $1 RETURNING 1
"""
"""Write down that somebody listens, and forget those whose connection is gone."""
COUNT_STRANGERS: Final = f"""
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user
    AND backend_type = 'client backend' AND application_name NOT LIKE '{NAME}%'
"""
"""Nodes of an older version, which write nothing down; or somebody who looks into the database."""
STOP_LISTENING: Final = """
    UPDATE tables SET listeners = array_to_string(array_remove(string_to_array(listeners, ' '), $2), ' ')
    WHERE table_id = $1
"""
MOVE: Final = f"""
    WITH claimed AS (
        UPDATE tables SET
            version = $2::bigint + 1, stage = $3, public = $4, due = $5, changed = $6, about = $7,
            alone = $8
        WHERE table_id = $1 AND version = $2::bigint RETURNING listeners
    ), kept AS (
        INSERT INTO steps (table_id, version, at, events, form)
        SELECT $1, $2::bigint + 1, $6, $9::text, $10::bigint FROM claimed
    )
    SELECT CASE WHEN listeners NOT IN ('', $11::text) OR $12::boolean
        THEN pg_notify('{CHANNEL}', $1 || ' ' || ($2::bigint + 1)) END
    FROM claimed
"""
"""What most appends write, in one statement: four of them would keep the connection four times as long."""
LEAST_WRITTEN: Final = 2
"""Statements beside the claim in the least append: the step, and perhaps owners."""
HOLD_TABLE: Final = "SELECT 1 FROM tables WHERE table_id = $1 FOR SHARE"
NOTICES: Final = "phaseten_notices"
CLOCK: Final = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
ANNOUNCE: Final = (
    f"SELECT pg_notify('{NOTICES}', text) FROM unnest(string_to_array($1, chr(10))) AS text"
)
MIGRATION_LOCK: Final = "SELECT pg_advisory_xact_lock(7010)"
"""So that nodes that start together do not migrate together."""

CONNECT_SECONDS: Final = 5
"""Who waits for a connection is told after so long that there is none."""
LOGIN_SECONDS: Final = 30
"""How long the database itself may take to let somebody in: a busy machine is not a dead one."""
ANSWER_SECONDS: Final = 10.0
RETRY_SECONDS: Final = 0.5
PROBE_SECONDS: Final = 15.0
"""How often the connection that listens is tried, when there is nothing to hear."""
DEAF_SECONDS: Final = 5
"""It is given up when that has no answer after so long."""

_FAILURES: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    OSError,  # with TimeoutError
)

_BREAKS: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.exceptions.OperatorInterventionError,
)
"""What is said where the connection breaks, whatever came before."""


class PostgresStore(Queries):
    """Tables in a PostgreSQL database."""

    is_shared = True

    def __init__(self, url: str, pool: asyncpg.Pool) -> None:
        self._url = url
        self._pool = pool
        self._node = secrets.token_hex(4)
        self._listened = count(1)
        self._listening: dict[str, str] = {}
        """The tables of which this node hears, and under which name: another one each time, so that nothing ends
        what began after it."""
        self._has_strangers = True
        """Whether somebody may listen who writes nothing down: until it is known, yes."""

    @classmethod
    async def open(cls, url: str, *, connections: int = 8) -> PostgresStore:
        """The store at that URL; its tables are made, or brought up to date, where needed."""
        try:
            pool = await asyncpg.create_pool(
                url,
                min_size=1,
                max_size=connections,
                timeout=LOGIN_SECONDS,
                command_timeout=ANSWER_SECONDS,
                reset=_leave_as_it_is,
                server_settings={"application_name": NAME},
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
        write = append_write(table, expected_version, step, listing)
        if expected_version and len(write.rest) == LEAST_WRITTEN and not listing.owners:
            (values,) = write.claim.rows
            async with self._writing() as connection:
                own = self._listening.get(table, "")
                more = (step.events, step.form, own, self._has_strangers)
                if not await connection.fetch(MOVE, *values, *more):
                    raise ConflictError(table, expected_version)
        else:
            await self._carry_out(write)
        return write.version

    async def forget(
        self, game: KeptGame, expected_version: int, steps: Sequence[KeptStep] | None
    ) -> None:
        await self._carry_out(forget_write(game, expected_version, steps))

    async def expire(self, table: str, expected_version: int) -> None:
        await self._carry_out(expire_write(table, expected_version))

    async def keep_snapshot(self, table: str, snapshot: Snapshot) -> None:
        statement = snapshot_statement(table, snapshot)
        try:
            async with self._connection() as connection, connection.transaction():
                # Whoever rewrites the log waits until this is done, or this waits and finds it rewritten.
                await connection.execute(HOLD_TABLE, table)
                await connection.execute(statement.sql, *statement.rows[0])
        except _FAILURES as error:
            raise _unavailable(error) from error

    async def keep_analysis(self, game: str, reports: Mapping[str, str]) -> None:
        for language, report in reports.items():
            await self._fetch(KEEP_ANALYSIS, game, language, report)

    async def keep_key(self, name: str, key: str) -> str:
        await self._fetch(KEEP_KEY, name, key)
        return (await self._fetch(READ_KEY, name))[0][0]

    async def keep_ticket(self, ticket: str, sealed: str, now: int, expires: int) -> None:
        await self._fetch(FORGET_TICKETS, now)
        await self._fetch(KEEP_TICKET, ticket, sealed, expires)

    async def take_ticket(self, ticket: str, now: int) -> str | None:
        rows = await self._fetch(TAKE_TICKET, ticket, now)
        return rows[0][0] if rows else None

    async def keep_subscription(self, owner: str, subscription: Subscription, now: int) -> None:
        for sql, rows in subscription_statements(owner, subscription, now):
            await self._fetch(sql, *rows[0])

    async def forget_subscription(self, owner: str, endpoint: str) -> None:
        await self._fetch(FORGET_SUBSCRIPTION, owner, endpoint)

    async def clock(self) -> int:
        ((now,),) = await self._fetch(CLOCK)
        return now

    async def claim_due(self, before: int, now: int, lease: int, most: int) -> Sequence[str]:
        await self._fetch(FORGET_LEASES, now - OLD_LEASE)
        return [table for (table,) in await self._fetch(CLAIM_DUE, before, now, lease, most)]

    async def hold_due(self, tables: Mapping[str, int], until: int) -> None:
        rows = [(table, version, until) for table, version in sorted(tables.items())]
        try:
            async with self._connection() as connection:
                await connection.executemany(HOLD_DUE, rows)
        except _FAILURES as error:
            raise _unavailable(error) from error

    async def shrink(self) -> None:
        """The database keeps it, elsewhere."""

    async def listen(self, table: str) -> None:
        name = self._listening.get(table) or f"{self._node}.{next(self._listened)}"
        self._listening[table] = name
        if not await self._fetch(LISTEN, table, name):  # there is no such table
            self._listening.pop(table, None)

    def stop_listening(self, tables: Sequence[str]) -> Coroutine[None, None, None]:
        names = [(table, self._listening.pop(table, "")) for table in tables]
        return self._stop_listening([(table, name) for table, name in sorted(names) if name])

    async def _stop_listening(self, rows: Sequence[tuple[str, str]]) -> None:
        try:
            async with self._connection() as connection:
                await connection.executemany(STOP_LISTENING, rows)
        except _FAILURES as error:
            raise _unavailable(error) from error

    async def announce(self, notices: Sequence[Notice]) -> None:
        await self._fetch(ANNOUNCE, "\n".join([" ".join(notice) for notice in notices]))

    @asynccontextmanager
    async def changes(self) -> AsyncGenerator[AsyncIterator[Heard]]:
        """Listen on a connection of its own, and again whenever it is lost."""
        heard: asyncio.Queue[Heard] = asyncio.Queue()
        ready = asyncio.Event()
        listener = asyncio.create_task(self._listen(heard, ready))
        try:
            await _first(asyncio.ensure_future(ready.wait()), listener)
            yield _taken(heard, listener)
        finally:
            listener.cancel()
            await asyncio.gather(listener, return_exceptions=True)

    async def close(self) -> None:
        try:
            await asyncio.wait_for(self._pool.close(), ANSWER_SECONDS)
        except TimeoutError:
            self._pool.terminate()

    async def _carry_out(self, write: Write) -> None:
        async with self._writing() as connection, connection.transaction():
            (values,) = write.claim.rows
            done = await connection.execute(write.claim.sql, *values)
            if done.endswith(" 0"):
                raise ConflictError(write.table, write.expected)
            for sql, rows in write.rest:
                if len(rows) == 1:
                    await connection.execute(sql, *rows[0])
                elif rows:
                    await connection.executemany(sql, rows)
            told = f"{write.table} {write.version}"
            if (
                write.version == REWRITTEN
            ):  # perhaps there is no table any more that would say who listens
                await connection.execute(NOTIFY, told)
            else:
                own = self._listening.get(write.table, "")
                strangers = self._has_strangers
                await connection.execute(NOTIFY_OTHERS, write.table, told, own, strangers)

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[Any]:
        """A connection for a change. Once there is one, an answer that is lost leaves open what was kept."""
        try:
            async with self._connection() as connection:
                try:
                    yield connection
                except _FAILURES as error:
                    if _says_nothing(error):
                        raise OutcomeUnknownError("The database's answer was lost.") from error
                    raise
        except _FAILURES as error:
            raise _unavailable(error) from error

    async def _fetch(self, sql: str, *values: Value) -> list[Any]:
        try:
            async with self._connection() as connection:
                return await connection.fetch(sql, *values)
        except _FAILURES as error:
            raise _unavailable(error) from error

    def _connection(self) -> Any:
        """A connection of the pool. Where all are taken, nobody waits for ever."""
        return self._pool.acquire(timeout=CONNECT_SECONDS)

    async def _listen(self, heard: asyncio.Queue[Heard], ready: asyncio.Event) -> None:
        def hear(_connection: object, _process: int, channel: str, text: object) -> None:
            heard.put_nowait(_understood(channel, str(text)))

        while True:
            lost = asyncio.Event()
            try:
                connection = await asyncpg.connect(
                    self._url,
                    timeout=CONNECT_SECONDS,
                    server_settings={"application_name": f"{NAME} {self._node}"},
                )
                try:
                    connection.add_termination_listener(lambda _, lost=lost: lost.set())
                    await connection.add_listener(CHANNEL, hear)
                    await connection.add_listener(NOTICES, hear)
                    if ready.is_set():  # this is not the first time: there was a gap
                        heard.put_nowait(None)
                    ready.set()
                    await self._until_lost(connection, lost)
                finally:
                    with suppress(*_FAILURES):
                        await connection.close(timeout=1)
            except _FAILURES:
                await asyncio.sleep(RETRY_SECONDS)

    async def _until_lost(self, connection: Any, lost: asyncio.Event) -> None:
        """Wait until the connection is gone, also where nobody says so: a cable that was pulled."""
        while not lost.is_set():
            strangers = await connection.fetchval(COUNT_STRANGERS, timeout=DEAF_SECONDS)
            self._has_strangers = strangers > 0
            with suppress(TimeoutError):
                await asyncio.wait_for(lost.wait(), PROBE_SECONDS)


async def _leave_as_it_is(_connection: object) -> None:
    """Between two uses of a connection there is nothing to clear: nobody changes a session's settings."""


def _understood(channel: str, text: str) -> Heard:
    """What a notification says."""
    try:
        if channel == NOTICES:
            return Notice(*text.split(" ", 2))
        table, _, version = text.partition(" ")
        return Change(table, int(version))
    except (TypeError, ValueError):
        return Garbled(f"nobody understands what was heard on {channel}")


async def _taken(
    heard: asyncio.Queue[Heard], listener: asyncio.Task[None]
) -> AsyncGenerator[Heard]:
    """What is heard, as long as somebody listens; then why that one does not any more."""
    while True:
        yield await _first(asyncio.ensure_future(heard.get()), listener)


async def _first(awaited: asyncio.Future[_Got], listener: asyncio.Task[None]) -> _Got:
    """What is waited for; if the listener ends before, its error."""
    try:
        await asyncio.wait((awaited, listener), return_when=asyncio.FIRST_COMPLETED)
        if awaited.done():
            return awaited.result()
        listener.result()
        raise StoreUnavailableError("Nobody listens to the other nodes any more.")
    finally:
        awaited.cancel()


async def _migrate(connection: Any) -> None:
    await connection.execute(MIGRATION_LOCK)
    await connection.execute(SCHEMA_TABLE)
    found = await connection.fetchval(READ_SCHEMA)
    missing = missing_migrations(
        found, await connection.fetchval(READ_NEEDS) if is_newer(found) else 0
    )
    for migration in missing:
        for statement in migration:
            await connection.execute(statement)
    if missing:
        await connection.execute(CLEAR_SCHEMA)
        await connection.execute(WRITE_SCHEMA, found + len(missing))


def _says_nothing(error: Exception) -> bool:
    """Whether the database may have kept what it was given: it did not say that it has not."""
    refuses = isinstance(error, asyncpg.PostgresError) and not isinstance(error, _BREAKS)
    return not refuses


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
