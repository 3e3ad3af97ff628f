"""Nobody may use up what others need."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

from phaseten.server.settings import Rate

_MOST_KEPT: Final = 50_000
"""Buckets in memory; full ones are forgotten when there are more."""


class Bucket:
    """Holds ``burst`` tokens and gets ``per_second`` new ones."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._tokens = rate.burst
        self._at = clock()

    def take(self) -> bool:
        """Take a token, if there is one."""
        self._fill()
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    @property
    def is_full(self) -> bool:
        """Whether nothing was taken for long."""
        self._fill()
        return self._tokens >= self._rate.burst

    @property
    def is_empty(self) -> bool:
        """Whether there is no token left."""
        self._fill()
        return self._tokens < 1

    def _fill(self) -> None:
        now = self._clock()
        gained = (now - self._at) * self._rate.per_second
        self._tokens = min(self._rate.burst, self._tokens + gained)
        self._at = now


class Buckets:
    """A bucket for each address."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def of(self, address: str) -> Bucket:
        """The bucket of that address."""
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= _MOST_KEPT:
                self._forget()
            bucket = self._buckets[address] = Bucket(self._rate, self._clock)
        return bucket

    def _forget(self) -> None:
        kept = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full}
        self._buckets = kept if len(kept) < _MOST_KEPT else {}


class Places:
    """Room for so many connections, and for so many of one address."""

    def __init__(self, most: int, most_of_address: int) -> None:
        self._most = most
        self._most_of_address = most_of_address
        self._all = 0
        self._taken: Counter[str] = Counter()

    @contextmanager
    def place(self, address: str) -> Generator[bool]:
        """Whether there is room; if so, it is taken as long as the block runs."""
        if self._all >= self._most or self._taken[address] >= self._most_of_address:
            yield False
            return
        self._all += 1
        self._taken[address] += 1
        try:
            yield True
        finally:
            self._all -= 1
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]
