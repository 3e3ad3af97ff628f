"""A bot that has learned: a trained network chooses in one look at what the seat knows."""

from __future__ import annotations

from phaseten.bots.builtin import BuiltIn
from phaseten.kernel.game import Game
from phaseten.kernel.players import POLICIES
from phaseten.kernel.players.network.weights import input_of, load_network


class Deep(BuiltIn):
    """Plays by the network that ships; at tables of a kind that it has not learned, as sharp does.

    Which kinds it has learned, :func:`phaseten.kernel.players.network.weights.input_of` says.
    """

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__("deep", POLICIES["sharp"], seed)

    def _decide(self, game: Game) -> tuple[int, bytes]:
        edition = input_of(game.rules, game.players)
        if edition is not None and game.turn is not None:
            found = load_network().decide(game.setup.layout, game.save(), edition)
            if found is not None:
                return found
        return super()._decide(game)
