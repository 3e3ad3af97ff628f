"""The turn: draw, lay, hit, discard."""

import pytest

from phaseten.rules.actions import DrawDeck, DrawNothing, TakeDiscard
from phaseten.rules.cards import SKIP, WILD, Card, parse_card, parse_cards, sort_cards
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DiscardTaken,
    HandScored,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    PileReshuffled,
    TurnLost,
)
from phaseten.rules.melds import Meld
from phaseten.rules.referee import decide
from phaseten.rules.state import ScoreSheet, State
from phaseten.rules.views import legal_actions, view_of
from tests.rulebook.situations import (
    ALL,
    TABLE_A,
    accept,
    backwards,
    board_of,
    discards,
    happens,
    held,
    memory_of,
    on_table,
    refusal,
    refuse,
    rules_for,
    situation,
    table_for,
    turn,
    working_on,
)

FULL = "R1 B2 Y3 G4 R5 B6 Y7 G8 R9 B10 Y11 G12"


# -- T-TURN ------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
@pytest.mark.parametrize("move", ["D", "P", "N", "L R1", "H R1>1.1", "-R1"])
def test_t_turn_only_the_player_whose_turn_it_is(box: str, move: str) -> None:
    state = accept(situation(box, players=3, held={1: "R1 R3"}, step="draw"), "D -R3")
    assert turn(state) == 2
    assert refusal(state, move, seat=1) == "It is the turn of seat 2, not of seat 1. (T-TURN)"
    assert refusal(state, move, seat=3) == "It is the turn of seat 2, not of seat 3. (T-TURN)"


def test_t_turn_not_between_hands_nor_after_the_game() -> None:
    assert refusal(table_for(2), "D") == (
        "No hand is going on: the cards have to be dealt first. (T-TURN)"
    )
    over = State(rules_for(), ScoreSheet(((), (1,)), (0, 5), winner=2))
    assert refusal(over, "D", seat=2) == "The game is over: seat 2 has won. (T-TURN)"


def test_t_turn_not_without_a_seat_in_this_hand() -> None:
    state = situation(players=4, tied=(1, 3), step="draw")
    assert refusal(state, "D", seat=2) == "Seat 2 does not play in this hand. (T-TURN)"
    assert refusal(state, "D", seat=3) == "It is the turn of seat 1, not of seat 3. (T-TURN)"
    assert refusal(state, "D", seat=7) == "Seat 7 does not play in this hand. (T-TURN)"


def test_t_turn_comes_before_everything_else() -> None:
    assert refuse(situation(step="draw"), "L S", seat=2) == "T-TURN"


# -- T-DRAW ------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
def test_t_draw_from_the_draw_pile(box: str) -> None:
    state = situation(box, held={1: "R5"}, draw="G7 Y8", discards="Y1", step="draw")
    assert happens(state, "D") == (CardDrawn(1, parse_card("G7")),)
    after = accept(state, "D")
    assert (held(after, 1), discards(after), board_of(after).step) == ("R5 G7", "Y1", "play")
    assert after.draw_pile[0] is parse_card("Y8")
    assert (board_of(after).taken, memory_of(after).known) == (None, ((), ()))


@pytest.mark.parametrize("box", ALL)
def test_t_draw_from_the_discard_pile(box: str) -> None:
    state = situation(box, held={1: "R5"}, draw="G7", discards="Y1 Y2", step="draw")
    assert happens(state, "P") == (DiscardTaken(1, parse_card("Y2")),)
    after = accept(state, "P")
    assert (held(after, 1), discards(after), board_of(after).step) == ("R5 Y2", "Y1", "play")
    assert after.draw_pile == state.draw_pile
    assert board_of(after).taken is parse_card("Y2")
    assert memory_of(after).known == ((parse_card("Y2"),), ())


@pytest.mark.parametrize("box", ALL)
@pytest.mark.parametrize("move", ["D", "P", "N"])
def test_t_draw_only_one_card(box: str, move: str) -> None:
    state = situation(box, step="draw", held={1: "R5"})
    why = "You have drawn your card for this turn: lay, hit or discard now. (T-DRAW)"
    assert refusal(state, f"D {move}") == why
    assert refusal(state, f"P {move}") == why


@pytest.mark.parametrize("box", ALL)
@pytest.mark.parametrize("move", ["-R5", "L R5", "H R5>1.1", "L S"])
def test_t_draw_comes_first(box: str, move: str) -> None:
    state = situation(box, step="draw", held={1: "R5"})
    assert refusal(state, move) == (
        "Draw a card first: from the draw pile or the discard pile. (T-DRAW)"
    )


def test_t_draw_a_card_must_be_drawn_while_one_can_be() -> None:
    why = "A card can be drawn: draw one. (T-DRAW)"
    assert refusal(situation(step="draw", discards="R1"), "N") == why
    assert refusal(situation(step="draw", discards="S"), "N") == why
    assert refusal(situation(step="draw", discards=""), "N") == why
    assert refusal(situation(step="draw", discards="R1", rest=2), "N") == why
    assert refusal(situation(step="draw", discards="R1 S", rest=2), "N") == why


