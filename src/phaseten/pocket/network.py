"""The trained network where the browser computes: rules, features and choice are Python's, a look is JavaScript's.

In plain Python a look would take a quarter of a second there, and its weights as much memory as everything else.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence

from phaseten.kernel.players.network.look import Network
from phaseten.kernel.setup import compiled

Weigh = Callable[[bytes, bytes], Sequence[float]]
"""How much each action is liked, from what is seen and which actions are legal (``web/src/pocket/network.ts``)."""


class FarNetwork(Network):
    """A network whose weights are not in Python's memory."""

    def __init__(self, weigh: Weigh) -> None:
        # A compiled kernel asks nobody else, and has its own weights.
        assert not compiled
        self._weigh = weigh

    def weigh(
        self,
        features: Sequence[int],
        players: int,
        mask: Sequence[int],
        liked: MutableSequence[float],
    ) -> None:
        """Write how much each legal action is liked."""
        del players
        found = self._weigh(bytes(features), bytes(mask))
        for i, can in enumerate(mask):
            if can:
                liked[i] = found[i]
