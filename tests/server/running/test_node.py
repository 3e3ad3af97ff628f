"""A node with a real store and real bots, where things happen at the wrong moment."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from phaseten.client.folding import fold
from phaseten.game import Game
from phaseten.language import language
from phaseten.rules.actions import DrawDeck
from phaseten.server.metrics import Metrics
from phaseten.server.running import audience, live_table, node, presence, schedule
from phaseten.server.running.bot_processes import BotProcesses
from phaseten.server.running.node import Node
from phaseten.server.running.subscribers import Known
from phaseten.server.socket.speaker import MessageSpeaker
from phaseten.server.store.interface import (
    ALL,
    KeptStep,
    Listing,
    OutcomeUnknownError,
    Step,
    StoreUnavailableError,
)
from phaseten.server.store.sqlite import SqliteStore
from phaseten.table import duties
from phaseten.table.commands import (
    ClaimHost,
    ClearSeat,
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
from phaseten.table.decisions import request_mark
from phaseten.table.duties import ClockDuty, next_duty
from phaseten.table.options import Options
from phaseten.table.state import MOST_DONE, Table
from phaseten.table.verdicts import TableRefusal
from tests.patience import PATIENCE
from tests.table.sitting import Sitting


class Ear:
    """Somebody who listens."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.language = language("en")
        self.muted = frozenset[int]()
        self.known: Known | None = None
        self.heard: list[Any] = []
        """What it was told, each change folded into what was told before."""

    def send(self, data: bytes) -> None:
        message = json.loads(data)
        if message["type"] == "change":
            known = next(one for one in reversed(self.heard) if one["type"] == "update")
            message = fold(known, message)
        self.heard.append(message)

    def dismiss(self, data: bytes, *, for_good: bool) -> None:
        self.send(data)
        self.heard.append("dismissed" if for_good else "come back")


class BrokenWire(SqliteStore):
    """Keeps what it is given, and then cannot say so."""

    is_broken = False

    async def append(self, table: str, expected_version: int, step: Step, listing: Listing) -> int:
        version = await super().append(table, expected_version, step, listing)
        if self.is_broken:
            raise OutcomeUnknownError("The answer was lost.")
        return version


class Place:
    """A node, and what it is made of."""

    def __init__(self, store: SqliteStore, bots: BotProcesses) -> None:
        self.store = store
        self.bots = bots
        self.node = Node(store, bots, MessageSpeaker(), Metrics())

    async def seat_two(self, **options: Any) -> str:
        code = await self.node.registry.open("ana", "Ana", Options(seats=2, **options))
        assert isinstance(code, str)
        for seat, owner in enumerate(("ana", "beto"), 1):
            assert await self.node.registry.ask(code, owner, TakeSeat(seat, owner.title())) is None
        return code

    async def stands(self, code: str) -> Table:
        found = await self.node.registry.table(code)
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
    bots = BotProcesses(1)
    place = Place(store, bots)
    try:
        async with place.node.running():
            yield place
    finally:
        await bots.close()
        await store.close()


def with_node(
    path: Path, use: Callable[[Place], Awaitable[None]], kind: type[SqliteStore] = SqliteStore
) -> None:
    async def main() -> None:
        async with opened(path / "tables.sqlite", kind) as place:
            await use(place)

    asyncio.run(main())


