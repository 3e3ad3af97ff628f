import numpy as np
from numpy.typing import NDArray

from phaseten.kernel.layout import Layout

class Simulator:
    def __init__(self, layout: Layout) -> None: ...
    def run(
        self,
        first: int,
        count: int,
        seed: int,
        policies: NDArray[np.int32],
        most: int,
        stats: NDArray[np.int64],
    ) -> None: ...
