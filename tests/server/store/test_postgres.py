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
from tests.patience import PATIENCE
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
