"""What is overdue is done once, by one node, and nothing that cannot be done keeps the rest from being done."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from phaseten.rules.actions import Action
from phaseten.rules.views import View, legal_actions
from phaseten.server.metrics import Metrics
from phaseten.server.running import node as node_module
from phaseten.server.running import registry, schedule
from phaseten.server.running.bot_processes import BotFailedError, BotProcesses
from phaseten.server.running.node import Node
from phaseten.server.socket.speaker import MessageSpeaker
from phaseten.server.store.database import open_store
from phaseten.server.store.interface import Listing, Step, Store
from phaseten.table.commands import SeatBot, StartGame
from phaseten.table.options import Options
from tests.patience import PATIENCE


class Bots(BotProcesses):
    """Think for as long as they are told to, one after the other, and count how often."""

    def __init__(self, seconds: float = 0.0, failing: str = "") -> None:
        super().__init__(1)
        self.seconds = seconds
        self.failing = failing
        self.thoughts = 0
        self._one_at_a_time = asyncio.Lock()

    async def choose(self, level: str, view: View, *, is_alone: bool = False) -> Action:
        del is_alone
        async with self._one_at_a_time:
            self.thoughts += 1
            await asyncio.sleep(self.seconds)
            if level == self.failing:
                raise BotFailedError("this bot never answers")
            return legal_actions(view)[-1]


class Place:
    """A node, its store and its bots."""

    def __init__(self, store: Store, bots: Bots) -> None:
        self.store = store
        self.bots = bots
        self.metrics = Metrics()
        self.node = Node(store, bots, MessageSpeaker(), self.metrics)

    @property
    def steps(self) -> float:
        """How many steps the server itself has made here."""
        return self.metrics.steps.labels("server")._value.get()

    async def deal(self) -> str:
        """A table of sharp bots alone; its game has started."""
        code = await self.node.registry.open("ana", "Ana", Options(seats=2, pace=0))
        assert isinstance(code, str)
        for seat in (1, 2):
            assert await self.node.registry.ask(code, "ana", SeatBot(seat, "sharp")) is None
        assert await self.node.registry.ask(code, "ana", StartGame()) is None
        return code


@asynccontextmanager
async def running(database: str, bots: Bots) -> AsyncGenerator[Place]:
    place = Place(await open_store(database), bots)
    try:
        async with place.node.running():
            yield place
    finally:
        await bots.close()
        await place.store.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def left_behind(database: str, tables: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Tables at which bots had to act an hour ago, when the only node ended."""
    store = await open_store(database)
    place = Place(store, Bots())
    with monkeypatch.context() as an_hour_ago:
        an_hour_ago.setattr(registry, "now", lambda: 1_000_000)
        an_hour_ago.setattr(place.node._schedule, "_closed", True)
        codes = [await place.deal() for _ in range(tables)]
    await place.bots.close()
    await store.close()
    return codes


def test_three_nodes_after_an_outage_think_once_about_each_move(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "LEASE", int(PATIENCE * 1_000))
    monkeypatch.setattr(node_module, "SWEEP_SECONDS", 0.05)

    async def main() -> None:
        url = new_database()
        codes = await left_behind(url, 5, monkeypatch)
        async with AsyncExitStack() as stack:
            places = [
                await stack.enter_async_context(running(url, Bots(seconds=0.2))) for _ in range(3)
            ]

            def versions() -> list[int]:
                seen = [[place.node.registry.peek(code) for place in places] for code in codes]
                return [max([table.version for table in row if table], default=0) for row in seen]

            await until(lambda: min(versions()) > 5)
            for place in places:
                place.node._schedule.close()
            await until(lambda: all(len(place.node._tasks._running) == 2 for place in places))
            thoughts = sum(place.bots.thoughts for place in places)
            assert thoughts == sum(place.steps for place in places) >= 5

    asyncio.run(main())


def test_where_bots_cannot_keep_up_no_other_node_thinks_about_the_same(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty tables at one node, whose bots take two seconds for a round: it says that it is at it still."""
    monkeypatch.setattr(schedule, "GRACE", 1_000)
    monkeypatch.setattr(schedule, "LATE", 100)
    monkeypatch.setattr(schedule, "LEASE", int(PATIENCE * 1_000))
    monkeypatch.setattr(node_module, "SWEEP_SECONDS", 0.05)

    async def main() -> None:
        url = new_database()
        async with running(url, Bots(seconds=0.1)) as one, running(url, Bots()) as two:
            for _ in range(20):
                await one.deal()
            await until(lambda: one.steps >= 50)
            assert two.bots.thoughts <= 5, "it was 1.95 thoughts for each step"
            assert one.bots.thoughts + two.bots.thoughts <= 1.1 * (one.steps + two.steps) + 1

    asyncio.run(main())


def test_tables_that_cannot_be_read_do_not_stop_a_healthy_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_module, "SWEEP_SECONDS", 0.05)
    monkeypatch.setattr(schedule, "LEASE", int(PATIENCE * 1_000))

    async def main() -> None:
        database = str(tmp_path / "tables.sqlite")
        store = await open_store(database)
        for number in range(250):
            listing = Listing("playing", public=False, due=1 + number, about="{}", owners=())
            await store.append(f"BAD{number:05}", 0, Step(1, "not even JSON"), listing)
        await store.close()
        (code,) = await left_behind(database, 1, monkeypatch)
        async with running(database, Bots()) as place:

            def has_moved() -> bool:
                table = place.node.registry.peek(code)
                return table is not None and table.version > 4

            await until(has_moved)
            failures = place.metrics.failures.labels("store")._value.get()
            assert 0 < failures <= 250, "none was tried twice meanwhile"

    asyncio.run(main())


def test_a_bot_that_never_answers_is_replaced_by_the_simplest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "GRACE", 0)
    monkeypatch.setattr(schedule, "LEASE", 10)
    monkeypatch.setattr(node_module, "SWEEP_SECONDS", 0.02)

    async def main() -> None:
        async with running(str(tmp_path / "tables.sqlite"), Bots(failing="sharp")) as place:
            code = await place.deal()

            def has_moved() -> bool:
                table = place.node.registry.peek(code)
                return table is not None and table.version > 4

            await until(has_moved)
            assert place.metrics.failures.labels("bot")._value.get() >= 2

    asyncio.run(main())
