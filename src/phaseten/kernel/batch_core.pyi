from typing import Any

import numpy as np
from numpy.typing import NDArray

from phaseten.kernel.layout import Layout

class BatchCore:
    def __init__(
        self,
        layout: Layout,
        arrays: list[NDArray[Any]],
        pool: NDArray[np.int32],
        reward: int,
        most: int,
        by_hand: bool,
        autoreset: bool,
    ) -> None: ...
    def reset(
        self,
        first: int,
        last: int,
        games: NDArray[np.intp],
        seeds: NDArray[np.uint64],
        sheets: NDArray[np.int32],
    ) -> None: ...
    def first_illegal(self, first: int, last: int, actions: NDArray[np.int32]) -> int: ...
    def step(self, first: int, last: int, actions: NDArray[np.int32]) -> None: ...
    def play(
        self, first: int, last: int, games: NDArray[np.intp], policy: int, count: int
    ) -> None: ...
    def pick(
        self,
        first: int,
        last: int,
        games: NDArray[np.intp],
        policy: int,
        out: NDArray[np.int32],
    ) -> None: ...
    def masks(self, first: int, last: int, mask: NDArray[np.uint8]) -> None: ...
    def observe(
        self,
        first: int,
        last: int,
        states: NDArray[np.uint8],
        games: NDArray[np.intp],
        seats: NDArray[np.uint8],
        out: NDArray[np.int16],
    ) -> None: ...
    def turns(self, first: int, last: int, out: NDArray[np.uint8]) -> None: ...

def observation_length(layout: Layout) -> int: ...
def seeds_from(seed: int, numbers: NDArray[Any]) -> NDArray[np.uint64]: ...
