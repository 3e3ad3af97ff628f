"""When garbage is looked for in a process that serves.

Python by itself looks through what is new whenever enough of it has come. A table's piles are long rows of cards, so
that with ten thousand people each such look stopped everybody for 50 to 80 ms, again and again, and found nothing:
what requests, tables and connections leave behind has no cycles (tests look for them). So everything is looked
through, but seldom: when little is going on, and otherwise once an hour.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Final

SOONEST: Final = 60.0
"""Seconds from one look to the next, at least."""
SHARE: Final = 0.001
"""Of all the time, at most so much goes into looking: it takes longer where there is more to look through."""
LATEST: Final = 3600.0
"""Seconds after which it looks even if much is going on."""
QUIET: Final = 0.1
"""Of a core: whoever uses less has time."""


class Garbage:
    """Looks for it when somebody sweeps."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.process_time,
    ) -> None:
        self._clock, self._used = clock, used
        self._looked = self._swept = clock()
        self._used_before = used()
        self._wait = SOONEST

    def sweep(self) -> None:
        """Look for it, if this is a good moment."""
        now, used = self._clock(), self._used()
        is_quiet = used - self._used_before < QUIET * (now - self._swept)
        self._swept, self._used_before = now, used
        waited = now - self._looked
        if waited >= LATEST or (is_quiet and waited >= self._wait):
            self._look()

    def _look(self) -> None:
        began = self._clock()
        gc.collect()
        self._looked = self._clock()
        self._wait = min(LATEST, max(SOONEST, (self._looked - began) / SHARE))
