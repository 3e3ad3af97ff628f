"""The fast twin of ``rules/``: the same law over flat bytes, for millions of actions a second.

>>> from phaseten.kernel import Game, Batch, simulate
>>> game = Game("classic", players=2, seed=7)
>>> [game.name(action) for action in game.legal()]
['D', 'P']
>>> simulate("classic", players=4, games=10, seed=1).games
10
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from phaseten.kernel.game import Game
from phaseten.kernel.planes import planes
from phaseten.kernel.setup import compiled

if TYPE_CHECKING:
    from phaseten.kernel.batch import Batch
    from phaseten.kernel.sheets import Sheet
    from phaseten.kernel.simulation import Simulation, simulate

__all__ = ["Batch", "Game", "Sheet", "Simulation", "compiled", "planes", "simulate"]

_BY_THE_THOUSAND: Final = {
    "Batch": "batch",
    "Sheet": "sheets",
    "Simulation": "simulation",
    "simulate": "simulation",
}
"""What needs numpy, which a browser does not have, and in which module it is."""


def __getattr__(name: str) -> Any:
    if name not in _BY_THE_THOUSAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_BY_THE_THOUSAND[name]}"), name)
