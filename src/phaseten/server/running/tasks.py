"""Work that goes on beside what asked for it, and ends with the node."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Final, TypeVar

from phaseten.server.metrics import Metrics
from phaseten.server.store.interface import StoreUnavailableError

_Got = TypeVar("_Got")

FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0
"""Seconds before a task that ended is begun again: twice as long each time, until it has lasted for so long."""
LONGEST_WAIT: Final = 60.0
"""Seconds for which a node that starts waits for its database."""


async def once_available(ask: Callable[[], Awaitable[_Got]], metrics: Metrics) -> _Got:
    """What the store answers, asked again and again while it is not there; but not for ever.

    A database that starts anew just when a node does is no reason for that one to give up. Whoever started the
    node may start it again, if it takes longer.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + LONGEST_WAIT
    pause = FIRST_PAUSE
    while True:
        try:
            return await ask()
        except StoreUnavailableError as error:
            if loop.time() > until:
                raise
            metrics.report("store", str(error))
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


class Tasks:
    """What was begun and is not done yet."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._running: set[asyncio.Task[None]] = set()
        self._stopped: set[str] = set()

    def begin(self, work: Coroutine[None, None, None], code: str = "") -> None:
        """Do this, about a table, without anybody waiting for it; if it fails, only it has failed."""
        self._start(work).add_done_callback(partial(self._look_at, code))

    def keep(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do this as long as the node runs: where it ends, or fails, it is begun again."""
        self._start(self._always(name, work))

    @property
    def stopped(self) -> frozenset[str]:
        """What should go on all the time, and does not at this moment."""
        return frozenset(self._stopped)

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    def _look_at(self, code: str, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if isinstance(error, StoreUnavailableError):
            self._metrics.report("store", str(error), code)
        elif isinstance(error, Exception):
            self._metrics.report_error("task", error, code)

    async def _always(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        loop = asyncio.get_running_loop()
        pause = FIRST_PAUSE
        while True:
            began = loop.time()
            self._stopped.discard(name)
            try:
                await work()
            except StoreUnavailableError as error:
                self._metrics.report("store", str(error))
            except Exception as error:  # noqa: BLE001 - whatever it was, it must go on
                self._metrics.report_error(name, error)
            self._stopped.add(name)
            self._metrics.restarts.labels(name).inc()
            if loop.time() - began > LONGEST_PAUSE:
                pause = FIRST_PAUSE
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def cancel(self) -> None:
        """Give up what is not done."""
        while tasks := list(self._running):
            for task in tasks:
                task.cancel()
            # Again, where a connection that broke off at the same moment has swallowed it.
            await asyncio.wait(tasks, timeout=LONGEST_PAUSE)
