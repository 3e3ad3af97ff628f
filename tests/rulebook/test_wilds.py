"""Wilds and Skips in melds."""

import pytest

from tests.rulebook.situations import (
    ALL,
    TABLE_A,
    accept,
    board_of,
    hand_with,
    laid,
    lays,
    not_laid,
    on_table,
    refusal,
    refuse,
    situation,
)
from tests.rulebook.test_melds import own

NO_NATURAL = "A Phase needs at least one numbered card. (W-NATURAL)"
UNDECLARED = "A meld of Wilds alone has to say what it stands for, such as W=5. (W-NATURAL)"


# -- W-ANY -------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_w_any_a_wild_is_the_missing_five(box: str) -> None:
    """You hold a 3, a 4 and a 6."""
    assert laid(box, 2, "R8 Y8 G8 / Y3 R4 W R6") == ["R8 Y8 G8", "Y3 R4 W=5 R6"]
    assert lays(box, 2, "R8 Y8 G8 / Y3 R4 W=5 R6")


def test_w_any_a_wild_is_the_missing_five_in_express() -> None:
    assert laid("express", 6, "Y3 R4 W B6") == ["Y3 R4 W=5 B6"]


@pytest.mark.parametrize("box", TABLE_A)
def test_w_any_a_wild_is_the_seventh_green(box: str) -> None:
    assert laid(box, 8, "G1 G3 G4 G8 G8 G12 W") == ["G1 G3 G4 G8 G8 G12 W=G"]
    assert lays(box, 8, "G1 G3 G4 G8 G8 G12 W=G")
    assert laid(box, 8, "W G3 G4 G8 G8 G12 W=G1") == ["W=G G3 G4 G8 G8 G12 W=G"]


def test_w_any_a_wild_is_the_fourth_green_in_express() -> None:
    assert laid("express", 10, "G2 G5 G9 W") == ["G2 G5 G9 W=G"]


@pytest.mark.parametrize("box", TABLE_A)
def test_w_any_at_the_ends_of_a_run(box: str) -> None:
    assert laid(box, 2, "R8 Y8 G8 / W Y3 R4 R5") == ["R8 Y8 G8", "W=2 Y3 R4 R5"]
    assert laid(box, 2, "R8 Y8 G8 / Y3 R4 R5 W") == ["R8 Y8 G8", "Y3 R4 R5 W=6"]


@pytest.mark.parametrize("box", TABLE_A)
def test_w_any_many_wilds(box: str) -> None:
    assert laid(box, 1, "W R4 W / W W Y9") == ["W=4 R4 W=4", "W=9 W=9 Y9"]
    assert laid(box, 1, "R4 W Y4 / R9 W=9 Y9") == ["R4 W=4 Y4", "R9 W=9 Y9"]


def test_w_any_what_it_is_said_to_be_must_fit() -> None:
    """A Wild that is said to be something else is the one to blame, wherever it stands."""
    assert not_laid("classic", 1, "W=5 R4 B4 / R9 B9 Y9") == (
        "A set is made of cards of one number: W=5 does not fit. (M-SET)"
    )
    assert not_laid("classic", 2, "R8 Y8 G8 / W=3 R4 R5 W=7") == (
        "A run goes up one number at a time from card to card: W=7 does not fit there. (M-RUN)"
    )
    assert not_laid("classic", 2, "R8 Y8 G8 / W=2 R4 R5 W=6") == (
        "A run goes up one number at a time from card to card: W=2 does not fit there. (M-RUN)"
    )
    assert not_laid("classic", 8, "W=R G1 G3 G4 G8 G8 G12") == (
        "These cards must all be of one colour: W=R does not fit. (M-COLOR)"
    )


# -- W-NATURAL ---------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_w_natural_one_numbered_card_is_enough(box: str) -> None:
    assert lays(box, 1, "W=4 W=4 W=4 / R9 R9 Y9")
    assert lays(box, 1, "R9 R9 Y9 / W=4 W=4 W=4")
    assert lays(box, 1, "W=4 W=4 W=4 / W=9 W=9 R9")
    assert lays(box, 4, "W=3 W=4 W=5 W=6 W=7 W=8 R9")
    assert lays(box, 2, "R5 R5 G5 / W=9 W=10 W=11 W=12")