def test_t_draw_nothing_lies_on_an_empty_discard_pile() -> None:
    state = situation(step="draw", discards="")
    assert refusal(state, "P") == (
        "There is no card on the discard pile: draw from the draw pile. (T-DRAW)"
    )
    assert legal_actions(view_of(state, 1)) == [DrawDeck()]


def test_t_draw_what_is_offered() -> None:
    assert legal_actions(view_of(situation(step="draw"), 1)) == [DrawDeck(), TakeDiscard()]
    assert legal_actions(view_of(situation(step="draw", discards="R1 S"), 1)) == [DrawDeck()]
    assert legal_actions(view_of(situation(step="draw"), 2)) == []


# -- T-DRAW-SKIP -------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
def test_t_draw_skip_is_never_taken(box: str) -> None:
    state = situation(box, step="draw", discards="R9 S")
    assert refusal(state, "P") == (
        "A Skip is never taken from the discard pile: draw from the draw pile. (T-DRAW-SKIP)"
    )
    assert discards(accept(state, "D")) == "R9 S"


def test_t_draw_skip_may_be_drawn_from_the_draw_pile() -> None:
    assert held(accept(situation(step="draw", draw="S"), "D"), 1) == "S"


# -- T-RESHUFFLE -------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
def test_t_reshuffle_all_but_the_top_discard(box: str) -> None:
    """R3 G9 Y2 are shuffled (here: turned over), G7 stays."""
    state = situation(box, step="draw", held={1: "R5"}, discards="R3 G9 Y2 G7", rest=2)
    assert happens(state, "D") == (
        PileReshuffled(parse_cards("Y2 G9 R3")),
        CardDrawn(1, parse_card("Y2")),
    )
    after = accept(state, "D")
    assert (held(after, 1), discards(after)) == ("R5 Y2", "G7")
    assert after.draw_pile == parse_cards("G9 R3")
    assert memory_of(after).recycled == parse_cards("R3 Y2 G9")
    assert (board_of(after).reshuffles, board_of(after).draw_count) == (1, 2)


def test_t_reshuffle_is_numbered_and_takes_the_oldest_discard_first() -> None:
    asked: list[tuple[str, int, int]] = []

    def shuffle(cards: tuple[Card, ...], hand: int, number: int) -> tuple[Card, ...]:
        asked.append((" ".join(map(str, cards)), hand, number))
        return cards

    state = situation(step="draw", discards="R3 B9 G7", rest=2, played=4)
    decide(state, 1, DrawDeck(), shuffle)
    again = state._replace(board=board_of(state)._replace(reshuffles=2))
    decide(again, 1, DrawDeck(), shuffle)
    assert asked == [("R3 B9", 5, 1), ("R3 B9", 5, 3)]


def test_t_reshuffle_only_when_the_draw_pile_is_empty() -> None:
    state = situation(step="draw", draw="R5", discards="R3 B9 G7", rest=2)
    after = accept(state, "D")
    assert (discards(after), after.draw_pile) == ("R3 B9 G7", ())
    assert happens(state, "P") == (DiscardTaken(1, parse_card("G7")),)


def test_t_reshuffle_the_top_discard_may_be_taken_instead() -> None:
    state = situation(step="draw", discards="R3 G7", rest=2)
    assert discards(accept(state, "P")) == "R3"
    assert legal_actions(view_of(state, 1)) == [DrawDeck(), TakeDiscard()]


def test_t_reshuffle_of_two_discards() -> None:
    state = situation(step="draw", discards="R3 S", rest=2)
    assert happens(state, "D") == (
        PileReshuffled(parse_cards("R3")),
        CardDrawn(1, parse_card("R3")),
    )
    assert board_of(accept(state, "D")).draw_count == 0


def test_t_reshuffle_with_the_wrong_cards_is_refused() -> None:
    state = situation(step="draw", discards="R3 B9 G7", rest=2)
    verdict = decide(state, 1, DrawDeck(), lambda *_: parse_cards("R3 G7"))
    assert str(verdict) == (
        "These are not the cards that were shuffled: too many of G7 and without B9. (T-RESHUFFLE)"
    )


@pytest.mark.parametrize("box", ALL)
def test_t_reshuffle_nothing_to_shuffle_take_the_top_discard(box: str) -> None:
    state = situation(box, step="draw", held={1: "R5"}, discards="G7", rest=2)
    assert refusal(state, "D") == (
        "No card is left to draw: you have to take the top discard. (T-RESHUFFLE)"
    )
    assert refuse(state, "N") == "T-DRAW"
    assert legal_actions(view_of(state, 1)) == [TakeDiscard()]
    after = accept(state, "P")
    assert (held(after, 1), discards(after)) == ("R5 G7", "")


@pytest.mark.parametrize("box", ALL)
@pytest.mark.parametrize("pile", ["S", ""])
def test_t_reshuffle_play_on_without_drawing(box: str, pile: str) -> None:
    """Only a Skip lies there, or nothing: neither can be drawn."""
    state = situation(box, step="draw", held={1: "R5 R6"}, discards=pile, rest=2)
    assert refusal(state, "D") == (
        "No card is left to draw and none can be shuffled in: play on without one. (T-RESHUFFLE)"
    )
    assert refuse(state, "P") == ("T-DRAW-SKIP" if pile else "T-DRAW")
    assert legal_actions(view_of(state, 1)) == [DrawNothing()]
    assert happens(state, "N") == (NothingDrawn(1),)
    after = accept(state, "N")
    assert (held(after, 1), turn(after), board_of(after).step) == ("R5 R6", 1, "play")
    assert refuse(after, "N") == "T-DRAW"
    assert turn(accept(after, "-R5")) == 2


def test_t_reshuffle_after_playing_without_a_card_the_phase_may_be_laid() -> None:
    state = situation(step="draw", held={1: "R5 B5 G5 R7 Y7 G7 R1"}, discards="S", rest=2)
    assert on_table(accept(state, "N L R5 B5 G5 / R7 Y7 G7"), 1) == ["R5 B5 G5", "R7 Y7 G7"]


def test_t_reshuffle_nothing_to_draw_and_nothing_held_passes() -> None:
    """The turn goes on; nobody has gone out, since no Phase is down."""
    state = situation(players=3, step="draw", discards="S", rest=2)
    assert happens(state, "N") == (NothingDrawn(1),)
    after = accept(state, "N")
    assert (turn(after), board_of(after).step) == (2, "draw")


def test_t_reshuffle_passing_can_lead_into_a_lost_turn() -> None:
    state = situation(players=3, step="draw", discards="S", rest=3, waiting=[2])
    assert happens(state, "N") == (NothingDrawn(1), TurnLost(2))
    assert turn(accept(state, "N")) == 3


def test_t_reshuffle_playing_on_does_not_touch_a_waiting_skip() -> None:
    """Seat 1 holds a card, so it is still on turn, though seat 2's Skip waits."""
    state = situation(players=3, step="draw", held={1: "R5"}, discards="S", rest=3, waiting=[2])
    assert happens(state, "N") == (NothingDrawn(1),)
    assert happens(accept(state, "N"), "-R5")[1:] == (TurnLost(2),)


def test_t_reshuffle_skips_in_front_are_not_shuffled() -> None:
    state = situation("express", players=3, step="draw", discards="R3 G7", rest=3, waiting=[3])
    assert happens(state, "D")[0] == PileReshuffled(parse_cards("R3"))


# -- T-LAY -------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_t_lay_three_fives_two_sevens_and_another_seven(box: str) -> None:
    state = situation(box, held={1: "R5 Y5 G5 R7 Y7 G1"}, draw="G7", step="draw")
    after = accept(state, "D L R5 Y5 G5 / R7 Y7 G7")
    assert on_table(after, 1) == ["R5 Y5 G5", "R7 Y7 G7"]
    assert (held(after, 1), board_of(after).made) == ("G1", (1, 0))


def test_t_lay_express_two_fives_a_seven_and_another_seven() -> None:
    state = situation("express", held={1: "R5 B5 Y7 R1"}, draw="G7", step="draw", phases={1: 2})
    assert on_table(accept(state, "D L R5 B5 / Y7 G7"), 1) == ["R5 B5", "Y7 G7"]


@pytest.mark.parametrize("box", ALL)
def test_t_lay_only_cards_that_are_held(box: str) -> None:
    state = situation(box, held={1: "R5 Y5 G5 R7 Y7 S"})
    assert refusal(state, "L R5 Y5 G5 / R7 Y7 G7") == "You do not hold G7. (T-LAY)"
    assert refusal(state, "L R5 R5 G5 / R7 Y7 W") == "You do not hold R5 W. (T-LAY)"
    assert refusal(state, "L W=5 W=5 G5 / R7 Y7 W=7") == "You do not hold W W W. (T-LAY)"


@pytest.mark.parametrize("box", TABLE_A)
def test_t_lay_the_whole_phase_or_nothing(box: str) -> None:
    """One set now and the other later is refused."""
    state = situation(box, held={1: "R5 Y5 G5 R7 Y7 S"})
    assert refuse(state, "L R5 Y5 G5") == "M-EXACT"
    assert refuse(state, "L R5 Y5 G5 / R7 Y7") == "M-SET"


def test_t_lay_nobody_has_to_lay() -> None:
    state = situation(held={1: "R5 Y5 G5 R7 Y7 G7 R1"})
    assert board_of(accept(state, "-R1")).made == (0, 0)


def test_t_lay_not_held_is_noticed_before_the_number_of_melds() -> None:
    assert refuse(situation(held={1: "R5"}), "L R5 Y5 G5") == "T-LAY"


def test_t_lay_a_skip_is_noticed_before_what_is_held() -> None:
    assert refuse(situation(held={1: "R5"}), "L R9 B9 S") == "W-SKIP"


