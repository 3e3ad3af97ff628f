"""Where tables are kept: an append-only log of steps, and a list that is derived from it.

``append`` is the only way to change a table. It names the version that the change was decided on,
and is refused when the table has moved on meanwhile; so any number of nodes can serve one table
without electing anyone. The SQL is the same text for SQLite and PostgreSQL.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, NamedTuple, Protocol


class StoreError(Exception):
    """Something that the store could not do."""


class ConflictError(StoreError):
    """The table is not at the version that the change was decided on: decide again."""

    def __init__(self, table: str, expected: int) -> None:
        super().__init__(f"the table is not at version {expected} any more")
        self.table = table
        self.expected = expected


class StoreUnavailableError(StoreError):
    """Nothing can be kept at the moment: a full disk, a database that does not answer.

    Whether the change was kept may be unknown: read the table again before going on.
    """


class StoreVersionError(StoreError):
    """The database was written by a newer program."""


class Step(NamedTuple):
    """One change of a table."""

    at: int
    """When, in milliseconds since 1970."""
    events: str
    """What happened, as JSON."""


class KeptStep(NamedTuple):
    """A step that is in the log."""

    version: int
    step: Step


class Listing(NamedTuple):
    """What can be asked about tables without reading them; it follows from the log."""

    stage: str
    public: bool
    due: int | None
    """When the server itself has to act next, in milliseconds since 1970."""
    about: str
    """What a list of tables shows, as JSON; nothing secret."""
    owners: tuple[str, ...]
    """Who sits, or sat, at the table."""


class Listed(NamedTuple):
    """A table in a list."""

    table: str
    stage: str
    changed: int
    about: str


class Change(NamedTuple):
    """A table has got a new version."""

    table: str
    version: int


class Store(Protocol):
    """The log of all tables."""

    async def append(self, table: str, expected_version: int, step: Step, listing: Listing) -> int:
        """Add a step to the table at that version (0: a new table); the new version.

        When this returns, the step survives a crash and a power cut. Raises ConflictError or
        StoreUnavailableError.
        """
        ...

    async def read(self, table: str, after: int = 0) -> Sequence[KeptStep]:
        """The steps of a table after that version, in order."""
        ...

    async def due(self, before: int, most: int) -> Sequence[str]:
        """The tables in which the server had to act before that time, the longest waiting first."""
        ...

    async def public_tables(self, most: int) -> Sequence[Listed]:
        """The public tables that are not finished, the last changed first."""
        ...

    async def tables_of(self, owner: str, most: int) -> Sequence[Listed]:
        """The tables at which somebody sat, the last changed first."""
        ...

    async def check(self) -> None:
        """Raise StoreUnavailableError unless the store can be read."""
        ...

    def changes(self) -> AbstractAsyncContextManager[AsyncIterator[Change | None]]:
        """What other nodes append from now on; None where some changes may have been missed."""
        ...

    async def close(self) -> None:
        """Finish what was begun and let go of the database."""
        ...


MIGRATIONS: Final[Sequence[Sequence[str]]] = (
    (
        """
        CREATE TABLE steps (
            table_id TEXT NOT NULL,
            version BIGINT NOT NULL,
            at BIGINT NOT NULL,
            events TEXT NOT NULL,
            PRIMARY KEY (table_id, version)
        )
        """,
        """
        CREATE TABLE tables (
            table_id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            stage TEXT NOT NULL,
            public INTEGER NOT NULL,
            due BIGINT,
            changed BIGINT NOT NULL,
            about TEXT NOT NULL
        )
        """,
        "CREATE INDEX tables_by_due ON tables (due) WHERE due IS NOT NULL",
        "CREATE INDEX tables_by_change ON tables (changed) WHERE public = 1",
        """
        CREATE TABLE owners (
            owner TEXT NOT NULL,
            table_id TEXT NOT NULL,
            PRIMARY KEY (owner, table_id)
        )
        """,
    ),
)
"""How the database is built: the n-th entry brings it from version n to n + 1. Never change one."""

SCHEMA_TABLE: Final = "CREATE TABLE IF NOT EXISTS schema (version BIGINT NOT NULL)"
READ_SCHEMA: Final = "SELECT coalesce(max(version), 0) FROM schema"
CLEAR_SCHEMA: Final = "DELETE FROM schema"
WRITE_SCHEMA: Final = "INSERT INTO schema (version) VALUES ($1)"

INSERT_STEP: Final = """
    INSERT INTO steps (table_id, version, at, events)
    SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT) + 1, CAST($3 AS BIGINT), CAST($4 AS TEXT)
    WHERE CAST($2 AS BIGINT)
        = (SELECT coalesce(max(version), 0) FROM steps WHERE table_id = CAST($1 AS TEXT))
    ON CONFLICT DO NOTHING
"""
LIST_TABLE: Final = """
    INSERT INTO tables (table_id, version, stage, public, due, changed, about)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (table_id) DO UPDATE SET
        version = excluded.version, stage = excluded.stage, public = excluded.public,
        due = excluded.due, changed = excluded.changed, about = excluded.about
"""
LIST_OWNER: Final = """
    INSERT INTO owners (owner, table_id) VALUES ($1, $2) ON CONFLICT DO NOTHING
"""
READ_STEPS: Final = """
    SELECT version, at, events FROM steps WHERE table_id = $1 AND version > $2 ORDER BY version
"""
READ_DUE: Final = "SELECT table_id FROM tables WHERE due <= $1 ORDER BY due LIMIT $2"
READ_PUBLIC: Final = """
    SELECT table_id, stage, changed, about FROM tables
    WHERE public = 1 AND stage <> 'finished' ORDER BY changed DESC LIMIT $1
"""
READ_OWNED: Final = """
    SELECT tables.table_id, stage, changed, about FROM tables
    JOIN owners ON owners.table_id = tables.table_id
    WHERE owner = $1 ORDER BY changed DESC LIMIT $2
"""

Value = str | int | None


def listing_values(table: str, version: int, step: Step, listing: Listing) -> Sequence[Value]:
    """The values of LIST_TABLE."""
    return (
        table,
        version,
        listing.stage,
        int(listing.public),
        listing.due,
        step.at,
        listing.about,
    )


def missing_migrations(found: int) -> Sequence[Sequence[str]]:
    """What a database of that version lacks."""
    if found > len(MIGRATIONS):
        raise StoreVersionError(
            f"The database has version {found}, and this program knows versions up to "
            f"{len(MIGRATIONS)}: it was written by a newer phaseten. Install that one."
        )
    return MIGRATIONS[found:]
