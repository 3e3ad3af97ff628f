"""The figures, against games counted by hand, against the law of merging, and against the truth."""

from __future__ import annotations

import itertools
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseten.arena.gameplay import GameResult, GameTerms, play_game
from phaseten.arena.statistics import (
    LAID_ON,
    MADE,
    MADE_BY_WILDS,
    OUT_BY_WILDS,
    TOPICS,
    Definition,
    GameStatistics,
    collect,
)
from phaseten.arena.tally import HandResult
from phaseten.bots.ladder import make_bot
from phaseten.kernel.simulation import simulate
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules

FIGURES = {each.name: each for topic in TOPICS.values() for each in topic}


def hand(**changes: object) -> HandResult:
    """Two seats; seat 2 begins, lays Phase 1 on its third turn and goes out at once."""
    usual = HandResult(
        first=2,
        out=2,
        turns=(2, 3),
        points=(40, 0),
        made=(0, 1),
        aimed=(1, 1),
        laid_on=(0, 3),
        wilds=(0, 2),
        skips=(0, 1),
        lost_turns=(1, 0),
        tiebreak=False,
    )
    return usual._replace(**changes)


def game(*hands: HandResult, winner: int | None = 2, actions: int = 30) -> GameResult:
    totals = tuple(map(sum, zip(*(each.points for each in hands), strict=True)))
    return GameResult(winner, totals, hands, actions, (actions, 0), (0.0, 0.0))


SECOND = hand(
    first=1,
    out=1,
    turns=(5, 4),
    points=(0, 10),
    made=(1, 2),
    aimed=(1, 2),
    laid_on=(2, 4),
    wilds=(1, 1),
    skips=(0, 0),
    lost_turns=(0, 0),
)
GAMES = [
    game(hand(), SECOND),
    game(hand(), actions=50),
    game(hand(), SECOND, SECOND._replace(tiebreak=True), winner=1, actions=70),
]


BY_HAND = {
    "hands": (2 + 1 + 3) / 3,
    "decisions": (30 + 50 + 70) / 3,
    "winner_points": (10 + 0 + 40) / 3,
    "tie_breaks": 1 / 3,
    # Five hands count: three like the first, two like the second.
    "turns": (3 * 5 + 2 * 9) / 10,
    "points": (3 * 40 + 2 * 10) / 10,
    "caught_points": (3 * 40 + 2 * 10) / 5,
    "phases_made": (3 * 1 + 2 * 2) / 10,
    "alone": 3 / 5,
    "at_once": 3 / 5,
    "stood_still": 0,
    "first_out": 1 - 1 / 2,
    "first_wins": 2 / 3 - 1 / 2,
    "skips_used": 3 / 5,
    "turns_lost": 3 / 5,
    "made_losing": 0,
    "made_keeping": 1,
    "out_losing": 0,
    "out_keeping": 5 / 7,
    # In three of five hands one seat alone has most; it goes out every time.
    "wilds_decide": 3 / 5 * (1 - 1 / 2),
    "skips_decide": 3 / 5 * (1 - 1 / 2),
    "losses_decide": 3 / 5 * (0 - 1 / 2),
    "wilds": (3 * 2 + 2 * 2) / 10,
    # Seat 2 gets the most Wilds in every game and wins two of three.
    "wilds_decide_games": 2 / 3 - 1 / 2,
}


def sample(counted: GameStatistics, what: Definition, index: int = 0) -> tuple[int, int]:
    """What the figure is divided by, and how many games it is from."""
    ratio = counted.ratios[what.name, index]
    return ratio.below, ratio.games


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_by_hand(name: str) -> None:
    figure = collect(2, GAMES).figure(FIGURES[name])
    assert figure is not None
    assert figure.value == pytest.approx(BY_HAND[name])
    assert figure.low <= figure.value <= figure.high


def test_phases_and_wilds_by_hand() -> None:
    counted = collect(2, GAMES)
    assert counted.phases == (1, 2)
    first, second = counted.figure(MADE, 1), counted.figure(MADE, 2)
    assert first is not None
    assert second is not None
    # Phase 1: seat 1 tries in all five hands, seat 2 in three; made twice and three times.
    assert (first.value, *sample(counted, MADE, 1)) == (5 / 8, 8, 3)
    assert (second.value, *sample(counted, MADE, 2)) == (1, 2, 2)
    turn = counted.figure(LAID_ON, 1)
    assert turn is not None
    assert turn.value == pytest.approx((3 * 3 + 2 * 2) / 5)
    assert counted.quartiles(1) == (2, 3, 3)
    assert counted.quartiles(3) is None
    by_wilds = [counted.figure(MADE_BY_WILDS, wilds) for wilds in range(4)]
    assert [figure and figure.value for figure in by_wilds] == [0, 1, 1, None]
    assert [sample(counted, MADE_BY_WILDS, wilds)[0] for wilds in range(3)] == [3, 4, 3]
    out = counted.figure(OUT_BY_WILDS, 1)
    assert out is not None
    assert out.value == 0.5


