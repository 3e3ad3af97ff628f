"""What both stores write and read, in the same words of SQL, and how their databases are built.

The SQL is the same text for SQLite and PostgreSQL. Every write begins with a statement that claims the
table's row at the expected version, so that of two writes one waits for the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from phaseten.server.store.interface import (
    MOST_SUBSCRIPTIONS,
    OLD_SUBSCRIPTION,
    REWRITTEN,
    KeptGame,
    KeptStep,
    Listing,
    Snapshot,
    Step,
    StoreVersionError,
    Subscription,
)

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
    (
        "ALTER TABLE steps ADD COLUMN form BIGINT NOT NULL DEFAULT 1",
        "ALTER TABLE tables ADD COLUMN rewrites BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE schema ADD COLUMN needs BIGINT NOT NULL DEFAULT 0",
        """
        CREATE TABLE snapshots (
            table_id TEXT NOT NULL,
            slot BIGINT NOT NULL,
            version BIGINT NOT NULL,
            form TEXT NOT NULL,
            state TEXT NOT NULL,
            PRIMARY KEY (table_id, slot)
        )
        """,
    ),
    (
        "ALTER TABLE tables ADD COLUMN alone INTEGER NOT NULL DEFAULT 0",
        """
        CREATE TABLE leases (
            table_id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            until BIGINT NOT NULL,
            tries INTEGER NOT NULL
        )
        """,
    ),
    ("CREATE TABLE keys (name TEXT NOT NULL PRIMARY KEY, key TEXT NOT NULL)",),
    ("ALTER TABLE tables ADD COLUMN listeners TEXT NOT NULL DEFAULT ''",),
    (
        """
        CREATE TABLE analyses (
            game_id TEXT NOT NULL,
            language TEXT NOT NULL,
            report TEXT NOT NULL,
            PRIMARY KEY (game_id, language)
        )
        """,
    ),
    (
        """
        CREATE TABLE subscriptions (
            endpoint TEXT NOT NULL PRIMARY KEY,
            owner TEXT NOT NULL,
            p256dh TEXT NOT NULL,
            auth TEXT NOT NULL,
            language TEXT NOT NULL,
            site TEXT NOT NULL,
            at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX subscriptions_by_owner ON subscriptions (owner, at)",
    ),
)
"""How the database is built: the n-th entry brings it from version n to n + 1. Never change one."""

NEEDED: Final = 3
"""The least version that a program must know to use a database of today's: while nodes are replaced one after the other,
those of the version before go on, and can be started again. Raise it when a migration takes something away."""

SCHEMA_TABLE: Final = "CREATE TABLE IF NOT EXISTS schema (version BIGINT NOT NULL)"
READ_SCHEMA: Final = "SELECT coalesce(max(version), 0) FROM schema"
CLEAR_SCHEMA: Final = "DELETE FROM schema"
READ_NEEDS: Final = "SELECT max(needs) FROM schema"
WRITE_SCHEMA: Final = f"INSERT INTO schema (version, needs) VALUES ($1, {NEEDED})"

OPEN_TABLE: Final = """
    INSERT INTO tables (table_id, version, stage, public, due, changed, about, alone)
    VALUES ($1, CAST($2 AS BIGINT) + 1, $3, $4, $5, $6, $7, $8)
    ON CONFLICT DO NOTHING
"""
MOVE_TABLE: Final = """
    UPDATE tables SET
        version = CAST($2 AS BIGINT) + 1, stage = $3, public = $4, due = $5, changed = $6, about = $7,
        alone = $8
    WHERE table_id = $1 AND version = CAST($2 AS BIGINT)
"""
REWRITE_TABLE: Final = """
    UPDATE tables SET rewrites = rewrites + 1 WHERE table_id = $1 AND version = $2
"""
INSERT_STEP: Final = """
    INSERT INTO steps (table_id, version, at, events, form) VALUES ($1, $2, $3, $4, $5)
"""
KEEP_SNAPSHOT: Final = """
    INSERT INTO snapshots (table_id, slot, version, form, state)
    SELECT $1, CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS TEXT), CAST($5 AS TEXT)
    FROM tables WHERE table_id = $1 AND rewrites = $6
    ON CONFLICT (table_id, slot) DO UPDATE SET
        version = excluded.version, form = excluded.form, state = excluded.state
    WHERE excluded.version >= snapshots.version
"""
LIST_OWNER: Final = """
    INSERT INTO owners (owner, table_id) VALUES ($1, $2) ON CONFLICT DO NOTHING
"""
LIST_GAME: Final = """
    INSERT INTO games (game_id, table_id, number, first_version, last_version, ended, host, about)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
LIST_PLAYER: Final = "INSERT INTO players (owner, game_id, seat) VALUES ($1, $2, $3)"
REWRITE_STEP: Final = """
    UPDATE steps SET events = $3, form = $4 WHERE table_id = $1 AND version = $2
