"""Work that goes on beside what asked for it, and ends with the node."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine


class Tasks:
    """What was begun and is not done yet."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[None, None, None]) -> None:
        """Do this without anybody waiting for it."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def cancel(self) -> None:
        """Give up what is not done."""
        tasks = list(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
