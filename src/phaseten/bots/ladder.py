"""The ladder of opponents, from the beginner to the one who searches.

>>> from phaseten import Game
>>> game = Game("classic", ["Ana", "Beto"], seed=7)
>>> make_bot("sharp").choose(game.view())
DrawDeck()
"""

from __future__ import annotations

from phaseten.bots.builtin import BuiltIn
from phaseten.kernel.kinds import POLICIES

LADDER = ("rookie", "casual", "sharp", "master")
"""The opponents, the weakest first."""

_POLICIES = {"rookie": "rookie", "casual": "greedy", "sharp": "expert"}


def make_bot(name: str, *, seed: int = 0) -> BuiltIn:
    """The opponent of that name."""
    if name not in LADDER:
        raise ValueError(f"there is no bot {name!r}: choose from {', '.join(LADDER)}")
    return BuiltIn(name, POLICIES[_POLICIES[name]], seed)
