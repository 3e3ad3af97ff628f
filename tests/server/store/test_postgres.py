"""The store that nodes share, where things go wrong."""

import asyncio
from collections.abc import Callable

import pytest

from phaseten.server.store import postgres
from phaseten.server.store.database import open_store
from phaseten.server.store.interface import (
    Change,
    ConflictError,
    StoreUnavailableError,
)
from phaseten.server.store.postgres import PostgresStore
from tests.patience import PATIENCE, wait_until
from tests.server.cluster import Cluster
from tests.server.store.keeping import LISTING, opened, step


def test_two_nodes_share_tables_and_hear_of_each_other(new_database: Callable[[], str]) -> None:
    async def main() -> None:
        url = new_database()
        async with opened(url) as one, opened(url) as two, two.changes() as changes:
            await one.append("A", 0, step("one"), LISTING)
            assert await asyncio.wait_for(anext(changes), PATIENCE) == Change("A", 1)
            await two.append("A", 1, step("two"), LISTING)
            with pytest.raises(ConflictError):
                await one.append("A", 1, step("too late"), LISTING)
            await two.listen("A")
            await one.append("A", 2, step("three"), LISTING)
            while (await asyncio.wait_for(anext(changes), PATIENCE)) != Change("A", 3):
                pass  # before it is known that there are no strangers, one's own are heard as well

    asyncio.run(main())


def test_only_nodes_that_listen_to_a_table_hear_of_it(new_database: Callable[[], str]) -> None:
    database = new_database()

    async def main() -> None:
        one, two = await PostgresStore.open(database), await PostgresStore.open(database)
        async with one.changes(), two.changes() as heard:
            await asyncio.to_thread(
                wait_until, lambda: not (one._has_strangers or two._has_strangers)
            )
            for name in ("A", "B", "LAST"):
                await one.append(name, 0, step(), LISTING)
            await two.listen("B")
            await two.listen("LAST")
            await two.listen("NONE")
            await one.append("A", 1, step(), LISTING)  # nobody listens
            await one.append("B", 1, step(), LISTING)
            await two.append("B", 2, step(), LISTING)  # one's own
            await one.listen("B")
            await two.append(
                "B", 3, step(), LISTING
            )  # the other one listens, and oneself hears it too
            gone = two.stop_listening(["B"])
            await two.listen("B")  # before the other thing has ended
            await gone
            await one.append("B", 4, step(), LISTING)
            await two.stop_listening(["B"])
            await one.append("B", 5, step(), LISTING)
            await one.append("LAST", 1, step(), LISTING)
            told = [await anext(heard) for _ in range(4)]
            assert told == [Change("B", 2), Change("B", 4), Change("B", 5), Change("LAST", 2)]
        await two.close()
        async with one.changes():
            await one.listen("LAST")
            rows = await one._fetch("SELECT listeners FROM tables ORDER BY table_id")
        names = [listeners.split() for (listeners,) in rows]
        assert [len(row) for row in names] == [0, 1, 1]  # two is gone, and nobody waits for it
        await one.close()

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
        async with (
            opened(database := new_database()) as store,
            opened(database) as other,
            store.changes() as changes,
        ):
            await other.append("A", 0, step("one"), LISTING)
            assert await asyncio.wait_for(anext(changes), PATIENCE) == Change("A", 1)
            await asyncio.to_thread(cluster.stop)
            with pytest.raises(StoreUnavailableError):
                await store.append("A", 1, step("lost"), LISTING)
            with pytest.raises(StoreUnavailableError):
                await store.check()
            await asyncio.to_thread(cluster.start)
            assert await asyncio.wait_for(anext(changes), PATIENCE) is None, "there was a gap"
            assert await other.append("A", 1, step("two"), LISTING) == 2
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
        self.mended = 0
        """Connections that were made since then."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self.mended += self.pulled
        is_new = self.pulled
        for source, target in ((reader, far_writer), (far_reader, writer)):
            self._tasks.add(asyncio.create_task(self._carry(source, target, is_new=is_new)))

    async def _carry(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, is_new: bool
    ) -> None:
        try:
            while data := await source.read(65536):
                if is_new or not self.pulled:
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
    monkeypatch.setattr(postgres, "DEAF_SECONDS", 0.5)
    monkeypatch.setattr(postgres, "CONNECT_SECONDS", PATIENCE)

    async def main() -> None:
        url = new_database()
        wire = Wire(cluster.port)
        server = await asyncio.start_server(wire.join, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        through = url.replace(f":{cluster.port}/", f":{port}/")
        async with opened(url) as one, opened(through) as two, two.changes() as changes:
            wire.pulled = True
            async with asyncio.timeout(PATIENCE):
                # A busy machine can be taken for a pulled cable, and that was a gap as well.
                while await anext(changes) is not None or not wire.mended:
                    pass
                await one.append("A", 0, step(), LISTING)
                assert await anext(changes) in (Change("A", 1), None)
            server.close()
            await wire.close()

    asyncio.run(main())