"""
FORGET_SNAPSHOTS: Final = "DELETE FROM snapshots WHERE table_id = $1 AND version >= $2"
FORGET_GAME: Final = "DELETE FROM games WHERE game_id = $1"
FORGET_PLAYERS: Final = "DELETE FROM players WHERE game_id = $1"
READ_ABANDONED: Final = """
    SELECT table_id, version FROM tables WHERE changed < $1 AND stage <> 'sheet' LIMIT $2
"""
"""Score sheets, which are kept in the same way, are what people keep."""
CLOSE_TABLE: Final = "DELETE FROM tables WHERE table_id = $1 AND version = $2"
EXPIRE_TABLE: Final = (
    """
    DELETE FROM steps WHERE table_id = $1 AND version > coalesce(
        (SELECT max(last_version) FROM games WHERE games.table_id = $1), 0)
    """,
    "DELETE FROM snapshots WHERE table_id = $1",
    "DELETE FROM owners WHERE table_id = $1",
    "DELETE FROM leases WHERE table_id = $1",
)
"""All but what the records of finished games are made of."""
FORGET_TABLE: Final = (
    "DELETE FROM steps WHERE table_id = $1",
    "DELETE FROM snapshots WHERE table_id = $1",
    "DELETE FROM owners WHERE table_id = $1",
    "DELETE FROM leases WHERE table_id = $1",
    "DELETE FROM tables WHERE table_id = $1",
)
KEEP_ANALYSIS: Final = """
    INSERT INTO analyses (game_id, language, report)
    SELECT game_id, CAST($2 AS TEXT), CAST($3 AS TEXT) FROM games WHERE game_id = $1
    ON CONFLICT (game_id, language) DO UPDATE SET report = excluded.report
