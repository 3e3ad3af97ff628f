from collections import Counter

import pytest

from phaseten.arena.entrants import parse_entrants
from phaseten.arena.gameplay import GameTerms
from phaseten.arena.matches import Match, alternate_seats, match_all, match_pairs
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules


def tables(*players: int) -> list[GameTerms]:
    return [GameTerms(Rules(edition("classic")), count, 1) for count in players]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_pair_shares_every_seat(players: int) -> None:
    seatings = alternate_seats(players)
    assert len(set(seatings)) == len(seatings)
    for seat in range(players):
        assert Counter(seating[seat] for seating in seatings) == {
            0: len(seatings) // 2,
            1: len(seatings) // 2,
        }
    for seating in seatings:  # as even as can be, and no bot has its own neighbours twice
        assert abs(Counter(seating)[0] - Counter(seating)[1]) == players % 2
        assert tuple(1 - bot for bot in seating) in seatings


def test_everybody_meets_everybody_else_once_at_each_table() -> None:
    bots = parse_entrants(["sharp", "casual", "rookie"])
    matches = match_pairs(tables(2, 4), bots)
    assert [match.key for match in matches] == [
        ("classic", players, names)
        for players in (2, 4)
        for names in ("sharp - casual", "sharp - rookie", "casual - rookie")
    ]


def test_free_for_all() -> None:
    [match] = match_all(tables(3), parse_entrants(["sharp", "casual", "rookie"]))
    assert match.seatings == ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    assert match.names == ("sharp", "casual", "rookie")


@pytest.mark.parametrize(("games", "deals"), [(1, 1), (2, 1), (3, 2), (400, 200)])
def test_whole_deals(games: int, deals: int) -> None:
    match: Match = match_pairs(tables(2), parse_entrants(["sharp", "casual"]))[0]
    assert match.deals(games) == deals
