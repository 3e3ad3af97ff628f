"""A look in plain Python, where the kernel is not compiled: in a browser there is no numpy either.

It is some hundred times slower than compiled, and in double precision.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, MutableSequence, Sequence
from operator import mul
from typing import Any, Final


def _sum_of_products(one: Iterable[float], other: Iterable[float]) -> float:
    return sum(map(mul, one, other))


sum_of_products: Final[Any] = getattr(math, "sumprod", _sum_of_products)  # from Python 3.12 on


class PlainLook:
    """The weights of a network, as ``look.py`` has them, and what it does with them."""

    def __init__(self, weights: list[float], width: int, layers: int, inputs: int) -> None:
        self._width = width
        self._always = weights[:width]
        self._first = [weights[width * i : width * (i + 1)] for i in range(1, inputs + 1)]
        at = width * (1 + inputs)
        self._layers: list[tuple[list[list[float]], list[float]]] = []
        """Of each layer, what leads to each of its numbers, and what is always added to it."""
        for _ in range(layers):
            end = at + width * width
            columns = [weights[at + i : end : width] for i in range(width)]
            self._layers.append((columns, weights[end : end + width]))
            at = end + width
        outputs = (len(weights) - at) // (width + 1)
        self._last = [weights[at + width * i : at + width * (i + 1)] for i in range(outputs)]
        self._last_always = weights[at + width * outputs :]

    def weigh(
        self,
        features: Sequence[int],
        mask: Sequence[int],
        liked: MutableSequence[float],
        smallest: float,
    ) -> None:
        """Write how much each action of the mask is liked."""
        x = self._always
        for much, row in zip(features, self._first, strict=True):
            if much:
                x = [a + much * b for a, b in zip(x, row, strict=True)]
        for columns, always in self._layers:
            y = normalise(x, smallest)
            sums = (
                sum_of_products(column, y) + more
                for column, more in zip(columns, always, strict=True)
            )
            x = [a + b if b > 0 else a for a, b in zip(x, sums, strict=True)]
        y = normalise(x, smallest)
        for i, can in enumerate(mask):
            if can:
                liked[i] = sum_of_products(self._last[i], y) + self._last_always[i]


def normalise(x: list[float], smallest: float) -> list[float]:
    """The numbers moved and stretched to a mean of 0 and a variance of 1."""
    mean = sum(x) / len(x)
    moved = [value - mean for value in x]
    stretch = 1 / math.sqrt(sum_of_products(moved, moved) / len(x) + smallest)
    return [value * stretch for value in moved]