# -- T-LAY-ONE ---------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
def test_t_lay_one_phase_a_hand(box: str) -> None:
    phase = 1 if box != "express" else 2
    state = situation(box, held={1: "R5 Y5 G5 R7 Y7 G7 R9 Y9 G9 R10 Y10 G10"}, phases={1: phase})
    again = accept(state, "L R5 Y5 G5 / R7 Y7 G7")
    why = "Your Phase is down already: one Phase a hand. Hit or discard. (T-LAY-ONE)"
    assert refusal(again, "L R9 Y9 G9 / R10 Y10 G10") == why
    assert refusal(again, "L2 R9 Y9 G9 / R10 Y10 G10") == why


@pytest.mark.parametrize("box", TABLE_A)
def test_t_lay_one_in_order(box: str) -> None:
    """Seat 1 works on Phase 4 and holds two sets of four, which would be Phase 7."""
    state = situation(box, held={1: "R5 R5 Y5 G5 R7 R7 Y7 G7 S"}, phases={1: 4})
    assert refuse(state, "L R5 R5 Y5 G5 / R7 R7 Y7 G7") == "M-EXACT"
    assert refusal(state, "L7 R5 R5 Y5 G5 / R7 R7 Y7 G7") == (
        "You are working on Phase 4, not on Phase 7. (T-LAY-ONE)"
    )
    assert refuse(state, "L3 R5 R5 Y5 G5 / R7 R7 Y7 G7") == "T-LAY-ONE"


def test_t_lay_one_the_own_phase_may_be_named() -> None:
    state = situation(held={1: "R5 R5 Y5 G5 R7 R7 Y7 G7 S"}, phases={1: 7})
    assert board_of(accept(state, "L7 R5 R5 Y5 G5 / R7 R7 Y7 G7")).made == (7, 0)


def test_t_lay_one_everybody_works_on_the_own_phase() -> None:
    state = situation(
        held={1: "R5 Y5 G5 R7 Y7 G7 R9 R1", 2: "R1 R2 R3 R4 R5 R6 R7 R9"}, phases={1: 1, 2: 4}
    )
    after = accept(accept(state, "L R5 Y5 G5 / R7 Y7 G7 -R9"), "D L R1 R2 R3 R4 R5 R6 R7")
    assert board_of(after).made == (1, 4)


# -- T-CREDIT ----------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_t_credit_is_earned_whoever_wins_the_hand(box: str) -> None:
    """Seat 3 has laid Phase 4, seat 1 goes out: seat 3 scores its cards and goes on to Phase 5."""
    state = situation(
        box,
        players=3,
        held={1: "R12", 2: "W", 3: "R1 R10"},
        phases={3: 4},
        table={
            1: ["set 3: R3 Y3 G3", "set 3: R9 Y9 G9"],
            3: ["run 7: R2 R3 R4 R5 R6 R7 R8"],
        },
    )
    gone, scored = happens(state, "-R12")
    assert gone == CardDiscarded(1, parse_card("R12"), None)
    assert scored == HandScored(1, 1, ((1, 0), (2, 25), (3, 15)), ((1, 1), (3, 4)), False)
    after = accept(state, "-R12")
    assert working_on(after) == [2, 1, 5]
    assert after.sheet.totals == (0, 25, 15)


# -- T-HIT -------------------------------------------------------------------------------------


def table_a(box: str, mine: str) -> State:
    """Seat 1 has Phase 2 on the table and holds these cards and a Skip; seat 2 has laid Phase 8."""
    return situation(
        box,
        held={1: f"{mine} S"},
        phases={1: 2, 2: 8},
        table={
            1: ["set 3: R4 Y4 G4", "run 4: R3 Y4 Y5 G6"],
            2: ["color 7: G1 G2 G3 G8 G9 G10 W=G"],
        },
    )


@pytest.mark.parametrize("box", TABLE_A)
def test_t_hit_one_or_more_fours_on_fours(box: str) -> None:
    state = table_a(box, "R4 G4 R9")
    event = MeldHit(
        1,
        parse_cards("R4"),
        1,
        1,
        Meld(board_of(state).melds[0][0].group, parse_cards("R4 Y4 G4 R4")),
    )
    assert happens(state, "H R4>1.1") == (event,)
    after = accept(state, "H R4>1.1 H G4>1.1")
    assert on_table(after, 1) == ["R4 Y4 G4 R4 G4", "R3 Y4 Y5 G6"]
    assert (held(after, 1), turn(after)) == ("R9 S", 1)
    assert refusal(after, "H R9>1.1") == "R9 does not fit that meld: it takes the number 4. (T-HIT)"


@pytest.mark.parametrize("box", TABLE_A)
def test_t_hit_a_two_or_a_seven_and_an_eight_on_a_run(box: str) -> None:
    state = table_a(box, "Y2 R7 R8 R5")
    assert on_table(accept(state, "H Y2>1.2"), 1)[1] == "Y2 R3 Y4 Y5 G6"
    after = accept(state, "H R7>1.2 H R8>1.2")
    assert on_table(after, 1)[1] == "R3 Y4 Y5 G6 R7 R8"
    assert refusal(state, "H R8>1.2") == "R8 does not fit that meld: it takes 2 or 7. (T-HIT)"
    assert refusal(state, "H R5>1.2") == "R5 does not fit that meld: it takes 2 or 7. (T-HIT)"


