"""How sure a measured share is.

>>> interval([1.0, 0.5, 0.5, 1.0, 0.0, 1.0, 0.5, 1.0])
Estimate(value=0.6875, low=0.3555..., high=0.9444...)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

CONFIDENCE: Final = 0.95
_NORMAL: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


class Estimate(NamedTuple):
    """A measured share, and between which ends the true one lies with 95 % confidence."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def interval(samples: Sequence[float]) -> Estimate:
    """The mean of independent samples between 0 and 1.

    Student's interval, with one sample of 0 and one of 1 added. They hardly matter among many, and
    among few they keep us from being certain when all samples happen to be equal.
    """
    if not samples:
        raise ValueError("nothing was measured")
    count = len(samples) + 2
    mean = (fsum(samples) + 1) / count
    spread = fsum([(sample - mean) ** 2 for sample in samples]) + mean**2 + (1 - mean) ** 2
    error = student(count - 1) * sqrt(spread / (count - 1) / count)
    return Estimate(fsum(samples) / len(samples), max(0.0, mean - error), min(1.0, mean + error))


def student(freedom: int) -> float:
    """The two-sided 95 % point of Student's distribution, by its expansion around the normal one."""
    z, n = _NORMAL, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )
