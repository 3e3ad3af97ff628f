"""An interval that says 95 % has to hold the truth about that often."""

import random

import pytest

from phaseten.arena.intervals import interval, student


@pytest.mark.parametrize(
    ("freedom", "table"),
    [(3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980), (10**6, 1.960)],
)
def test_students_distribution(freedom: int, table: float) -> None:
    assert student(freedom) == pytest.approx(table, rel=0.02)
    if freedom > 4:
        assert student(freedom) == pytest.approx(table, abs=0.004)


# How often a deal of two games is lost twice, shared, and won twice.
DISTRIBUTIONS = [
    (0.10, 0.60, 0.30),
    (0.25, 0.00, 0.75),
    (0.20, 0.60, 0.20),
    (0.00, 0.02, 0.98),
    (0.02, 0.00, 0.98),
    (0.01, 0.98, 0.01),
    (0.02, 0.16, 0.82),
]


@pytest.mark.parametrize("weights", DISTRIBUTIONS)
@pytest.mark.parametrize("deals", [5, 20, 100])
def test_the_truth_is_inside_often_enough(weights: tuple[float, ...], deals: int) -> None:
    chance = random.Random(1)
    truth = weights[1] / 2 + weights[2]
    inside = 0
    for _ in range(800):
        estimate = interval(chance.choices((0.0, 0.5, 1.0), weights, k=deals))
        inside += estimate.low <= truth <= estimate.high
    assert inside / 800 > 0.925


def test_it_is_no_wider_than_it_must_be() -> None:
    """Among many samples it is the plain interval of statistics: 1.96 standard errors."""
    samples = [0.0, 0.5, 1.0, 0.5] * 500
    estimate = interval(samples)
    assert estimate.value == 0.5
    assert estimate.error == pytest.approx(1.96 * (0.125 / 2000) ** 0.5, rel=0.005)


@pytest.mark.parametrize("count", [1, 2, 10, 1000, 100_000])
@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_never_certain_and_never_outside(value: float, count: int) -> None:
    estimate = interval([value] * count)
    assert estimate.value == value
    assert 0 <= estimate.low <= value <= estimate.high <= 1
    assert estimate.high - estimate.low > 0.5 / count


def test_nothing_measured() -> None:
    with pytest.raises(ValueError, match="nothing was measured"):
        interval([])
