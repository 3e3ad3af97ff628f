"""Where tables are kept: an append-only log of steps, and a list that is derived from it.

``append`` is the only way to change a table. It names the version that the change was decided on,
and is refused when the table has moved on meanwhile; so any number of nodes can serve one table
without electing anyone. ``forget`` takes a finished game out of the log, and changes nothing else.

The SQL is the same text for SQLite and PostgreSQL. Every write begins with a statement that claims the
table's row at the expected version, so that of two writes one waits for the other.
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


class FinishedGame(NamedTuple):
    """A game that a step has ended."""

    game: str
    """Its name, which nobody can guess."""
    number: int
    """Which game of the table, counted from 1."""
    first: int
    """The first version of the table that belongs to it."""
    host: str
    """Whose token was the host's when it ended."""
    about: str
    """What a list of games shows, as JSON; nothing secret."""
    players: tuple[tuple[str, int], ...]
    """The tokens of those who played, and their seats; seat 0 for a host without one."""


class KeptGame(NamedTuple):
    """A finished game in the store."""

    game: str
    table: str
    number: int
    first: int
    last: int
    """The version of the table at which it ended."""
    ended: int
    """When, in milliseconds since 1970."""
    host: str
    about: str


class PlayedGame(NamedTuple):
    """A finished game in somebody's list."""

    game: KeptGame
    seat: int


class Listing(NamedTuple):
    """What can be asked about tables without reading them; it follows from the log."""

    stage: str
    public: bool
    due: int | None
    """When the server itself has to act next, in milliseconds since 1970."""
    about: str
    """What a list of tables shows, as JSON; nothing secret."""
    owners: tuple[str, ...]
    """Who sits at the table; none where they are listed already."""
    finished: FinishedGame | None = None
    """The game that this very step has ended."""


class Listed(NamedTuple):
    """A table in a list."""

    table: str
    stage: str
    changed: int
    about: str


REWRITTEN: Final = 0


class Change(NamedTuple):
    """A table has got a new version, or was REWRITTEN: then what is known of it must be read again."""

    table: str
    version: int


