"""A table in memory, and those who are connected to it on this node."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Final

from phaseten.server.running.presence import NOBODY, Attendance
from phaseten.server.running.subscribers import Speaker, Subscriber
from phaseten.table.advice import Remark
from phaseten.table.coaching import JudgedMove
from phaseten.table.events import OwnerBarred, PlayerRemoved
from phaseten.table.state import Table, empty_table
from phaseten.table.verdicts import TableRefusal
from phaseten.table.viewers import TableStep, may_look, viewer_of

IDLE_SECONDS: Final = 60.0
"""For so long a table stays in memory when nobody needs it."""
_SENT_AWAY: Final = TableRefusal("sent-away")


class LiveTable:
    """A table in memory. Only who holds the lock may change it."""

    def __init__(self, code: str, speaker: Speaker) -> None:
        self._speaker = speaker
        self.lock = asyncio.Lock()
        self.table: Table = empty_table(code)
        self.rewrites = 0
        """How often the log from which the table was read had been rewritten."""
        self.fresh = False
        """Whether this is what the store has, as far as this node has heard."""
        self.mine = False
        """Whether this node made the last step, and so has to see to what follows from it."""
        self.subscribers: set[Subscriber] = set()
        self.timer: asyncio.TimerHandle | None = None
        self.thinking = False
        self.advising = False
        self.judged: dict[int, int] = {}
        """Of whose moves the coach may say something, by seat: those of the turn that began then."""
        self.used = time.monotonic()
        self.attendance = Attendance()
        self.told = NOBODY
        """Who is there, as everybody was last told."""
        self.announced = NOBODY
        """Who is there on this node, as the other nodes were last told."""
        self.quiet_until = 0.0
        """Before that nobody is told again who is there."""
        self.later: asyncio.TimerHandle | None = None
        """Tells then who is there."""

    @property
    def is_idle(self) -> bool:
        """Whether it may be forgotten until somebody asks for it, or the server has to act there."""
        return not (
            self.subscribers
            or self._acts_soon
            or self.thinking
            or self.advising
            or self.lock.locked()
            or time.monotonic() - self.used < IDLE_SECONDS
        )

    @property
    def _acts_soon(self) -> bool:
        if self.timer is None:
            return False
        return self.timer.when() - asyncio.get_running_loop().time() < IDLE_SECONDS

    def stop_timer(self) -> None:
        """Do nothing by itself, for now."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def greet(self, subscriber: Subscriber, steps: Sequence[TableStep]) -> None:
        """Tell a new subscriber how the table plays, how it stands, and what that one missed."""
        self._speaker.welcome(subscriber, self.table)
        self.show(subscriber, steps)

    def show(self, subscriber: Subscriber, steps: Sequence[TableStep] = ()) -> None:
        """Tell one subscriber how the table stands."""
        present = self.attendance.present(self.table)
        self._speaker.show(subscriber, self.table, steps, present)

    def tell(self, steps: Sequence[TableStep], but: Subscriber | None = None) -> None:
        """Tell everybody at the table, each what that one may see."""
        self.told = self.attendance.present(self.table)
        others = [other for other in self.subscribers if other is not but]
        self._speaker.tell(others, self.table, steps, self.told)
        self._part(steps)

    def remark(self, move: JudgedMove, version: int, remark: Remark) -> None:
        """Tell the player of a move, and nobody else, what the coach says about it."""
        for subscriber in self.subscribers:
            if subscriber.owner == move.owner:
                self._speaker.remark(subscriber, self.table, version, move, remark)

    def _part(self, steps: Sequence[TableStep]) -> None:
        """Tell those who were sent away, and let those go who may not look any more."""
        events = [event for step in steps for event in step.events]
        barred = {event.owner for event in events if isinstance(event, OwnerBarred)}
        said = next((event.reason for event in events if isinstance(event, PlayerRemoved)), "")
        sent_away = TableRefusal("sent-away-why", {"reason": said}) if said else _SENT_AWAY
        if not barred and self.table.options.watchers:
            return
        for subscriber in list(self.subscribers):
            refusal = sent_away if subscriber.owner in barred else TableRefusal("no-watchers")
            if not may_look(self.table, viewer_of(self.table, subscriber.owner)):
                self._speaker.part(subscriber, refusal)
            elif subscriber.owner in barred:
                self._speaker.refuse(subscriber, refusal)

    def interrupt(self) -> None:
        """Tell everybody to come back: this node cannot tell how the table stands, another one may."""
        for subscriber in list(self.subscribers):
            self._speaker.part(subscriber, TableRefusal("unavailable"), for_good=False)

    def dismiss(self) -> None:
        """Tell everybody that the table is gone."""
        self._speaker.dismiss(self.subscribers)
