"""The sequential test: how often it errs, and that it does not matter in which order deals end."""

import random
from collections import Counter
from math import log

import pytest

from phaseten.arena.sequential import (
    Hypotheses,
    HypothesesError,
    SequentialTest,
    compare_likelihoods,
    parse_hypotheses,
    share_of_elo,
)
from tests.arena.made_up import a_match, row
from tests.effort import LONG


def test_what_is_written() -> None:
    assert parse_hypotheses(["won0=50", "won1=53%"]) == Hypotheses(0.5, 0.53)
    assert parse_hypotheses(["won1=60,alpha=0.01", "beta=0.1"]) == Hypotheses(0.5, 0.6, 0.01, 0.1)
    found = parse_hypotheses(["elo0=0", "elo1=400"])
    assert (found.won0, found.won1) == (0.5, pytest.approx(10 / 11))
    assert (found.lower, found.upper) == (log(0.05 / 0.95), log(0.95 / 0.05))
    assert share_of_elo(1e9) == 1 - share_of_elo(-1e9) == 1.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sharp"], "'sharp' is no part of a test"),
        (["elo1=x"], "no number after the ="),
        (["elo0=0"], "a test needs elo1=20"),
        (["elo1=5", "won1=55"], "elo1 and won1 say the same"),
        (["won0=60", "won1=50"], "the larger one"),
        (["won1=100"], "between 0 and 100 %"),
        (["elo1=nan"], "the larger one"),
        (["elo1=10", "alpha=0.5"], "alpha and beta lie between 0 and 0.5"),
    ],
)
def test_what_is_no_test(words: list[str], said: str) -> None:
    with pytest.raises(HypothesesError, match=said):
        parse_hypotheses(words)


def test_single_games_give_the_ratio_of_the_textbook() -> None:
    """With two results only, the likelihoods need no fitting: they are binomial."""
    for won, lost in ((7, 3), (40, 60), (123, 4)):
        ratio = compare_likelihoods({1.0: won, 0.0: lost}, 0.5, 0.6)
        assert ratio == pytest.approx(won * log(0.6 / 0.5) + lost * log(0.4 / 0.5))


def test_hypotheses_on_both_sides_of_the_mean_are_equally_likely() -> None:
    counts = {0.0: 30, 0.5: 50, 1.0: 30}
    assert compare_likelihoods(counts, 0.45, 0.55) == pytest.approx(0, abs=1e-9)
    assert compare_likelihoods(counts, 0.5, 0.55) < 0
    assert compare_likelihoods(counts, 0.4, 0.5) > 0


def test_many_deals_agree_with_the_normal_approximation() -> None:
    counts = {0.0: 2000, 0.5: 5200, 1.0: 2800}
    deals = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / deals
    variance = sum((value - mean) ** 2 * count for value, count in counts.items()) / deals
    expected = deals * (0.54 - 0.52) * (2 * mean - 0.52 - 0.54) / (2 * variance)
    assert compare_likelihoods(counts, 0.52, 0.54) == pytest.approx(expected, rel=0.02)


def finish(test: SequentialTest, weights: tuple[float, ...], chance: random.Random) -> str:
    """Run the test on deals that are lost, shared and won so often."""
    results = [k / (len(weights) - 1) for k in range(len(weights))]
    for _ in range(100_000):
        test.add(chance.choices(results, weights)[0])
        if test.accepted is not None:
            return test.accepted
    raise AssertionError("it never ends")


# The share won is 50 and 60 percent, with deals that scatter little or much.
@pytest.mark.parametrize(
    ("weights", "truth"),
    [
        ((0.10, 0.80, 0.10), "won0"),
        ((0.30, 0.40, 0.30), "won0"),
        ((0.05, 0.70, 0.25), "won1"),
        ((0.20, 0.40, 0.40), "won1"),
    ],
)
def test_it_errs_as_seldom_as_was_asked_for(weights: tuple[float, ...], truth: str) -> None:
    chance = random.Random(20)
    hypotheses = Hypotheses(0.5, 0.6)
    runs = 400 if LONG else 50
    answers = Counter(finish(SequentialTest(hypotheses), weights, chance) for _ in range(runs))
    wrong = runs - answers[truth]
    assert wrong <= 0.05 * runs + 3 * (0.05 * 0.95 * runs) ** 0.5  # three deviations


def test_in_the_middle_it_takes_longer_and_may_go_either_way() -> None:
    chance = random.Random(3)
    lengths: dict[str, list[int]] = {"clear": [], "middle": []}
    answers = Counter[str]()
    for name, weights in (("clear", (0.1, 0.5, 0.4)), ("middle", (0.2, 0.5, 0.3))):
        for _ in range(60):
            test = SequentialTest(Hypotheses(0.5, 0.6))
            answer = finish(test, weights, chance)
            lengths[name].append(test.deals)
            answers[answer] += name == "middle"
    assert sum(lengths["middle"]) > sum(lengths["clear"])
    assert min(answers.values()) > 10


def test_nothing_counts_after_the_end() -> None:
    test = SequentialTest(Hypotheses(0.5, 0.6))
    while test.accepted is None:
        test.add(1.0)
    deals, ratio = test.deals, test.ratio
    test.add(0.0)
    assert (test.deals, test.ratio, test.accepted) == (deals, ratio, "won1")


def test_deals_count_in_their_order_and_not_beyond_a_gap() -> None:
    match = a_match(2, "a", "b")
    games = [
        row(match, deal, seating, match.seatings[seating].index(0) + 1)
        for deal in range(30)
        for seating in range(2)
    ]
    rows = {game.key: game for game in games}
    test = SequentialTest(Hypotheses(0.5, 0.6), len(match.seatings))
    gap = {key: game for key, game in rows.items() if key[3] != 5}
    test.advance(match, gap, 30)
    assert test.deals == 5
    test.advance(match, rows, 12)
    assert (test.deals, test.accepted) == (12, None)
    test.advance(match, rows, 30)
    assert (test.deals, test.accepted) == (17, "won1")