class Notice(NamedTuple):
    """Something that nodes tell each other about a table, and nobody keeps."""

    table: str
    node: str
    """Who says so."""
    text: str


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

    async def game(self, game: str) -> KeptGame | None:
        """The finished game of that name."""
        ...

    async def games_of(self, owner: str, most: int) -> Sequence[PlayedGame]:
        """The finished games that somebody played, the last ended first."""
        ...

    async def games_at(self, table: str) -> Sequence[KeptGame]:
        """The finished games of a table, in order."""
        ...

    async def forget(
        self, game: KeptGame, expected_version: int, steps: Sequence[KeptStep] | None
    ) -> None:
        """Delete a finished game, and put these steps in the place of those of the same versions.

        None: the whole table goes. Raises ConflictError where the table has moved on.
        """
        ...

    async def keep_ticket(self, ticket: str, sealed: str, now: int, expires: int) -> None:
        """Keep something sealed until somebody takes it, or until it expires."""
        ...

    async def take_ticket(self, ticket: str, now: int) -> str | None:
        """What was sealed, once and not too late."""
        ...

    async def check(self) -> None:
        """Raise StoreUnavailableError unless the store can be read."""
        ...

    async def announce(self, notices: Sequence[Notice]) -> None:
        """Tell the other nodes, those that listen now."""
        ...

    def changes(self) -> AbstractAsyncContextManager[AsyncIterator[Change | Notice | None]]:
        """What other nodes append or announce from now on; None where some may have been missed."""
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
    (
        """
        CREATE TABLE games (
            game_id TEXT NOT NULL PRIMARY KEY,
            table_id TEXT NOT NULL,
            number BIGINT NOT NULL,
            first_version BIGINT NOT NULL,
            last_version BIGINT NOT NULL,
            ended BIGINT NOT NULL,
            host TEXT NOT NULL,
            about TEXT NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX games_by_table ON games (table_id, number)",
        """
        CREATE TABLE players (
            owner TEXT NOT NULL,
            game_id TEXT NOT NULL,
            seat BIGINT NOT NULL,
            PRIMARY KEY (owner, game_id)
        )
        """,
        "CREATE INDEX players_by_game ON players (game_id)",
        """
        CREATE TABLE tickets (
            ticket TEXT NOT NULL PRIMARY KEY,
            sealed TEXT NOT NULL,
            expires BIGINT NOT NULL
        )
        """,
    ),
)
"""How the database is built: the n-th entry brings it from version n to n + 1. Never change one."""

SCHEMA_TABLE: Final = "CREATE TABLE IF NOT EXISTS schema (version BIGINT NOT NULL)"
READ_SCHEMA: Final = "SELECT coalesce(max(version), 0) FROM schema"
CLEAR_SCHEMA: Final = "DELETE FROM schema"
WRITE_SCHEMA: Final = "INSERT INTO schema (version) VALUES ($1)"

OPEN_TABLE: Final = """
    INSERT INTO tables (table_id, version, stage, public, due, changed, about)
    VALUES ($1, CAST($2 AS BIGINT) + 1, $3, $4, $5, $6, $7)
    ON CONFLICT DO NOTHING
"""
MOVE_TABLE: Final = """
    UPDATE tables SET
        version = CAST($2 AS BIGINT) + 1, stage = $3, public = $4, due = $5, changed = $6, about = $7
    WHERE table_id = $1 AND version = CAST($2 AS BIGINT)
"""
HOLD_TABLE: Final = "UPDATE tables SET version = version WHERE table_id = $1 AND version = $2"
INSERT_STEP: Final = "INSERT INTO steps (table_id, version, at, events) VALUES ($1, $2, $3, $4)"
LIST_OWNER: Final = """
    INSERT INTO owners (owner, table_id) VALUES ($1, $2) ON CONFLICT DO NOTHING
"""
LIST_GAME: Final = """
    INSERT INTO games (game_id, table_id, number, first_version, last_version, ended, host, about)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
LIST_PLAYER: Final = "INSERT INTO players (owner, game_id, seat) VALUES ($1, $2, $3)"
REWRITE_STEP: Final = "UPDATE steps SET events = $3 WHERE table_id = $1 AND version = $2"
FORGET_GAME: Final = "DELETE FROM games WHERE game_id = $1"
FORGET_PLAYERS: Final = "DELETE FROM players WHERE game_id = $1"
FORGET_TABLE: Final = (
    "DELETE FROM steps WHERE table_id = $1",
    "DELETE FROM owners WHERE table_id = $1",
    "DELETE FROM tables WHERE table_id = $1",
)
KEEP_TICKET: Final = "INSERT INTO tickets (ticket, sealed, expires) VALUES ($1, $2, $3)"
TAKE_TICKET: Final = "DELETE FROM tickets WHERE ticket = $1 AND expires > $2 RETURNING sealed"
FORGET_TICKETS: Final = "DELETE FROM tickets WHERE expires <= $1"
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

READ_GAME: Final = """
    SELECT game_id, table_id, number, first_version, last_version, ended, host, about
    FROM games WHERE game_id = $1
"""
READ_GAMES_AT: Final = """
    SELECT game_id, table_id, number, first_version, last_version, ended, host, about
    FROM games WHERE table_id = $1 ORDER BY number
"""
READ_PLAYED: Final = """
    SELECT games.game_id, table_id, number, first_version, last_version, ended, host, about, seat
    FROM games JOIN players ON players.game_id = games.game_id
    WHERE owner = $1 ORDER BY ended DESC, games.game_id LIMIT $2
"""

Value = str | int | None


class Statement(NamedTuple):
    """SQL, and the rows of values for which it is carried out."""

    sql: str
    rows: Sequence[Sequence[Value]]


class Write(NamedTuple):
    """A change of one table, all or nothing."""

    table: str
    expected: int
    """The version that the table must have."""
    version: int
    """The version of which the other nodes are told."""
    claim: Statement
    """Changes one row, or else the table is not at that version."""
    rest: Sequence[Statement]


def append_write(table: str, expected: int, step: Step, listing: Listing) -> Write:
    """What ``append`` writes."""
    version = expected + 1
    row = (
        table,
        expected,
        listing.stage,
        int(listing.public),
        listing.due,
        step.at,
        listing.about,
    )
    rest = [
        Statement(INSERT_STEP, [(table, version, step.at, step.events)]),
        Statement(LIST_OWNER, [(owner, table) for owner in listing.owners]),
    ]
    done = listing.finished
    if done is not None:
        game = (
            done.game,
            table,
            done.number,
            done.first,
            version,
            step.at,
            done.host,
            done.about,
        )
        players = [(owner, done.game, seat) for owner, seat in done.players]
        rest += [Statement(LIST_GAME, [game]), Statement(LIST_PLAYER, players)]
    claim = Statement(MOVE_TABLE if expected else OPEN_TABLE, [row])
    return Write(table, expected, version, claim, rest)


def forget_write(game: KeptGame, expected: int, steps: Sequence[KeptStep] | None) -> Write:
    """What ``forget`` writes."""
    rest = [Statement(FORGET_GAME, [(game.game,)]), Statement(FORGET_PLAYERS, [(game.game,)])]
    if steps is None:
        rest += [Statement(sql, [(game.table,)]) for sql in FORGET_TABLE]
    else:
        rows = [(game.table, kept.version, kept.step.events) for kept in steps]
        rest.append(Statement(REWRITE_STEP, rows))
    claim = Statement(HOLD_TABLE, [(game.table, expected)])
    return Write(game.table, expected, REWRITTEN, claim, rest)


def missing_migrations(found: int) -> Sequence[Sequence[str]]:
    """What a database of that version lacks."""
    if found > len(MIGRATIONS):
        raise StoreVersionError(
            f"The database has version {found}, and this program knows versions up to "
            f"{len(MIGRATIONS)}: it was written by a newer phaseten. Install that one."
        )
    return MIGRATIONS[found:]
