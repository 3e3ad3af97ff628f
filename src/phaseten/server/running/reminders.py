"""Tells people whose page is closed that it is their turn, where turns may take long.

Once a turn, by the node that made the step with which it began. The message names the table and nothing else of it.
"""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple, Protocol

import msgspec

from phaseten.language import language
from phaseten.server.clock import now
from phaseten.server.metrics import Metrics
from phaseten.server.push.outcome import Outcome
from phaseten.server.running.live_table import LiveTable
from phaseten.server.running.presence import LINGER
from phaseten.server.running.registry import Registry
from phaseten.server.running.tasks import Tasks
from phaseten.server.store.interface import Store, Subscription
from phaseten.table.events import TableEvent
from phaseten.table.options import LONGEST_TURN
from phaseten.table.state import Table

LONG_TURN: Final = 3_600
"""Seconds: who has less for a turn sits at the table."""
PAUSES: Final = (LINGER + 0.5, 30.0, 300.0)
"""Seconds before each try. The first: who has just closed the page counts as there for a while."""
MOST_AT_ONCE: Final = 20


class Sender(Protocol):
    """Whoever can send to a browser whose page is closed."""

    @property
    def public(self) -> str:
        """The key with which browsers subscribe."""
        ...

    def check(self, subscription: Subscription) -> None:
        """Raise a ValueError unless messages can be sent there."""
        ...

    async def send(
        self, subscription: Subscription, text: bytes, *, topic: str, seconds: int
    ) -> Outcome:
        """Send it: of a topic the last message counts, and none that is older than so many seconds."""
        ...


class Turn(NamedTuple):
    """Somebody's turn at a table."""

    code: str
    seat: int
    since: int


class _Awaited(NamedTuple):
    """Somebody who does not know yet that it is their turn."""

    owner: str
    seconds: int
    """For how long it is worth while to tell it."""


def is_slow(table: Table) -> bool:
    """Whether people come and go between their turns: much time for each, or no clock and somebody to wait for."""
    timer = table.options.timer
    if timer is not None:
        return timer >= LONG_TURN
    return sum(not place.played_by for place in table.places) > 1


def turn_begun(before: Table, after: Table) -> Turn | None:
    """The person's turn that has begun with a step; after a break it is the same as before."""
    seat = after.acting
    if seat is None or before.paused or before.turn_at == after.turn_at:
        return None
    return Turn(after.code, seat, after.turn_at)


class Reminders:
    """Looks at every turn that begins, and at who is there."""

    def __init__(
        self, registry: Registry, store: Store, sender: Sender, metrics: Metrics, tasks: Tasks
    ) -> None:
        self._registry = registry
        self._store = store
        self._sender = sender
        self._metrics = metrics
        self._tasks = tasks
        self._places = asyncio.Semaphore(MOST_AT_ONCE)

    # -- what the registry tells -----------------------------------------------------------------

    def step_made(self, live: LiveTable, before: Table, events: tuple[TableEvent, ...]) -> None:
        """Somebody's turn may have begun."""
        del events
        turn = turn_begun(before, live.table)
        if turn is not None and is_slow(live.table):
            self._tasks.begin(self._remind(turn), turn.code)

    def steps_read(self, live: LiveTable) -> None:
        """The node that made them sees to it."""

    def table_read(self, live: LiveTable) -> None:
        """Nobody's turn begins with that."""

    # -- telling ---------------------------------------------------------------------------------

    async def _remind(self, turn: Turn) -> None:
        told: set[str] = set()
        for pause in PAUSES:
            await asyncio.sleep(pause)
            found = await self._awaited(turn)
            if found is None:
                return
            kept = await self._store.subscriptions_of(found.owner)
            left = [one for one in kept if one.endpoint not in told]
            outcomes = await asyncio.gather(*[self._send(turn, found, one) for one in left])
            if Outcome.FAILED not in outcomes:
                return
            told |= {
                one.endpoint
                for one, what in zip(left, outcomes, strict=True)
                if what is Outcome.SENT
            }

    async def _awaited(self, turn: Turn) -> _Awaited | None:
        """Who is waited for and not there; nobody, if that turn is over or somebody has come."""
        async with self._registry.hold(turn.code) as live:
            table = live.table if live is not None else None
            if live is None or table is None:
                return None
            if table.acting != turn.seat or table.turn_at != turn.since:
                return None
            if turn.seat in live.attendance.present(table).seats:
                return None
            allowed = table.options.timer or LONGEST_TURN
            seconds = max(0, allowed - (now() - turn.since) // 1000)
            return _Awaited(table.places[turn.seat - 1].owner, seconds)

    async def _send(self, turn: Turn, found: _Awaited, subscription: Subscription) -> Outcome:
        sentence = language(subscription.language).say("serve.push.turn", code=turn.code)
        text = msgspec.json.encode({"title": sentence, "code": turn.code})
        async with self._places:
            outcome = await self._sender.send(
                subscription, text, topic=turn.code, seconds=found.seconds
            )
        self._metrics.pushes.labels(outcome.value).inc()
        if outcome is Outcome.GONE:
            await self._store.forget_subscription(found.owner, subscription.endpoint)
        return outcome
