"""Which piece of the work comes next.

The matches take turns, so that the time left can be told from the time taken, and what is there
after an interruption tells about all of them. Pieces are small where bots think long.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from phaseten.arena.chunks import Chunk, Conduct
from phaseten.arena.matches import Match
from phaseten.arena.results import GameRow

_SECONDS: Final = 1.0
"""How much thinking a piece of work should have in it."""
MOST_DEALS: Final = 16


class Schedule:
    """Hands out the deals that are still to be played."""

    def __init__(self, work: Iterable[tuple[Match, Sequence[int]]], conduct: Conduct) -> None:
        self._conduct = conduct
        self._waiting = deque((match, deque(deals)) for match, deals in work if deals)
        self._seconds: dict[tuple[str, int, str], float] = {}
        """How long the bots of a match thought over one deal."""

    def chunks(self) -> Iterator[Chunk]:
        """The pieces of work, each as large as is right when it is asked for."""
        while self._waiting:
            match, deals = self._waiting.popleft()
            count = min(self._size(match), len(deals))
            chosen = tuple(deals.popleft() for _ in range(count))
            if deals:
                self._waiting.append((match, deals))
            yield Chunk(match, chosen, self._conduct)

    def _size(self, match: Match) -> int:
        seconds = self._seconds.get(match.key)
        if seconds is None:
            return 1
        return max(1, min(MOST_DEALS, int(_SECONDS / max(seconds, 1e-6))))

    def learn(self, rows: Sequence[GameRow]) -> None:
        """Take note of how long the games of a deal took."""
        row = rows[0]
        key = (row.edition, row.players, row.match)
        self._seconds[key] = sum(sum(each.seconds) for each in rows)
