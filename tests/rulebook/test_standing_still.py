"""H-DEAD, a hand in which nothing moves any more ends; and the house rule that lets it go on."""

import pytest

from phaseten.rules.cards import SKIP, parse_card
from phaseten.rules.events import CardDiscarded, GameTied, GameWon, HandScored, NothingDrawn
from phaseten.rules.referee import QUIET_TURNS
from phaseten.rules.state import State
from phaseten.rules.views import legal_actions, view_of
from tests.rulebook.situations import (
    ALL,
    ONTO_PILE,
    accept,
    board_of,
    dealt,
    happens,
    situation,
    table_for,
    turn,
    working_on,
)

DOWN = ["set 3: R3 Y3 G3", "set 3: R4 Y4 G4"]
LAST = {
    1: ["set 5: R8 R8 Y8 Y8 G8", "set 3: R3 Y3 G3"],
    2: ["set 5: R9 R9 Y9 Y9 G9", "set 3: R4 Y4 G4"],
}


def after_turns(state: State, turns: int) -> State:
    """The same with so many turns begun, this one included, since something was laid or hit."""
    return state._replace(board=board_of(state)._replace(quiet=turns))


def take_turns(state: State, turns: int) -> State:
    """Everybody draws and discards, again and again; a Skip only if there is nothing else."""
    for _ in range(turns):
        drawn = accept(state, "D")
        held = drawn.held[turn(drawn) - 1]
        card = next((card for card in reversed(held) if card is not SKIP), None)
        target = turn(state) % state.sheet.seats + 1
        state = accept(drawn, f"-{card}" if card else f"-S@{target}")
    return state


@pytest.mark.parametrize("players", [2, 3, 6])
def test_h_dead_fifty_turns_for_each_player_from_the_deal_on(players: int) -> None:
    state = dealt(table_for(players))
    state = take_turns(state, 50 * players - 1)
    assert board_of(state).quiet == 50 * players - 1
    over = take_turns(state, 1)
    assert over.board is None
    (scored,) = over.sheet.hands
    assert (scored.out, scored.made) == (None, ())
    assert min(dict(scored.points).values()) > 0
    assert over.sheet.totals == tuple(points for _, points in scored.points)
    assert working_on(over) == [1] * players
    assert over.sheet.winner is None


def test_h_dead_is_fifty() -> None:
    assert QUIET_TURNS == 50


@pytest.mark.parametrize("box", ALL)
def test_h_dead_everybody_scores_and_phases_are_made(box: str) -> None:
    """Seat 1 has laid and discards the R5: it still holds 25 points, seat 2 has 15."""
    state = situation(box, held={1: "R5 W", 2: "R10 R9"}, table={1: DOWN})
    assert happens(after_turns(state, 99), "-R5") == (CardDiscarded(1, parse_card("R5"), None),)
    assert happens(after_turns(state, 100), "-R5") == (
        CardDiscarded(1, parse_card("R5"), None),
        HandScored(1, None, ((1, 25), (2, 15)), ((1, 1),), False),
    )
    after = accept(after_turns(state, 100), "-R5")
    assert (after.board, after.sheet.totals, after.sheet.dealer) == (None, (25, 15), 1)
    assert working_on(after) == [2, 1]


def test_h_dead_counts_the_players_of_the_hand() -> None:
    """Three sit at the table, and two play off a tie: a hundred turns."""
    state = situation(players=3, tied=(1, 3), held={1: "R5 R6", 3: "R7"}, left={1: (), 3: ()})
    assert happens(after_turns(state, 99), "-R5") == (CardDiscarded(1, parse_card("R5"), None),)
    assert len(happens(after_turns(state, 100), "-R5")) == 2


def test_h_dead_a_lay_down_starts_the_count_anew() -> None:
    state = after_turns(situation(held={1: "R5 B5 G5 R7 B7 G7 R1 R2", 2: "R6"}), 100)
    laid = accept(state, "L R5 B5 G5 / R7 B7 G7")
    assert board_of(laid).quiet == 0
    after = accept(laid, "-R1")  # this turn is not one of those that count
    assert (turn(after), board_of(after).quiet) == (2, 0)
    assert board_of(accept(after, "D")).quiet == 1


def test_h_dead_a_hit_starts_the_count_anew() -> None:
    state = after_turns(situation(held={1: "B3 R1 R2", 2: "R6"}, table={1: DOWN}), 100)
    after = accept(state, "H B3>1.1 -R1")
    assert (turn(after), board_of(after).quiet) == (2, 0)
    over = take_turns(after, 99)
    assert board_of(over).quiet == 99
    assert take_turns(over, 1).sheet.hands[0].out is None


def test_h_dead_a_lost_turn_does_not_count() -> None:
    state = after_turns(situation(players=3, held={1: "S R1", 2: "R2", 3: "R3"}), 7)
    after = accept(state, "-S@2")  # seat 2 loses its turn at once
    assert (turn(after), board_of(after).quiet) == (3, 7)
    assert board_of(accept(after, "D")).quiet == 8