@pytest.mark.parametrize("box", TABLE_A)
def test_t_hit_green_on_seven_greens(box: str) -> None:
    state = table_a(box, "G11 G12 R1")
    assert on_table(accept(state, "H G11>2.1 H G12>2.1"), 2) == ["G1 G2 G3 G8 G9 G10 W=G G11 G12"]
    assert refusal(state, "H R1>2.1") == "R1 does not fit that meld: it takes green cards. (T-HIT)"


@pytest.mark.parametrize("box", TABLE_A)
def test_t_hit_own_and_others_in_one_turn(box: str) -> None:
    after = accept(table_a(box, "R4 G12 R9"), "H R4>1.1 H G12>2.1 -R9")
    assert on_table(after, 1)[0] == "R4 Y4 G4 R4"
    assert on_table(after, 2)[0].endswith("G12")


@pytest.mark.parametrize("box", TABLE_A)
def test_t_hit_only_after_the_own_phase_is_down(box: str) -> None:
    state = situation(
        box,
        held={1: "R4 R5 Y5 G5 R7 Y7 G7"},
        table={2: ["set 3: R4 Y4 G4", "set 3: R9 Y9 G9"]},
    )
    assert refusal(state, "H R4>2.1") == "Lay your own Phase first: only then can you hit. (T-HIT)"
    after = accept(state, "L R5 Y5 G5 / R7 Y7 G7 H R4>2.1")
    assert after.board is None  # that was the last card


def test_t_hit_before_laying_is_noticed_first() -> None:
    assert refuse(situation(held={1: "R4"}), "H S>9.9") == "T-HIT"


def test_t_hit_only_melds_that_are_there() -> None:
    state = table_a("classic", "R4")
    assert refusal(state, "H R4>1.3") == "Seat 1 has no meld number 3 on the table. (T-HIT)"
    assert refusal(state, "H R4>2.2") == "Seat 2 has no meld number 2 on the table. (T-HIT)"
    assert refusal(state, "H R4>3.1") == "Seat 3 has no meld number 1 on the table. (T-HIT)"


def test_t_hit_only_with_cards_that_are_held() -> None:
    state = table_a("classic", "R4")
    assert refusal(state, "H B4>1.1") == "You do not hold B4. (T-HIT)"
    assert refusal(state, "H W=2>1.2") == "You do not hold W. (T-HIT)"


def test_t_hit_one_card_at_a_time_but_for_pairs() -> None:
    assert refusal(table_a("classic", "R4 B4"), "H R4,B4>1.1") == (
        "Add one card at a time to this meld. (T-HIT)"
    )


def test_t_hit_a_run_does_not_turn_the_corner() -> None:
    state = situation(
        held={1: "R1 R8 W S"},
        phases={1: 2},
        table={1: ["set 3: R4 B4 G4", "run 4: Y9 B10 B11 G12"]},
    )
    assert refusal(state, "H R1>1.2") == "R1 does not fit that meld: it takes 8. (T-HIT)"
    assert on_table(accept(state, "H R8>1.2"), 1)[1] == "R8 Y9 B10 B11 G12"
    low = situation(
        held={1: "R12 R5 W S"}, phases={1: 2}, table={1: ["set 3: R4 B4 G4", "run 4: Y1 B2 B3 G4"]}
    )
    assert refusal(low, "H R12>1.2") == "R12 does not fit that meld: it takes 5. (T-HIT)"
    assert on_table(accept(low, "H R5>1.2"), 1)[1] == "Y1 B2 B3 G4 R5"


def express(phase: int, row: str, mine: str) -> State:
    """Seat 1 has laid this Phase of express and holds these cards and a Skip."""
    return situation("express", held={1: f"{mine} S"}, phases={1: phase}, table={1: [row]})


def test_t_hit_on_odd_and_even_cards() -> None:
    odd = express(1, "odd 4: R1 B3 B5 Y7", "G7 G8 W")
    assert on_table(accept(odd, "H G7>1.1"), 1) == ["R1 B3 B5 Y7 G7"]
    assert refusal(odd, "H G8>1.1") == "G8 does not fit that meld: it takes odd numbers. (T-HIT)"
    even = express(3, "even 4: R2 B4 G4 Y12", "G7 G8 W")
    assert on_table(accept(even, "H G8>1.1 H W>1.1"), 1) == ["R2 B4 G4 Y12 G8 W"]
    assert refusal(even, "H G7>1.1") == "G7 does not fit that meld: it takes even numbers. (T-HIT)"
    assert refusal(even, "H W=7>1.1") == (
        "W=7 does not fit that meld: it takes even numbers. (T-HIT-WILD)"
    )