def test_many_wilds_are_counted_together() -> None:
    counted = collect(2, [game(hand(wilds=(4, 7)))] * 2)
    assert sample(counted, MADE_BY_WILDS, 4) == (4, 2)


def test_a_phase_that_is_chosen_has_no_attempts() -> None:
    counted = collect(2, [game(hand(aimed=(0, 0)))] * 2)
    assert counted.figure(MADE, 1) is None
    assert counted.figure(LAID_ON, 1) is not None
    assert counted.phases == (1,)


def test_games_given_up_count_for_nothing_else() -> None:
    counted = collect(2, [*GAMES, game(hand(), winner=None)])
    assert (counted.given_up, counted.games) == (1, 3)
    hands = counted.figure(FIGURES["hands"])
    assert hands == collect(2, GAMES).figure(FIGURES["hands"])


def test_hands_that_stood_still_by_hand() -> None:
    counted = collect(2, [*GAMES, game(hand(out=0, made=(0, 0), laid_on=(0, 0)), hand(), hand())])
    figure = counted.figure(FIGURES["stood_still"])
    assert figure is not None
    assert (figure.value, *sample(counted, FIGURES["stood_still"])) == (1 / 8, 8, 4)


def test_one_game_has_no_error_and_so_no_figure() -> None:
    assert collect(2, GAMES[:1]).figure(FIGURES["hands"]) is None
    assert GameStatistics(2).figure(FIGURES["hands"]) is None


# ── parts ─────────────────────────────────────────────────────────────────────────────────────


@st.composite
def results(draw: st.DrawFn) -> GameResult:
    small = st.integers(0, 6)
    three = st.tuples(small, small, small)
    seat = st.integers(1, 3)
    hands = draw(
        st.lists(
            st.builds(HandResult, seat, seat, *([three] * 8), st.booleans()),
            min_size=1,
            max_size=4,
        )
    )
    winner = draw(st.none() | seat)
    return GameResult(winner, draw(three), tuple(hands), draw(small), (0, 0, 0), (0.0, 0.0, 0.0))


@given(st.lists(results(), max_size=12), st.lists(st.integers(0, 12), max_size=3), st.randoms())
def test_parts_add_up_to_the_whole(
    games: list[GameResult], cuts: list[int], dice: random.Random
) -> None:
    edges = sorted([0, len(games), *(min(cut, len(games)) for cut in cuts)])
    parts = [collect(3, games[start:end]) for start, end in itertools.pairwise(edges)]
    dice.shuffle(parts)
    total = GameStatistics(3)
    for part in parts:
        total.merge(pickle.loads(pickle.dumps(part)))
    assert total == collect(3, games)


# ── real games ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "players"), [("classic", 2), pytest.param("anniversary", 4, marks=pytest.mark.long)]
)
def test_the_figures_agree_with_the_counters_of_the_kernel(name: str, players: int) -> None:
    """The kernel deals other cards and counts on its own: twice the error bar must hold both."""
    table = GameTerms(Rules(edition(name)), players, seed=3)
    bots = [make_bot("casual")] * players
    mine = collect(players, (play_game(table, bots, deal) for deal in range(150)))
    theirs = simulate(name, players, games=4_000, policies="casual", seed=5, threads=1)
    assert not theirs.unfinished  # their turns would be counted, their hands would not
    expected = {
        "hands": theirs.hands / theirs.games,
        "turns": theirs.turns / theirs.hands / players,
        "points": theirs.points / theirs.hands / players,
        "phases_made": sum(theirs.made) / theirs.hands / players,
        "first_wins": theirs.first_player_wins / theirs.games - 1 / players,
    }
    for figure_name, value in expected.items():
        figure = mine.figure(FIGURES[figure_name])
        assert figure is not None
        assert abs(figure.value - value) <= 2 * figure.error, figure_name
