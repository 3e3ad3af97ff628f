"""Shares and verdicts, from games that are made up."""

import pytest

from phaseten.arena.intervals import estimate_mean
from phaseten.arena.standings import compute_standing, divide_win, observe_behaviour
from tests.arena.made_up import FAULT, a_match, row, stand


def test_a_deal_is_one_sample() -> None:
    match = a_match(2, "a", "b")
    winners = [(1, 2), (1, 1), (1, 2), (2, 2)]  # a wins both, shares, wins both, shares
    games = [
        row(match, deal, seating, winner)
        for deal, both in enumerate(winners)
        for seating, winner in enumerate(both)
    ]
    found = stand(match, games)
    assert (found.games, found.deals, found.fair) == (8, 4, 0.5)
    assert [share.bot for share in found.shares] == ["a", "b"]
    assert found.shares[0].estimate == estimate_mean([1.0, 0.5, 1.0, 0.5])
    assert found.shares[1].estimate == estimate_mean([0.0, 0.5, 0.0, 0.5])
    assert found.verdict == "no difference found between a and b: 75.0 % ± 38.1"


def test_only_complete_deals_count() -> None:
    match = a_match(2, "a", "b")
    games = [row(match, 0, 0, 1), row(match, 0, 1, 2), row(match, 1, 0, 2)]
    assert stand(match, games).games == 2
    assert compute_standing(match, {game.key: game for game in games[2:]}, 10) is None
    more = [row(match, deal, seating, 1) for deal in range(9) for seating in (0, 1)]
    assert stand(match, more, deals=4).games == 8


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_seat_that_always_wins_favours_nobody(players: int) -> None:
    """Whatever sitting somewhere is worth, it cancels: the share of both is exactly one half."""
    match = a_match(players, "a", "b")
    for lucky in range(1, players + 1):
        games = [row(match, 0, seating, lucky) for seating in range(len(match.seatings))]
        assert [share.estimate.value for share in stand(match, games).shares] == [0.5, 0.5]


def test_verdicts() -> None:
    match = a_match(2, "a", "b")
    strong = [row(match, deal, seating, 1 + seating) for deal in range(20) for seating in (0, 1)]
    assert stand(match, strong).verdict.startswith("a is stronger than b: 100.0 % ± ")
    weak = [row(match, deal, seating, 2 - seating) for deal in range(20) for seating in (0, 1)]
    assert stand(match, weak).verdict.startswith("b is stronger than a: 100.0 % ± ")


def test_all_at_one_table() -> None:
    match = a_match(3, "a", "b", "c")
    games = [
        row(match, deal, seating, match.seatings[seating].index(0) + 1)
        for deal in range(20)
        for seating in range(3)
    ]
    found = stand(match, games)
    assert found.fair == pytest.approx(1 / 3)
    assert [share.estimate.value for share in found.shares] == [1.0, 0.0, 0.0]
    assert found.verdict.startswith("a is the strongest: 100.0 %")
    close = [row(match, deal, seating, 1) for deal in range(20) for seating in range(3)]
    assert "too close to call" in stand(match, close).verdict


def test_who_gets_the_win() -> None:
    pair = a_match(4, "a", "b")  # a b a b
    assert divide_win(row(pair, 0, 0, 3)) == {"a": 1.0}
    assert divide_win(row(pair, 0, 0, None)) == {"a": 0.5, "b": 0.5}
    assert divide_win(row(pair, 0, 0, None, FAULT)) == {"a": 1.0}
    three = a_match(3, "a", "b", "c")
    assert divide_win(row(three, 0, 0, None, FAULT)) == {"a": 0.5, "c": 0.5}
    odd = a_match(3, "a", "b")  # a b a
    assert divide_win(row(odd, 0, 0, None)) == {"a": 2 / 3, "b": 1 / 3}


def test_odd_ends_are_counted() -> None:
    match = a_match(2, "a", "b")
    games = [
        row(match, 0, 0, None),
        row(match, 0, 1, None, FAULT),
        row(match, 1, 0, 1),
        row(match, 1, 1, 1),
    ]
    found = stand(match, games)
    assert (found.given_up, found.forfeits) == (1, 1)
    assert found.shares[0].estimate.value == (0.5 + 0.0 + 1.0 + 0.0) / 4
    assert found.shares[1].estimate.value == (0.5 + 1.0 + 0.0 + 1.0) / 4


def test_behaviour() -> None:
    match = a_match(4, "a", "b")
    games = [row(match, 0, 0, 1), row(match, 0, 1, None, FAULT)]
    a, b = (observe_behaviour(name, games) for name in ("a", "b"))
    assert (a.games, a.decisions, a.seconds, a.milliseconds) == (2, 400, 2.0, 5.0)
    assert len(a.faults) == 1  # in the second seating, a sits in seat 2
    assert b.faults == ()
    assert observe_behaviour("nobody", games).milliseconds == 0.0
