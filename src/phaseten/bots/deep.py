"""A bot that has learned: a trained network chooses in one look at what the seat knows."""

from __future__ import annotations

from phaseten.bots.builtin import BuiltIn
from phaseten.kernel.game import Game
from phaseten.kernel.players import POLICIES
from phaseten.kernel.players.network.look import Network
from phaseten.kernel.players.network.weights import input_of, load_network


def learned_choice(game: Game, network: Network | None = None) -> tuple[int, bytes] | None:
    """What the network that ships does, as a number or a way to lay.

    None where it has not learned that, or where the hand seems to stand still.

    ``network`` is that one where its weights cannot be read here.
    """
    edition = input_of(game.rules, game.players)
    if edition is None or game.turn is None:
        return None
    return (network or load_network()).decide(game.setup.layout, game.save(), edition)


class Deep(BuiltIn):
    """Plays by the network that ships; at tables of a kind that it has not learned, as sharp does.

    Which kinds it has learned, :func:`phaseten.kernel.players.network.weights.input_of` says.
    """

    def __init__(self, *, seed: int = 0, network: Network | None = None) -> None:
        super().__init__("deep", POLICIES["sharp"], seed)
        self._network = network

    def _decide(self, game: Game) -> tuple[int, bytes]:
        return learned_choice(game, self._network) or super()._decide(game)
