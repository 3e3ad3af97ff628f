"""Going out, scoring, moving on, winning, ties."""

import pytest

from phaseten.rules.cards import parse_card, total_points
from phaseten.rules.events import (
    CardDiscarded,
    GameTied,
    GameWon,
    HandDealt,
    HandScored,
    MeldHit,
    PhaseLaid,
    TurnLost,
)
from phaseten.rules.state import State
from tests.rulebook.situations import (
    ALL,
    TABLE_A,
    accept,
    board_of,
    deals,
    dealt,
    happens,
    refusal,
    refuse,
    situation,
    turn,
    working_on,
)

DOWN = ["set 3: R3 Y3 G3", "set 3: R4 Y4 G4"]
LAST = {
    1: ["set 5: R8 R8 Y8 Y8 G8", "set 3: R3 Y3 G3"],
    2: ["set 5: R9 R9 Y9 Y9 G9", "set 3: R4 Y4 G4"],
    3: ["set 5: R10 R10 Y10 Y10 G10", "set 3: R5 Y5 G5"],
}


def score(hand: int, out: int, points: dict[int, int], made: dict[int, int]) -> HandScored:
    return HandScored(hand, out, tuple(points.items()), tuple(made.items()), False)


# -- G-OUT -------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_g_out_by_discarding(box: str) -> None:
    state = situation(box, held={1: "R9", 2: "R10"}, table={1: DOWN})
    assert happens(state, "-R9") == (
        CardDiscarded(1, parse_card("R9"), None),
        score(1, 1, {1: 0, 2: 10}, {1: 1}),
    )
    assert accept(state, "-R9").board is None


@pytest.mark.parametrize("box", TABLE_A)
def test_g_out_by_hitting_no_discard_is_owed(box: str) -> None:
    """Seat 2 holds R4 and Y9: both are hit, or one is hit and one discarded."""
    state = situation(
        box,
        players=3,
        turn=2,
        held={1: "W", 2: "R4 Y9", 3: "S"},
        table={
            1: DOWN,
            2: ["set 3: R7 Y7 G7", "set 3: R6 Y6 G6"],
            3: ["set 3: R9 R9 G9", "set 3: R1 Y1 G1"],
        },
    )
    scored = score(1, 2, {1: 25, 2: 0, 3: 15}, {1: 1, 2: 1, 3: 1})
    first, second, end = happens(state, "H R4>1.2 H Y9>3.1")
    assert isinstance(first, MeldHit)
    assert isinstance(second, MeldHit)
    assert end == scored
    assert happens(state, "H R4>1.2 -Y9")[-1] == scored


@pytest.mark.parametrize("box", TABLE_A)
def test_g_out_by_laying(box: str) -> None:
    """Everything that is held fits into the Phase."""
    state = situation(box, held={1: "R5 Y5 G5 R7 Y7 G7 W", 2: "R1 Y1"})
    laid, scored = happens(state, "L R5 Y5 G5 / R7 Y7 G7 W")
    assert isinstance(laid, PhaseLaid)
    assert scored == score(1, 1, {1: 0, 2: 10}, {1: 1})
    assert working_on(accept(state, "L R5 Y5 G5 / R7 Y7 G7 W")) == [2, 1]


def test_g_out_express_by_laying() -> None:
    state = situation("express", held={1: "R1 B3 B5 Y7", 2: "R2"})
    assert happens(state, "L R1 B3 B5 Y7")[1] == score(1, 1, {1: 0, 2: 5}, {1: 1})


def test_g_out_not_while_a_card_is_left() -> None:
    state = situation(held={1: "R5 Y5 G5 R7 Y7 G7 W"})
    after = accept(state, "L R5 Y5 G5 / R7 Y7 G7")
    assert (turn(after), board_of(after).counts) == (1, (1, 0))
    assert accept(after, "H W>1.1").board is None


