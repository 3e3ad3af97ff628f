"""A bot that has learned: a trained network chooses in one look at what the seat knows."""

from __future__ import annotations

from typing import Final

from phaseten.bots.builtin import BuiltIn
from phaseten.kernel.convert import QUIET
from phaseten.kernel.game import Game
from phaseten.kernel.players import POLICIES
from phaseten.kernel.players.network.weights import input_of, load_network

PATIENCE: Final = 20
"""Turns of each player without a card laid, after which a hand may stand still: the network would hand a
card round for ever, and sharp does not."""


class Deep(BuiltIn):
    """Plays by the network that ships; at tables of a kind that it has not learned, as sharp does.

    Which kinds it has learned, :func:`phaseten.kernel.players.network.weights.input_of` says.
    """

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__("deep", POLICIES["sharp"], seed)

    def _decide(self, game: Game) -> tuple[int, bytes]:
        edition = input_of(game.rules, game.players)
        quiet = game.at(QUIET) + 256 * game.at(QUIET + 1)
        if edition is not None and game.turn is not None and quiet < PATIENCE * game.players:
            found = load_network().decide(game.setup.layout, game.save(), edition)
            if found is not None:
                return found
        return super()._decide(game)
