"""What a guest may do, over all connections: whoever opens a hundred has not a hundred times as much.

Guests cost nothing to make, so the address they come from has its measure as well: that of a crowd of
them. A table has that of a full one, however many come to it.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from phaseten.server.settings import Limits, Rate
from phaseten.server.throttle import Buckets

Use = Literal["messages", "changes", "talk", "hints", "needs"]
"""What is counted; the limits have the same names."""

MOST_SEATS: Final = 6


class Who(NamedTuple):
    """Whose use is counted."""

    owner: str
    """The hash of the guest's token."""
    address: str
    table: str


class Allowances:
    """How much is left to every guest, to every address and to every table."""

    def __init__(self, limits: Limits) -> None:
        rates: dict[Use, Rate] = {
            "messages": limits.messages,
            "changes": limits.changes,
            "talk": limits.talk,
            "hints": limits.hints,
            "needs": limits.needs,
        }
        self._guests = {use: Buckets(rate) for use, rate in rates.items()}
        self._addresses = {use: Buckets(_times(rate, limits.crowd)) for use, rate in rates.items()}
        # Messages that change nothing do the others at the table no harm.
        self._tables = {use: Buckets(_times(rates[use], MOST_SEATS)) for use in _AT_TABLES}

    def take(self, who: Who, use: Use) -> bool:
        """Count one use more, unless that is too much."""
        if not self._guests[use].of(who.owner).take():
            return False
        if not self._addresses[use].of(who.address).take():
            return False
        return use not in self._tables or self._tables[use].of(who.table).take()

    def forget_full(self) -> None:
        """Forget those to whom everything is left."""
        for kept in (self._guests, self._addresses, self._tables):
            for buckets in kept.values():
                buckets.forget_full()


_AT_TABLES: Final[tuple[Use, ...]] = ("changes", "talk")


def _times(rate: Rate, number: int) -> Rate:
    return Rate(rate.burst * number, rate.per_second * number)
