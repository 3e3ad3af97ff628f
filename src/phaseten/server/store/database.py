"""Which store a database's name stands for."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from phaseten.server.store import lock
from phaseten.server.store.interface import Store, StoreError
from phaseten.server.store.lock import Claim

_SCHEMES = ("postgresql://", "postgres://")


async def open_store(database: str) -> Store:
    """The store at a ``postgresql://`` URL, or else in the file of that name."""
    if database.startswith(_SCHEMES):
        return await _open_postgres(database)
    from phaseten.server.store.sqlite import SqliteStore  # noqa: PLC0415

    return await SqliteStore.open(Path(database))


@contextmanager
def claimed(database: str) -> Generator[Claim]:
    """Be the only server of a file, as long as the block runs; PostgreSQL is for any number of them."""
    if database.startswith(_SCHEMES):
        yield Claim(BytesIO())
        return
    with lock.claimed(Path(database)) as claim:
        yield claim


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
