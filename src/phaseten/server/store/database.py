"""Which store a database's name stands for."""

from __future__ import annotations

from pathlib import Path

from phaseten.server.store.interface import Store

_SCHEMES = ("postgresql://", "postgres://")


async def open_store(database: str) -> Store:
    """The store at a ``postgresql://`` URL, or else in the file of that name."""
    if database.startswith(_SCHEMES):
        # Imported here: a table in the living room does not need it.
        from phaseten.server.store.postgres import PostgresStore  # noqa: PLC0415

        return await PostgresStore.open(database)
    from phaseten.server.store.sqlite import SqliteStore  # noqa: PLC0415

    return await SqliteStore.open(Path(database))
