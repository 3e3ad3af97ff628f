"""A table without a server: commands go in, events are kept as text and read back."""

import random

from phaseten.rules.actions import Action
from phaseten.rules.refusals import Refusal
from phaseten.rules.views import legal_actions
from phaseten.server.store.codec import read_events, write_events
from phaseten.table.commands import (
    Chore,
    Command,
    DealHand,
    OpenTable,
    Play,
    PlayBot,
    StartGame,
    TakeSeat,
)
from phaseten.table.decisions import decide, do_chore, open_table
from phaseten.table.events import TableEvent
from phaseten.table.fold import apply
from phaseten.table.options import Options
from phaseten.table.state import Table, empty_table
from phaseten.table.verdicts import Decision, TableRefusal

SEED = bytes(range(32))
QUICK = Options(edition="express", seats=2, pace=0, variant="phases=1")


class Sitting:
    """Keeps the log, and after every step compares the table with the one read from the log."""

    def __init__(
        self,
        options: Options | None = None,
        host: str = "ana",
        seed: bytes = SEED,
        position: str = "",
    ) -> None:
        self.log: list[tuple[int, str]] = []
        self.last: tuple[TableEvent, ...] = ()
        self.now = 1_000
        self.table = empty_table("TEST")
        opened = OpenTable(options or Options(), host.title(), seed, position)
        self._happen(open_table(host, opened))

    def ask(self, owner: str, command: Command) -> tuple[TableEvent, ...]:
        return self._happen(decide(self.table, owner, command))

    def refused(self, owner: str, command: Command) -> str:
        """The reason for which it is refused; the table stays as it is."""
        answer = decide(self.table, owner, command)
        assert isinstance(answer, TableRefusal | Refusal), answer
        return answer.reason

    def chore(self, chore: Chore) -> tuple[TableEvent, ...]:
        return self._happen(do_chore(self.table, chore))

    def play(self, owner: str, action: Action) -> tuple[TableEvent, ...]:
        return self.ask(owner, Play(action, self.table.version))

    def seat(self, *owners: str) -> None:
        for seat, owner in enumerate(owners, 1):
            self.ask(owner, TakeSeat(seat, owner.title()))

    def start(self) -> None:
        self.ask(self.table.host, StartGame())

    def play_on(self, rng: random.Random, steps: int) -> None:
        """Let everybody do something that is legal, so many times or until the game is over."""
        for _ in range(steps):
            if self.table.stage != "playing":
                return
            self.act(rng)

    def act(self, rng: random.Random) -> None:
        turn = self.table.turn
        if turn is None:
            self.chore(DealHand())
            return
        view = self.table.view(turn)
        assert view is not None
        actions = legal_actions(view)
        kind = rng.choice(list(dict.fromkeys(type(action) for action in actions)))
        action = rng.choice([action for action in actions if type(action) is kind])
        place = self.table.places[turn - 1]
        if place.played_by:
            self.chore(PlayBot(turn, action, self.table.version))
        else:
            self.play(place.owner, action)

    def replayed(self) -> Table:
        table = empty_table("TEST")
        for at, text in self.log:
            table = apply(table, at, read_events(text))
        return table

    def _happen(self, decision: Decision) -> tuple[TableEvent, ...]:
        assert isinstance(decision, tuple), decision
        self.now += 1_000
        self.log.append((self.now, write_events(decision)))
        self.table = apply(self.table, self.now, decision)
        self.last = decision
        return decision


def sitting_of_two(options: Options = QUICK) -> Sitting:
    sitting = Sitting(options)
    sitting.seat("ana", "beto")
    return sitting
