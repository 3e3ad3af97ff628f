"""A bot whose choices are made in the kernel."""

from __future__ import annotations

from phaseten.bots.bot import Reason
from phaseten.bots.reasons import explain
from phaseten.kernel.game import Game, game_of
from phaseten.rules.actions import Action
from phaseten.rules.views import View

_GOLDEN = 0x9E3779B97F4A7C15
_WORD = 2**64


class BuiltIn:
    """Plays one of the kernel's policies.

    ``choose_in`` is the same choice without the translation, for games that are played in the
    kernel by the thousand: it depends on nothing but the seed, how often the bot was asked before,
    and what the seat on turn knows.
    """

    def __init__(self, name: str, policy: int, seed: int = 0) -> None:
        self.name = name
        self._policy = policy
        self._seed = seed

    def choose(self, view: View) -> Action:
        """The choice for a view in which it is the bot's turn."""
        game = game_of(view)
        return game.action(*self._decide(game))

    def choose_in(self, game: Game) -> int:
        """The number of the choice in a game of the kernel."""
        number, way = self._decide(game)
        return game.number_of(way) if way else number

    def _decide(self, game: Game) -> tuple[int, bytes]:
        """The number of the choice, or a way to lay: to count which one it is can take for ever."""
        return game.decide(self._policy, self._next_seed())

    def explain(self, view: View, action: Action) -> tuple[Reason, ...]:
        """What speaks for that action: one or two sentences for a beginner."""
        return explain(view, action)

    def _next_seed(self) -> int:
        """Another one every time, so that two bots that go in circles do not do so for ever."""
        self._seed = (self._seed + _GOLDEN) % _WORD
        return self._seed
