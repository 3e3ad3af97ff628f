"""Who is connected to a table, on this node and on the others.

Nothing of this is kept. Nodes tell each other how many watch and which seats are there, never whose
token it is, and what was not said again for a while is forgotten with the node that said it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from phaseten.table.state import Table

LINGER: Final = 2.0
"""Seconds for which somebody who left counts as there: a page that is loaded again does not flicker."""
REPEAT: Final = 20.0
"""Seconds after which a node says again who is there."""
EXPIRE: Final = 45.0
"""Seconds after which a node that says nothing is gone, and everybody there."""
AWAY: Final = 60.0
"""Seconds after which a host who is not connected can be replaced."""


class Present(NamedTuple):
    """Who is there."""

    seats: frozenset[int] = frozenset()
    host: bool = False
    """Whether the host is, with or without a seat."""
    watchers: int = 0

    @property
    def text(self) -> str:
        """As nodes tell each other."""
        seats = ",".join(str(seat) for seat in sorted(self.seats))
        return f"{seats}/{int(self.host)}/{self.watchers}"


NOBODY: Final = Present()


def parse_present(text: str) -> Present:
    """What another node said; a ValueError for anything else."""
    seats, host, watchers = text.split("/")
    numbers = frozenset([int(seat) for seat in seats.split(",") if seat])
    return Present(numbers, bool(int(host)), int(watchers))


class _Heard(NamedTuple):
    """What another node said, and until when it counts."""

    present: Present
    until: float


class Attendance:
    """Who comes to one table and goes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._here: Counter[str] = Counter()
        """The connections of each token."""
        self._leaving: dict[str, float] = {}
        """Until when those without a connection still count."""
        self._elsewhere: dict[str, _Heard] = {}
        self._host_was_there = False
        self._host_seen = clock()
        """When the host was last there, or this node began to look."""

    def arrive(self, owner: str) -> None:
        """Somebody has a connection more."""
        self._here[owner] += 1
        self._leaving.pop(owner, None)

    def depart(self, owner: str) -> None:
        """Somebody has a connection less."""
        self._here[owner] -= 1
        if not self._here[owner]:
            del self._here[owner]
            self._leaving[owner] = self._clock() + LINGER

    def hear(self, node: str, present: Present) -> bool:
        """Another node says who is there; whether it had not said anything before."""
        is_new = node not in self._elsewhere
        if present == NOBODY:
            self._elsewhere.pop(node, None)
            return False
        self._elsewhere[node] = _Heard(present, self._clock() + EXPIRE)
        return is_new

    @property
    def is_shared(self) -> bool:
        """Whether other nodes have said that somebody is there."""
        return bool(self._elsewhere)

    def settle(self) -> None:
        """Forget those whose time is up."""
        now = self._clock()
        self._leaving = {owner: until for owner, until in self._leaving.items() if until > now}
        self._elsewhere = {
            node: heard for node, heard in self._elsewhere.items() if heard.until > now
        }

    def here(self, table: Table) -> Present:
        """Who is there on this node."""
        owners = {*self._here, *self._leaving}
        seats = [seat for seat, place in table.seated if place.owner in owners]
        return Present(frozenset(seats), table.host in owners, len(owners) - len(seats))

    def present(self, table: Table) -> Present:
        """Who is there on all nodes together."""
        found = self.here(table)
        for present, _ in self._elsewhere.values():
            seats, host, watchers = present
            found = Present(found.seats | seats, found.host or host, found.watchers + watchers)
        if found.host or self._host_was_there:
            self._host_seen = self._clock()
        self._host_was_there = found.host
        return found

    def is_host_gone(self, table: Table) -> bool:
        """Whether the host has been away for so long that another one may take over."""
        return not self.present(table).host and self._clock() - self._host_seen >= AWAY