def test_h_dead_a_card_taken_from_the_discard_pile_begins_a_turn_too() -> None:
    state = after_turns(situation(step="draw", discards="R5"), 7)
    assert board_of(accept(state, "P")).quiet == 8


def test_h_dead_who_can_do_nothing_has_had_a_turn_but_ends_no_hand() -> None:
    """Nothing drawn and nothing held: the turn counts, and the next discard ends the hand."""
    state = after_turns(situation(step="draw", discards="S", rest=2), 99)
    assert happens(state, "N") == (NothingDrawn(1),)
    passed = accept(state, "N")
    assert (turn(passed), board_of(passed).quiet) == (2, 100)
    playing = accept(passed, "N")
    card = playing.held[1][0]
    assert isinstance(happens(playing, f"-{card}")[1], HandScored)


@pytest.mark.parametrize("box", ALL)
def test_h_dead_the_last_discard_does_nothing_else(box: str) -> None:
    """A Skip takes no turn: it may name somebody or nobody."""
    state = situation(box, players=3, held={1: "S R5", 2: "R6", 3: "R7"})
    assert discards_of(state) == {("R5", None), ("S", 2), ("S", 3)}
    state = after_turns(state, 150)
    scored = HandScored(1, None, ((1, 5), (2, 5), (3, 5)), (), False)
    assert happens(state, "-S@2") == (CardDiscarded(1, SKIP, 2), scored)
    assert happens(state, "-S") == (CardDiscarded(1, SKIP, None), scored)
    assert discards_of(state) == {("R5", None), ("S", None), ("S", 2), ("S", 3)}


def discards_of(state: State) -> set[tuple[str, int | None]]:
    listed = legal_actions(view_of(state, turn(state)))
    return {(action.card.text, action.target) for action in listed}  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("box", ONTO_PILE)
def test_h_dead_a_waiting_skip_is_lost_with_the_hand(box: str) -> None:
    state = situation(box, players=3, held={1: "R1 R5", 2: "R6", 3: "R7"}, waiting=[2])
    assert len(happens(after_turns(state, 150), "-R5")) == 2


def test_h_dead_who_goes_out_with_that_discard_is_out() -> None:
    state = after_turns(situation(held={1: "R5", 2: "R10"}, table={1: DOWN}), 100)
    assert happens(state, "-R5")[1] == HandScored(1, 1, ((1, 0), (2, 10)), ((1, 1),), False)


def test_h_dead_can_decide_the_game() -> None:
    """Seat 1 made the last Phase in the hand that stood still."""
    state = situation(held={1: "R5 R6", 2: "R7"}, phases={1: 10, 2: 3}, table={1: LAST[1]})
    assert happens(after_turns(state, 100), "-R5")[1:] == (
        HandScored(1, None, ((1, 5), (2, 5)), ((1, 10),), False),
        GameWon(1),
    )


def test_h_dead_can_tie_the_game() -> None:
    state = situation(held={1: "R5 R6", 2: "R7"}, phases={1: 10, 2: 10}, table=LAST)
    assert happens(after_turns(state, 100), "-R5")[2] == GameTied((1, 2))


def test_h_dead_decides_no_tie() -> None:
    """The same players play another hand, the deal passes on, and the points change nothing."""
    state = situation(
        players=3, tied=(1, 3), held={1: "R5 R6", 3: "R7"}, left={1: (), 3: ()}, table={1: LAST[1]},
        totals=(40, 70, 40), dealer=2, turn=1,
    )  # fmt: skip
    state = after_turns(state, 100)
    assert happens(state, "-R5")[1:] == (HandScored(1, None, ((1, 5), (3, 5)), ((1, 10),), True),)
    after = accept(state, "-R5").sheet
    assert (after.tied, after.winner, after.totals, after.dealer) == ((1, 3), None, (40, 70, 40), 3)
    again = dealt(accept(state, "-R5"))
    assert set(board_of(again).players) == {1, 3}
    assert board_of(again).quiet == 0


def test_h_dead_is_one_of_the_ten_hands() -> None:
    state = situation(held={1: "R5 R6", 2: "R7"}, variant="ten-hands")
    assert working_on(accept(after_turns(state, 100), "-R5")) == [2, 2]


# -- endless_hands -----------------------------------------------------------------------------


def test_endless_hands_go_on() -> None:
    state = situation(held={1: "R5 R6", 2: "R7 S"}, house=["endless_hands"])
    state = after_turns(state, 100)
    assert happens(state, "-R5") == (CardDiscarded(1, parse_card("R5"), None),)
    after = accept(state, "-R5")
    assert (turn(after), board_of(accept(after, "D")).quiet) == (2, 101)
    assert discards_of(accept(after, "D")) >= {("S", 1)}
    assert ("S", None) not in discards_of(accept(after, "D"))


def test_endless_hands_still_end_when_somebody_goes_out() -> None:
    state = situation(held={1: "R5", 2: "R7"}, table={1: DOWN}, house=["endless_hands"])
    assert happens(after_turns(state, 500), "-R5")[1] == HandScored(
        1, 1, ((1, 0), (2, 5)), ((1, 1),), False
    )
