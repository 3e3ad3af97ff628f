"""What many tables have left behind when nearly all of them are gone: it is given back to the system.

Nothing of the tables themselves is left, but what is remembered to save time lies where they lay. Python can
return memory only where nothing at all is left in a large piece, and the C library does so only when asked.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

MANY: Final = 100
"""Tables; what fewer leave behind is not worth a look."""
SHARE: Final = 10
"""When no more than the most tables divided by this are left: then there is little to look through, too."""
QUIET: Final = 10
"""So many looks in a row nobody may have left before: what was on its way then is gone as well."""


class Leftovers:
    """Watches how many tables are in memory, and clears up after many."""

    def __init__(self, forget: Callable[[], Awaitable[None]]) -> None:
        self._forget = forget
        self._most = 0
        self._last = 0
        self._quiet = 0

    async def look(self, tables: int) -> bool:
        """So many tables are in memory now; whether it was time to clear up."""
        self._quiet = 0 if tables < self._last else self._quiet + 1
        self._last = tables
        self._most = max(self._most, tables)
        if self._most < MANY or tables * SHARE > self._most or self._quiet < QUIET:
            return False
        self._most = tables
        await self._forget()
        empty_caches()
        gc.collect()  # also what Python itself keeps for the next tuples and lists
        await asyncio.to_thread(_trim)
        return True


def empty_caches() -> None:
    """Forget what would be forgotten sooner or later anyway: caches of ours that have an end."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "phaseten":
            for value in list(vars(module).values()):
                _empty(value)


def _empty(value: Any) -> None:
    parameters = getattr(value, "cache_parameters", None)
    if parameters is not None and parameters()["maxsize"] is not None:
        value.cache_clear()


def _trim() -> None:
    """Let the C library return what is free; others than glibc do not need to be told, or cannot."""
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415 - seldom needed

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
