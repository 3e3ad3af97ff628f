"""The store in a file, where things go wrong."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from phaseten.server.store.database import open_store
from phaseten.server.store.interface import (
    ConflictError,
    Step,
    Store,
    StoreUnavailableError,
)
from phaseten.server.store.sqlite import SqliteStore
from tests.server.store.keeping import LISTING, step


def test_sqlite_keeps_what_was_committed_whatever_happens(tmp_path: Path) -> None:
    """The promise rests on these settings: every commit is written through to the disk."""

    async def main() -> None:
        store = await SqliteStore.open(tmp_path / "tables.sqlite")
        rows = await store._fetch("PRAGMA journal_mode"), await store._fetch("PRAGMA synchronous")
        assert rows == ([("wal",)], [(2,)])
        await store.close()

    asyncio.run(main())


async def fill(store: Store, big: Step) -> None:
    for version in range(100):
        await store.append("A", version, big, LISTING)


def test_a_full_disk_refuses_clearly_and_recovers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = 0

    def connect(path: Path) -> sqlite3.Connection:
        connection = really(path)
        if room:
            connection.execute(f"PRAGMA max_page_count = {room}")
        return connection

    from phaseten.server.store import sqlite  # noqa: PLC0415 - to be patched

    really = sqlite._connect
    monkeypatch.setattr(sqlite, "_connect", connect)

    async def main() -> None:
        nonlocal room
        store = await SqliteStore.open(tmp_path / "tables.sqlite")
        room = 40
        big = step("x" * 20_000)
        with pytest.raises(StoreUnavailableError, match="disk is full"):
            await fill(store, big)
        version = len(await store.read("A"))
        assert 0 < version < 40
        with pytest.raises(StoreUnavailableError, match="disk is full"):
            await store.append("A", version, big, LISTING)
        room = 4000
        assert await store.append("A", version, big, LISTING) == version + 1
        assert len(await store.read("A")) == version + 1
        await store.close()

    asyncio.run(main())


def test_what_cannot_be_kept_takes_nobody_else_down(tmp_path: Path) -> None:
    """One commit serves all who wait; one of them with a number that no database can hold."""

    async def main() -> None:
        store = await SqliteStore.open(tmp_path / "tables.sqlite")
        outcomes = await asyncio.gather(
            store.append("A", 0, step("one"), LISTING),
            store.append("B", 0, step("no", at=2**70), LISTING),
            store.append("C", 0, step("\ud800"), LISTING),
            store.append("D", 0, step("two"), LISTING),
            return_exceptions=True,
        )
        assert [type(outcome).__name__ for outcome in outcomes] == [
            "int",
            "StoreUnavailableError",
            "StoreUnavailableError",
            "int",
        ]
        assert [len(await store.read(table)) for table in "ABCD"] == [1, 0, 0, 1]
        assert {listed.table for listed in await store.public_tables(9)} == {"A", "D"}
        assert await store.append("B", 0, step(), LISTING) == 1
        await store.close()

    asyncio.run(main())


def test_who_stops_waiting_loses_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        store = await SqliteStore.open(tmp_path / "tables.sqlite")
        waiting = asyncio.ensure_future(store.append("A", 0, step("one"), LISTING))
        await asyncio.sleep(0)
        waiting.cancel()
        assert await store.append("B", 0, step(), LISTING) == 1
        assert len(await store.read("A")) == 1
        await store.close()

    asyncio.run(main())


def test_what_was_begun_is_finished_when_the_store_closes(tmp_path: Path) -> None:
    async def main() -> None:
        store = await SqliteStore.open(tmp_path / "tables.sqlite")
        begun = [
            asyncio.ensure_future(store.append(f"T{i}", 0, step(), LISTING)) for i in range(50)
        ]
        await asyncio.sleep(0)
        await store.close()
        assert await asyncio.gather(*begun) == [1] * 50

    asyncio.run(main())


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    path.write_text("no database at all, " * 100)
    with pytest.raises(StoreUnavailableError, match="is not a database"):
        asyncio.run(open_store(str(path)))


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailableError, match="cannot be used"):
        asyncio.run(open_store(str(tmp_path / "file" / "tables.sqlite")))


def test_of_steps_that_are_written_together_only_the_late_one_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        store = await SqliteStore.open(tmp_path / "tables.sqlite")
        names = [f"T{number}" for number in range(40)]
        known = LISTING._replace(owners=())
        for name in names:
            await store.append(name, 0, step(), LISTING)
        appends = [store.append(name, 2 if name == "T7" else 1, step(), known) for name in names]
        appends += [store.append("T9", 1, step("[1]"), known)]  # T9 twice: one of them is late
        found = await asyncio.gather(*appends, return_exceptions=True)
        refused = [one for one in found if isinstance(one, ConflictError)]
        assert len(refused) == 2
        assert [one for one in found if one not in refused] == [2] * 39
        assert [len(await store.read(name)) for name in ("T6", "T7", "T8", "T9")] == [2, 1, 2, 2]
        found = await asyncio.gather(*[store.append(n, 2, step(), known) for n in ("T1", "T2")])
        assert found == [3, 3]
        await store.close()

    asyncio.run(main())
