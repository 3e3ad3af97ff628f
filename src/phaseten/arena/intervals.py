"""How sure a measured figure is.

>>> estimate_mean([1.0, 0.5, 0.5, 1.0, 0.0, 1.0, 0.5, 1.0])
Estimate(value=0.6875, low=0.3555..., high=0.9444...)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, fsum, pi, sin, sqrt, tan
from statistics import NormalDist
from typing import Final, NamedTuple

CONFIDENCE: Final = 0.95
_NORMAL: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_MANY: Final = 100
"""From so many degrees of freedom on, the expansion has all the digits that matter."""


class Estimate(NamedTuple):
    """A measured figure, and between which ends the true one lies with 95 % confidence."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def scaled(self, factor: float) -> Estimate:
        """The same in another unit."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


def estimate_mean(samples: Sequence[float]) -> Estimate:
    """The mean of independent samples between 0 and 1.

    Student's interval, with one sample of 0 and one of 1 added. They hardly matter among many, and
    among few they keep us from being certain when all samples happen to be equal.
    """
    if not samples:
        raise ValueError("nothing was measured")
    count = len(samples) + 2
    mean = (fsum(samples) + 1) / count
    spread = fsum([(sample - mean) ** 2 for sample in samples]) + mean**2 + (1 - mean) ** 2
    error = student_quantile(count - 1) * sqrt(spread / (count - 1) / count)
    return Estimate(fsum(samples) / len(samples), max(0.0, mean - error), min(1.0, mean + error))


@dataclass(slots=True)
class Ratio:
    """The sums over games from which the ratio of two totals follows, and its error.

    The error is that of the delta method: it follows from how the games scatter around the ratio.
    """

    games: int = 0
    above: int = 0
    below: int = 0
    above_squared: int = 0
    below_squared: int = 0
    product: int = 0

    def add(self, above: int, below: int) -> None:
        """Count one game."""
        self.games += 1
        self.above += above
        self.below += below
        self.above_squared += above * above
        self.below_squared += below * below
        self.product += above * below

    def merge(self, other: Ratio) -> None:
        """Count the games of another part."""
        self.games += other.games
        self.above += other.above
        self.below += other.below
        self.above_squared += other.above_squared
        self.below_squared += other.below_squared
        self.product += other.product

    @property
    def value(self) -> float:
        return self.above / self.below

    @property
    def deviation(self) -> float:
        """The standard error of the value."""
        # In whole numbers until the last step: differences of large squares lose digits.
        scatter = (
            self.above_squared * self.below**2
            - 2 * self.product * self.above * self.below
            + self.below_squared * self.above**2
        )
        return sqrt(scatter * self.games / (self.games - 1)) / self.below**2

    def mean(self) -> Estimate:
        """The ratio as a mean: an interval that is as wide on both sides."""
        reach = student_quantile(self.games - 1) * self.deviation
        value = self.value
        return Estimate(value, value - reach, value + reach)

    def share(self) -> Estimate:
        """The ratio as a share: Wilson's interval, for as many independent tries as it is worth."""
        value, deviation = self.value, self.deviation
        tries = value * (1 - value) / deviation**2 if deviation else self.games
        square = student_quantile(self.games - 1) ** 2 / tries
        middle = (value + square / 2) / (1 + square)
        reach = sqrt(value * (1 - value) * square + square**2 / 4) / (1 + square)
        low, high = min(value, middle - reach), max(value, middle + reach)
        return Estimate(value, max(0.0, low), min(1.0, high))


@cache
def student_quantile(freedom: int) -> float:
    """The two-sided 95 % point of Student's distribution."""
    if freedom < 1:
        raise ValueError("Student's distribution begins with one degree of freedom")
    return _exact_quantile(freedom) if freedom < _MANY else _expanded_quantile(freedom)


def _exact_quantile(freedom: int) -> float:
    low, high = 0.0, pi / 2
    while low < (middle := (low + high) / 2) < high:
        if _probability_within(middle, freedom) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return sqrt(freedom) * tan(middle)


def _probability_within(angle: float, freedom: int) -> float:
    """How likely |t| is below √freedom · tan(angle): a finite sum, for whole degrees of freedom."""
    square = cos(angle) ** 2
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + odd, freedom, 2):
        term *= (k - 1) / k * square
        total += term
    total *= sin(angle)
    return 2 / pi * (angle + total) if odd else total


def _expanded_quantile(freedom: int) -> float:
    """By its expansion around the normal distribution: ten digits are right from 100 on."""
    z, n = _NORMAL, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
