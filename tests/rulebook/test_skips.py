"""Skips, onto the pile and in front of their target, with two players and more."""

import pytest

from phaseten.rules.actions import Discard
from phaseten.rules.cards import SKIP, parse_card
from phaseten.rules.events import CardDiscarded, HandScored, TurnLost
from phaseten.rules.state import State
from phaseten.rules.views import legal_actions, view_of
from tests.rulebook.situations import (
    ALL,
    IN_FRONT,
    ONTO_PILE,
    accept,
    board_of,
    discards,
    happens,
    held,
    refusal,
    refuse,
    situation,
    turn,
    waiting,
)

ONCE = "Seat {} was already skipped in this round. (S-ONCE-A-ROUND)"
ONE = "Seat {} already has a Skip waiting. (S-ONE-WAITING)"


def four(box: str, *holders: int) -> State:
    """Four players; the holders have a Skip, everybody has a red card; seat 1 has drawn."""
    skips = {seat: " ".join(["S"] * holders.count(seat)) for seat in range(1, 5)}
    return situation(
        box,
        players=4,
        held={seat: f"R{seat} R{seat + 4} {skips[seat]}" for seat in range(1, 5)},
        discards="G9",
        draw="Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8",
    )


# -- S-PLAY ------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
def test_s_play_the_target_loses_the_next_turn(box: str) -> None:
    """Seat 1 skips seat 3; seat 2 plays, seat 3 loses the turn, seat 4 goes on."""
    state = four(box, 1)
    assert happens(state, "-S@3") == (CardDiscarded(1, SKIP, 3),)
    after = accept(state, "-S@3")
    assert (turn(after), waiting(after), board_of(after).step) == (2, [3], "draw")
    assert happens(after, "D -R2")[1:] == (CardDiscarded(2, parse_card("R2"), None), TurnLost(3))
    later = accept(after, "D -R2")
    assert (turn(later), waiting(later), board_of(later).step) == (4, [], "draw")
    assert turn(accept(later, "D -R4")) == 1


@pytest.mark.parametrize("box", ALL)
def test_s_play_the_next_player_loses_the_turn_at_once(box: str) -> None:
    state = four(box, 1)
    assert happens(state, "-S@2") == (CardDiscarded(1, SKIP, 2), TurnLost(2))
    assert turn(accept(state, "-S@2")) == 3


@pytest.mark.parametrize("box", ALL)
def test_s_play_two_waiting_skips_in_a_row(box: str) -> None:
    """Seat 1 skips seat 4, seat 2 skips seat 3: both turns are lost, seat 1 is next."""
    state = accept(four(box, 1, 2), "-S@4")
    assert happens(state, "D -S@3")[1:] == (CardDiscarded(2, SKIP, 3), TurnLost(3), TurnLost(4))
    assert (turn(accept(state, "D -S@3")), waiting(accept(state, "D -S@3"))) == (1, [])


@pytest.mark.parametrize("box", ALL)
def test_s_play_drawn_and_played_or_kept(box: str) -> None:
    state = situation(box, players=3, held={1: "R5"}, draw="S", step="draw")
    assert waiting(accept(state, "D -S@3")) == [3]
    assert held(accept(state, "D -R5"), 1) == "S"


@pytest.mark.parametrize("box", ALL)
def test_s_play_only_a_player_of_this_hand(box: str) -> None:
    assert refusal(four(box, 1), "-S@5") == "Seat 5 does not play in this hand. (S-PLAY)"
    tied = situation(box, players=4, held={1: "S R5", 3: "R6"}, tied=(1, 3, 4))
    assert refusal(tied, "-S@2") == "Seat 2 does not play in this hand. (S-PLAY)"
    assert waiting(accept(tied, "-S@4")) == [4]


def test_s_play_only_a_skip_names_a_player() -> None:
    state = situation(held={1: "R5 S"})
    assert refusal(state, Discard(parse_card("R5"), 2)) == (
        "Only a Skip names a player: R5 does not. (S-PLAY)"
    )


