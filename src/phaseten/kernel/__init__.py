"""The fast twin of ``rules/``: the same law over flat bytes, for millions of actions a second.

>>> from phaseten.kernel import Game, Batch, simulate
>>> game = Game("classic", players=2, seed=7)
>>> [game.name(action) for action in game.legal()]
['D', 'P']
>>> simulate("classic", players=4, games=10, seed=1).games
10
"""

from phaseten.kernel.batch import Batch
from phaseten.kernel.game import Game
from phaseten.kernel.setup import compiled
from phaseten.kernel.simulation import Simulation, simulate

__all__ = ["Batch", "Game", "Simulation", "compiled", "simulate"]