def test_g_out_nobody_acts_after_it() -> None:
    over = accept(situation(held={1: "R9"}, table={1: DOWN}), "-R9")
    assert refusal(over, "D", seat=2) == (
        "No hand is going on: the cards have to be dealt first. (T-TURN)"
    )


@pytest.mark.parametrize("box", ALL)
def test_g_out_needs_a_phase_on_the_table(box: str) -> None:
    state = situation(box, players=3, held={1: "R9"})
    assert happens(state, "-R9") == (CardDiscarded(1, parse_card("R9"), None),)


def test_g_out_skips_do_not_reach_into_the_next_hand() -> None:
    state = situation(players=3, held={1: "S"}, table={1: DOWN}, waiting=[3])
    assert TurnLost(3) not in happens(state, "-S@2")
    assert board_of(dealt(accept(state, "-S@2"))).waiting == (False, False, False)


# -- G-POINTS ----------------------------------------------------------------------------------


def test_g_points_of_every_card() -> None:
    for color in "RBYGO":
        assert [parse_card(f"{color}{n}").points for n in range(1, 13)] == [5] * 9 + [10] * 3
    assert parse_card("S").points == 15
    assert [parse_card(text).points for text in ("W", "W=3", "W=R", "W=R12")] == [25] * 4


@pytest.mark.parametrize("box", ALL)
def test_g_points_of_a_hand(box: str) -> None:
    """R3 G9 G10 S W are 5 + 5 + 10 + 15 + 25 = 60; cards on the table count nothing."""
    phase = 2 if box == "express" else 1
    state = situation(
        box,
        players=3,
        turn=3,
        held={1: "R3 G9 G10 S W", 3: "R12"},
        phases={2: phase, 3: phase},
        table={2: ["set 3: R1 Y1 W=1", "set 2: R11 Y11"], 3: ["set 3: R2 Y2 W=2", "set 2: R5 Y5"]},
    )
    assert happens(state, "-R12")[1] == score(1, 3, {1: 60, 2: 0, 3: 0}, {2: phase, 3: phase})
    assert accept(state, "-R12").sheet.totals == (60, 0, 0)
    assert total_points(state.held[0]) == 60


def test_g_points_are_added_up() -> None:
    state = situation(held={1: "R9", 2: "W S"}, table={1: DOWN}, totals=(30, 45), played=3)
    after = accept(state, "-R9")
    assert after.sheet.totals == (30, 85)
    assert after.sheet.hands[-1] == score(4, 1, {1: 0, 2: 40}, {1: 1})
    assert len(after.sheet.hands) == 4


# -- G-ADVANCE ---------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_g_advance_whoever_laid_moves_on(box: str) -> None:
    """Seats 1 and 3 lay Phase 1, seat 3 goes out: they are on Phase 2, seat 2 is still on 1."""
    state = situation(
        box,
        players=3,
        turn=3,
        held={1: "R1", 2: "R2", 3: "R12"},
        table={1: DOWN, 3: ["set 3: R6 Y6 G6", "set 3: R9 Y9 G9"]},
    )
    after = accept(state, "-R12")
    assert working_on(after) == [2, 1, 2]
    assert after.sheet.left[0] == tuple(range(2, 11))
    assert after.sheet.winner is None


def test_g_advance_a_larger_meld_counts_for_one_phase_only() -> None:
    """A run of 9 for Phase 4 leaves Phases 5 and 6 to be made."""
    state = situation(held={1: "R2 B3 B4 G5 Y6 R7 R8 G9 B10"}, phases={1: 4})
    after = accept(state, "L R2 B3 B4 G5 Y6 R7 R8 G9 B10")
    assert after.sheet.left[0] == (5, 6, 7, 8, 9, 10)


def test_g_advance_m_more_never_counts_for_a_later_phase() -> None:
    state = situation(held={1: "R2 B3 B4 G5 Y6 R7 R8 G9 B10 R1"}, phases={1: 4})
    after = accept(state, "L R2 B3 B4 G5 Y6 R7 R8 G9 B10")
    assert board_of(after).made == (4, 0)
    assert refuse(after, "L5 R1") == "T-LAY-ONE"


