import numpy as np
from numpy.typing import NDArray

from phaseten.kernel.layout import Layout

class Outlook:
    def __init__(
        self,
        layout: Layout,
        state: bytes,
        seed: int,
        worth: NDArray[np.float64],
        points: NDArray[np.float64],
    ) -> None: ...
    def candidates(self, most: int) -> list[int]: ...
    def imagine(
        self, actions: NDArray[np.int32], first: int, values: NDArray[np.float64]
    ) -> None: ...
    def foresee(
        self, actions: NDArray[np.int32], first: int, values: NDArray[np.float64]
    ) -> None: ...
