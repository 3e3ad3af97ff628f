import random
from itertools import pairwise

import pytest

from phaseten.arena.entrants import parse_entrants
from phaseten.arena.gameplay import GameTerms
from phaseten.arena.matches import match_pairs
from phaseten.arena.ratings import rate
from phaseten.arena.results import GameRow
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules
from tests.arena.made_up import FAULT, a_match, row


def a_league(seed: int) -> list[GameRow]:
    """Four bots, each of which beats the next one in three games of four."""
    chance = random.Random(seed)
    bots = parse_entrants([f"{name}=sharp" for name in "abcd"])
    games: list[GameRow] = []
    for match in match_pairs([GameTerms(Rules(edition("classic")), 2, 1)], bots):
        odds = 3 ** ("abcd".index(match.names[1]) - "abcd".index(match.names[0]))
        for deal in range(150):
            for seating in (0, 1):
                first_wins = chance.random() < odds / (1 + odds)
                games.append(row(match, deal, seating, 1 + (first_wins == (seating == 1))))
    return games


def test_ratings_put_bots_in_order() -> None:
    ratings = rate(a_league(1))
    assert [rating.bot for rating in ratings] == ["a", "b", "c", "d"]
    gaps = [one.mean - other.mean for one, other in pairwise(ratings)]
    assert min(gaps) > 3
    assert max(gaps) < 2 * min(gaps)  # they are equally far apart
    assert all(rating.deviation < 2 for rating in ratings)
    assert all(rating.safe == rating.mean - 3 * rating.deviation for rating in ratings)


def test_the_order_of_games_does_not_matter() -> None:
    games = a_league(2)
    shuffled = list(games)
    random.Random(5).shuffle(shuffled)
    assert rate(games) == rate(shuffled)


def test_equal_bots_are_rated_equally() -> None:
    match = a_match(2, "a", "b")
    games = [row(match, deal, seating, 1) for deal in range(200) for seating in (0, 1)]
    one, other = rate(games)
    assert abs(one.mean - other.mean) < 1
    assert one.mean + other.mean == pytest.approx(50, abs=0.5)


def test_forfeits_and_games_without_an_end_are_rated_too() -> None:
    match = a_match(3, "a", "b", "c")
    games = [row(match, deal, 0, None, FAULT) for deal in range(30)]  # b in seat 2 is late
    ratings = rate(games)
    assert [rating.bot for rating in ratings][-1] == "b"
    assert ratings[0].mean == pytest.approx(ratings[1].mean, abs=0.5)
    even = rate([row(match, deal, 0, None) for deal in range(30)])
    assert max(r.mean for r in even) - min(r.mean for r in even) < 1
    assert rate([]) == []