"""
READ_ANALYSIS: Final = "SELECT report FROM analyses WHERE game_id = $1 AND language = $2"
FORGET_ANALYSES: Final = "DELETE FROM analyses WHERE game_id = $1"
KEEP_KEY: Final = "INSERT INTO keys (name, key) VALUES ($1, $2) ON CONFLICT DO NOTHING"
READ_KEY: Final = "SELECT key FROM keys WHERE name = $1"
KEEP_TICKET: Final = "INSERT INTO tickets (ticket, sealed, expires) VALUES ($1, $2, $3)"
TAKE_TICKET: Final = "DELETE FROM tickets WHERE ticket = $1 AND expires > $2 RETURNING sealed"
FORGET_TICKETS: Final = "DELETE FROM tickets WHERE expires <= $1"
KEEP_SUBSCRIPTION: Final = """
    INSERT INTO subscriptions (endpoint, owner, p256dh, auth, language, site, at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (endpoint) DO UPDATE SET
        owner = excluded.owner, p256dh = excluded.p256dh, auth = excluded.auth,
        language = excluded.language, site = excluded.site, at = excluded.at
"""
FORGET_SUBSCRIPTIONS: Final = f"""
    DELETE FROM subscriptions WHERE at < $2 OR (owner = $1 AND endpoint NOT IN (
        SELECT endpoint FROM subscriptions WHERE owner = $1
        ORDER BY at DESC, endpoint LIMIT {MOST_SUBSCRIPTIONS}))
"""
READ_SUBSCRIPTIONS: Final = """
    SELECT endpoint, p256dh, auth, language, site FROM subscriptions WHERE owner = $1 ORDER BY at
"""
FORGET_SUBSCRIPTION: Final = "DELETE FROM subscriptions WHERE owner = $1 AND endpoint = $2"
READ_STEPS: Final = """
    SELECT version, at, events, form FROM steps
    WHERE table_id = $1 AND version > $2 ORDER BY version LIMIT $3
"""
READ_BASE: Final = """
    SELECT rewrites, coalesce(snapshots.version, 0), coalesce(state, '') FROM tables
    LEFT JOIN snapshots ON snapshots.table_id = tables.table_id
        AND form = $2 AND snapshots.version <= $3
    WHERE tables.table_id = $1 ORDER BY coalesce(snapshots.version, 0) DESC LIMIT 1
"""
IS_DUE: Final = "SELECT 1 FROM tables WHERE due <= $1 LIMIT 1"
MOST_DOUBLINGS: Final = 6
CLAIM_DUE: Final = f"""
    INSERT INTO leases (table_id, version, until, tries)
    SELECT tables.table_id, tables.version, CAST($2 AS BIGINT) + CAST($3 AS BIGINT), 0
    FROM tables LEFT JOIN leases ON leases.table_id = tables.table_id
    WHERE tables.due <= $1
        AND (leases.version IS NULL OR leases.version <> tables.version OR leases.until <= $2)
    ORDER BY tables.alone, tables.due, tables.table_id LIMIT $4
    ON CONFLICT (table_id) DO UPDATE SET
        version = excluded.version,
        tries = CASE WHEN leases.version <> excluded.version THEN 0
            WHEN leases.tries < {MOST_DOUBLINGS} THEN leases.tries + 1 ELSE leases.tries END,
        until = CASE WHEN leases.version <> excluded.version THEN excluded.until
            WHEN leases.tries < {MOST_DOUBLINGS}
            THEN CAST($2 AS BIGINT) + CAST($3 AS BIGINT) * (2 << leases.tries)
            ELSE CAST($2 AS BIGINT) + CAST($3 AS BIGINT) * (1 << {MOST_DOUBLINGS}) END
    WHERE leases.version <> excluded.version OR leases.until <= $2
    RETURNING table_id
"""
"""Of nodes that claim at the same time one gets a table. A lease is for a version: a step ends it."""
HOLD_DUE: Final = """
    INSERT INTO leases (table_id, version, until, tries) VALUES ($1, $2, $3, 0)
    ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, until = excluded.until
"""
FORGET_LEASES: Final = "DELETE FROM leases WHERE until <= $1"
OLD_LEASE: Final = 3_600_000
"""Milliseconds after which an ended lease is forgotten, and with it how often it was tried."""
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

LATEST: Final = 0
"""The place of a table's latest snapshot; those with which games begin have their version for a place."""

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
        int(listing.alone),
    )
    rest = [
        Statement(INSERT_STEP, [(table, version, step.at, step.events, step.form)]),
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
    if listing.snapshot is not None:
        rest.append(snapshot_statement(table, listing.snapshot))
    claim = Statement(MOVE_TABLE if expected else OPEN_TABLE, [row])
    return Write(table, expected, version, claim, rest)


def is_move(write: Write) -> bool:
    """Whether it is a step like most: of a table that exists, and nothing else is written with it."""
    step, *others = write.rest
    if write.claim.sql is not MOVE_TABLE or step.sql is not INSERT_STEP:
        return False
    return not any(rows for _, rows in others)


def snapshot_statement(table: str, snapshot: Snapshot) -> Statement:
    """What keeps a snapshot, in the place of the one before, unless the log was rewritten."""
    slot = snapshot.version if snapshot.begins else LATEST
    row = (table, slot, snapshot.version, snapshot.form, snapshot.state, snapshot.rewrites)
    return Statement(KEEP_SNAPSHOT, [row])


def expire_write(table: str, expected: int) -> Write:
    """What ``expire`` writes."""
    rest = [Statement(sql, [(table,)]) for sql in EXPIRE_TABLE]
    return Write(table, expected, REWRITTEN, Statement(CLOSE_TABLE, [(table, expected)]), rest)


def forget_write(game: KeptGame, expected: int, steps: Sequence[KeptStep] | None) -> Write:
    """What ``forget`` writes."""
    forgotten = (FORGET_GAME, FORGET_PLAYERS, FORGET_ANALYSES)
    rest = [Statement(sql, [(game.game,)]) for sql in forgotten]
    if steps is None:
        rest += [Statement(sql, [(game.table,)]) for sql in FORGET_TABLE]
    else:
        rows = [(game.table, kept.version, kept.step.events, kept.step.form) for kept in steps]
        rest.append(Statement(REWRITE_STEP, rows))
        rest.append(Statement(FORGET_SNAPSHOTS, [(game.table, game.first)]))
    claim = Statement(REWRITE_TABLE, [(game.table, expected)])
    if not expected:  # the table has expired: of two who delete the game, one finds it
        claim = Statement(FORGET_GAME, [(game.game,)])
    return Write(game.table, expected, REWRITTEN, claim, rest)


def subscription_statements(
    owner: str, subscription: Subscription, now: int
) -> tuple[Statement, ...]:
    """What ``keep_subscription`` writes."""
    endpoint, *more = subscription
    return (
        Statement(KEEP_SUBSCRIPTION, [(endpoint, owner, *more, now)]),
        Statement(FORGET_SUBSCRIPTIONS, [(owner, now - OLD_SUBSCRIPTION)]),
    )


def is_newer(found: int) -> bool:
    """Whether a newer program has brought the database to that version."""
    return found > len(MIGRATIONS)


def missing_migrations(found: int, needs: int) -> Sequence[Sequence[str]]:
    """What a database of that version lacks, which needs a program of that version at least."""
    if needs > len(MIGRATIONS):
        raise StoreVersionError(
            f"The database has version {found}, and this program knows versions up to "
            f"{len(MIGRATIONS)}: it was written by a newer phaseten. Install that one."
        )
    return MIGRATIONS[found:]
