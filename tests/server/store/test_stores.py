"""Both stores keep the same promises."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from phaseten.server.store import postgres
from phaseten.server.store.database import open_store
from phaseten.server.store.interface import (
    MIGRATIONS,
    Change,
    ConflictError,
    FinishedGame,
    KeptGame,
    KeptStep,
    Listing,
    Step,
    Store,
    StoreUnavailableError,
    StoreVersionError,
)
from phaseten.server.store.sqlite import SqliteStore
from tests.patience import PATIENCE
from tests.server.cluster import Cluster

LISTING = Listing("playing", public=True, due=None, about="{}", owners=())


def step(text: str = "[]", at: int = 1) -> Step:
    return Step(at, text)


@asynccontextmanager
async def opened(database: str) -> AsyncGenerator[Store]:
    store = await open_store(database)
    try:
        yield store
    finally:
        await store.close()


def with_store(database: str, use: Callable[[Store], Awaitable[None]]) -> None:
    async def main() -> None:
        async with opened(database) as store:
            await use(store)

    asyncio.run(main())


def test_what_was_appended_is_read_in_order(database: str) -> None:
    async def use(store: Store) -> None:
        assert await store.append("A", 0, step("one", 10), LISTING) == 1
        assert await store.append("A", 1, step("zwei ✓", 20), LISTING) == 2
        assert await store.append("B", 0, step("other", 30), LISTING) == 1
        assert await store.read("A") == [(1, (10, "one")), (2, (20, "zwei ✓"))]
        assert await store.read("A", 1) == [(2, (20, "zwei ✓"))]
        assert await store.read("A", 2) == []
        assert await store.read("nobody's") == []

    with_store(database, use)


@pytest.mark.parametrize("expected", [0, 1, 3, 99])
def test_a_wrong_version_is_a_conflict_and_changes_nothing(database: str, expected: int) -> None:
    async def use(store: Store) -> None:
        await store.append("A", 0, step("one"), LISTING)
        await store.append("A", 1, step("two"), LISTING)
        with pytest.raises(ConflictError) as caught:
            await store.append("A", expected, step("no"), LISTING._replace(owners=("x",)))
        assert (caught.value.table, caught.value.expected) == ("A", expected)
        assert [kept.step.events for kept in await store.read("A")] == ["one", "two"]
        assert await store.tables_of("x", 9) == []

    with_store(database, use)


def test_of_many_at_once_one_wins_each_version(database: str) -> None:
    async def use(store: Store) -> None:
        for version in range(5):
            outcomes = await asyncio.gather(
                *[store.append("A", version, step(str(i)), LISTING) for i in range(12)],
                return_exceptions=True,
            )
            assert sorted(type(o).__name__ for o in outcomes) == ["ConflictError"] * 11 + ["int"]
        assert [kept.version for kept in await store.read("A")] == [1, 2, 3, 4, 5]

    with_store(database, use)


def test_a_store_that_is_opened_again_has_everything(database: str) -> None:
    async def first(store: Store) -> None:
        await store.append("A", 0, step("one"), LISTING)

    async def second(store: Store) -> None:
        assert [kept.step.events for kept in await store.read("A")] == ["one"]
        assert await store.append("A", 1, step("two"), LISTING) == 2

    with_store(database, first)
    with_store(database, second)


def test_lists(database: str) -> None:
    async def use(store: Store) -> None:
        late = LISTING._replace(due=500, about='"late"', owners=("ana", "beto"))
        await store.append("LATE", 0, step(at=1), late)
        await store.append("SOON", 0, step(at=2), LISTING._replace(due=100, public=False))
        await store.append("DONE", 0, step(at=3), LISTING._replace(stage="finished"))
        await store.append("IDLE", 0, step(at=4), LISTING._replace(owners=("ana",)))
        assert await store.due(99, 9) == []
        assert await store.due(100, 9) == ["SOON"]
        assert await store.due(900, 9) == ["SOON", "LATE"]
        assert await store.due(900, 1) == ["SOON"]
        assert [listed.table for listed in await store.public_tables(9)] == ["IDLE", "LATE"]
        assert [listed.table for listed in await store.public_tables(1)] == ["IDLE"]
        assert [listed.table for listed in await store.tables_of("ana", 9)] == ["IDLE", "LATE"]
        assert await store.tables_of("beto", 9) == [("LATE", "playing", 1, '"late"')]
        await store.append("LATE", 1, step(at=5), late._replace(due=None, stage="finished"))
        assert await store.due(900, 9) == ["SOON"]
        assert [listed.table for listed in await store.public_tables(9)] == ["IDLE"]

    with_store(database, use)


def test_a_newer_database_is_refused_with_a_sentence(database: str) -> None:
    async def make_newer() -> None:
        async with opened(database):
            pass
        if database.startswith("postgresql"):
            import asyncpg  # noqa: PLC0415 - only here

            connection = await asyncpg.connect(database)
            await connection.execute("UPDATE schema SET version = 99")
            await connection.close()
        else:
            with sqlite3.connect(database) as connection:
                connection.execute("UPDATE schema SET version = 99")
            connection.close()

    asyncio.run(make_newer())
    with pytest.raises(StoreVersionError, match=f"version 99.*up to {len(MIGRATIONS)}"):
        asyncio.run(open_store(database))


def test_a_closed_store_says_so(database: str) -> None:
    async def main() -> None:
        store = await open_store(database)
        await store.close()
        with pytest.raises(StoreUnavailableError):
            await store.append("A", 0, step(), LISTING)
        with pytest.raises(StoreUnavailableError):
            await store.read("A")

    asyncio.run(main())


# -- finished games ----------------------------------------------------------------------------


def finished(game: str, number: int = 1, first: int = 1) -> FinishedGame:
    return FinishedGame(game, number, first, "ana", '"about"', (("ana", 1), ("beto", 2)))


def test_finished_games_are_listed_to_their_players(database: str) -> None:
    async def use(store: Store) -> None:
        await store.append("A", 0, step(at=1), LISTING)
        await store.append("A", 1, step(at=5), LISTING._replace(finished=finished("one")))
        await store.append("A", 2, step(at=6), LISTING)
        await store.append("A", 3, step(at=9), LISTING._replace(finished=finished("two", 2, 3)))
        one = KeptGame("one", "A", 1, 1, 2, 5, "ana", '"about"')
        two = KeptGame("two", "A", 2, 3, 4, 9, "ana", '"about"')
        assert await store.game("one") == one
        assert await store.game("none") is None
        assert await store.games_of("beto", 9) == [(two, 2), (one, 2)]
        assert await store.games_of("beto", 1) == [(two, 2)]
        assert await store.games_of("zoe", 9) == []
        assert await store.games_at("A") == [one, two]

    with_store(database, use)


def test_a_game_is_kept_with_its_last_step_or_not_at_all(database: str) -> None:
    async def use(store: Store) -> None:
        await store.append("A", 0, step(), LISTING)
        with pytest.raises(ConflictError):
            await store.append("A", 7, step(), LISTING._replace(finished=finished("one")))
        assert await store.game("one") is None
        await store.append("A", 1, step(), LISTING._replace(finished=finished("one")))
        with pytest.raises(StoreUnavailableError):  # a game ends once
            await store.append("A", 2, step(), LISTING._replace(finished=finished("one")))
        assert len(await store.read("A")) == 2
        assert await store.append("A", 2, step(), LISTING) == 3

    with_store(database, use)


def test_a_game_is_forgotten(database: str) -> None:
    async def use(store: Store) -> None:
        await store.append("A", 0, step("x", 3), LISTING._replace(finished=finished("one")))
        await store.append("A", 1, step("y", 4), LISTING)
        game = await store.game("one")
        assert game is not None
        with pytest.raises(ConflictError):
            await store.forget(game, 1, [])
        assert await store.game("one") == game
        await store.forget(game, 2, [KeptStep(1, step("[]"))])
        assert await store.read("A") == [(1, (3, "[]")), (2, (4, "y"))]
        assert await store.game("one") is None
        assert await store.games_of("ana", 9) == []
        assert await store.append("A", 2, step(), LISTING) == 3

    with_store(database, use)


def test_a_table_is_forgotten_and_nobody_brings_it_back(database: str) -> None:
    async def use(store: Store) -> None:
        listing = LISTING._replace(owners=("ana",), finished=finished("one"))
        await store.append("A", 0, step(), listing)
        await store.append("B", 0, step(), LISTING)
        game = await store.game("one")
        assert game is not None
        await store.forget(game, 1, None)
        assert await store.read("A") == []
        assert await store.tables_of("ana", 9) == []
        assert [listed.table for listed in await store.public_tables(9)] == ["B"]
        for expected in (1, 2):
            with pytest.raises(ConflictError):
                await store.append("A", expected, step(), LISTING)
        assert await store.read("A") == []
        with pytest.raises(ConflictError):
            await store.forget(game, 1, None)

    with_store(database, use)


def test_a_step_that_comes_while_a_table_is_forgotten_is_not_left_behind(database: str) -> None:
    async def use(store: Store) -> None:
        for number in range(10):
            name = f"T{number}"
            await store.append(name, 0, step(), LISTING._replace(finished=finished(name)))
            game = await store.game(name)
            assert game is not None
            outcomes = await asyncio.gather(
                store.append(name, 1, step(), LISTING),
                store.forget(game, 1, None),
                store.append(name, 1, step(), LISTING),
                return_exceptions=True,
            )
            assert sum(isinstance(outcome, ConflictError) for outcome in outcomes) == 2
            left = [kept.version for kept in await store.read(name)]
            assert left in ([], [1, 2])
            assert (await store.game(name) is None) == (left == [])

    with_store(database, use)


def test_an_older_database_is_brought_up_to_date(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def old(store: Store) -> None:
        await store.check()

    async def new(store: Store) -> None:
        await store.append("A", 0, step(), LISTING._replace(finished=finished("one")))
        assert await store.game("one") is not None

    with monkeypatch.context() as patch:
        patch.setattr("phaseten.server.store.interface.MIGRATIONS", MIGRATIONS[:1])
        with_store(database, old)
    with_store(database, new)
    with_store(database, old)


# -- SQLite ------------------------------------------------------------------------------------


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


# -- PostgreSQL --------------------------------------------------------------------------------


def test_two_nodes_share_tables_and_hear_of_each_other(new_database: Callable[[], str]) -> None:
    async def main() -> None:
        url = new_database()
        async with opened(url) as one, opened(url) as two, two.changes() as changes:
            await one.append("A", 0, step("one"), LISTING)
            assert await asyncio.wait_for(anext(changes), PATIENCE) == Change("A", 1)
            await two.append("A", 1, step("two"), LISTING)
            with pytest.raises(ConflictError):
                await one.append("A", 1, step("too late"), LISTING)
            assert await asyncio.wait_for(anext(changes), PATIENCE) == Change("A", 2)

    asyncio.run(main())


def test_nodes_that_start_together_migrate_once(new_database: Callable[[], str]) -> None:
    async def main() -> None:
        url = new_database()
        stores = await asyncio.gather(*[open_store(url) for _ in range(4)])
        await stores[3].append("A", 0, step("one"), LISTING)
        assert len(await stores[0].read("A")) == 1
        for store in stores:
            await store.close()

    asyncio.run(main())


def test_a_database_that_was_restarted_is_used_again(
    cluster: Cluster, new_database: Callable[[], str]
) -> None:
    async def main() -> None:
        async with opened(new_database()) as store, store.changes() as changes:
            await store.append("A", 0, step("one"), LISTING)
            assert await asyncio.wait_for(anext(changes), PATIENCE) == Change("A", 1)
            await asyncio.to_thread(cluster.stop)
            with pytest.raises(StoreUnavailableError):
                await store.append("A", 1, step("lost"), LISTING)
            with pytest.raises(StoreUnavailableError):
                await store.check()
            await asyncio.to_thread(cluster.start)
            assert await asyncio.wait_for(anext(changes), PATIENCE) is None, "there was a gap"
            assert await store.append("A", 1, step("two"), LISTING) == 2
            assert await asyncio.wait_for(anext(changes), PATIENCE) == Change("A", 2)
            assert [kept.step.events for kept in await store.read("A")] == ["one", "two"]

    asyncio.run(main())


def test_a_database_that_is_not_there_is_refused(new_database: Callable[[], str]) -> None:
    url = new_database()
    with pytest.raises(StoreUnavailableError, match="no such database"):
        asyncio.run(open_store(f"{url}x"))
    with pytest.raises(StoreUnavailableError, match="does not answer"):
        asyncio.run(open_store("postgresql://phaseten@127.0.0.1:1/x"))


def test_nobody_waits_for_ever_where_all_connections_are_taken(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "CONNECT_SECONDS", 0.3)

    async def main() -> None:
        store = await postgres.PostgresStore.open(new_database(), connections=1)
        async with store._pool.acquire():
            with pytest.raises(StoreUnavailableError, match="does not answer"):
                await asyncio.wait_for(store.read("A"), PATIENCE)
            with pytest.raises(StoreUnavailableError, match="does not answer"):
                await asyncio.wait_for(store.append("A", 0, step(), LISTING), PATIENCE)
        monkeypatch.setattr(postgres, "CONNECT_SECONDS", PATIENCE)
        assert await store.append("A", 0, step(), LISTING) == 1
        await store.close()

    asyncio.run(main())


class Wire:
    """A cable between a node and its database that can be pulled without anybody hearing of it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.pulled = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        dead = self.pulled
        for source, target in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(self._carry(source, target, dead=dead))
            self._tasks.add(task)

    async def _carry(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, dead: bool
    ) -> None:
        began_before = not dead
        try:
            while data := await source.read(65536):
                if not (self.pulled and began_before):
                    target.write(data)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            target.close()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def test_a_pulled_cable_is_noticed(
    cluster: Cluster, new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "PROBE_SECONDS", 0.2)
    monkeypatch.setattr(postgres, "CONNECT_SECONDS", PATIENCE)

    async def main() -> None:
        url = new_database()
        wire = Wire(cluster.port)
        server = await asyncio.start_server(wire.join, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        through = url.replace(f":{cluster.port}/", f":{port}/")
        async with opened(url) as one, opened(through) as two, two.changes() as changes:
            await one.append("A", 0, step(), LISTING)
            assert await asyncio.wait_for(anext(changes), PATIENCE) == Change("A", 1)
            wire.pulled = True
            with monkeypatch.context() as meanwhile:
                meanwhile.setattr(postgres, "CONNECT_SECONDS", 0.5)
                assert await asyncio.wait_for(anext(changes), PATIENCE) is None, "there was a gap"
            await one.append("A", 1, step(), LISTING)
            assert await asyncio.wait_for(anext(changes), PATIENCE) == Change("A", 2)
        server.close()
        await wire.close()

    asyncio.run(main())
