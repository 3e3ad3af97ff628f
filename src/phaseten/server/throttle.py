"""Nobody may use up what others need."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Final

from phaseten.server.settings import Rate

_MOST_KEPT: Final = 50_000
"""Buckets in one generation; there are two."""
_IPV6_NETWORK: Final = 64
"""The bits of an IPv6 address that one customer shares: the rest can be changed at will."""


def network_of(address: str) -> str:
    """The network that counts as one client: an IPv4 address, or what one customer has of IPv6."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:  # a proxy's own way to name clients
        return address
    if isinstance(parsed, IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Network((parsed, _IPV6_NETWORK), strict=False))


class Bucket:
    """Holds ``burst`` tokens and gets ``per_second`` new ones."""

    __slots__ = ("_at", "_clock", "_rate", "_tokens")  # there is one for every guest

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
    def is_empty(self) -> bool:
        """Whether there is no token left."""
        self._fill()
        return self._tokens < 1

    @property
    def is_full(self) -> bool:
        """Whether there are as many as there can be."""
        self._fill()
        return self._tokens >= self._rate.burst

    def _fill(self) -> None:
        now = self._clock()
        gained = (now - self._at) * self._rate.per_second
        self._tokens = min(self._rate.burst, self._tokens + gained)
        self._at = now


class Buckets:
    """A bucket for each address.

    In two generations: when the young one is full, or so old that every bucket of the old one has filled up
    again, it becomes the old one, and who was not seen since is forgotten. So memory is bounded, and no
    request has to look through all of them.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._young: dict[str, Bucket] = {}
        self._old: dict[str, Bucket] = {}
        self._fills = rate.burst / rate.per_second if rate.per_second else math.inf
        self._since = clock()

    def of(self, address: str) -> Bucket:
        """The bucket of that address."""
        bucket = self._young.get(address)
        if bucket is None:
            bucket = self._old.get(address) or Bucket(self._rate, self._clock)
            if len(self._young) >= _MOST_KEPT or self._clock() - self._since >= self._fills:
                self._old, self._young, self._since = self._young, {}, self._clock()
            self._young[address] = bucket
        return bucket

    def forget_full(self) -> None:
        """Forget the buckets that are as good as new."""
        self._young = {name: one for name, one in self._young.items() if not one.is_full}
        self._old = {name: one for name, one in self._old.items() if not one.is_full}


class Slots:
    """Room for so many connections, and for so many of one address."""

    def __init__(self, most: int, most_of_address: int) -> None:
        self._most = most
        self._most_of_address = most_of_address
        self._all = 0
        self._taken: Counter[str] = Counter()

    def take(self, address: str) -> bool:
        """Take a place, if there is one. The address "" is nobody's: it counts in all alone."""
        is_full = address != "" and self._taken[address] >= self._most_of_address
        if is_full or self._all >= self._most:
            return False
        self._all += 1
        self._taken[address] += 1
        return True

    def give(self, address: str) -> None:
        """Give a place back that was taken."""
        self._all -= 1
        self._taken[address] -= 1
        if not self._taken[address]:
            del self._taken[address]

    @contextmanager
    def slot(self, address: str) -> Generator[bool]:
        """Whether there is room; if so, it is taken as long as the block runs."""
        if not self.take(address):
            yield False
            return
        try:
            yield True
        finally:
            self.give(address)