# -- G-WIN -------------------------------------------------------------------------------------


def finish(
    box: str,
    finishers: tuple[int, ...],
    totals: tuple[int, ...],
    held: dict[int, str],
    out: int = 1,
) -> State:
    """Seat ``out`` is about to go out; the finishers have the last Phase on the table."""
    table = {seat: LAST[seat] for seat in finishers}
    if out not in finishers:
        table[out] = DOWN_ELSEWHERE
    return situation(
        box,
        players=3,
        turn=out,
        held={out: "R12"} | held,
        phases=dict.fromkeys(finishers, 10) | ({out: 1} if out not in finishers else {}),
        table=table,
        totals=totals,
        played=13,
    )


DOWN_ELSEWHERE = ["set 3: R1 Y1 G1", "set 3: R2 Y2 G2"]


@pytest.mark.parametrize("box", TABLE_A)
def test_g_win_one_finisher_wins_whatever_the_points(box: str) -> None:
    state = finish(box, (1,), (300, 5, 60), {2: "R6"})
    assert happens(state, "-R12")[2] == GameWon(1)
    after = accept(state, "-R12")
    assert (after.sheet.winner, working_on(after)) == (1, [None, 1, 1])
    assert refusal(after, "D", seat=2) == "The game is over: seat 1 has won. (T-TURN)"


@pytest.mark.parametrize("box", TABLE_A)
def test_g_win_the_fewest_points_among_those_who_finished(box: str) -> None:
    """145 against 120: seat 3 wins, no matter who went out; seat 2 has fewer, but no Phase 10."""
    state = finish(box, (1, 3), (145, 60, 115), {3: "R6"})
    assert happens(state, "-R12")[1:] == (
        HandScored(14, 1, ((1, 0), (2, 0), (3, 5)), ((1, 10), (3, 10)), False),
        GameWon(3),
    )


@pytest.mark.parametrize("box", TABLE_A)
def test_g_win_even_when_somebody_else_goes_out(box: str) -> None:
    state = finish(box, (3,), (0, 0, 200), {3: "W"}, out=1)
    after = accept(state, "-R12")
    assert (after.sheet.winner, after.sheet.totals) == (3, (0, 0, 225))


def test_g_win_not_before_the_last_phase() -> None:
    state = situation(
        held={1: "R12"}, phases={1: 9}, table={1: ["set 5: R8 R8 B8 Y8 G8", "set 2: R3 B3"]}
    )
    after = accept(state, "-R12")
    assert (after.sheet.winner, working_on(after)) == (None, [10, 1])
    assert len(happens(state, "-R12")) == 2


def test_g_win_all_three_finish() -> None:
    state = finish("classic", (1, 2, 3), (90, 80, 75), {3: "R6", 2: "R7"})
    assert happens(state, "-R12")[2] == GameWon(3)
    state = finish("classic", (1, 2, 3), (90, 80, 75), {3: "R6 R6", 2: "R1"})
    assert happens(state, "-R12")[2] == GameTied((2, 3))


def test_g_win_express() -> None:
    state = situation(
        "express", held={1: "R12"}, phases={1: 10}, table={1: ["color 4: G1 G5 G6 G11"]}
    )
    assert happens(state, "-R12")[2] == GameWon(1)


# -- G-TIE -------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_g_tie_the_tied_play_a_further_hand(box: str) -> None:
    """Seats 1 and 3 have 120 points each after hand 14; hand 15 is theirs alone."""
    state = finish(box, (1, 3), (120, 60, 115), {3: "R6"})
    assert happens(state, "-R12")[2] == GameTied((1, 3))
    tied = accept(state, "-R12")
    assert (tied.sheet.tied, tied.sheet.winner, tied.sheet.dealer) == ((1, 3), None, 1)
    event = deals(tied, turned_up="R1")[0]
    assert isinstance(event, HandDealt)
    assert (event.hand, event.dealer, event.players, event.tiebreak) == (15, 1, (3, 1), True)
    hand = dealt(tied)
    assert board_of(hand).counts == (10, 0, 10)
    assert (turn(hand), hand.held[1]) == (3, ())
    assert event.dealt_to(2) == ()
    assert event.dealt_to(3) == event.order[0:20:2]
    assert turn(accept(hand, "D -R2")) == 1
    assert refusal(hand, "D", seat=2) == "Seat 2 does not play in this hand. (T-TURN)"