@pytest.mark.parametrize("box", TABLE_A)
def test_w_natural_wilds_alone_are_refused(box: str) -> None:
    assert not_laid(box, 1, "W=4 W=4 W=4 / W=9 W=9 W=9") == NO_NATURAL
    assert not_laid(box, 4, "W=3 W=4 W=5 W=6 W=7 W=8 W=9") == NO_NATURAL
    assert not_laid(box, 8, "W=R W=R W=R W=R W=R W=R W=R") == NO_NATURAL


def test_w_natural_wilds_alone_are_refused_in_express() -> None:
    assert not_laid("express", 5, "W=4 W=4 W=4") == NO_NATURAL
    assert not_laid("express", 7, "W=R4 W=R5 W=R6") == NO_NATURAL


def test_w_natural_a_meld_of_wilds_has_to_say_what_it_is() -> None:
    assert not_laid("classic", 1, "W W W / R9 R9 Y9") == UNDECLARED
    assert not_laid("classic", 1, "R9 R9 Y9 / W W W") == UNDECLARED
    assert not_laid("classic", 2, "R9 R9 Y9 / W W W W") == UNDECLARED
    assert not_laid("classic", 8, "W W W W W W W") == UNDECLARED
    assert not_laid("express", 7, "W W W") == UNDECLARED
    assert not_laid("express", 5, "W W W") == UNDECLARED


def test_w_natural_one_declared_wild_says_it_for_all() -> None:
    assert laid("classic", 1, "W W=4 W / R9 R9 Y9") == ["W=4 W=4 W=4", "R9 R9 Y9"]
    assert laid("classic", 2, "R9 R9 Y9 / W W W=5 W") == ["R9 R9 Y9", "W=3 W=4 W=5 W=6"]
    assert not_laid("classic", 1, "W=4 W=5 W / R9 R9 Y9").endswith("W=5 does not fit. (M-SET)")
    assert not_laid("classic", 2, "R9 R9 Y9 / W=3 W W=6 W").endswith(
        "W=6 does not fit there. (M-RUN)"
    )


def test_w_natural_a_run_of_wilds_must_be_possible() -> None:
    """Four Wilds from 10 on would need a 13."""
    assert lays("classic", 2, "R5 B5 G5 / W=9 W=10 W=11 W=12")
    outside = "Numbers go from 1 to 12: this run does not fit in. (M-RUN)"
    assert not_laid("classic", 2, "R5 B5 G5 / W=10 W=11 W=12 W") == outside
    assert not_laid("classic", 2, "R5 B5 G5 / W W=1 W=2 W=3") == outside


def test_w_natural_declared_colours() -> None:
    box = own("color 4 + set 2")
    assert laid(box, 1, "W W=Y W W / R1 B1") == ["W=Y W=Y W=Y W=Y", "R1 B1"]
    assert not_laid(box, 1, "W=Y W=G W W / R1 B1").endswith("W=G does not fit. (M-COLOR)")
    assert not_laid(box, 1, "W=5 W=5 W=5 W=5 / R1 B1") == UNDECLARED


# -- W-FIXED -----------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_w_fixed_the_real_card_does_not_replace_a_wild(box: str) -> None:
    """Y3 R4 W=5 R6 lies there; R5 does not fit, the run has its five."""
    state = situation(
        box,
        held={1: "R5 Y2 W S"},
        phases={1: 2},
        table={1: ["set 3: R8 Y8 G8", "run 4: Y3 R4 W=5 R6"]},
    )
    assert refusal(state, "H R5>1.2") == "R5 does not fit that meld: it takes 2 or 7. (T-HIT)"
    assert on_table(accept(state, "H Y2>1.2"), 1)[1] == "Y2 Y3 R4 W=5 R6"


def test_w_fixed_a_wild_hit_stays_what_it_is() -> None:
    state = situation(
        held={1: "B2 R7 W S"},
        phases={1: 4},
        table={2: ["run 4: R3 B4 B5 G6"], 1: ["run 4: R3 B4 B5 G6"]},
    )
    grown = accept(state, "H W=2>2.1")
    assert on_table(grown, 2) == ["W=2 R3 B4 B5 G6"]
    assert refusal(grown, "H B2>2.1") == "B2 does not fit that meld: it takes 1 or 7. (T-HIT)"
    assert on_table(accept(grown, "H R7>2.1"), 2) == ["W=2 R3 B4 B5 G6 R7"]


