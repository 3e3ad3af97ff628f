"""H-DEAD in both engines: hands that stand still end, in every edition and with every number."""

from __future__ import annotations

import numpy as np
import pytest

from phaseten.kernel import Batch, Game, planes, simulate
from phaseten.rules.actions import Action, Discard
from phaseten.rules.cards import SKIP
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.events import Event, GameWon, HandDealt, HandScored
from phaseten.rules.options import Rules, Variant
from phaseten.rules.referee import QUIET_TURNS
from tests.kernel.twins import RARE, Table, Twins, make_edition, play, wait


def waiting(table: Table) -> Twins:
    """A game of players who never lay."""
    twins = Twins(table)
    twins.choosers = [wait] * table.seats
    return twins


def scored(events: tuple[Event, ...]) -> HandScored | None:
    return next((event for event in events if isinstance(event, HandScored)), None)


def until_it_is_over(twins: Twins, most: int = 100) -> tuple[int, HandScored]:
    """How many turns were played to the end of the hand, and that end."""
    turns = 0
    for _ in range(most):
        board = twins.state.board
        assert board is not None
        turns += board.step == "draw"
        end = scored(twins.act())
        if end is not None:
            return turns, end
    raise AssertionError("the hand does not end")


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_every_edition_with_every_number_of_players(name: str, players: int) -> None:
    for seed in range(3):
        twins = waiting(Table(Rules(edition(name)), players, seed))
        twins.set_quiet(QUIET_TURNS * players - 4)
        turns, end = until_it_is_over(twins)
        assert (turns, end.out) == (4, None)
        assert all(points for _, points in end.points)
        twins.act()
        assert twins.game.hand == 2


def test_a_whole_hand_is_counted() -> None:
    twins = waiting(Table(Rules(edition("express")), 2, 3))
    assert until_it_is_over(twins, 300)[0] == 2 * QUIET_TURNS


def test_laying_and_hitting_count_from_the_start() -> None:
    laid = 0
    for seed in range(12):
        table = Table(Rules(make_edition(phases="set 2, set 2", deal=5)), 2, seed)
        twins = Twins(table)
        for _ in range(60):
            board = twins.state.board
            if board is None:
                break
            twins.set_quiet(min(board.quiet + 40, 2 * QUIET_TURNS - 3))
            before = board.made
            events = twins.act()
            laid += bool(twins.state.board and twins.state.board.made != before)
            assert scored(events) is None or any(twins.state.sheet.hands)
    assert laid


def _skip(*_: object) -> Action:
    return Discard(SKIP)


def test_little_cards_and_skips_in_front_of_everybody() -> None:
    """Where nothing can be drawn, turns pass without a discard, and count."""
    ended = 0
    for table in RARE[:70:3]:
        twins = waiting(table)
        twins.set_quiet(QUIET_TURNS * table.seats - 5)
        for _ in range(60):
            end = scored(twins.act())
            if end is not None and end.out is None:
                ended += 1
                break
    assert ended > 10


def test_the_skip_that_ends_a_hand_needs_no_target() -> None:
    """Both engines list it with and without one; it takes no turn."""
    found = 0
    for seed in range(30):
        twins = waiting(Table(Rules(make_edition(phases="set 5", skips=12)), 3, seed))
        twins.act()
        twins.set_quiet(3 * QUIET_TURNS)
        actions, numbers = twins.choices()
        board = twins.state.board
        assert board is not None
        if Discard(SKIP) in numbers:
            found += 1
            assert Discard(SKIP, board.turn % 3 + 1) in actions
            twins.choosers[:] = [_skip] * 3
            end = scored(twins.act())
            assert end is not None
            assert end.out is None
    assert found > 10


def test_a_tie_break_that_stands_still_is_played_again() -> None:
    again = 0
    for table in RARE[70:110]:
        for twins, events in play(table, 300):
            dealt = next((event for event in events if isinstance(event, HandDealt)), None)
            if dealt is None or not dealt.tiebreak:
                continue
            twins.choosers = [wait] * table.seats
            twins.set_quiet(QUIET_TURNS * len(dealt.players) - 2)
            _, end = until_it_is_over(twins)
            if end.out is not None:
                break
            assert twins.game.winner is None
            next_deal = twins.act()[0]
            assert isinstance(next_deal, HandDealt)
            assert next_deal.tiebreak
            assert set(next_deal.players) == set(dealt.players)
            again += 1
            break
    assert again > 3


def test_the_house_rule_lets_hands_go_on() -> None:
    rules = Rules(edition("express"), house=frozenset({"endless_hands"}))
    twins = waiting(Table(rules, 2, 1))
    twins.set_quiet(2 * QUIET_TURNS + 40)
    for _ in range(20):
        assert scored(twins.act()) is None


def test_ten_hands_end_though_nobody_goes_out() -> None:
    table = Table(Rules(edition("express"), Variant(ten_hands=True)), 2, 1)
    twins = waiting(table)
    while twins.game.winner is None and twins.game.hand < 20:
        twins.set_quiet(2 * QUIET_TURNS - 1)
        until_it_is_over(twins)
        if twins.game.winner is None:
            events = twins.act()
            assert not any(isinstance(event, GameWon) for event in events)
    assert len(twins.state.sheet.hands) >= 10
    assert twins.game.winner == twins.state.sheet.winner


def test_every_slot_of_a_batch_finishes_games() -> None:
    batch = Batch("express", players=2, games=1_024, seed=1)
    finished = np.zeros(1_024, bool)
    for _ in range(4_000):
        batch.play("casual")
        finished |= batch.terminated
    assert finished.all()


def test_simulate_gives_no_game_up() -> None:
    result = simulate("express", players=2, games=4_000, seed=1)
    assert (result.games, result.unfinished) == (4_000, 0)


def test_endless_hands_need_a_limit() -> None:
    with pytest.raises(ValueError, match="may never end: say most_actions"):
        simulate("express", 2, games=1, house=["endless_hands"])
    result = simulate("express", 2, games=5, house=["endless_hands"], most_actions=50)
    assert result.unfinished == 5


def test_an_observation_counts_the_turns() -> None:
    game = Game("express", 2, seed=1)
    last = planes("express", 2)["now"].stop - 1
    assert game.observe(1)[last] == 0
    game.step(0)
    assert game.observe(1)[last] == game.observe(2)[last] == 1
