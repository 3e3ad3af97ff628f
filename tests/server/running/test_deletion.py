"""A node that was not told that a table is gone does not bring it back."""

import asyncio
from pathlib import Path

from phaseten.server.metrics import Metrics
from phaseten.server.running.bots import Thinkers
from phaseten.server.running.registry import Hall
from phaseten.server.store.sqlite import SqliteStore
from phaseten.table.commands import CallOff, Say, StartGame, TakeSeat
from phaseten.table.decisions import TableRefusal
from phaseten.table.options import Options


async def reason(hall: Hall, code: str) -> str:
    answer = await hall.ask(code, "ana", Say("hello?"))
    assert isinstance(answer, TableRefusal)
    return answer.reason


def test_a_table_that_was_removed_behind_its_back(tmp_path: Path) -> None:
    async def main() -> None:
        store = await SqliteStore.open(tmp_path / "tables.sqlite")
        thinkers = Thinkers(1)
        hall = Hall(store, thinkers, Metrics())
        code = await hall.open("ana", "Ana", Options(seats=2))
        assert isinstance(code, str)
        for command in (TakeSeat(1, "Ana"), StartGame(), CallOff()):
            assert await hall.ask(code, "ana", command) is None
        (played,) = await store.games_of("ana", 9)
        await store.forget(played.game, played.game.last, None)
        assert await reason(hall, code) == "unavailable"
        while hall.peek(code) is not None:  # it looks again by itself
            await asyncio.sleep(0.01)
        assert await reason(hall, code) == "no-table"
        assert await store.read(code) == []
        await thinkers.close()
        await store.close()

    asyncio.run(asyncio.wait_for(main(), 30))