def test_t_hit_on_a_run_of_pairs() -> None:
    state = express(4, "pairrun 2: R6 Y6 B7 G7", "R8 B8 R5 G5 Y9")
    assert on_table(accept(state, "H R8,B8>1.1"), 1) == ["R6 Y6 B7 G7 R8 B8"]
    assert on_table(accept(state, "H R5,G5>1.1"), 1) == ["R5 G5 R6 Y6 B7 G7"]
    both = happens(state, "H B8,R8>1.1 H G5,R5>1.1")
    assert [event.cards for event in both if isinstance(event, MeldHit)] == [
        parse_cards("B8 R8"),
        parse_cards("G5 R5"),
    ]
    assert refusal(state, "H R8>1.1") == "A run of pairs takes a whole pair at a time. (T-HIT)"
    assert refusal(state, "H R8,Y9>1.1") == "Y9 does not fit that meld: it takes 5 or 8. (T-HIT)"
    assert refusal(state, "H R8,R5>1.1") == "R5 does not fit that meld: it takes 5 or 8. (T-HIT)"
    assert (
        refusal(state, "H R8,B8,R5>1.1") == "A run of pairs takes a whole pair at a time. (T-HIT)"
    )


def test_t_hit_on_a_colour_run() -> None:
    state = express(7, "colorrun 3: R4 W=R5 R6", "R3 R7 B7")
    assert on_table(accept(state, "H R3>1.1 H R7>1.1"), 1) == ["R3 R4 W=R5 R6 R7"]
    assert refusal(state, "H B7>1.1") == "B7 does not fit that meld: it takes red 3 or 7. (T-HIT)"
    assert refusal(express(7, "colorrun 3: G1 G2 G3", "R3"), "H R3>1.1") == (
        "R3 does not fit that meld: it takes green 4. (T-HIT)"
    )


def test_t_hit_on_step_runs() -> None:
    odd = express(8, "oddrun 4: R1 B3 B5 Y7", "G9 G8")
    assert on_table(accept(odd, "H G9>1.1"), 1) == ["R1 B3 B5 Y7 G9"]
    assert refusal(odd, "H G8>1.1") == "G8 does not fit that meld: it takes 9. (T-HIT)"
    even = express(9, "evenrun 4: R4 B6 B8 Y10", "G12 G2 Y11")
    assert on_table(accept(even, "H G2>1.1 H G12>1.1"), 1) == ["G2 R4 B6 B8 Y10 G12"]
    assert refusal(even, "H Y11>1.1") == "Y11 does not fit that meld: it takes 2 or 12. (T-HIT)"


def test_t_hit_express_examples() -> None:
    """A set of 4s, a run 3 4 5 6, four greens."""
    fours = express(5, "set 3: R4 B4 G4", "Y4 W")
    assert on_table(accept(fours, "H Y4>1.1 H W>1.1"), 1) == ["R4 B4 G4 Y4 W=4"]
    run = express(6, "run 4: R3 B4 B5 G6", "Y2 Y7 Y8")
    assert on_table(accept(run, "H Y2>1.1 H Y7>1.1 H Y8>1.1"), 1) == ["Y2 R3 B4 B5 G6 Y7 Y8"]
    green = express(10, "color 4: G1 G5 G6 G11", "G2 G3 W R1")
    assert on_table(accept(green, "H G2>1.1 H G3>1.1 H W>1.1"), 1) == ["G1 G5 G6 G11 G2 G3 W=G"]
    assert refuse(green, "H R1>1.1") == "T-HIT"


# -- T-HIT-WILD --------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_t_hit_wild_on_any_meld(box: str) -> None:
    state = table_a(box, "W W W")
    after = accept(state, "H W>1.1 H W=7>1.2 H W>2.1")
    assert on_table(after, 1) == ["R4 Y4 G4 W=4", "R3 Y4 Y5 G6 W=7"]
    assert on_table(after, 2) == ["G1 G2 G3 G8 G9 G10 W=G W=G"]
    (event,) = happens(state, "H W=4>1.1")
    assert isinstance(event, MeldHit)
    assert event.cards == parse_cards("W=4")
    assert on_table(accept(state, "H W=G>2.1"), 2) == on_table(accept(state, "H W=G12>2.1"), 2)


@pytest.mark.parametrize("box", TABLE_A)
def test_t_hit_wild_says_which_end(box: str) -> None:
    state = table_a(box, "W")
    assert refusal(state, "H W>1.2") == "Say for which number the Wild stands: 2 or 7. (T-HIT-WILD)"
    (event,) = happens(state, "H W=2>1.2")
    assert isinstance(event, MeldHit)
    assert (event.cards, event.result.cards) == (
        parse_cards("W=2"),
        parse_cards("W=2 R3 Y4 Y5 G6"),
    )
    assert on_table(accept(state, "H W=7>1.2"), 1)[1] == "R3 Y4 Y5 G6 W=7"
    assert (
        refusal(state, "H W=8>1.2") == "W=8 does not fit that meld: it takes 2 or 7. (T-HIT-WILD)"
    )


def test_t_hit_wild_goes_to_the_only_open_end() -> None:
    high = situation(
        held={1: "W S"}, phases={1: 2}, table={1: ["set 3: R4 B4 G4", "run 4: R9 B10 B11 G12"]}
    )
    assert on_table(accept(high, "H W>1.2"), 1)[1] == "W=8 R9 B10 B11 G12"
    low = situation(
        held={1: "W S"}, phases={1: 2}, table={1: ["set 3: R4 B4 G4", "run 4: R1 B2 B3 G4"]}
    )
    assert on_table(accept(low, "H W>1.2"), 1)[1] == "R1 B2 B3 G4 W=5"


