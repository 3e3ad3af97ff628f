"""V1, V2, V3 and what they make together."""

import pytest

from phaseten.rules.events import GameTied, GameWon, HandScored
from phaseten.rules.options import OptionError
from tests.rulebook.situations import (
    ALL,
    TABLE_A,
    accept,
    board_of,
    dealt,
    happens,
    refuse,
    rules_for,
    situation,
    table_for,
    working_on,
)

DOWN = ["set 3: R3 Y3 G3", "set 3: R4 Y4 G4"]
EIGHT = ["color 7: G1 G2 G3 G4 G5 G6 G7"]
LAST = ["set 5: R8 R8 Y8 Y8 G8", "set 3: R3 Y3 G3"]
FIVE = ["run 8: R1 R2 R3 R4 R5 R6 R7 R8"]


# -- V1 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_v1_everybody_moves_on_made_or_not(box: str) -> None:
    state = situation(
        box, players=3, held={1: "R12", 2: "R1"}, table={1: DOWN}, variant="ten-hands"
    )
    after = accept(state, "-R12")
    assert working_on(after) == [2, 2, 2]
    assert after.sheet.totals == (0, 5, 0)


def test_v1_making_the_last_phase_early_is_not_possible_and_does_not_end_the_game() -> None:
    """Hand 9 of ten ends: no winner yet, whatever lies on the table."""
    state = situation(
        held={1: "R12"}, phases={1: 9, 2: 9}, played=8, variant="ten-hands",
        table={1: ["set 5: R8 R8 Y8 Y8 G8", "set 2: R3 Y3"]},
    )  # fmt: skip
    after = accept(state, "-R12")
    assert (after.sheet.winner, working_on(after)) == (None, [10, 10])


@pytest.mark.parametrize("box", TABLE_A)
def test_v1_after_ten_hands_the_lowest_total_wins(box: str) -> None:
    """Seat 2 has made nothing and wins all the same."""
    state = situation(
        box, players=3, held={1: "R12", 2: "W"}, phases={1: 10, 2: 10, 3: 10}, table={1: LAST},
        totals=(100, 60, 90), played=9, variant="ten-hands",
    )  # fmt: skip
    scored, won = happens(state, "-R12")[1:]
    assert scored == HandScored(10, 1, ((1, 0), (2, 25), (3, 0)), ((1, 10),), False)
    assert won == GameWon(2)
    after = accept(state, "-R12")
    assert after.sheet.totals == (100, 85, 90)
    assert working_on(after) == [None, None, None]


def test_v1_a_tie_is_played_off() -> None:
    state = situation(
        players=3, held={1: "R12", 2: "R1"}, phases={1: 10, 2: 10, 3: 10}, table={1: LAST},
        totals=(100, 85, 90), played=9, variant="ten-hands",
    )  # fmt: skip
    assert happens(state, "-R12")[2] == GameTied((2, 3))
    hand = dealt(accept(state, "-R12"))
    assert board_of(hand).players == (2, 3)
    assert refuse(accept(hand, "D"), "L9 R1") == "T-LAY-ONE"


def test_v1_the_tie_break_is_for_the_last_phase() -> None:
    state = situation(
        players=2, held={1: "R8 R8 Y8 Y8 G8 R3 Y3 G3"}, left={1: (), 2: ()}, totals=(9, 9),
        tied=(1, 2), played=10, variant="ten-hands",
    )  # fmt: skip
    assert happens(state, "L R8 R8 Y8 Y8 G8 / R3 Y3 G3")[1:] == (
        HandScored(11, 1, ((1, 0), (2, 0)), ((1, 10),), True),
        GameWon(1),
    )


# -- V2 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
@pytest.mark.parametrize("count", [1, 5, 7, 10])
def test_v2_only_the_first_phases(box: str, count: int) -> None:
    rules = rules_for(box, f"phases={count}")
    assert [phase.number for phase in rules.phases] == list(range(1, count + 1))
    assert rules.phases == rules.edition.phases[:count]
    assert table_for(2, box, variant=f"phases={count}").sheet.left[0] == tuple(range(1, count + 1))


