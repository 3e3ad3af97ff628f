"""Whole games in bulk: the same whatever the number of threads, with figures that agree."""

from __future__ import annotations

import pytest

from phaseten.kernel import Game, Simulation, simulate
from phaseten.rules.editions import BOOK_EDITIONS, HOUSE_RULES, edition
from phaseten.rules.options import OptionError, Rules, parse_variant

VARIANTS = ["standard", "ten-hands", "phases=3", "even", "ten-hands,phases=5,even"]


def agrees(result: Simulation, games: int, seats: int, phases: int) -> None:
    """What must hold for any figures."""
    assert result.games + result.unfinished == games
    assert sum(result.wins) == result.games
    assert len(result.wins) == seats
    assert len(result.made) == phases
    assert 0 <= result.first_player_wins <= result.games
    assert result.hands >= result.games
    assert result.actions >= 2 * result.turns - result.hands - result.unfinished
    assert result.points >= 0
    if not result.unfinished:
        assert sum(result.made) >= result.hands  # whoever goes out has laid a Phase


@pytest.mark.parametrize("policies", ["casual", "random", ["casual", "random", "casual"]])
def test_the_number_of_threads_changes_nothing(policies: str | list[str]) -> None:
    results = {
        simulate("express", 3, games=41, policies=policies, seed=4, threads=threads)
        for threads in (1, 2, 3, 7, 100)
    }
    assert len(results) == 1
    agrees(results.pop(), 41, 3, 10)


def test_the_seed_decides() -> None:
    one, same, other = (simulate("classic", 2, games=20, seed=seed) for seed in (1, 1, 2))
    assert one == same != other
    assert simulate("classic", 2, games=20, seed=2**64 + 1) == one


def test_more_games_are_the_same_games_and_more() -> None:
    few, many = (simulate("express", 2, games=games, seed=3) for games in (30, 60))
    assert few.hands < many.hands
    assert all(a <= b for a, b in zip(few.wins, many.wins, strict=True))
    assert all(a <= b for a, b in zip(few.made, many.made, strict=True))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_every_edition_and_variation(name: str, variant: str) -> None:
    phases = len(Rules(edition(name), parse_variant(variant)).phases)
    for seats in range(2, 7):
        result = simulate(name, seats, games=12, variant=variant, seed=seats)
        agrees(result, 12, seats, phases)
        if name != "express":  # which has hands that nobody can end: all Wilds on the same number
            assert result.games == 12
        if "ten-hands" in variant and result.games == 12:
            # one further hand for those who are tied
            assert 12 * phases <= result.hands <= 12 * (phases + 1)


@pytest.mark.parametrize("rule", HOUSE_RULES)
def test_every_house_rule(rule: str) -> None:
    for policies in ("casual", "random"):
        result = simulate(
            "express", 3, games=20, policies=policies, house=[rule], seed=1, most_actions=100_000
        )
        agrees(result, 20, 3, 10)
    assert result != simulate("express", 3, games=20, policies="random", seed=1)


def test_a_seat_that_thinks_beats_one_that_does_not() -> None:
    for policies in (["casual", "random"], ["random", "casual"]):
        result = simulate("express", 2, games=200, policies=policies, seed=1)
        assert result.wins[policies.index("casual")] > 190


def test_equal_players_win_equally_often() -> None:
    result = simulate("classic", 4, games=4_000, seed=9)
    assert result.games > 3_990
    for wins in result.wins:
        assert abs(wins - result.games / 4) < 5 * (result.games * 0.25 * 0.75) ** 0.5


def test_a_game_that_takes_too_long_is_given_up() -> None:
    whole = simulate("classic", 4, games=30, seed=2)
    assert whole.unfinished == 0
    longest = simulate("classic", 4, games=30, seed=2, most_actions=whole.actions)
    assert longest == whole
    cut = simulate("classic", 4, games=30, seed=2, most_actions=100)
    assert cut.games == 0
    assert cut.unfinished == 30
    assert cut.actions == 30 * 100
    assert sum(cut.wins) == cut.first_player_wins == 0
    agrees(cut, 30, 4, 10)
    some = simulate("classic", 4, games=30, seed=2, most_actions=whole.actions // 30)
    assert 0 < some.unfinished < 30
    agrees(some, 30, 4, 10)


def test_no_games() -> None:
    agrees(simulate("classic", 2, games=0), 0, 2, 10)


def test_rules_can_be_given_as_they_are() -> None:
    rules = Rules(edition("express"), parse_variant("phases=2"))
    named = simulate("express", 3, games=10, variant="phases=2", seed=1)
    assert simulate(rules, 3, games=10, seed=1) == named
    assert Game(rules, 3).rules == rules


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="2 players need 2 policies, not 3"):
        simulate("classic", 2, games=1, policies=["casual"] * 3)
    with pytest.raises(ValueError, match="no policy 'clever'"):
        simulate("classic", 2, games=1, policies="clever")
    with pytest.raises(ValueError, match="cannot be negative"):
        simulate("classic", 2, games=-1)
    with pytest.raises(ValueError, match="cannot be negative"):
        simulate("classic", 2, games=1, most_actions=0)
    for seats in (-1, 0, 1, 7):
        with pytest.raises(OptionError):
            simulate("classic", seats, games=1)
    with pytest.raises(ValueError, match="no edition"):
        simulate("nonsense", 2, games=1)