def test_t_hit_wild_that_is_said_to_be_something_else() -> None:
    state = table_a("classic", "W")
    assert refusal(state, "H W=5>1.1") == (
        "W=5 does not fit that meld: it takes the number 4. (T-HIT-WILD)"
    )
    assert refusal(state, "H W=R>2.1") == (
        "W=R does not fit that meld: it takes green cards. (T-HIT-WILD)"
    )


@pytest.mark.parametrize("card", ["R1", "W", "W=1", "W=12"])
def test_t_hit_wild_a_full_run_takes_nothing(card: str) -> None:
    state = situation(held={1: "R1 W S"}, phases={1: 4}, table={1: [f"run 7: {FULL}"]})
    rule = "T-HIT" if card == "R1" else "T-HIT-WILD"
    assert (
        refusal(state, f"H {card}>1.1") == f"That run is complete: nothing can be added. ({rule})"
    )


@pytest.mark.parametrize(
    ("phase", "row"),
    [(8, "oddrun 4: R1 B3 B5 Y7 G9 R11"), (9, "evenrun 4: R2 B4 B6 Y8 G10 R12")],
)
def test_t_hit_wild_a_full_step_run_takes_nothing(phase: int, row: str) -> None:
    full = "That run is complete: nothing can be added."
    state = express(phase, row, "W Y1 Y12")
    assert refusal(state, "H W>1.1") == f"{full} (T-HIT-WILD)"
    assert refusal(state, "H Y1>1.1") == f"{full} (T-HIT)"
    assert refusal(state, "H Y12>1.1") == f"{full} (T-HIT)"


def test_t_hit_wild_twelve_pairs_take_nothing() -> None:
    pairs = " ".join(f"R{n} B{n}" for n in range(1, 13))
    state = express(4, f"pairrun 2: {pairs}", "W W")
    assert refusal(state, "H W,W>1.1") == "That run is complete: nothing can be added. (T-HIT-WILD)"


def test_t_hit_wild_in_a_pair() -> None:
    state = express(4, "pairrun 2: R6 Y6 B7 G7", "R8 R5 W W")
    assert on_table(accept(state, "H R8,W=8>1.1"), 1) == ["R6 Y6 B7 G7 R8 W=8"]
    assert on_table(accept(state, "H W,R8>1.1"), 1) == ["R6 Y6 B7 G7 W=8 R8"]
    assert on_table(accept(state, "H R5,W>1.1"), 1) == ["R5 W=5 R6 Y6 B7 G7"]
    assert on_table(accept(state, "H W=5,W>1.1"), 1) == ["W=5 W=5 R6 Y6 B7 G7"]
    assert on_table(accept(state, "H W=8,W=8>1.1"), 1) == ["R6 Y6 B7 G7 W=8 W=8"]
    assert refusal(state, "H W,W>1.1") == (
        "Say for which number the Wild stands: 5 or 8. (T-HIT-WILD)"
    )
    assert refusal(state, "H W=8>1.1") == "A run of pairs takes a whole pair at a time. (T-HIT)"
    assert refusal(state, "H R8,W=9>1.1") == "W=9 does not fit that meld: it takes 5 or 8. (T-HIT)"
    assert refusal(state, "H W=5,W=8>1.1") == (
        "W=8 does not fit that meld: it takes 5 or 8. (T-HIT-WILD)"
    )


def test_t_hit_wild_pair_at_the_only_open_end() -> None:
    state = express(4, "pairrun 2: R1 Y1 B2 G2", "W W")
    assert on_table(accept(state, "H W,W>1.1"), 1) == ["R1 Y1 B2 G2 W=3 W=3"]


def test_t_hit_wild_on_a_colour_run() -> None:
    state = express(7, "colorrun 3: R4 R5 R6", "W")
    assert on_table(accept(state, "H W=7>1.1"), 1) == ["R4 R5 R6 W=R7"]
    assert on_table(accept(state, "H W=R3>1.1"), 1) == ["W=R3 R4 R5 R6"]
    assert refusal(state, "H W>1.1") == "Say for which number the Wild stands: 3 or 7. (T-HIT-WILD)"
    assert refusal(state, "H W=B7>1.1") == (
        "W=B7 does not fit that meld: it takes red 3 or 7. (T-HIT-WILD)"
    )


def test_t_hit_wild_on_step_runs() -> None:
    odd = express(8, "oddrun 4: R1 B3 B5 Y7", "W")
    assert on_table(accept(odd, "H W>1.1"), 1) == ["R1 B3 B5 Y7 W=9"]
    even = express(9, "evenrun 4: R4 B6 B8 Y10", "W")
    assert refusal(even, "H W>1.1") == "Say for which number the Wild stands: 2 or 12. (T-HIT-WILD)"
    assert on_table(accept(even, "H W=2>1.1"), 1) == ["W=2 R4 B6 B8 Y10"]


