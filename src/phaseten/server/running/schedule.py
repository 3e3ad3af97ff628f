"""What the server does at tables by itself, when it is due: bots act, clocks end turns, hands are dealt.

The node that made the last step does it. What it leaves undone is claimed in the store, so that of all nodes
one does it, and again later and later where it fails.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

from phaseten.bots.ladder import LADDER
from phaseten.rules.actions import Action
from phaseten.server.clock import now
from phaseten.server.metrics import Metrics
from phaseten.server.running.bot_processes import BotFailedError, BotProcesses
from phaseten.server.running.live_table import LiveTable
from phaseten.server.running.registry import Registry
from phaseten.server.running.tasks import Tasks
from phaseten.server.store.interface import Store, StoreUnavailableError
from phaseten.table.commands import Chore
from phaseten.table.decisions import do_chore
from phaseten.table.duties import BotDuty, Duty, chore_for, next_duty
from phaseten.table.events import TableEvent
from phaseten.table.state import Table
from phaseten.table.verdicts import Decision, TableRefusal

GRACE: Final = 3_000
"""Milliseconds after which any node does what the node that should have done it has not."""
LEASE: Final = 5_000
"""For so many milliseconds what a node has claimed is its own; twice as long each time that nothing comes of it."""
LATE: Final = 1_000
"""Milliseconds after which a node says that it is at it still: less than GRACE, by more than a sweep takes."""
MOST_SWEPT: Final = 200
MOST_FAILURES: Final = 2
"""So often a bot is asked again; then the simplest one plays for it."""


class Schedule:
    """Sees to it that what is due at the tables of this node is done."""

    def __init__(
        self,
        registry: Registry,
        store: Store,
        bots: BotProcesses,
        metrics: Metrics,
        tasks: Tasks,
    ) -> None:
        self._registry = registry
        self._store = store
        self._bots = bots
        self._metrics = metrics
        self._tasks = tasks
        self._thinking: dict[str, tuple[int, int]] = {}
        """Where bots think: at which version, and since when."""
        self._failures: dict[str, int] = {}
        """How often bots could not answer where that has been so of late."""
        self._closed = False

    def close(self) -> None:
        """Do nothing any more."""
        self._closed = True
        for live in self._registry.all:
            live.stop_timer()

    # -- what the registry tells -----------------------------------------------------------------

    def step_made(self, live: LiveTable, before: Table, events: tuple[TableEvent, ...]) -> None:
        """Who made the step sees to what follows from it."""
        del before, events
        self._set_timer(live)

    def steps_read(self, live: LiveTable) -> None:
        """Another node sees to what follows; the sweep, if that node is gone."""
        live.stop_timer()

    def table_read(self, live: LiveTable) -> None:
        """Whoever saw to it before may be gone: where there may be others, the sweep finds that out."""
        if not self._store.is_shared:
            self._set_timer(live)

    # -- doing it --------------------------------------------------------------------------------

    async def sweep(self) -> None:
        """Do what other nodes have left undone, and keep them from doing what takes long here."""
        at = now()
        late = {
            code: version for code, (version, since) in self._thinking.items() if since < at - LATE
        }
        if late and self._store.is_shared:
            await self._store.hold_due(late, at + LEASE)
        for code in await self._store.claim_due(at - GRACE, at, LEASE, MOST_SWEPT):
            self._start(code)

    def _set_timer(self, live: LiveTable) -> None:
        duty = next_duty(live.table)
        if duty is None or self._closed:
            live.stop_timer()
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + max(0, duty.at - now()) / 1000
        if live.timer is not None and live.timer.when() <= at:
            # It looks too early, finds that, and is set anew: a clock that each move sets back costs no timer a move.
            return
        live.stop_timer()
        live.timer = loop.call_at(at, self._start, live.table.code)

    def _start(self, code: str) -> None:
        live = self._registry.find(code)
        if live is not None:
            live.timer = None
        if self._closed:
            return
        self._tasks.begin(self._do_duty(code), code)

    async def _do_duty(self, code: str) -> None:
        """Do what is due at a table."""
        try:
            async with self._registry.hold(code) as live:
                duty = self._overdue(live) if live is not None else None
                if live is None or duty is None:
                    return
                table = live.table
                live.thinking = isinstance(duty, BotDuty)
            try:
                chore = await self._chore(table, duty)
            finally:
                live.thinking = False
            refusal = await self._registry.change(
                code, lambda found: fulfil(found, duty, chore), by="server"
            )
            if refusal is not None:
                await self._look_again(code, table.version)
        except BotFailedError as error:
            self._metrics.report("bot", str(error), code)  # the sweep tries again
        except StoreUnavailableError as error:
            self._metrics.report("store", str(error), code)
        except Exception as error:  # noqa: BLE001 - its text could tell cards
            self._metrics.report_error("duty", error, code)

    def _overdue(self, live: LiveTable) -> Duty | None:
        """What is to be done now at the table; what is to be done later is scheduled."""
        duty = next_duty(live.table)
        if duty is None or live.thinking:
            return None
        if duty.at > now():
            self._set_timer(live)
            return None
        return duty

    async def _chore(self, table: Table, duty: Duty) -> Chore:
        """How the duty is done; a bot has to think about it."""
        is_bot = isinstance(duty, BotDuty)
        action = await self._think(table, duty.seat, duty.level) if is_bot else None
        return chore_for(duty, table.version, action)

    async def _think(self, table: Table, seat: int, level: str) -> Action:
        view = table.view(seat)
        assert view is not None
        code = table.code
        if self._failures.get(code, 0) >= MOST_FAILURES:
            level = LADDER[0]
        began = time.perf_counter()
        self._thinking[code] = (table.version, now())
        try:
            action = await self._bots.choose(level, view, is_alone=table.is_among_bots)
        except BotFailedError:
            self._failures[code] = self._failures.get(code, 0) + 1
            raise
        finally:
            del self._thinking[code]
        self._failures.pop(code, None)
        self._metrics.bot_seconds.observe(time.perf_counter() - began)
        return action

    async def _look_again(self, code: str, version: int) -> None:
        """Something else happened meanwhile, and what follows from that was put off."""
        async with self._registry.hold(code) as live:
            if live is not None and live.mine and live.table.version != version:
                self._set_timer(live)


def fulfil(table: Table, duty: Duty, chore: Chore) -> Decision:
    """Do the chore, if it is still what the server has to do."""
    return do_chore(table, chore) if next_duty(table) == duty else TableRefusal("stale")
