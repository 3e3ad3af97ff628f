"""Those who are connected to the tables of this node: they come and go, and everybody is told who is there."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from phaseten.server.running.bus import Bus
from phaseten.server.running.live_table import LiveTable
from phaseten.server.running.presence import LINGER, NOBODY, REPEAT, Present, parse_present
from phaseten.server.running.registry import Registry
from phaseten.server.running.subscribers import Subscriber
from phaseten.server.running.tasks import Tasks
from phaseten.server.store.interface import Notice
from phaseten.table.events import TableEvent
from phaseten.table.state import Table
from phaseten.table.verdicts import TableRefusal
from phaseten.table.viewers import MOST_PAST, TableStep, may_look, viewer_of

MOST_MISSED: Final = 2_000
"""Steps in one update; who missed more starts anew."""
QUIET_SECONDS: Final = 0.5
"""Between two messages that say no more than who is there."""


class Audience:
    """The connections to this node's tables."""

    def __init__(self, registry: Registry, bus: Bus, tasks: Tasks) -> None:
        self._registry = registry
        self._bus = bus
        self._tasks = tasks
        self._announced_at = time.monotonic()
        self._closed = False

    # -- coming and going ------------------------------------------------------------------------

    async def join(
        self, code: str, subscriber: Subscriber, after: int | None
    ) -> TableRefusal | None:
        """Tell the subscriber how the table stands, and from now on what happens there."""
        async with self._registry.hold(code) as live:
            if live is None:
                return TableRefusal("no-table")
            if after is not None and after > live.table.version:
                # The step of which the subscriber knows from another node is on its way here.
                await self._registry.catch_up(live)
            table = live.table
            if not may_look(table, viewer_of(table, subscriber.owner)):
                sent_away = subscriber.owner in table.barred
                return TableRefusal("sent-away" if sent_away else "no-watchers")
            steps: list[TableStep] = []
            missed = table.version - after if after is not None and after >= table.since else 0
            if after is not None and 0 < missed <= MOST_MISSED:
                steps = await self._registry.steps(table, after)
            live.subscribers.add(subscriber)
            live.attendance.arrive(subscriber.owner)
            live.greet(subscriber, steps)
            self._show_presence(live, but=subscriber)
            return None

    def leave(self, code: str, subscriber: Subscriber) -> None:
        """The subscriber is gone."""
        live = self._registry.find(code)
        if live is None or subscriber not in live.subscribers:
            return
        live.subscribers.discard(subscriber)
        live.attendance.depart(subscriber.owner)
        live.used = time.monotonic()
        # A little later, so that the clock does not find that it is not yet time.
        asyncio.get_running_loop().call_later(LINGER + 0.05, self._settle, code)

    def show(self, code: str, subscriber: Subscriber) -> TableRefusal | None:
        """Tell the subscriber, who wants to be told otherwise from now on, how the table stands."""
        live = self._registry.find(code)
        if live is None or subscriber not in live.subscribers:
            return TableRefusal("no-table")
        if not may_look(live.table, viewer_of(live.table, subscriber.owner)):
            return TableRefusal("no-watchers")
        live.show(subscriber)
        return None

    async def past(
        self, code: str, subscriber: Subscriber
    ) -> tuple[Table, list[TableStep]] | TableRefusal:
        """What happened in this game so far, for one who may look."""
        async with self._registry.hold(code) as live:
            if live is None or subscriber not in live.subscribers:
                return TableRefusal("no-table")
            table = live.table
            if not may_look(table, viewer_of(table, subscriber.owner)):
                return TableRefusal("no-watchers")
            after = max(table.since, table.version - MOST_PAST)
            return table, await self._registry.steps(table, after)

    def present(self, code: str) -> Present:
        """Who is connected to a table, as far as this node knows."""
        live = self._registry.find(code)
        return live.attendance.present(live.table) if live is not None else NOBODY

    # -- what the registry tells -----------------------------------------------------------------

    def step_made(self, live: LiveTable, before: Table, events: tuple[TableEvent, ...]) -> None:
        """Somebody may sit there now who was only watching."""
        del events
        after = live.table
        if after.places is not before.places or after.host != before.host:
            self._announce(live)

    def steps_read(self, live: LiveTable) -> None:
        """Somebody may sit there now who was only watching."""
        self._announce(live)

    def table_read(self, live: LiveTable) -> None:
        """Nobody has come or gone for that."""

    # -- who is there ----------------------------------------------------------------------------

    def _settle(self, code: str) -> None:
        """Those who left some time ago are gone."""
        live = self._registry.find(code)
        if live is not None and not self._closed:
            live.attendance.settle()
            self._show_presence(live)

    def _show_presence(self, live: LiveTable, but: Subscriber | None = None) -> None:
        """Tell everybody who is there, if that has changed, and not too often."""
        self._announce(live)
        if live.attendance.present(live.table) == live.told:
            return
        wait = live.quiet_until - time.monotonic()
        if wait <= 0:
            live.tell([], but)
            if len(live.subscribers) > 1:
                live.quiet_until = time.monotonic() + QUIET_SECONDS
        elif live.later is None:
            loop = asyncio.get_running_loop()
            live.later = loop.call_later(wait, self._show_presence_later, live)

    def _show_presence_later(self, live: LiveTable) -> None:
        live.later = None
        if not self._closed:
            self._show_presence(live)

    # -- between nodes ---------------------------------------------------------------------------

    def _announce(self, live: LiveTable) -> None:
        """Tell the other nodes who is there on this one, if that has changed."""
        here = live.attendance.here(live.table)
        if here != live.announced and not self._closed:
            live.announced = here
            work = self._bus.announce({live.table.code: here.text})
            self._tasks.begin(work, live.table.code)

    def hear(self, notice: Notice) -> None:
        """Another node says who is there; one that is new at the table is answered."""
        live = self._registry.find(notice.table)
        if live is None:
            return
        if live.attendance.hear(notice.node, parse_present(notice.text)):
            live.announced = NOBODY
        self._show_presence(live)

    async def sweep(self) -> None:
        """Forget nodes that say nothing any more, and say from time to time that people are still there."""
        for live in self._registry.all:
            if live.attendance.is_shared:
                self._settle(live.table.code)
        if time.monotonic() - self._announced_at >= REPEAT:
            self._announced_at = time.monotonic()
            await self._bus.announce({live.table.code: live.announced.text for live in self._told})

    async def close(self) -> None:
        """Tell the other nodes that nobody is here any more."""
        self._closed = True
        await self._bus.announce({live.table.code: NOBODY.text for live in self._told})

    @property
    def _told(self) -> list[LiveTable]:
        """The tables of which the other nodes know that somebody is there."""
        return [live for live in self._registry.all if live.announced != NOBODY]
