"""The coach at a node: whom it tells, and what it leaves unsaid because it comes too late."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from phaseten.rules.actions import Action, Discard, DrawDeck
from phaseten.server.metrics import Metrics
from phaseten.server.running import bot_processes
from phaseten.server.running.bot_processes import BotProcesses
from phaseten.server.running.live_coach import MOST_JUDGED, LiveCoach
from phaseten.server.running.live_table import LiveTable
from phaseten.server.running.tasks import Tasks
from phaseten.server.socket.speaker import MessageSpeaker
from phaseten.table.commands import Command, SendCoachAway, WantCoach
from phaseten.table.options import Options
from phaseten.table.state import Table
from phaseten.workers import ignore_signals
from tests.analysis.mistakes import MISTAKE, POSITION
from tests.patience import PATIENCE
from tests.server.running.test_node import Ear
from tests.table.sitting import Sitting


@pytest.fixture(autouse=True)
def judges_keep_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """They do not give way: where other programs leave nothing of a core, these tests would wait without an end."""
    monkeypatch.setattr(bot_processes, "stay_behind", ignore_signals)


class Coached:
    """A table at which both have agreed, and Ana has just made a mistake."""

    def __init__(self, bots: BotProcesses) -> None:
        self.tasks = Tasks(Metrics())
        self.coach = LiveCoach(bots, Metrics(), self.tasks)
        self.sitting = Sitting(Options(seats=2, pace=0), position=POSITION)
        self.sitting.seat("ana", "beto")
        for owner in ("ana", "beto"):
            self.sitting.ask(owner, WantCoach())
        self.sitting.start()
        self.live = LiveTable("TEST", MessageSpeaker())
        self.ears = {owner: Ear(owner) for owner in ("ana", "beto", "a watcher")}
        self.live.subscribers.update(self.ears.values())
        before = self.sitting.table
        self.play("ana", MISTAKE)
        self.mistake = before, self.sitting.last

    def play(self, owner: str, action: Action) -> None:
        before = self.sitting.table
        self.sitting.play(owner, action)
        self.tell(before)

    def ask(self, owner: str, command: Command) -> None:
        before = self.sitting.table
        self.sitting.ask(owner, command)
        self.tell(before)

    def tell(self, before: Table) -> None:
        self.live.table = self.sitting.table
        self.coach.step_made(self.live, before, self.sitting.last)

    def go_round(self) -> None:
        """Beto has a turn, and Ana's next one begins."""
        self.play("beto", DrawDeck())
        game = self.sitting.table.game
        assert game is not None
        self.play("beto", Discard(next(card for card in game.held[1] if not card.is_skip)))

    async def told(self) -> dict[str, list[int]]:
        """Of which versions everybody has heard in the end."""
        async with asyncio.timeout(PATIENCE):
            while self.coach.judging:
                await asyncio.sleep(0.02)
        return {owner: [one["version"] for one in ear.heard] for owner, ear in self.ears.items()}


def coached(test: Callable[[Coached], Awaitable[None]]) -> Callable[[], None]:
    """Run a test at such a table."""

    async def main() -> None:
        bots = BotProcesses(1)
        try:
            await test(Coached(bots))
        finally:
            await bots.close()

    return lambda: asyncio.run(main())


@coached
async def test_its_player_is_told_and_nobody_else(place: Coached) -> None:
    version = place.sitting.table.version
    assert await place.told() == {"ana": [version], "beto": [], "a watcher": []}
    (heard,) = place.ears["ana"].heard
    assert heard["type"] == "remark"
    assert heard["sentence"].startswith("To discard a green 9 gave away about 4 %.")
    assert heard["reasons"]


@coached
async def test_it_may_come_when_the_next_turn_has_begun(place: Coached) -> None:
    version = place.sitting.table.version
    place.go_round()
    assert version in (await place.told())["ana"]


@coached
async def test_what_comes_after_the_next_move_is_not_said(place: Coached) -> None:
    version = place.sitting.table.version
    place.go_round()
    place.play("ana", DrawDeck())
    assert version not in (await place.told())["ana"]


@coached
async def test_nobody_is_told_once_somebody_has_sent_it_away(place: Coached) -> None:
    place.ask("beto", SendCoachAway())
    assert await place.told() == {"ana": [], "beto": [], "a watcher": []}


@coached
async def test_of_very_many_moves_some_are_not_judged(place: Coached) -> None:
    for _ in range(3 * MOST_JUDGED):
        place.coach.step_made(place.live, *place.mistake)
    assert place.coach.judging == MOST_JUDGED
