"""Nothing dies in silence: what cannot be handled is counted, and what ends is begun again."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from phaseten.server.logs import JsonLines, mark_of
from phaseten.server.metrics import Metrics
from phaseten.server.running import node as node_module
from phaseten.server.running import tasks as tasks_module
from phaseten.server.running.bot_processes import BotProcesses
from phaseten.server.running.node import Node
from phaseten.server.running.tasks import Tasks
from phaseten.server.socket.speaker import MessageSpeaker
from phaseten.server.store import postgres
from phaseten.server.store.database import open_store
from phaseten.server.store.interface import Heard, Notice, Store, StoreUnavailableError
from phaseten.server.store.sqlite import SqliteStore
from phaseten.table.commands import Say, TakeSeat
from phaseten.table.options import Options
from tests.patience import PATIENCE
from tests.server.cluster import Cluster
from tests.server.store.test_postgres import Wire


class Place:
    """A node, its store and what it has counted."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.metrics = Metrics()
        self.bots = BotProcesses(1)
        self.node = Node(store, self.bots, MessageSpeaker(), self.metrics)

    def count(self, what: str) -> float:
        return self.metrics.failures.labels(what)._value.get()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.01)


@asynccontextmanager
async def running(store: Store) -> AsyncGenerator[Place]:
    place = Place(store)
    try:
        async with place.node.running():
            yield place
    finally:
        await place.bots.close()
        await store.close()


POISON = (
    ("phaseten", "nonsense"),
    ("phaseten", "CODE many"),
    ("phaseten", ""),
    ("phaseten_notices", "nonsense"),
    ("phaseten_notices", "{code} node"),
    ("phaseten_notices", "{code} node 1,2"),
    ("phaseten_notices", "{code} node one/two/three"),
)


def test_a_poisoned_notice_makes_no_node_deaf(
    new_database: Callable[[], str], caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        url = new_database()
        async with running(await open_store(url)) as one, running(await open_store(url)) as two:
            code = await one.node.registry.open("ana", "Ana", Options(seats=2))
            assert isinstance(code, str)
            assert await two.node.registry.table(code) is not None
            connection = await asyncpg.connect(url)
            for channel, text in POISON:
                await connection.execute(
                    "SELECT pg_notify($1, $2)", channel, text.format(code=code)
                )
            await connection.close()
            await two.until(lambda: two.count("notice") == len(POISON))
            await one.node.registry.ask(code, "ana", TakeSeat(1, "Ana"))
            await one.node.registry.ask(code, "ana", Say("Can you hear me?"))

            def has_heard() -> bool:
                seen = two.node.registry.peek(code)
                return seen is not None and seen.version == 3

            await two.until(has_heard)
            await two.node.check()
            lines = [JsonLines().format(record) for record in caplog.records]
            marked = [json.loads(line) for line in lines if mark_of(code) in line]
            assert marked
            assert all(line["why"].count(" in ") > 1 for line in marked), "all frames are told"
            assert code not in "".join(lines)
            assert "three" not in "".join(lines), "no values are"

    logging.getLogger("phaseten").propagate = True
    asyncio.run(main())


class Fickle(SqliteStore):
    """Passes on one notice each time that somebody begins to listen, and then fails."""

    begun = 0

    @asynccontextmanager
    async def changes(self) -> AsyncGenerator[AsyncIterator[Heard]]:
        self.begun += 1
        yield self._heard()

    async def _heard(self) -> AsyncGenerator[Heard]:
        yield Notice("NOBODY", "somebody", "1/0/0")
        if self.begun < 4:
            raise RuntimeError("R7")
        await asyncio.Event().wait()


def test_a_task_that_ends_is_begun_again_and_nobody_is_sent_here_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks_module, "FIRST_PAUSE", 0.2)

    async def main() -> None:
        store = await Fickle.open(tmp_path / "tables.sqlite")
        assert isinstance(store, Fickle)
        async with running(store) as place:
            await place.until(lambda: bool(place.node._tasks.stopped))
            with pytest.raises(StoreUnavailableError, match="follow"):
                await place.node.check()
            await place.until(lambda: store.begun == 4)
            await place.node.check()
            assert place.count("follow") == 3
            assert place.metrics.restarts.labels("follow")._value.get() == 3

    asyncio.run(main())


def test_what_fails_beside_others_is_counted_and_harms_nobody() -> None:
    async def main() -> None:
        metrics = Metrics()
        tasks = Tasks(metrics)
        done = asyncio.Event()

        async def fail() -> None:
            raise ValueError("R7")

        async def be_without_store() -> None:
            raise StoreUnavailableError("The database does not answer.")

        async def work() -> None:
            done.set()

        for one in (fail, be_without_store, work):
            tasks.begin(one(), "CODE")
        await done.wait()
        assert metrics.failures.labels("task")._value.get() == 1
        assert metrics.failures.labels("store")._value.get() == 1
        await tasks.cancel()

    asyncio.run(main())


def test_nobody_waits_long_for_whether_a_node_is_ready(
    cluster: Cluster, new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database hangs: neither answers nor ends the connection."""
    for name in ("ANSWER_SECONDS", "CONNECT_SECONDS"):
        monkeypatch.setattr(postgres, name, PATIENCE)
    assert node_module.CHECK_SECONDS < 2
    monkeypatch.setattr(node_module, "CHECK_SECONDS", 0.2)
    monkeypatch.setattr(tasks_module, "LONGEST_PAUSE", 0.2)

    async def main() -> None:
        url = new_database()
        wire = Wire(cluster.port)
        server = await asyncio.start_server(wire.join, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with running(
            await open_store(url.replace(f":{cluster.port}/", f":{port}/"))
        ) as place:
            await place.node.check()
            wire.pulled = True
            for _ in range(3):
                with pytest.raises(StoreUnavailableError, match="does not answer"):
                    await asyncio.wait_for(place.node.check(), PATIENCE / 4)
            await wire.close()
            server.close()

    asyncio.run(main())