def test_w_fixed_a_set_of_wilds_keeps_its_number() -> None:
    state = situation(
        held={1: "R9 R4 W S"}, phases={1: 1}, table={1: ["set 3: W=4 W=4 W=4", "set 3: B9 Y9 G9"]}
    )
    assert refusal(state, "H R9>1.1") == "R9 does not fit that meld: it takes the number 4. (T-HIT)"
    assert on_table(accept(state, "H R4>1.1 H W>1.1"), 1)[0] == "W=4 W=4 W=4 R4 W=4"


def test_w_fixed_until_the_hand_ends_a_wild_is_never_taken_back() -> None:
    after = accept(hand_with("classic", 1, "R4 B4 W / R9 B9 Y9"), "L R4 B4 W / R9 B9 Y9")
    assert refuse(after, "L W") == "T-LAY-ONE"
    assert refuse(after, "-W") == "T-DISCARD"
    assert board_of(after).counts[0] == 1


# -- W-SKIP ------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_w_skip_never_part_of_a_meld(box: str) -> None:
    never = "A Skip is never part of a meld. (W-SKIP)"
    assert not_laid(box, 2, "G2 Y2 W=2 S / R4 W=5 Y6 R7") == never
    assert lays(box, 2, "G2 Y2 W=2 / R4 W=5 Y6 R7")
    assert not_laid(box, 2, "G2 Y2 W=2 / R4 S Y6 R7") == never
    assert not_laid(box, 8, "R1 R2 R3 R4 R5 R6 S") == never  # not even as a card of its colour


def test_w_skip_never_part_of_a_meld_in_express() -> None:
    assert not_laid("express", 1, "R1 B3 B5 S") == "A Skip is never part of a meld. (W-SKIP)"


@pytest.mark.parametrize("box", ALL)
def test_w_skip_never_hits(box: str) -> None:
    state = situation(
        box, held={1: "S R12"}, phases={1: 1}, table={1: ["set 3: R3 Y3 G3", "set 3: R4 Y4 G4"]}
    )
    assert refusal(state, "H S>1.1") == "A Skip is never part of a meld. (W-SKIP)"


# -- P-CHAVO -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cards",
    [
        "R8 B8 Y8 G8 G8 / R3 B3 Y3",
        "R3 R3 B3 Y3 G3 / B8 Y8 G8",
        "R5 R5 B5 Y5 W=5 / R3 B3 Y3",
        "R5 R5 B5 Y5 G5 / R3 B3 W=3",
        "R8 B8 Y8 G8 W=8 / R3 B3 Y3",
        "R8 B8 Y8 W=8 W=8 / R8 B8 Y8",
        "R5 R5 B5 Y5 G5 / W=3 W=3 W=3",
        "R5 R5 B5 Y5 G5 W=5 / R3 B3 Y3",
    ],
)
def test_p_chavo_an_eight_or_a_wild(cards: str) -> None:
    assert lays("elchavo", 10, cards)


def test_p_chavo_neither_an_eight_nor_a_wild() -> None:
    cards = "R5 R5 B5 Y5 G5 / R3 B3 Y3"
    assert not_laid("elchavo", 10, cards) == (
        "This Phase needs a natural 8 or a Wild among its cards. (P-CHAVO)"
    )
    assert lays("classic", 10, cards)
    assert lays("deluxe", 10, cards)
    assert lays("elchavo", 9, "R5 R5 B5 Y5 G5 / R3 B3")


def test_p_chavo_a_skip_never_counts() -> None:
    assert not_laid("elchavo", 10, "R5 R5 B5 Y5 G5 S / R3 B3 Y3").endswith("(W-SKIP)")


def test_p_chavo_a_later_hit_comes_too_late() -> None:
    """The Phase has to show the character when it is laid."""
    state = situation("elchavo", held={1: "R5 R5 B5 Y5 G5 R3 B3 Y3 W S"}, phases={1: 10, 2: 10})
    assert refuse(state, "L R5 R5 B5 Y5 G5 / R3 B3 Y3") == "P-CHAVO"
    assert on_table(accept(state, "L R5 R5 B5 Y5 G5 W / R3 B3 Y3"), 1) == [
        "R5 R5 B5 Y5 G5 W=5",
        "R3 B3 Y3",
    ]


def test_p_chavo_is_asked_after_w_natural() -> None:
    assert not_laid("elchavo", 10, "W=5 W=5 W=5 W=5 W=5 / W=3 W=3 W=3") == NO_NATURAL
