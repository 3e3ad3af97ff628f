import numpy as np
from numpy.typing import NDArray

from phaseten.kernel.layout import Layout
from phaseten.kernel.players.network.look import Network

def record_games(
    layout: Layout,
    network: Network,
    edition: int,
    seed: int,
    sheets: NDArray[np.int32],
    hands: NDArray[np.int32],
    winners: NDArray[np.int32],
) -> None: ...