# -- S-ONTO-PILE -------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ONTO_PILE)
def test_s_onto_pile_the_next_player_cannot_draw_from_it(box: str) -> None:
    after = accept(four(box, 1), "-S@3")
    assert discards(after) == "G9 S"
    assert refuse(after, "P") == "T-DRAW-SKIP"
    later = accept(after, "D -R2")
    assert discards(later) == "G9 S R2"  # a lost turn puts nothing there
    assert board_of(after).skipped_by == (0, 0, 1, 0)


# -- S-IN-FRONT --------------------------------------------------------------------------------


@pytest.mark.parametrize("box", IN_FRONT)
def test_s_in_front_the_top_discard_stays_what_it_was(box: str) -> None:
    after = accept(four(box, 1), "-S@3")
    assert (discards(after), waiting(after)) == ("G9", [3])
    assert board_of(after).skipped_by == (0, 0, 0, 0)
    later = accept(after, "P -R2")
    assert held(later, 2) == "R6 G9"
    assert (discards(later), waiting(later), turn(later)) == ("R2 S", [], 4)
    assert refuse(later, "P") == "T-DRAW-SKIP"


@pytest.mark.parametrize("box", IN_FRONT)
def test_s_in_front_of_the_next_player_moves_to_the_pile_at_once(box: str) -> None:
    after = accept(four(box, 1), "-S@2")
    assert (discards(after), waiting(after), turn(after)) == ("G9 S", [], 3)


@pytest.mark.parametrize("box", IN_FRONT)
def test_s_in_front_the_discard_pile_can_be_empty(box: str) -> None:
    state = situation(box, players=3, held={1: "S R5"}, discards="G9", step="draw")
    after = accept(state, "P -S@3")
    assert (discards(after), turn(after)) == ("", 2)
    assert refuse(after, "P") == "T-DRAW"


# -- S-ONCE-A-ROUND ----------------------------------------------------------------------------


@pytest.mark.parametrize("box", ONTO_PILE)
def test_s_once_a_round_nobody_else_may_skip_the_same_player(box: str) -> None:
    """Seat 1 skips seat 3: seats 2 and 4 may not, until the turn is back at seat 1."""
    state = accept(four(box, 1, 1, 2, 4), "-S@3")
    assert refusal(state, "D -S@3") == ONCE.format(3)
    state = accept(state, "D -R2")
    assert turn(state) == 4
    assert refusal(state, "D -S@3") == ONCE.format(3)  # though seat 3 has lost its turn already
    state = accept(state, "D -R4")
    assert board_of(state).skipped_by == (0, 0, 0, 0)
    assert waiting(accept(state, "D -S@3")) == [3]  # seat 1 may do it again


@pytest.mark.parametrize("box", ONTO_PILE)
def test_s_once_a_round_others_may_be_skipped(box: str) -> None:
    state = accept(four(box, 1, 2), "-S@3")
    assert waiting(accept(state, "D -S@1")) == [1]
    assert waiting(accept(state, "D -S@4")) == []  # seats 3 and 4 have both lost their turn
    assert turn(accept(state, "D -S@4")) == 1


@pytest.mark.parametrize("box", ONTO_PILE)
def test_s_once_a_round_a_skipped_skipper_counts_as_the_turn_coming_back(box: str) -> None:
    """Seat 1 skips seat 3, seat 2 skips seat 1; when seat 1 has lost its turn, the round is over."""
    state = accept(accept(four(box, 1, 2, 2), "-S@3"), "D -S@1")
    assert (turn(state), board_of(state).skipped_by) == (4, (2, 0, 1, 0))
    assert happens(state, "D -R4")[1:] == (CardDiscarded(4, parse_card("R4"), None), TurnLost(1))
    state = accept(state, "D -R4")
    assert (turn(state), board_of(state).skipped_by) == (2, (0, 0, 0, 0))
    assert turn(accept(state, "D -S@3")) == 4