@pytest.mark.parametrize("box", TABLE_A)
def test_v2_the_last_of_them_wins(box: str) -> None:
    state = situation(box, held={1: "R12"}, phases={1: 5}, table={1: FIVE}, variant="phases=5")
    assert happens(state, "-R12")[2] == GameWon(1)
    longer = situation(box, held={1: "R12"}, phases={1: 5}, table={1: FIVE}, variant="phases=7")
    assert len(happens(longer, "-R12")) == 2


def test_v2_a_tie_is_played_off_for_the_last_phase_of_the_short_game() -> None:
    state = situation(
        held={1: "R1 R2 R3 R4 R5 R6 R7 R8 R12"}, left={1: (), 2: ()}, tied=(1, 2), totals=(5, 5),
        variant="phases=5",
    )  # fmt: skip
    after = accept(state, "L R1 R2 R3 R4 R5 R6 R7 R8 -R12")
    assert (after.sheet.winner, after.sheet.hands[-1].made) == (1, ((1, 5),))


@pytest.mark.parametrize("count", [0, 11, 99])
def test_v2_from_1_to_10(count: int) -> None:
    with pytest.raises(OptionError) as error:
        rules_for("classic", f"phases={count}")
    assert str(error.value) == f"phases={count}: Classic has the Phases 1 to 10"


# -- V3 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
def test_v3_only_the_even_phases(box: str) -> None:
    state = table_for(3, box, variant="even")
    assert state.sheet.left == ((2, 4, 6, 8, 10),) * 3


@pytest.mark.parametrize("box", TABLE_A)
def test_v3_from_phase_2_to_phase_4(box: str) -> None:
    state = situation(
        box, held={1: "R12"}, table={1: ["set 3: R8 Y8 G8", "run 4: R1 R2 R3 R4"]}, variant="even"
    )
    assert board_of(state).made == (2, 0)
    assert working_on(accept(state, "-R12")) == [4, 2]
    assert refuse(situation(box, held={1: "R12"}, variant="even"), "L1 R12") == "T-LAY-ONE"


def test_v3_the_last_even_phase_wins() -> None:
    state = situation(held={1: "R12"}, phases={1: 10}, table={1: LAST}, variant="even")
    assert happens(state, "-R12")[2] == GameWon(1)


@pytest.mark.parametrize("box", ALL)
def test_v3_is_in_the_book_of_some_editions(box: str) -> None:
    """Elsewhere it is offered all the same, marked as a house rule."""
    older = ("ten-hands", "phases", "even")
    listed = older if box in TABLE_A[:3] else older[:2]
    assert rules_for(box).edition.variations == listed


# -- together ----------------------------------------------------------------------------------


def test_v1_with_v3_is_five_hands() -> None:
    assert table_for(2, variant="ten-hands,even").sheet.left == ((2, 4, 6, 8, 10),) * 2
    four = situation(
        held={1: "R12"}, phases={1: 8, 2: 8}, played=3, table={1: EIGHT}, variant="ten-hands,even"
    )
    assert len(happens(four, "-R12")) == 2
    five = situation(
        held={1: "R12"}, phases={1: 10, 2: 10}, played=4, table={1: LAST}, totals=(9, 8),
        variant="ten-hands,even",
    )  # fmt: skip
    assert happens(five, "-R12")[2] == GameWon(2)


def test_v2_with_v3_are_the_even_phases_among_the_first() -> None:
    assert table_for(2, variant="phases=5,even").sheet.left[0] == (2, 4)
    with pytest.raises(OptionError) as error:
        rules_for("classic", "phases=1,even")
    assert str(error.value) == "'phases=1,even' leaves no Phase to play"


def test_v1_with_v2_is_so_many_hands() -> None:
    state = situation(
        held={1: "R12"}, phases={1: 5, 2: 5}, played=4, table={1: FIVE}, totals=(1, 2),
        variant="ten-hands,phases=5",
    )  # fmt: skip
    assert happens(state, "-R12")[2] == GameWon(1)


def test_v1_with_v2_and_v3() -> None:
    assert table_for(2, variant="ten-hands,phases=8,even").sheet.left[0] == (2, 4, 6, 8)
    state = situation(
        held={1: "R12"}, phases={1: 8, 2: 8}, played=3, table={1: EIGHT}, totals=(1, 1),
        variant="ten-hands,phases=8,even",
    )  # fmt: skip
    assert happens(state, "-R12")[2] == GameTied((1, 2))
