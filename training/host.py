"""Many tables side by side on a machine's own processors, with rows of PyTorch's: see gpu.py for a GPU's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from training.environment import Environment
from training.sizes import sizes

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from phaseten.kernel.layout import Layout


class HostTables:
    """So many tables of one kind; the rows that it writes are what networks look at and answer."""

    def __init__(self, layout: Layout, edition: int, slots: int, threads: int) -> None:
        self.slots, self.players, self.edition = slots, layout.players, edition
        self._environment = Environment(layout, edition, slots, threads)
        found = self._environment
        self.turns, self.ends, self.learners, self.over, self.before, self.after = (
            torch.from_numpy(rows)
            for rows in (
                found.turns,
                found.ends,
                found.learners,
                found.over,
                found.before,
                found.after,
            )
        )
        self.wrong = torch.zeros(1, dtype=torch.int32)
        """How many actions were not legal; sharp's were done instead."""
        self.write_to(
            *(torch.zeros(slots, size, dtype=torch.uint8) for size in sizes(self.players))
        )

    def set_share(self, share: float) -> None:
        """In how many of the games half the seats are a built-in player's."""
        self._environment.share = share

    def set_opponent(self, number: int) -> None:
        """Which built-in player that is."""
        self._environment.opponent = number

    def write_to(self, features: Tensor, secrets: Tensor, masks: Tensor) -> None:
        """Where the rows for the networks are written from now on."""
        self.features, self.secrets, self.masks = features, secrets, masks
        self._environment.write_to(features.numpy(), secrets.numpy(), masks.numpy())

    def start(self, seed: int) -> None:
        """Begin a game at each table; the seed says which."""
        self._environment.start(seed)

    def start_games(self, seeds: NDArray[np.uint64], learners: NDArray[np.uint8]) -> None:
        """Begin a certain game at each table, in which the learners have certain seats (bits)."""
        self._environment.start_games(seeds, learners)

    def play_on(self, most: int, seed: int) -> None:
        """Let sharp play up to so many actions at each table, so that no two are alike."""
        self._environment.play_on(most, seed)

    def step(self, actions: Tensor) -> None:
        """Carry out the learners' actions."""
        self.wrong += self._environment.step(actions.numpy())

    def choose(self, out: Tensor) -> None:
        """Write what sharp would do at each table."""
        self._environment.choose(out.numpy())

    def record_games(self, seed: int, most: int) -> tuple[Tensor, Tensor, Tensor]:
        """Let sharp play a game at each table: the score sheet before each of at most so many hands, how many
        hands there were, and who has won, as bits: nobody where there were more.
        """
        sheets = np.zeros((self.slots, most, 2 * self.players + 2), np.int32)
        hands, winners = np.zeros(self.slots, np.int32), np.zeros(self.slots, np.int32)
        self._environment.record_games(seed, sheets, hands, winners)
        return torch.from_numpy(sheets), torch.from_numpy(hands), torch.from_numpy(winners)
