import numpy as np
from numpy.typing import NDArray

from phaseten.kernel.layout import Layout

class Environment:
    slots: int
    players: int
    edition: int
    threads: int
    opponent: int
    share: float
    once: bool
    turns: NDArray[np.uint8]
    ends: NDArray[np.uint8]
    learners: NDArray[np.uint8]
    over: NDArray[np.uint8]
    before: NDArray[np.int32]
    after: NDArray[np.int32]
    def __init__(self, layout: Layout, edition: int, slots: int, threads: int) -> None: ...
    def write_to(
        self,
        features: NDArray[np.uint8],
        secrets: NDArray[np.uint8],
        masks: NDArray[np.uint8],
    ) -> None: ...
    def begin_from(self, sheets: NDArray[np.int32]) -> None: ...
    def start(self, seed: int) -> None: ...
    def start_games(self, seeds: NDArray[np.uint64], learners: NDArray[np.uint8]) -> None: ...
    def play_on(self, most: int, seed: int) -> None: ...
    def step(self, actions: NDArray[np.int32]) -> int: ...
    def choose(self, out: NDArray[np.int32]) -> None: ...
    def record_games(
        self,
        seed: int,
        sheets: NDArray[np.int32],
        hands: NDArray[np.int32],
        winners: NDArray[np.int32],
    ) -> None: ...
    def saved(self, i: int) -> bytes: ...
    def exchange_unseen(self, seed: int) -> None: ...
