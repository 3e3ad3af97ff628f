"""A bot whose choices are made by a policy of the kernel."""

from __future__ import annotations

from phaseten.kernel.game import Game, game_of
from phaseten.rules.actions import Action
from phaseten.rules.views import View


class BuiltIn:
    """Plays one of the kernel's policies.

    ``choose_in`` is the same choice without the translation, for games that are played in the
    kernel by the thousand: it depends on nothing but the seed and what the seat on turn knows.
    """

    def __init__(self, name: str, policy: int, seed: int = 0) -> None:
        self.name = name
        self.seed = seed & (2**64 - 1)
        self._policy = policy

    def choose(self, view: View) -> Action:
        """The choice for a view in which it is the bot's turn."""
        game = game_of(view)
        return game.action(self.choose_in(game))

    def choose_in(self, game: Game) -> int:
        """The number of the choice in a game of the kernel."""
        return game.choose_seeded(self._policy, self.seed)
