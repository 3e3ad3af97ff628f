"""Tables at which nothing has happened for long are given up; finished games stay."""

from __future__ import annotations

import time
from typing import Final

from phaseten.server.clock import now
from phaseten.server.logs import log
from phaseten.server.running.registry import Registry
from phaseten.server.store.interface import ConflictError, Store

DAY: Final = 24 * 3_600_000
"""Milliseconds."""
LOOK_SECONDS: Final = 3_600.0
MOST_AT_ONCE: Final = 100


class Expiry:
    """Looks from time to time for tables that everybody has left."""

    def __init__(self, registry: Registry, store: Store, days: int) -> None:
        self._registry = registry
        self._store = store
        self._days = days
        self._next = time.monotonic()

    async def sweep(self) -> None:
        """Give up what was left long ago, if it is time to look for that."""
        if self._days and time.monotonic() >= self._next:
            # Some now, and the rest soon: nobody's move waits for all of them.
            found = await self._give_up(now() - self._days * DAY)
            self._next = time.monotonic() + (0 if found == MOST_AT_ONCE else LOOK_SECONDS)

    async def _give_up(self, before: int) -> int:
        found = await self._store.abandoned(before, MOST_AT_ONCE)
        for code, version in found:
            try:
                await self._store.expire(code, version)
            except ConflictError:  # somebody has come back
                continue
            await self._registry.reread(code)
        if found:
            log.info("expired", extra={"what": f"{len(found)} tables"})
        return len(found)
