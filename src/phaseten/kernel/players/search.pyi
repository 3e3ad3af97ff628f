import numpy as np
from numpy.typing import NDArray

from phaseten.kernel.layout import Layout
from phaseten.kernel.players.network.look import Network
from phaseten.kernel.players.network.sheet_chances import SheetChances

class Search:
    def __init__(self, layout: Layout, state: bytes, seed: int) -> None: ...
    def candidates(self, most: int) -> list[int]: ...
    def chosen_way(self) -> bytes: ...
    def run(
        self,
        actions: NDArray[np.int32],
        first: int,
        values: NDArray[np.float64],
        seconds: float = ...,
        network: Network | None = ...,
        edition: int = ...,
        sheets: SheetChances | None = ...,
    ) -> int: ...
    def world(self, number: int) -> bytes: ...
    def peek(self, tries: int, most: int) -> int: ...