def test_g_tie_is_played_for_the_last_phase_and_its_points_change_nothing() -> None:
    state = situation(
        players=3,
        dealer=1,
        turn=3,
        held={1: "W", 3: "R8 R8 B8 Y8 G8 R3 B3 Y3 R12"},
        left={1: (), 2: (7, 8, 9, 10), 3: ()},
        totals=(120, 60, 120),
        tied=(1, 3),
        played=14,
    )
    assert refuse(state, "L7 R8 R8 B8 Y8 / R3 B3 Y3") == "T-LAY-ONE"
    laid, gone, scored, won = happens(state, "L R8 R8 B8 Y8 G8 / R3 B3 Y3 -R12")
    assert isinstance(laid, PhaseLaid)
    assert laid.phase == 10
    assert gone == CardDiscarded(3, parse_card("R12"), None)
    assert scored == HandScored(15, 3, ((1, 25), (3, 0)), ((3, 10),), True)
    assert won == GameWon(3)
    after = accept(state, "L R8 R8 B8 Y8 G8 / R3 B3 Y3 -R12")
    assert after.sheet.totals == (120, 60, 120)
    assert after.sheet.left == ((), (7, 8, 9, 10), ())
    assert (after.sheet.winner, after.sheet.tied) == (3, ())
    assert len(after.sheet.hands) == 15
    assert after.sheet.dealer == 2


def test_g_tie_whoever_goes_out_wins_though_the_other_laid_first() -> None:
    state = situation(
        players=2, held={1: "R12", 2: "R1"}, left={1: (), 2: ()}, totals=(9, 9), tied=(1, 2),
        table={1: LAST[1], 2: LAST[2]},
    )  # fmt: skip
    assert happens(state, "-R12")[1:] == (
        HandScored(1, 1, ((1, 0), (2, 5)), ((1, 10), (2, 10)), True),
        GameWon(1),
    )


def test_g_tie_three_tied() -> None:
    state = finish("classic", (1, 2, 3), (100, 90, 95), {2: "G12", 3: "R6"})
    assert happens(state, "-R12")[2] == GameTied((1, 2, 3))
    hand = dealt(accept(state, "-R12"))
    assert board_of(hand).players == (2, 3, 1)


@pytest.mark.parametrize(
    ("dealer", "players"), [(1, (3, 4, 1)), (2, (3, 4, 1)), (3, (4, 1, 3)), (4, (1, 3, 4))]
)
def test_g_tie_the_deal_passes_on_to_whoever_sits_there(
    dealer: int, players: tuple[int, ...]
) -> None:
    """A dealer who does not play deals all the same, and play starts to the left."""
    state = situation(players=4, tied=(1, 3, 4), dealer=dealer, turn=players[0])
    assert board_of(state).players == players
    seats: list[int] = []
    state = situation(players=4, tied=(1, 3, 4), dealer=dealer, turn=players[0], step="draw")
    for _ in range(4):
        seats.append(turn(state))
        state = accept(state, "D")
        state = accept(state, f"-{state.held[turn(state) - 1][-1]}")
    assert tuple(seats) == (*players, players[0])


def test_g_tie_a_skip_passes_over_those_who_do_not_play() -> None:
    state = situation(players=4, tied=(1, 3), held={1: "S R5"}, dealer=4)
    assert happens(state, "-S@3")[1:] == (TurnLost(3),)
    assert turn(accept(state, "-S@3")) == 1
