"""What the server does at tables by itself, when it is due: bots act, clocks end turns, hands are dealt."""

from __future__ import annotations

import asyncio
import time
from typing import Final, assert_never

from phaseten.server.clock import now
from phaseten.server.logs import where
from phaseten.server.metrics import Metrics
from phaseten.server.running.bot_processes import BotFailedError, BotProcesses
from phaseten.server.running.live_table import LiveTable
from phaseten.server.running.registry import Registry
from phaseten.server.running.tasks import Tasks
from phaseten.server.store.interface import Store, StoreUnavailableError
from phaseten.table.commands import Chore, DealHand, EndTurnTime, GiveUp, PlayBot
from phaseten.table.decisions import do_chore
from phaseten.table.duties import BotDuty, ClockDuty, DealDuty, Duty, GiveUpDuty, next_duty
from phaseten.table.state import Table
from phaseten.table.verdicts import Decision, TableRefusal

GRACE: Final = 3_000
"""Milliseconds after which any node does what the node that should have done it has not."""
MOST_SWEPT: Final = 200


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
        self._closed = False

    def close(self) -> None:
        """Do nothing any more."""
        self._closed = True
        for live in self._registry.all:
            live.stop_timer()

    # -- what the registry tells -----------------------------------------------------------------

    def step_made(self, live: LiveTable, before: Table) -> None:
        """Who made the step sees to what follows from it."""
        del before
        self._set_timer(live)

    def steps_read(self, live: LiveTable) -> None:
        """Another node sees to what follows; the sweep, if that node is gone."""
        live.stop_timer()

    def table_read(self, live: LiveTable) -> None:
        """Whoever saw to it before may be gone."""
        self._set_timer(live)

    # -- doing it --------------------------------------------------------------------------------

    async def sweep(self) -> None:
        """Do what other nodes have left undone."""
        try:
            for code in await self._store.due(now() - GRACE, MOST_SWEPT):
                self._start(code)
        except StoreUnavailableError as error:
            self._metrics.report("store", str(error))

    def _set_timer(self, live: LiveTable) -> None:
        live.stop_timer()
        duty = next_duty(live.table)
        if duty is None or self._closed:
            return
        delay = max(0, duty.at - now()) / 1000
        code = live.table.code
        live.timer = asyncio.get_running_loop().call_later(delay, self._start, code)

    def _start(self, code: str) -> None:
        live = self._registry.find(code)
        if live is not None:
            live.timer = None
        if self._closed:
            return
        self._tasks.begin(self._do_duty(code))

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
            self._metrics.report("bot", str(error))  # the sweep tries again
        except StoreUnavailableError as error:
            self._metrics.report("store", str(error))
        except Exception as error:  # noqa: BLE001 - its text could tell cards
            self._metrics.report("duty", where(error))

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
        match duty:
            case BotDuty(seat, level):
                view = table.view(seat)
                assert view is not None
                began = time.perf_counter()
                action = await self._bots.choose(level, view)
                self._metrics.bot_seconds.observe(time.perf_counter() - began)
                return PlayBot(seat, action, table.version)
            case ClockDuty():
                return EndTurnTime(table.version)
            case DealDuty():
                return DealHand()
            case GiveUpDuty():
                return GiveUp()
            case _:
                assert_never(duty)

    async def _look_again(self, code: str, version: int) -> None:
        """Something else happened meanwhile, and what follows from that was put off."""
        async with self._registry.hold(code) as live:
            if live is not None and live.mine and live.table.version != version:
                self._set_timer(live)


def fulfil(table: Table, duty: Duty, chore: Chore) -> Decision:
    """Do the chore, if it is still what the server has to do."""
    return do_chore(table, chore) if next_duty(table) == duty else TableRefusal("stale")
