"""The time as tables count it: the store's, so that all nodes agree on what is due, whatever their own clocks say."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable


class Clock:
    """Goes by this machine's steady clock, and is set by another one."""

    def __init__(self) -> None:
        self._ahead = time.time_ns() // 1_000_000 - _steady()
        """By how much the time is ahead of the steady clock."""

    def now(self) -> int:
        """The time, in milliseconds since 1970."""
        return _steady() + self._ahead

    async def set_by(self, ask: Callable[[], Awaitable[int]]) -> None:
        """Go by what another clock says.

        It was asked at some moment between question and answer: as long as the time lies between, it is left alone,
        and so a slow answer does no harm.
        """
        asked = _steady()
        told = await ask()
        answered = _steady()
        self._ahead = min(max(self._ahead, told - answered), told - asked)


def _steady() -> int:
    return time.monotonic_ns() // 1_000_000


_clock = Clock()
now = _clock.now
set_by = _clock.set_by
