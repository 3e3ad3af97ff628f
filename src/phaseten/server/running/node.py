"""One node of the server: its tables, those who are connected to them, and what keeps them going."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Final

from phaseten.server.metrics import Metrics
from phaseten.server.running.advice import Advisers
from phaseten.server.running.audience import Audience
from phaseten.server.running.bot_processes import BotProcesses
from phaseten.server.running.bus import Bus
from phaseten.server.running.chance import SECRET
from phaseten.server.running.expiry import Expiry
from phaseten.server.running.registry import Registry
from phaseten.server.running.schedule import Schedule
from phaseten.server.running.subscribers import Speaker
from phaseten.server.running.tasks import Tasks
from phaseten.server.store.interface import Store, StoreUnavailableError

SWEEP_SECONDS: Final = 1.0


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
    ) -> None:
        self._store = store
        self._metrics = metrics
        self._tasks = Tasks()
        self._bus = Bus(store, metrics)
        self.registry = Registry(store, speaker, metrics, self._tasks, new_seed=new_seed)
        self.audience = Audience(self.registry, self._bus, self._tasks)
        self.advisers = Advisers(self.registry, bots, metrics)
        self._schedule = Schedule(self.registry, store, bots, metrics, self._tasks)
        self._expiry = Expiry(self.registry, store, expire)
        self.registry.inform(self._schedule)
        self.registry.inform(self.audience)
        metrics.bots_waiting.set_function(lambda: bots.waiting)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Hear what other nodes do, and see to what they leave undone, as long as the block runs."""
        async with self._store.changes() as heard:
            tasks = [
                asyncio.create_task(self._bus.follow(heard, self.registry, self.audience)),
                asyncio.create_task(self._sweep()),
            ]
            try:
                yield
            finally:
                self._schedule.close()
                await self.audience.close()
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                await self._tasks.cancel()

    async def _sweep(self) -> None:
        while True:
            await self._schedule.sweep()
            self.registry.forget_idle()
            await self.audience.sweep()
            await self._expire()
            await asyncio.sleep(SWEEP_SECONDS)

    async def _expire(self) -> None:
        try:
            await self._expiry.sweep()
        except StoreUnavailableError as error:
            self._metrics.report("store", str(error))