@pytest.fixture
def no_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody finds by chance what was left undone."""
    monkeypatch.setattr(schedule, "GRACE", 10**9)


@asynccontextmanager
async def slow_bots(place: Place) -> AsyncGenerator[None]:
    """The process in which bots think gets nowhere as long as the block runs."""
    await place.bots.choose("rookie", Game("classic", seed=1).view())  # it has started
    worker = place.bots._movers.idle.queue[0]
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
    await place.node.registry.ask(code, "ana", SeatStandIn(turn, "casual"))
    async with asyncio.timeout(PATIENCE):
        while not place.bots.waiting:
            await asyncio.sleep(0.01)
    return turn


@pytest.mark.usefixtures("no_sweep")
def test_a_seat_taken_back_while_its_bot_thinks(tmp_path: Path) -> None:
    async def use(place: Place) -> None:
        code = await place.seat_two(pace=0)
        await place.node.registry.ask(code, "ana", StartGame())
        async with slow_bots(place):
            owner = ("ana", "beto")[await think(place, code) - 1]
            assert await place.node.registry.ask(code, owner, TakeSeatBack()) is None
            before = (await place.stands(code)).version
        async with asyncio.timeout(PATIENCE):
            while place.bots.waiting:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        after = await place.stands(code)
        assert after.version == before, "the bot's choice came too late"
        assert await place.node.registry.ask(code, owner, Play(DrawDeck(), before)) is None

    with_node(tmp_path, use)


@pytest.mark.usefixtures("no_sweep")
@pytest.mark.parametrize("what", ["another bot", "a pause"])
def test_a_bot_thinks_again_when_something_happened_meanwhile(tmp_path: Path, what: str) -> None:
    async def use(place: Place) -> None:
        code = await place.seat_two(pace=0)
        await place.node.registry.ask(code, "ana", StartGame())
        async with slow_bots(place):
            turn = await think(place, code)
            if what == "a pause":
                await place.node.registry.ask(code, "ana", PauseGame())
                await asyncio.sleep(0.01)
                await place.node.registry.ask(code, "ana", ResumeGame())
            else:
                await place.node.registry.ask(code, "ana", SeatStandIn(turn, "rookie"))
            moved = (await place.stands(code)).moved
            await asyncio.sleep(0.1)
        await place.until(code, lambda found: found.moved > moved)

    with_node(tmp_path, use)


def test_talk_does_not_make_a_bot_think_again(tmp_path: Path) -> None:
    async def use(place: Place) -> None:
        code = await place.seat_two(pace=0)
        await place.node.registry.ask(code, "ana", StartGame())
        async with slow_bots(place):
            await think(place, code)
            moved = (await place.stands(code)).moved
            for text in ("one", "two", "three"):
                await place.node.registry.ask(code, "ana", Say(text))
            await asyncio.sleep(0.1)
            assert place.bots.waiting == 1
        await place.until(code, lambda found: found.moved > moved)

    with_node(tmp_path, use)


@pytest.mark.usefixtures("no_sweep")
def test_a_step_that_was_kept_unheard_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    async def use(place: Place) -> None:
        assert isinstance(place.store, BrokenWire)
        code = await place.node.registry.open("ana", "Ana", Options(seats=2, pace=0))
        assert isinstance(code, str)
        ear = Ear("ana")
        assert await place.node.audience.join(code, ear, None) is None
        place.store.is_broken = True
        assert await place.node.registry.ask(code, "ana", StartGame()) is None, "it was found out"
        place.store.is_broken = False
        await place.until(code, lambda found: found.version > 4)
        versions = [step["version"] for told in ear.heard[1:] for step in told["steps"]]
        assert versions[:3] == [2, 3, 4]

    with_node(tmp_path, use, BrokenWire)


class Silent(SqliteStore):
    """Keeps what it is given, and then says nothing to anybody, for a while."""

    is_silent = False

    async def append(self, table: str, expected_version: int, step: Step, listing: Listing) -> int:
        version = await super().append(table, expected_version, step, listing)
        if self.is_silent:
            raise OutcomeUnknownError("The answer was lost.")
        return version

    async def read(self, table: str, after: int = 0, most: int = ALL) -> Sequence[KeptStep]:
        if self.is_silent:
            raise StoreUnavailableError("It does not answer.")
        return await super().read(table, after, most)


def test_a_request_of_unknown_outcome_can_be_sent_again(tmp_path: Path) -> None:
    """It is done once; everybody hears of it as soon as the store answers, and it is not done again."""

    async def use(place: Place) -> None:
        assert isinstance(place.store, Silent)
        code = await place.seat_two()
        ear = Ear("beto")
        assert await place.node.audience.join(code, ear, None) is None
        mark = request_mark("ana", 7, 3)
        place.store.is_silent = True
        answer = await place.node.registry.ask(code, "ana", Say("hello"), mark)
        assert answer == TableRefusal("unknown")
        place.store.is_silent = False
        async with asyncio.timeout(PATIENCE):
            while ear.heard[-1]["version"] < 4:  # nobody has to ask for it
                await asyncio.sleep(0.02)
        assert await place.node.registry.ask(code, "ana", Say("hello"), mark) is None
        again = request_mark("ana", 7, 4), request_mark("beto", 7, 3), request_mark("ana", 8, 3)
        assert mark not in again
        table = await place.stands(code)
        assert (table.version, table.done) == (4, (mark,))

    with_node(tmp_path, use, Silent)


def test_who_knows_more_than_a_node_is_not_told_less(tmp_path: Path) -> None:
    """Somebody comes from another node, which has made a step that this one has not heard of."""

    async def main() -> None:
        path = tmp_path / "tables.sqlite"
        async with opened(path) as one, opened(path) as behind:
            code = await one.seat_two()
            known = (await behind.stands(code)).version
            assert await one.node.registry.ask(code, "ana", Say("Hello")) is None
            ana = Ear("ana")
            assert await behind.node.audience.join(code, ana, known + 1) is None
            assert [told["version"] for told in ana.heard[1:]] == [known + 1]
            assert ana.heard[-1]["steps"] == []

    asyncio.run(main())


def test_only_the_last_requests_are_remembered(tmp_path: Path) -> None:
    async def use(place: Place) -> None:
        code = await place.seat_two()
        for number in range(MOST_DONE + 3):
            ask = place.node.registry.ask
            assert await ask(code, "ana", Say(str(number)), number) is None
        assert (await place.stands(code)).done == tuple(range(3, MOST_DONE + 3))

    with_node(tmp_path, use)


def test_who_is_sent_away_is_told(tmp_path: Path) -> None:
    """Also what one can do; and where nobody may watch, the connection ends."""

    async def use(place: Place) -> None:
        for watchers in (True, False):
            code = await place.seat_two(watchers=watchers)
            ana, beto, eve = Ear("ana"), Ear("beto"), Ear("eve")
            for ear in (ana, beto, eve):
                assert await place.node.audience.join(code, ear, None) is None
            await place.node.registry.ask(code, "ana", StartGame())
            if not watchers:
                assert (eve.heard[-2]["reason"], eve.heard[-1]) == ("no-watchers", "dismissed")
            await place.node.registry.ask(code, "ana", ClearSeat(2))
            told = [heard for heard in beto.heard if "reason" in heard]
            assert [refusal["reason"] for refusal in told] == ["sent-away"]
            assert "open a table of your own" in told[0]["sentence"]
            assert (beto.heard[-1] == "dismissed") == (not watchers)
            assert ana.heard[-1]["type"] == "update"
            late = await place.node.audience.join(code, Ear("beto"), None)
            assert late == (None if watchers else TableRefusal("sent-away"))

    with_node(tmp_path, use)


def test_a_request_broken_off_half_way_leaves_the_table_as_the_store_has_it(tmp_path: Path) -> None:
    async def use(place: Place) -> None:
        code = await place.seat_two()
        ear = Ear("beto")
        await place.node.audience.join(code, ear, None)
        for moment in range(8):
            request = asyncio.create_task(place.node.registry.ask(code, "ana", Say(f"at {moment}")))
            for _ in range(moment):
                await asyncio.sleep(0)
            request.cancel()
            await asyncio.gather(request, return_exceptions=True)
            assert await place.node.registry.ask(code, "ana", Say("whole")) is None
        kept = await place.store.read(code)
        assert (await place.stands(code)).version == len(kept)
        versions = [s["version"] for told in ear.heard[2:] for s in told["steps"]]
        assert versions == list(range(4, len(kept) + 1)), "told once and in order"

    with_node(tmp_path, use)


def test_a_host_who_is_gone_for_long_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LINGER", 0.0)

    async def use(place: Place) -> None:
        code = await place.seat_two()
        ana, beto = Ear("ana"), Ear("beto")
        await place.node.audience.join(code, ana, None)
        await place.node.audience.join(code, beto, None)
        with monkeypatch.context() as later:
            later.setattr(presence, "AWAY", 0.0)  # any time is long enough, but she is here
            answer = await place.node.registry.ask(code, "beto", ClaimHost())
        assert answer == TableRefusal("host-here")
        place.node.audience.leave(code, ana)
        async with asyncio.timeout(PATIENCE):
            while beto.heard[-1]["table"]["host_connected"]:
                await asyncio.sleep(0.05)
        answer = await place.node.registry.ask(code, "beto", ClaimHost())
        assert answer == TableRefusal("host-here"), "for a minute she may come back"
        monkeypatch.setattr(presence, "AWAY", 0.0)
        assert await place.node.registry.ask(code, "cleo", ClaimHost()) == TableRefusal("no-seat")
        assert await place.node.registry.ask(code, "beto", ClaimHost()) is None
        assert (await place.stands(code)).host_seat == 2
        assert beto.heard[-1]["you"]["host"]
        assert await place.node.registry.ask(code, "beto", StartGame()) is None

    with_node(tmp_path, use)


def test_a_page_that_is_loaded_again_does_not_flicker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LINGER", PATIENCE)  # however long the page takes
    monkeypatch.setattr(audience, "LINGER", 0.0)  # when it is looked who is gone
    monkeypatch.setattr(audience, "QUIET_SECONDS", 0.0)

    async def use(place: Place) -> None:
        code = await place.seat_two()
        ana, beto = Ear("ana"), Ear("beto")
        for ear in (ana, beto):
            await place.node.audience.join(code, ear, None)
        heard = len(ana.heard)
        place.node.audience.leave(code, beto)
        await asyncio.sleep(0.1)  # it has been looked
        await place.node.audience.join(code, beto, None)
        await place.node.audience.join(code, Ear("cleo"), None)
        assert [told["table"]["watchers"] for told in ana.heard[heard:]] == [1], "of Beto nothing"

    with_node(tmp_path, use)


def test_bots_that_come_to_no_end_are_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duties, "MOST_ACTIONS", 5)

    async def use(place: Place) -> None:
        code = await place.node.registry.open("ana", "Ana", Options(seats=2, pace=0))
        assert isinstance(code, str)
        await place.node.registry.ask(code, "ana", StartGame())
        over = await place.until(code, lambda found: found.stage == "finished")
        assert over.game is not None
        assert over.game.sheet.winner is None
        assert over.version == 2 + 5 + 1

    with_node(tmp_path, use)


def test_a_table_that_nobody_needs_is_forgotten_though_its_clock_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_table, "IDLE_SECONDS", 0.1)
    monkeypatch.setattr(node, "SWEEP_SECONDS", 0.05)

    async def use(place: Place) -> None:
        code = await place.seat_two(timer=3_600)
        await place.node.registry.ask(code, "ana", StartGame())
        ear = Ear("ana")
        await place.node.audience.join(code, ear, None)
        await asyncio.sleep(0.4)
        assert place.node.registry.peek(code) is not None, "somebody is there"
        place.node.audience.leave(code, ear)
        async with asyncio.timeout(PATIENCE):
            while place.node.registry.peek(code) is not None:
                await asyncio.sleep(0.05)
        assert (await place.stands(code)).stage == "playing"

    with_node(tmp_path, use)


def test_what_is_no_longer_the_servers_duty_is_not_done() -> None:
    sitting = Sitting(Options(seats=2, timer=30))
    sitting.seat("ana", "beto")
    sitting.start()
    duty = next_duty(sitting.table)
    assert isinstance(duty, ClockDuty)
    late = EndTurnTime(sitting.table.version)
    assert isinstance(schedule.fulfil(sitting.table, duty, late), tuple)
    sitting.ask("ana", PauseGame())
    sitting.ask("ana", ResumeGame())
    assert schedule.fulfil(sitting.table, duty, late) == TableRefusal("stale"), (
        "the clock began anew"
    )
