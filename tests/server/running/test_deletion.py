"""A node that was not told that a table is gone does not bring it back."""

import asyncio
from pathlib import Path

from phaseten.server.metrics import Metrics
from phaseten.server.running.bot_processes import BotProcesses
from phaseten.server.running.node import Node
from phaseten.server.running.registry import Registry
from phaseten.server.socket.speaker import MessageSpeaker
from phaseten.server.store.sqlite import SqliteStore
from phaseten.table.commands import CallOff, Say, StartGame, TakeSeat
from phaseten.table.options import Options
from phaseten.table.verdicts import TableRefusal
from tests.patience import PATIENCE


async def reason(registry: Registry, code: str) -> str:
    answer = await registry.ask(code, "ana", Say("hello?"))
    assert isinstance(answer, TableRefusal)
    return answer.reason


def test_a_table_that_was_removed_behind_its_back(tmp_path: Path) -> None:
    async def main() -> None:
        store = await SqliteStore.open(tmp_path / "tables.sqlite")
        bots = BotProcesses(1)
        registry = Node(store, bots, MessageSpeaker(), Metrics()).registry
        code = await registry.open("ana", "Ana", Options(seats=2))
        assert isinstance(code, str)
        for command in (TakeSeat(1, "Ana"), StartGame(), CallOff()):
            assert await registry.ask(code, "ana", command) is None
        (played,) = await store.games_of("ana", 9)
        await store.forget(played.game, played.game.last, None)
        assert await reason(registry, code) == "unavailable"
        while registry.peek(code) is not None:  # it looks again by itself
            await asyncio.sleep(0.01)
        assert await reason(registry, code) == "no-table"
        assert await store.read(code) == []
        await bots.close()
        await store.close()

    asyncio.run(asyncio.wait_for(main(), PATIENCE))
