"""Which store a database's name stands for."""

from __future__ import annotations

from pathlib import Path

from phaseten.server.store.interface import Store, StoreError

_SCHEMES = ("postgresql://", "postgres://")


async def open_store(database: str) -> Store:
    """The store at a ``postgresql://`` URL, or else in the file of that name."""
    if database.startswith(_SCHEMES):
        return await _open_postgres(database)
    from phaseten.server.store.sqlite import SqliteStore  # noqa: PLC0415

    return await SqliteStore.open(Path(database))


async def _open_postgres(database: str) -> Store:
    try:
        # Imported here: a table in the living room does not need it.
        from phaseten.server.store.postgres import PostgresStore  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name != "asyncpg":
            raise
        raise StoreError(
            "PostgreSQL needs asyncpg, which is not installed: pip install 'phaseten[postgres]'"
        ) from error
    return await PostgresStore.open(database)