# -- T-DISCARD ---------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
def test_t_discard_ends_the_turn(box: str) -> None:
    state = situation(box, players=3, held={1: "R5 W"}, discards="Y1")
    assert happens(state, "-W") == (CardDiscarded(1, WILD, None),)
    after = accept(state, "-R5")
    assert (turn(after), board_of(after).step) == (2, "draw")
    assert (held(after, 1), discards(after)) == ("W", "Y1 R5")


@pytest.mark.parametrize("box", ALL)
def test_t_discard_the_card_just_taken(box: str) -> None:
    state = situation(box, held={1: "R5"}, discards="R4", step="draw")
    after = accept(state, "P -R4")
    assert (discards(after), held(after, 1), turn(after)) == ("R4", "R5", 2)
    assert board_of(after).taken is None
    assert memory_of(after).known == ((), ())


@pytest.mark.parametrize("box", ALL)
def test_t_discard_only_a_card_that_is_held(box: str) -> None:
    state = situation(box, held={1: "R5"})
    assert refusal(state, "-R6") == "You do not hold R6. (T-DISCARD)"
    assert refusal(state, "-W") == "You do not hold W. (T-DISCARD)"
    assert refusal(state, "-S@2") == "You do not hold S. (T-DISCARD)"


def test_t_discard_cards_taken_before_everybodys_eyes_stay_known() -> None:
    """Known are the cards taken and still held; laid, hit or discarded they are known no more."""
    state = situation(held={1: "R9 B9"}, discards="B5 R9", step="draw")
    taken = accept(state, "P -B9")
    assert memory_of(taken).known == (parse_cards("R9"), ())
    assert memory_of(accept(accept(taken, "D -R1"), "D -R9")).known == ((), ())


def test_t_discard_what_a_seat_did_not_want_is_remembered() -> None:
    """A card left lying and a card discarded, until the seat takes such a card; Skips and Wilds never."""
    state = situation(
        held={1: "R1 R2 S W", 2: "B1 B2"}, discards="Y9", step="draw", draw="G4 G6 G8"
    )
    first = accept(state, "D -R1")
    assert memory_of(first).passed_over == (sort_cards(parse_cards("Y9 R1")), ())
    second = accept(first, "P -R1")
    assert memory_of(second).passed_over[1] == parse_cards("R1")
    third = accept(second, "P -W")
    assert memory_of(third).passed_over[0] == parse_cards("Y9")


def test_t_draw_every_taken_card_is_known_with_its_taker() -> None:
    state = situation(players=3, held={1: "R9 B9", 2: "R8"}, discards="B5 B6", step="draw")
    state = accept(accept(accept(state, "P -B9"), "P -R8"), "P")
    assert memory_of(state).known == (parse_cards("B6"), parse_cards("B9"), parse_cards("R8"))
    state = accept(state, "-R8")
    assert memory_of(accept(state, "P")).known[0] == parse_cards("B6 R8")


def test_t_discard_the_last_card_without_a_phase_down_does_not_go_out() -> None:
    state = situation(players=3, held={1: "R5"})
    after = accept(state, "-R5")
    assert (turn(after), held(after, 1)) == (2, "")
    assert after.sheet.hands == ()


def test_t_discard_a_skip_is_a_discard_too() -> None:
    assert happens(situation(held={1: "S R5"}), "-S@2")[0] == CardDiscarded(1, SKIP, 2)


def test_t_lay_known_cards_are_known_no_more_once_laid_or_hit() -> None:
    state = situation(held={1: "R5 B5 R7 B7 G7 Y1 Y5"}, discards="G5", step="draw")
    taken = accept(state, "P")
    assert memory_of(taken).known == (parse_cards("G5"), ())
    assert memory_of(accept(taken, "L R5 B5 G5 / R7 B7 G7")).known == ((), ())
    other = accept(taken, "L R5 B5 Y5 / R7 B7 G7")
    assert memory_of(other).known == (parse_cards("G5"), ())
    assert memory_of(accept(other, "H G5>1.1")).known == ((), ())


def test_t_draw_decide_changes_nothing() -> None:
    state = situation(step="draw")
    before = repr(state)
    assert decide(state, 1, DrawDeck(), backwards) == (CardDrawn(1, state.draw_pile[0]),)
    assert repr(state) == before


def test_t_lay_the_whole_state_after_laying() -> None:
    state = situation(held={1: "R5 Y5 G5 R7 Y7 G7 R1"}, discards="B1")
    after = accept(state, "L R5 Y5 G5 / R7 Y7 G7")
    board = board_of(state)
    groups = state.rules.by_number[1].groups
    melds = (Meld(groups[0], parse_cards("R5 Y5 G5")), Meld(groups[1], parse_cards("R7 Y7 G7")))
    assert happens(state, "L R5 Y5 G5 / R7 Y7 G7") == (PhaseLaid(1, 1, melds),)
    assert after == state._replace(
        board=board._replace(
            counts=(1, 0),
            melds=(melds, ()),
            made=(1, 0),
            seen=(*board.seen, PhaseLaid(1, 1, melds)),
        ),
        held=(parse_cards("R1"), ()),
    )
