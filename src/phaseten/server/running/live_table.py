"""A table in memory, and those who are connected to it on this node."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Final, Protocol

from phaseten.language import Language
from phaseten.server.running.presence import NOBODY, Attendance
from phaseten.server.socket.messages import encode
from phaseten.server.socket.updates import TableStep, Viewer, may_look, updates, viewer_of, welcome
from phaseten.table.events import OptionsChanged
from phaseten.table.state import Table, nobody_yet

IDLE_SECONDS: Final = 60.0
"""For so long a table stays in memory when nobody needs it."""


class Listener(Protocol):
    """Somebody who is connected to a table."""

    @property
    def owner(self) -> str:
        """The hash of the token."""
        ...

    @property
    def language(self) -> Language:
        """The language for sentences."""
        ...

    @property
    def muted(self) -> frozenset[int]:
        """The seats whose talk is not told."""
        ...

    def send(self, data: bytes) -> None:
        """Send it in good time, without making anybody wait."""
        ...


class LiveTable:
    """A table in memory. Only who holds the lock may change it."""

    def __init__(self, code: str) -> None:
        self.lock = asyncio.Lock()
        self.table: Table = nobody_yet(code)
        self.fresh = False
        """Whether this is what the store has, as far as this node has heard."""
        self.mine = False
        """Whether this node made the last step, and so has to see to what follows from it."""
        self.listeners: set[Listener] = set()
        self.timer: asyncio.TimerHandle | None = None
        self.thinking = False
        self.advising = False
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
            self.listeners
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

    def viewer(self, listener: Listener) -> Viewer:
        """Who the listener is at this table."""
        return viewer_of(self.table, listener.owner, listener.language, listener.muted)

    def greet(self, listener: Listener, steps: Sequence[TableStep]) -> None:
        """Tell a new listener how the table plays, how it stands, and what that one missed."""
        self._welcome(listener)
        self.show(listener, steps)

    def show(self, listener: Listener, steps: Sequence[TableStep] = ()) -> None:
        """Tell one listener how the table stands."""
        viewer = self.viewer(listener)
        present = self.attendance.present(self.table)
        listener.send(encode(updates(self.table, [viewer], steps, present)[viewer]))

    def tell(self, steps: Sequence[TableStep], but: Listener | None = None) -> None:
        """Tell everybody at the table, each what that one may see."""
        table = self.table
        self.told = self.attendance.present(table)
        found = [(other, self.viewer(other)) for other in self.listeners if other is not but]
        viewers = {viewer for _, viewer in found if may_look(table, viewer)}
        if not viewers:
            return
        messages = {
            viewer: encode(message)
            for viewer, message in updates(table, viewers, steps, self.told).items()
        }
        plays_anew = any(isinstance(e, OptionsChanged) for step in steps for e in step.events)
        for listener, viewer in found:
            if viewer in messages:
                if plays_anew:
                    self._welcome(listener)
                listener.send(messages[viewer])

    def _welcome(self, listener: Listener) -> None:
        listener.send(encode(welcome(self.table, listener.language, now())))


def now() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
