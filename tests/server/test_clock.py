"""What is due is due by the database's clock, whatever the node's own clock says."""

import asyncio
import time
from collections.abc import Callable

import pytest

from phaseten.server import clock
from phaseten.server.metrics import Metrics
from phaseten.server.running.bot_processes import BotProcesses
from phaseten.server.running.node import Node
from phaseten.server.socket.speaker import MessageSpeaker
from phaseten.server.store.database import open_store
from phaseten.table.options import Options

AHEAD = 30_000


def test_a_clock_is_set_by_another_and_left_alone_while_it_is_right() -> None:
    async def main() -> None:
        mine = clock.Clock()
        before = mine._ahead

        async def agree() -> int:
            return mine.now()

        await mine.set_by(agree)
        assert mine._ahead == before

        async def be_ahead() -> int:
            return mine.now() + AHEAD

        await mine.set_by(be_ahead)
        assert AHEAD - 1 <= mine._ahead - before <= AHEAD + 1_000

    asyncio.run(main())


def test_a_node_whose_clock_is_wrong_keeps_the_databases_time(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    true = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: true() + AHEAD * 1_000_000)
    monkeypatch.setattr(clock._clock, "_ahead", clock.Clock()._ahead)

    async def main() -> None:
        store = await open_store(new_database())
        bots = BotProcesses(1)
        node = Node(store, bots, MessageSpeaker(), Metrics())
        async with node.running():
            before = await store.clock()
            code = await node.registry.open("ana", "Ana", Options())
            assert isinstance(code, str)
            table = await node.registry.table(code)
            assert table is not None
            (kept,) = await store.read(code)
            assert before - 1_000 <= kept.step.at <= await store.clock() + 1_000
        await bots.close()
        await store.close()

    asyncio.run(main())
