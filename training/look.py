"""A policy in NumPy alone: what a bot needs of it at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

SMALLEST = 1e-5
"""What layer norm adds to a variance."""


class Look:
    """The weights of a checkpoint, ready for one position at a time."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as found:
            weights = {name: found[name].astype(np.float32) for name in found.files}
        # Most inputs are zero: only the rows of the others are added up.
        scaled = weights["trunk.parts.0"] * weights["trunk.scale0"]
        self.first = np.ascontiguousarray(scaled.T)
        self.bias = weights["trunk.bias"]
        count = sum(name.startswith("trunk.layers.") for name in weights) // 2
        self.layers = [
            (weights[f"trunk.layers.{i}.weight"], weights[f"trunk.layers.{i}.bias"])
            for i in range(count)
        ]
        self.norms = [
            (weights[f"trunk.norms.{i}.weight"], weights[f"trunk.norms.{i}.bias"])
            for i in range(count + 1)
        ]
        self.last = weights["trunk.last.weight"], weights["trunk.last.bias"]

    def weigh(self, features: NDArray[np.uint8]) -> NDArray[np.float32]:
        """How much the network likes each action, legal or not."""
        seen = np.flatnonzero(features)
        x = self.bias + features[seen].astype(np.float32) @ self.first[seen]
        for (weight, bias), norm in zip(self.layers, self.norms, strict=False):
            x = x + np.maximum(weight @ normalise(x, norm) + bias, 0)
        weight, bias = self.last
        return weight @ normalise(x, self.norms[-1]) + bias

    def choose(self, features: NDArray[np.uint8], mask: NDArray[np.uint8]) -> int:
        """The legal action that the network likes best."""
        liked = self.weigh(features)[: len(mask)]
        return int(np.where(mask > 0, liked, -np.inf).argmax())


def normalise(
    x: NDArray[np.float32], norm: tuple[NDArray[np.float32], NDArray[np.float32]]
) -> NDArray[np.float32]:
    """Layer norm."""
    moved = x - x.mean()
    return moved / np.sqrt((moved * moved).mean() + SMALLEST) * norm[0] + norm[1]
