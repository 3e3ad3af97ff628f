"""One node of the server: its tables, those who are connected to them, and what keeps them going."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from phaseten.server import clock
from phaseten.server.metrics import Metrics
from phaseten.server.running.advice import Advisers
from phaseten.server.running.audience import Audience
from phaseten.server.running.bot_processes import BotProcesses
from phaseten.server.running.bus import Bus
from phaseten.server.running.chance import SECRET
from phaseten.server.running.expiry import Expiry
from phaseten.server.running.garbage import Garbage
from phaseten.server.running.leftovers import Leftovers
from phaseten.server.running.live_coach import LiveCoach
from phaseten.server.running.registry import Registry
from phaseten.server.running.reminders import Reminders, Sender
from phaseten.server.running.schedule import Schedule
from phaseten.server.running.subscribers import Speaker
from phaseten.server.running.tasks import Tasks, once_available
from phaseten.server.store.interface import Store, StoreUnavailableError

SWEEP_SECONDS: Final = 1.0
CHECK_SECONDS: Final = 1.5
"""Whoever asks whether this node is ready does not wait for longer."""


class Node:
    """All that runs on this node, put together."""

    def __init__(  # noqa: PLR0913 - all by name, in one place
        self,
        store: Store,
        bots: BotProcesses,
        speaker: Speaker,
        metrics: Metrics,
        *,
        new_seed: Callable[[], bytes] = SECRET.new_seed,
        expire: int = 0,
        sender: Sender | None = None,
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._metrics = metrics
        self._tasks = Tasks(metrics)
        self._has_listened = asyncio.Event()
        self._checking: asyncio.Task[None] | None = None
        self._bus = Bus(store, metrics)
        self.registry = Registry(store, speaker, metrics, self._tasks, new_seed=new_seed)
        self.audience = Audience(self.registry, self._bus, self._tasks)
        self.advisers = Advisers(self.registry, bots, metrics)
        self._schedule = Schedule(self.registry, store, bots, metrics, self._tasks)
        self._expiry = Expiry(self.registry, store, expire)
        self._garbage = Garbage()
        self._forget_more = forget
        self._leftovers = Leftovers(self._forget)
        self.registry.inform(self._schedule)
        self.registry.inform(self.audience)
        self.registry.inform(LiveCoach(bots, metrics, self._tasks))
        if sender is not None:
            self.registry.inform(Reminders(self.registry, store, sender, metrics, self._tasks))
        metrics.bots_waiting.set_function(lambda: bots.waiting)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Hear what other nodes do, and see to what they leave undone, as long as the block runs."""
        await once_available(lambda: clock.set_by(self._store.clock), self._metrics)
        self._tasks.keep("follow", self._follow)
        await self._has_listened.wait()
        self._tasks.keep("sweep", self._sweep)
        try:
            yield
        finally:
            self._schedule.close()
            await self.audience.close()
            await self._tasks.cancel()

    async def check(self) -> None:
        """Raise a StoreUnavailableError unless people can play here, and do not think about it for long."""
        stopped = self._tasks.stopped
        if stopped:
            names = ", ".join(sorted(stopped))
            raise StoreUnavailableError(f"This does not run at the moment: {names}.")
        # One question at a time: each keeps a connection of the pool until it is answered.
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(self._store.check())
        done, _ = await asyncio.wait((self._checking,), timeout=CHECK_SECONDS)
        if not done:
            raise StoreUnavailableError("The database does not answer.")
        self._checking.result()

    async def _follow(self) -> None:
        async with self._store.changes() as heard:
            if self._has_listened.is_set():  # this is not the first time: there was a gap
                self.registry.doubt()
            self._has_listened.set()
            await self._bus.follow(heard, self.registry, self.audience)

    async def _sweep(self) -> None:
        while True:
            await self._safely("clock", clock.set_by(self._store.clock))
            await self._safely("sweep", self._schedule.sweep())
            await self._safely("sweep", self.audience.sweep())
            await self._safely("expiry", self._expiry.sweep())
            self.registry.forget_idle()
            self._garbage.sweep()
            await self._safely("leftovers", self._leftovers.look(len(self.registry.all)))
            await asyncio.sleep(SWEEP_SECONDS)

    async def _forget(self) -> None:
        self._forget_more()
        await self._store.shrink()

    async def _safely(self, what: str, work: Awaitable[object]) -> None:
        """Do one part; what goes wrong with it does not keep the others from being done."""
        try:
            await work
        except StoreUnavailableError as error:
            self._metrics.report("store", str(error))
        except Exception as error:  # noqa: BLE001 - whatever it was, it is counted and told
            self._metrics.report_error(what, error)
