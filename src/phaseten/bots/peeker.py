"""What knowledge could give: a player who sees all cards, for measuring only.

It is no :class:`~phaseten.bots.bot.Bot`: it cannot choose from a view, and so it can sit at no table
but one of the arena.
"""

from __future__ import annotations

from typing import Final

from phaseten.bots.master import MOST_DISCARDS
from phaseten.kernel.game import Game
from phaseten.kernel.players.search import Search

TRIES: Final = 200


class Peeker:
    """Knows every hand and the order of the draw pile, and plays the best of many tried futures."""

    name: Final = "peeker"

    def __init__(self, *, seed: int = 0, tries: int = TRIES) -> None:
        self._seed = seed % 2**64
        self._tries = tries

    def choose_in(self, game: Game) -> int:
        """The number of the choice in a game of the kernel."""
        return Search(game.setup.layout, game.save(), self._seed).peek(self._tries, MOST_DISCARDS)
