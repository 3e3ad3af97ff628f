"""An interval that says 95 % has to hold the truth about that often."""

import random
import statistics as textbook

import pytest

from phaseten.arena.intervals import Ratio, estimate_mean, student_quantile

# As printed in any textbook: two-sided, 95 %.
STUDENT = [
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
]


@pytest.mark.parametrize(("freedom", "printed"), list(enumerate(STUDENT, 1)))
def test_students_distribution(freedom: int, printed: float) -> None:
    assert round(student_quantile(freedom), 3) == printed


@pytest.mark.parametrize(
    ("freedom", "exact"),
    [
        (1, 12.706204736174698),
        (2, 4.302652729749464),
        (40, 2.021075390306273),
        (99, 1.984216951508564),
        (100, 1.983971518523551),
        (120, 1.979930405052777),
        (1000, 1.962339080792153),
        (10**6, 1.9599663568),
    ],
)
def test_students_distribution_to_many_digits(freedom: int, exact: float) -> None:
    assert student_quantile(freedom) == pytest.approx(exact, rel=2e-9)


def test_students_distribution_needs_a_degree_of_freedom() -> None:
    with pytest.raises(ValueError, match="one degree"):
        student_quantile(0)


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
        estimate = estimate_mean(chance.choices((0.0, 0.5, 1.0), weights, k=deals))
        inside += estimate.low <= truth <= estimate.high
    assert inside / 800 > 0.925


def test_it_is_no_wider_than_it_must_be() -> None:
    """Among many samples it is the plain interval of statistics: 1.96 standard errors."""
    samples = [0.0, 0.5, 1.0, 0.5] * 500
    estimate = estimate_mean(samples)
    assert estimate.value == 0.5
    assert estimate.error == pytest.approx(1.96 * (0.125 / 2000) ** 0.5, rel=0.005)


@pytest.mark.parametrize("count", [1, 2, 10, 1000, 100_000])
@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_never_certain_and_never_outside(value: float, count: int) -> None:
    estimate = estimate_mean([value] * count)
    assert estimate.value == value
    assert 0 <= estimate.low <= value <= estimate.high <= 1
    assert estimate.high - estimate.low > 0.5 / count


def test_nothing_measured() -> None:
    with pytest.raises(ValueError, match="nothing was measured"):
        estimate_mean([])


# ── ratios ─────────────────────────────────────────────────────────────────────────────────────


def test_the_error_of_a_plain_mean_is_that_of_the_textbook() -> None:
    values = [3, 5, 5, 9, 12, 4, 7]
    ratio = Ratio()
    for value in values:
        ratio.add(value, 1)
    deviation = textbook.stdev(values) / len(values) ** 0.5
    assert ratio.deviation == pytest.approx(deviation)
    assert ratio.mean().error == pytest.approx(2.4469 * deviation, rel=0.01)  # t with 6 degrees


def test_a_share_that_never_happened_is_not_certain() -> None:
    ratio = Ratio()
    for _ in range(100):
        ratio.add(0, 1)
    figure = ratio.share()
    assert (figure.value, figure.low) == (0, 0)
    assert 0.03 < figure.high < 0.04  # the rule of three


@pytest.mark.parametrize("chance", [0.02, 0.3, 0.5, 0.97])
@pytest.mark.parametrize("games", [40, 400])
def test_intervals_of_shares_cover_the_truth(chance: float, games: int) -> None:
    """Attempts within a game hang together: half of the games are lucky throughout."""
    dice = random.Random(f"{chance} {games}")

    def interval_covers() -> bool:
        ratio = Ratio()
        for _ in range(games):
            attempts = dice.randint(1, 6)
            luck = chance + min(chance, 1 - chance) / 2 * dice.choice((-1, 1))
            ratio.add(sum(dice.random() < luck for _ in range(attempts)), attempts)
        figure = ratio.share()
        return figure.low <= chance <= figure.high

    assert 0.92 <= sum(interval_covers() for _ in range(600)) / 600 <= 0.985


@pytest.mark.parametrize("games", [8, 30, 300])
def test_intervals_of_means_cover_the_truth(games: int) -> None:
    """Longer games have higher values: the ratio of sums is 7, the mean of ratios is not."""
    dice = random.Random(games)

    def interval_covers() -> bool:
        ratio = Ratio()
        for _ in range(games):
            cases = dice.choice((2, 4))
            # On average 2 cases at 5 each, or 4 cases at 8 each: (10 + 32) / (2 + 4) = 7.
            mean = 5 if cases == 2 else 8
            ratio.add(sum(dice.randint(mean - 4, mean + 4) for _ in range(cases)), cases)
        figure = ratio.mean()
        return figure.low <= 7 <= figure.high

    assert 0.925 <= sum(interval_covers() for _ in range(1000)) / 1000 <= 0.975
