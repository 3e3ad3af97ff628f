"""The hall with a real store and real bots, where things happen at the wrong moment."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from phaseten.game import Game
from phaseten.language import language
from phaseten.rules.actions import DrawDeck
from phaseten.server.metrics import Metrics
from phaseten.server.running import live_table, presence, registry
from phaseten.server.running.bots import Thinkers
from phaseten.server.running.registry import Hall
from phaseten.server.store.interface import Listing, Step, StoreUnavailableError
from phaseten.server.store.sqlite import SqliteStore
from phaseten.table import state
from phaseten.table.commands import (
    ClaimHost,
    EndTurnTime,
    PauseGame,
    Play,
    ResumeGame,
    Say,
    SeatStandIn,
    StartGame,
    TakeSeat,
    TakeSeatBack,
)
from phaseten.table.decisions import TableRefusal
from phaseten.table.options import Options
from phaseten.table.state import ClockDuty, Table, next_duty
from tests.table.sitting import Sitting

PATIENCE = 20.0


class Ear:
    """Somebody who listens."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.language = language("en")
        self.muted = frozenset[int]()
        self.heard: list[Any] = []

    def send(self, data: bytes) -> None:
        self.heard.append(json.loads(data))


class BrokenWire(SqliteStore):
    """Keeps what it is given, and then cannot say so."""

    is_broken = False

    async def append(self, table: str, expected_version: int, step: Step, listing: Listing) -> int:
        version = await super().append(table, expected_version, step, listing)
        if self.is_broken:
            raise StoreUnavailableError("The answer was lost.")
        return version


class Place:
    """A hall, and what it is made of."""

    def __init__(self, store: SqliteStore, thinkers: Thinkers) -> None:
        self.store = store
        self.thinkers = thinkers
        self.hall = Hall(store, thinkers, Metrics())

    async def seat_two(self, **options: Any) -> str:
        code = await self.hall.open("ana", "Ana", Options(seats=2, **options))
        assert isinstance(code, str)
        for seat, owner in enumerate(("ana", "beto"), 1):
            assert await self.hall.ask(code, owner, TakeSeat(seat, owner.title())) is None
        return code

    async def stands(self, code: str) -> Table:
        found = await self.hall.table(code)
        assert found is not None
        return found

    async def until(self, code: str, condition: Callable[[Table], bool]) -> Table:
        async with asyncio.timeout(PATIENCE):
            while not condition(found := await self.stands(code)):
                await asyncio.sleep(0.02)
        return found


@asynccontextmanager
async def opened(path: Path, kind: type[SqliteStore] = SqliteStore) -> AsyncGenerator[Place]:
    store = await kind.open(path)
    thinkers = Thinkers(1)
    place = Place(store, thinkers)
    try:
        async with place.hall.running():
            yield place
    finally:
        await thinkers.close()
        await store.close()


def with_hall(
    path: Path, use: Callable[[Place], Awaitable[None]], kind: type[SqliteStore] = SqliteStore
) -> None:
    async def main() -> None:
        async with opened(path / "tables.sqlite", kind) as place:
            await use(place)

    asyncio.run(main())