@pytest.mark.parametrize("box", ONTO_PILE)
def test_s_once_a_round_each_skip_has_its_own_round(box: str) -> None:
    """Seat 1's round ends with its turn; the round of seat 2's Skip against seat 4 goes on."""
    state = accept(accept(four(box, 1, 2, 1), "-S@3"), "D -S@4")
    assert (turn(state), board_of(state).skipped_by) == (1, (0, 0, 0, 2))
    assert refusal(state, "D -S@4") == ONCE.format(4)
    assert waiting(accept(state, "D -S@3")) == [3]


@pytest.mark.parametrize("box", ONTO_PILE)
def test_s_once_a_round_with_three_players(box: str) -> None:
    state = situation(
        box, players=3, held={1: "S R1", 2: "S S R2", 3: "S R3"}, draw="Y1 Y2 Y3", discards="G9"
    )
    after = accept(state, "-S@3")
    assert refusal(after, "D -S@3") == ONCE.format(3)
    # Seat 2 skips seat 1: seat 3 loses, then seat 1, and the turn is back at seat 2.
    again = accept(after, "D -S@1")
    assert (turn(again), waiting(again), board_of(again).skipped_by) == (2, [], (0, 0, 0))
    assert turn(accept(again, "D -S@3")) == 1


# -- S-ONE-WAITING -----------------------------------------------------------------------------


@pytest.mark.parametrize("box", IN_FRONT)
def test_s_one_waiting_protects_until_it_is_spent(box: str) -> None:
    """Seat 1 skips seat 3; seat 2 may not; once it is spent, seat 4 may, in the same round."""
    state = accept(four(box, 1, 2, 4), "-S@3")
    assert refusal(state, "D -S@3") == ONE.format(3)
    after = accept(state, "D -R2")
    assert turn(after) == 4
    assert waiting(accept(after, "D -S@3")) == [3]


@pytest.mark.parametrize("box", IN_FRONT)
def test_s_one_waiting_others_may_be_skipped(box: str) -> None:
    state = accept(four(box, 1, 2), "-S@3")
    assert waiting(accept(state, "D -S@1")) == [1]
    assert turn(accept(state, "D -S@4")) == 1


@pytest.mark.parametrize("box", IN_FRONT)
def test_s_one_waiting_with_three_players(box: str) -> None:
    state = situation(
        box, players=3, held={1: "S R1", 2: "S R2", 3: "S R3"}, draw="Y1 Y2 Y3", discards="G9"
    )
    after = accept(state, "-S@3")
    assert refusal(after, "D -S@3") == ONE.format(3)
    assert discards(accept(after, "D -S@1")) == "G9 S S"
    assert turn(accept(after, "D -S@1")) == 2


# -- S-SELF ------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_s_self_nobody_skips_themselves(box: str, players: int) -> None:
    state = situation(box, players=players, held={1: "S R5"})
    assert refusal(state, "-S@1") == "You cannot skip yourself. (S-SELF)"


# -- S-NO-TARGET -------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
def test_s_no_target_a_skip_must_name_somebody(box: str) -> None:
    state = situation(box, players=3, held={3: "S R5"}, turn=3)
    assert refusal(state, "-S") == "Say whom you skip: seat 1, seat 2. (S-NO-TARGET)"
    assert turn(accept(state, "-S@1")) == 2


@pytest.mark.parametrize("box", ALL)
def test_s_no_target_names_only_those_who_may_be_skipped(box: str) -> None:
    state = accept(four(box, 1, 2), "-S@3")
    assert refusal(state, "D -S") == "Say whom you skip: seat 1, seat 4. (S-NO-TARGET)"
    offered = legal_actions(view_of(accept(state, "D"), 2))
    assert [a for a in offered if isinstance(a, Discard) and a.card is SKIP] == [
        Discard(SKIP, 1),
        Discard(SKIP, 4),
    ]