@pytest.fixture
def no_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody finds by chance what was left undone."""
    monkeypatch.setattr(registry, "GRACE", 10**9)


@asynccontextmanager
async def slow_bots(place: Place) -> AsyncGenerator[None]:
    """The process in which bots think gets nowhere as long as the block runs."""
    await place.thinkers.choose("rookie", Game("classic", seed=1).view())  # it has started
    worker = place.thinkers._movers.idle.queue[0]
    assert worker is not None
    assert worker.process.pid is not None
    os.kill(worker.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(worker.process.pid, signal.SIGCONT)


async def think(place: Place, code: str) -> int:
    """Let a bot think for the one on turn; whose turn it is."""
    turn = (await place.stands(code)).turn
    assert turn is not None
    await place.hall.ask(code, "ana", SeatStandIn(turn, "casual"))
    async with asyncio.timeout(PATIENCE):
        while not place.thinkers.waiting:
            await asyncio.sleep(0.01)
    return turn


@pytest.mark.usefixtures("no_sweep")
def test_a_seat_taken_back_while_its_bot_thinks(tmp_path: Path) -> None:
    async def use(place: Place) -> None:
        code = await place.seat_two(pace=0)
        await place.hall.ask(code, "ana", StartGame())
        async with slow_bots(place):
            owner = ("ana", "beto")[await think(place, code) - 1]
            assert await place.hall.ask(code, owner, TakeSeatBack()) is None
            before = (await place.stands(code)).version
        async with asyncio.timeout(PATIENCE):
            while place.thinkers.waiting:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        after = await place.stands(code)
        assert after.version == before, "the bot's choice came too late"
        assert await place.hall.ask(code, owner, Play(DrawDeck(), before)) is None

    with_hall(tmp_path, use)


@pytest.mark.usefixtures("no_sweep")
@pytest.mark.parametrize("what", ["another bot", "a pause"])
def test_a_bot_thinks_again_when_something_happened_meanwhile(tmp_path: Path, what: str) -> None:
    async def use(place: Place) -> None:
        code = await place.seat_two(pace=0)
        await place.hall.ask(code, "ana", StartGame())
        async with slow_bots(place):
            turn = await think(place, code)
            if what == "a pause":
                await place.hall.ask(code, "ana", PauseGame())
                await asyncio.sleep(0.01)
                await place.hall.ask(code, "ana", ResumeGame())
            else:
                await place.hall.ask(code, "ana", SeatStandIn(turn, "rookie"))
            moved = (await place.stands(code)).moved
            await asyncio.sleep(0.1)
        await place.until(code, lambda found: found.moved > moved)

    with_hall(tmp_path, use)


def test_talk_does_not_make_a_bot_think_again(tmp_path: Path) -> None:
    async def use(place: Place) -> None:
        code = await place.seat_two(pace=0)
        await place.hall.ask(code, "ana", StartGame())
        async with slow_bots(place):
            await think(place, code)
            moved = (await place.stands(code)).moved
            for text in ("one", "two", "three"):
                await place.hall.ask(code, "ana", Say(text))
            await asyncio.sleep(0.1)
            assert place.thinkers.waiting == 1
        await place.until(code, lambda found: found.moved > moved)

    with_hall(tmp_path, use)


@pytest.mark.usefixtures("no_sweep")
def test_a_step_that_was_kept_unheard_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    async def use(place: Place) -> None:
        assert isinstance(place.store, BrokenWire)
        code = await place.hall.open("ana", "Ana", Options(seats=2, pace=0))
        assert isinstance(code, str)
        ear = Ear("ana")
        assert await place.hall.join(code, ear, None) is None
        place.store.is_broken = True
        answer = await place.hall.ask(code, "ana", StartGame())
        assert answer == TableRefusal("unavailable")
        assert ear.heard[-1]["version"] == 1
        place.store.is_broken = False
        await place.until(code, lambda found: found.version > 4)
        versions = [step["version"] for told in ear.heard[1:] for step in told["steps"]]
        assert versions[:3] == [2, 3, 4]

    with_hall(tmp_path, use, BrokenWire)


def test_a_request_broken_off_half_way_leaves_the_table_as_the_store_has_it(tmp_path: Path) -> None:
    async def use(place: Place) -> None:
        code = await place.seat_two()
        ear = Ear("beto")
        await place.hall.join(code, ear, None)
        for moment in range(8):
            request = asyncio.create_task(place.hall.ask(code, "ana", Say(f"at {moment}")))
            for _ in range(moment):
                await asyncio.sleep(0)
            request.cancel()
            await asyncio.gather(request, return_exceptions=True)
            assert await place.hall.ask(code, "ana", Say("whole")) is None
        kept = await place.store.read(code)
        assert (await place.stands(code)).version == len(kept)
        versions = [s["version"] for told in ear.heard[2:] for s in told["steps"]]
        assert versions == list(range(4, len(kept) + 1)), "told once and in order"

    with_hall(tmp_path, use)


def test_a_host_who_is_gone_for_long_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "AWAY", 0.3)
    monkeypatch.setattr(presence, "LINGER", 0.0)

    async def use(place: Place) -> None:
        code = await place.seat_two()
        ana, beto = Ear("ana"), Ear("beto")
        await place.hall.join(code, ana, None)
        await place.hall.join(code, beto, None)
        await asyncio.sleep(0.4)
        assert await place.hall.ask(code, "beto", ClaimHost()) == TableRefusal("host-here")
        place.hall.leave(code, ana)
        async with asyncio.timeout(PATIENCE):
            while beto.heard[-1]["table"]["host_connected"]:
                await asyncio.sleep(0.05)
        assert await place.hall.ask(code, "beto", ClaimHost()) == TableRefusal("host-here")
        await asyncio.sleep(0.4)
        assert await place.hall.ask(code, "cleo", ClaimHost()) == TableRefusal("no-seat")
        assert await place.hall.ask(code, "beto", ClaimHost()) is None
        assert (await place.stands(code)).host_seat == 2
        assert beto.heard[-1]["you"]["host"]
        assert await place.hall.ask(code, "beto", StartGame()) is None

    with_hall(tmp_path, use)


def test_bots_that_come_to_no_end_are_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "MOST_BOT_ACTIONS", 5)

    async def use(place: Place) -> None:
        code = await place.hall.open("ana", "Ana", Options(seats=2, pace=0))
        assert isinstance(code, str)
        await place.hall.ask(code, "ana", StartGame())
        over = await place.until(code, lambda found: found.stage == "finished")
        assert over.game is not None
        assert over.game.sheet.winner is None
        assert over.version == 2 + 5 + 1

    with_hall(tmp_path, use)


def test_a_table_that_nobody_needs_is_forgotten_though_its_clock_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_table, "IDLE_SECONDS", 0.1)
    monkeypatch.setattr(registry, "SWEEP_SECONDS", 0.05)

    async def use(place: Place) -> None:
        code = await place.seat_two(timer=3_600)
        await place.hall.ask(code, "ana", StartGame())
        ear = Ear("ana")
        await place.hall.join(code, ear, None)
        await asyncio.sleep(0.4)
        assert place.hall.peek(code) is not None, "somebody is there"
        place.hall.leave(code, ear)
        async with asyncio.timeout(PATIENCE):
            while place.hall.peek(code) is not None:
                await asyncio.sleep(0.05)
        assert (await place.stands(code)).stage == "playing"

    with_hall(tmp_path, use)


def test_what_is_no_longer_the_servers_duty_is_not_done() -> None:
    sitting = Sitting(Options(seats=2, timer=30))
    sitting.seat("ana", "beto")
    sitting.start()
    duty = next_duty(sitting.table)
    assert isinstance(duty, ClockDuty)
    late = EndTurnTime(sitting.table.version)
    assert isinstance(registry._fulfil(sitting.table, duty, late), tuple)
    sitting.ask("ana", PauseGame())
    sitting.ask("ana", ResumeGame())
    assert registry._fulfil(sitting.table, duty, late) == TableRefusal("stale"), (
        "the clock began anew"
    )