@pytest.mark.parametrize("box", ONTO_PILE)
def test_s_no_target_nobody_may_be_skipped(box: str) -> None:
    """Three players, both others are protected: the Skip goes to the pile without effect."""
    state = situation(box, players=3, held={1: "S S R1", 2: "S R2", 3: "S R3"}, discards="G9")
    state = accept(accept(state, "-S@2"), "D")  # seat 2 has lost its turn; seat 3 plays
    assert refusal(state, "-S@2") == ONCE.format(2)
    state = accept(state, "-S@1")  # seat 1 loses its turn, which ends the round of its Skip
    assert (turn(state), board_of(state).skipped_by) == (2, (3, 0, 0))
    assert refusal(state, "D -S@1") == ONCE.format(1)
    assert refusal(state, "D -S") == "Say whom you skip: seat 3. (S-NO-TARGET)"


@pytest.mark.parametrize("box", ALL)
def test_s_no_target_without_effect(box: str) -> None:
    front = box in IN_FRONT
    state = situation(box, players=3, held={1: "S R5"}, discards="G9", waiting=[2, 3])
    if not front:
        board = board_of(state)
        state = state._replace(board=board._replace(skipped_by=(0, 3, 2)))
    assert refuse(state, "-S@2") == ("S-ONE-WAITING" if front else "S-ONCE-A-ROUND")
    assert happens(state, "-S") == (CardDiscarded(1, SKIP, None), TurnLost(2), TurnLost(3))
    after = accept(state, "-S")
    assert turn(after) == 1
    assert discards(after) == ("G9 S S S" if front else "G9 S")
    assert Discard(SKIP, None) in legal_actions(view_of(state, 1))


@pytest.mark.parametrize("box", ALL)
@pytest.mark.parametrize(("move", "target"), [("-S", None), ("-S@2", 2)])
def test_s_no_target_a_skip_that_empties_the_hand_needs_none(
    box: str, move: str, target: int | None
) -> None:
    """R12 is hit, the Skip is the last card: the hand is over, and nobody is skipped."""
    state = situation(
        box,
        players=3,
        held={1: "R12 S", 2: "R1", 3: "R2"},
        phases={1: 2},
        table={1: ["set 2: Y12 G12", "set 2: R4 Y4"]},
    )
    assert happens(state, f"H R12>1.1 {move}")[1:] == (
        CardDiscarded(1, SKIP, target),
        HandScored(1, 1, ((1, 0), (2, 5), (3, 5)), ((1, 2),), False),
    )
    assert accept(state, f"H R12>1.1 {move}").board is None


@pytest.mark.parametrize("box", ALL)
def test_s_no_target_the_last_card_without_a_phase_down_needs_one(box: str) -> None:
    state = situation(box, players=3, held={1: "S"})
    assert refuse(state, "-S") == "S-NO-TARGET"
    assert turn(accept(state, "-S@2")) == 3


def test_s_no_target_one_card_of_two_is_not_the_last() -> None:
    state = situation(
        players=3, held={1: "S R1"}, table={1: ["set 3: R3 B3 G3", "set 3: R4 B4 G4"]}
    )
    assert refuse(state, "-S") == "S-NO-TARGET"


# -- S-TWO -------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
def test_s_two_another_turn_at_once(box: str) -> None:
    state = situation(box, held={1: "S S R4", 2: "R9"}, draw="Y1 Y2 Y3", discards="G9")
    assert happens(state, "-S@2") == (CardDiscarded(1, SKIP, 2), TurnLost(2))
    after = accept(state, "-S@2")
    assert (turn(after), board_of(after).step, waiting(after)) == (1, "draw", [])
    assert discards(after) == "G9 S"
    assert board_of(after).skipped_by == (0, 0)
    assert turn(accept(after, "D -R4")) == 2
    assert turn(accept(after, "D -S@2")) == 1  # and once more
    assert refuse(after, "D -S") == "S-NO-TARGET"
    assert held(after, 2) == "R9"
