"""Melds: what is laid, and what is none. Examples are those of the five books and of docs/rules.md."""

import pytest

from phaseten.rules.cards import parse_cards
from phaseten.rules.editions import Edition, parse_group, read_edition
from phaseten.rules.melds import Meld, add_to_meld, read_meld
from tests.rulebook.situations import TABLE_A, laid, lays, not_laid, rules_for

SIX_AND_SEVEN = "R6 Y6 B7 G7"


def own(*phases: str, **more: object) -> Edition:
    """A box of one's own, with these Phases and the classic deck."""
    must_show = more.pop("must_show", None)
    lines = [f"{key} = {value!r}" for key, value in {"phases": list(phases), **more}.items()]
    if must_show:
        lines += ["[must_show]", f"1 = {must_show}"]
    return read_edition("\n".join(['based_on = "classic"', 'name = "own"', *lines]), "own.toml")


# -- M-SET -------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_m_set_sevens_and_tens(box: str) -> None:
    assert lays(box, 1, "R7 Y7 G7 / R10 Y10 Y10")


def test_m_set_express_sevens_and_tens() -> None:
    assert lays("express", 2, "R7 G7 / B10 Y10")


@pytest.mark.parametrize("box", TABLE_A)
def test_m_set_of_two_numbers_is_none(box: str) -> None:
    why = "A set is made of cards of one number: G8 does not fit. (M-SET)"
    assert not_laid(box, 1, "R7 Y7 G8 / R10 Y10 G10") == why
    assert not_laid(box, 1, "R10 Y10 G10 / R7 Y7 G8") == why
    assert not_laid("express", 5, "R7 Y7 G8") == why


@pytest.mark.parametrize("box", TABLE_A)
def test_m_set_too_small(box: str) -> None:
    assert not_laid(box, 1, "R7 Y7 / R10 Y10 G10") == "Set 3: at least 3 cards, not 2. (M-SET)"
    assert not_laid(box, 7, "R7 Y7 G7 G7 / R9 Y9 G9") == "Set 4: at least 4 cards, not 3. (M-SET)"
    assert not_laid(box, 9, "R7 Y7 G7 G7 R7 / R9") == "Set 2: at least 2 cards, not 1. (M-SET)"


@pytest.mark.parametrize(
    ("phase", "cards"),
    [
        (1, "R1 Y1 G1 / R12 Y12 G12"),
        (2, "R9 Y9 G9 / R1 Y2 G3 R4"),
        (3, "R9 R9 Y9 G9 / Y9 R10 R11 G12"),
        (4, "R1 R2 R3 R4 R5 R6 R7"),
        (5, "R5 Y6 R7 R8 R9 G10 R11 R12"),
        (6, "R4 R5 R6 R7 R8 R9 R10 R11 G12"),
        (7, "R6 R6 Y6 Y6 / G1 G1 R1 R1"),
        (8, "G1 G1 G5 G4 G3 G12 G2"),
        (9, "R2 R2 Y2 Y2 G2 / R3 G3"),
        (10, "R8 R8 Y8 Y8 G8 / R3 R3 G3"),
    ],
)
@pytest.mark.parametrize("box", TABLE_A)
def test_m_exact_every_phase_of_table_a(box: str, phase: int, cards: str) -> None:
    assert lays(box, phase, cards)


@pytest.mark.parametrize(
    ("phase", "cards"),
    [
        (1, "R1 B3 B5 Y7"),
        (2, "R5 B5 / Y7 G7"),
        (3, "R2 B4 G4 Y12"),
        (4, SIX_AND_SEVEN),
        (5, "R4 B4 G4"),
        (6, "R3 B4 B5 G6"),
        (7, "R4 R5 R6"),
        (8, "R1 B3 B5 Y7"),
        (9, "G2 R4 Y6 B8"),
        (10, "R2 R3 R8 R12"),
    ],
)
def test_m_exact_every_phase_of_table_b(phase: int, cards: str) -> None:
    assert lays("express", phase, cards)


# -- M-RUN -------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
@pytest.mark.parametrize("run", ["R3 Y4 Y5 G6", "R1 G2 Y3 Y4", "Y9 R10 R11 G12"])
def test_m_run_numbers_in_order(box: str, run: str) -> None:
    assert lays(box, 2, f"R8 Y8 G8 / {run}")


@pytest.mark.parametrize("box", TABLE_A)
@pytest.mark.parametrize(
    ("run", "wrong"),
    [
        ("R11 G12 R1 Y2", "R1"),
        ("R3 R4 Y4 R5", "Y4"),
        ("R3 R4 Y6 R7", "Y6"),
        ("R6 R5 Y4 R3", "R5"),
        ("R4 R3 Y5 R6", "R3"),
        ("R3 R4 Y5 R8", "R8"),
    ],
)
def test_m_run_broken(box: str, run: str, wrong: str) -> None:
    why = (
        f"A run goes up one number at a time from card to card: {wrong} does not fit there. (M-RUN)"
    )
    assert not_laid(box, 2, f"R8 Y8 G8 / {run}") == why


@pytest.mark.parametrize("box", TABLE_A)
def test_m_run_too_short(box: str) -> None:
    assert not_laid(box, 2, "R8 Y8 G8 / R3 R4 R5") == "Run 4: at least 4 cards, not 3. (M-RUN)"
    assert not_laid(box, 4, "R3 R4 R5 R6 R7 R8") == "Run 7: at least 7 cards, not 6. (M-RUN)"
    assert not_laid("express", 6, "R3 R4 R5") == "Run 4: at least 4 cards, not 3. (M-RUN)"


@pytest.mark.parametrize(
    "run", ["R10 R11 R12 W", "W R1 R2 R3", "W W W R3", "W=10 W W W", "W W W W=3"]
)
def test_m_run_ends_at_1_and_12(run: str) -> None:
    why = "Numbers go from 1 to 12: this run does not fit in. (M-RUN)"
    assert not_laid("classic", 2, f"R8 Y8 G8 / {run}") == why


def test_m_run_fills_up_to_the_very_ends() -> None:
    assert laid("classic", 2, "R8 Y8 G8 / W W W R4") == ["R8 Y8 G8", "W=1 W=2 W=3 R4"]
    assert laid("classic", 2, "R8 Y8 G8 / R9 W W W") == ["R8 Y8 G8", "R9 W=10 W=11 W=12"]


def test_m_run_ends_where_the_deck_ends() -> None:
    small = own("run 4 + set 2", highest=9)
    assert lays(small, 1, "R6 R7 R8 R9 / R1 B1")
    assert not_laid(small, 1, "R7 R8 R9 W / R1 B1") == (
        "Numbers go from 1 to 9: this run does not fit in. (M-RUN)"
    )


# -- M-COLOR -----------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
@pytest.mark.parametrize("cards", ["R1 R2 R2 R5 R9 R11 R12", "G1 G3 G4 G6 G8 G8 G12"])
def test_m_color_seven_of_one_colour_in_any_order(box: str, cards: str) -> None:
    assert lays(box, 8, cards)
    assert lays(box, 8, " ".join(reversed(cards.split())))


@pytest.mark.parametrize("cards", ["R2 R3 R8 R12", "G1 G5 G6 G11"])
def test_m_color_express_four_of_one_colour(cards: str) -> None:
    assert lays("express", 10, cards)


@pytest.mark.parametrize("box", TABLE_A)
def test_m_color_two_colours(box: str) -> None:
    why = "These cards must all be of one colour: G12 does not fit. (M-COLOR)"
    assert not_laid(box, 8, "R1 R2 R2 R5 R9 R11 G12") == why
    assert not_laid("express", 10, "R1 R2 R3 G12") == why


@pytest.mark.parametrize("box", TABLE_A)
def test_m_color_too_few(box: str) -> None:
    assert not_laid(box, 8, "R1 R2 R2 R5 R9 R11") == "Color 7: at least 7 cards, not 6. (M-COLOR)"


def test_m_color_only_colours_of_the_deck() -> None:
    """Orange can be declared where there is orange: not in the classic deck."""
    two = own("color 4 + set 2")
    assert lays(two, 1, "W=B W=B W=B W=B / R1 B1")
    assert not_laid(two, 1, "W=O W=O W=O W=O / R1 B1") == (
        "These cards must all be of one colour: W=O does not fit. (M-COLOR)"
    )


def test_m_set_only_numbers_of_the_deck() -> None:
    small = own("set 2 + set 2", highest=6)
    assert lays(small, 1, "W=6 W=6 / R1 B1")
    assert not_laid(small, 1, "W=7 W=7 / R1 B1") == (
        "A set is made of cards of one number: W=7 does not fit. (M-SET)"
    )


# -- M-PARITY ----------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", ["R1 B3 B5 Y7", "R3 B3 R5 Y5", "R7 B7 Y7 G7", "R1 G5 Y9 B11"])
def test_m_parity_four_odd_cards(cards: str) -> None:
    assert lays("express", 1, cards)
    assert not_laid("express", 3, cards).endswith("(M-PARITY)")


@pytest.mark.parametrize("cards", ["R2 B4 G4 Y12", "R2 B2 Y2 G2", "R10 G6 B2 Y12"])
def test_m_parity_four_even_cards(cards: str) -> None:
    assert lays("express", 3, cards)
    assert not_laid("express", 1, cards).endswith("(M-PARITY)")


def test_m_parity_one_card_of_the_other_kind() -> None:
    assert not_laid("express", 3, "R2 B4 G4 Y11") == (
        "These cards must all be even: Y11 does not fit. (M-PARITY)"
    )
    assert not_laid("express", 1, "R1 B3 G5 Y12") == (
        "These cards must all be odd: Y12 does not fit. (M-PARITY)"
    )
    assert not_laid("express", 1, "R1 B3 G5") == "Odd 4: at least 4 cards, not 3. (M-PARITY)"
    assert not_laid("express", 3, "R2 B2 G2") == "Even 4: at least 4 cards, not 3. (M-PARITY)"


def test_m_parity_a_wild_stays_a_plain_wild() -> None:
    assert laid("express", 1, "R1 W W=5 Y7") == ["R1 W W Y7"]
    assert not_laid("express", 1, "R1 W=4 B3 Y7") == (
        "These cards must all be odd: W=4 does not fit. (M-PARITY)"
    )


# -- M-PAIRRUN ---------------------------------------------------------------------------------


def test_m_pairrun_sixes_and_sevens() -> None:
    assert lays("express", 4, SIX_AND_SEVEN)
    assert lays("express", 4, "R1 B1 R2 B2")
    assert lays("express", 4, "R11 B11 R12 B12")


def test_m_pairrun_needs_exactly_two_of_each_of_neighbouring_numbers() -> None:
    why = "A run goes up one number at a time from card to card: {} does not fit there. (M-PAIRRUN)"
    assert not_laid("express", 4, "R6 Y6 B8 G8") == why.format("B8")
    assert not_laid("express", 4, "R6 Y6 G6 B7") == why.format("G6")
    assert not_laid("express", 4, "R6 Y7 G7 B7") == why.format("Y7")
    assert not_laid("express", 4, "R6 Y6 G6 B6") == why.format("G6")
    assert not_laid("express", 4, "R7 Y7 G6 B6") == why.format("G6")
    assert not_laid("express", 4, "R12 Y12 G1 B1") == why.format("G1")
    assert not_laid("express", 4, "R6 Y6 B7") == "Pairrun 2: at least 4 cards, not 3. (M-PAIRRUN)"
    assert not_laid("express", 4, "R6 Y6 B7 G7 R8") == (
        "A run of pairs has exactly two cards of each number. (M-PAIRRUN)"
    )


def test_m_pairrun_with_wilds() -> None:
    assert laid("express", 4, "R6 W B7 W") == ["R6 W=6 B7 W=7"]
    assert laid("express", 4, "W R6 W W") == ["W=6 R6 W=7 W=7"]
    assert laid("express", 4, "W W W R7") == ["W=6 W=6 W=7 R7"]
    assert not_laid("express", 4, "R12 B12 W W") == (
        "Numbers go from 1 to 12: this run does not fit in. (M-PAIRRUN)"
    )
    assert not_laid("express", 4, "W W R1 B1").startswith("Numbers go from 1 to 12")


# -- M-COLORRUN --------------------------------------------------------------------------------


def test_m_colorrun_three_of_one_colour() -> None:
    assert lays("express", 7, "R4 R5 R6")
    assert lays("express", 7, "R4 W=R5 R6")
    assert laid("express", 7, "W G11 W=12") == ["W=G10 G11 W=G12"]
    assert laid("express", 7, "W W=G G3") == ["W=G1 W=G2 G3"]


def test_m_colorrun_of_two_colours_or_out_of_order() -> None:
    assert not_laid("express", 7, "R4 B5 R6") == (
        "These cards must all be of one colour: B5 does not fit. (M-COLORRUN)"
    )
    assert not_laid("express", 7, "R4 W=B5 R6") == (
        "These cards must all be of one colour: W=B5 does not fit. (M-COLORRUN)"
    )
    assert not_laid("express", 7, "R4 R5 R7") == (
        "A run goes up one number at a time from card to card: R7 does not fit there. (M-COLORRUN)"
    )
    assert not_laid("express", 7, "R11 R12 W") == (
        "Numbers go from 1 to 12: this run does not fit in. (M-COLORRUN)"
    )
    assert not_laid("express", 7, "R4 R5") == "Colorrun 3: at least 3 cards, not 2. (M-COLORRUN)"


def test_m_colorrun_of_wilds_says_its_colour_and_numbers() -> None:
    two = own("colorrun 4 + set 2")
    assert lays(two, 1, "W=G3 W=G4 W=G5 W=G6 / R1 B1")
    assert laid(two, 1, "W=G3 W W W / R1 B1") == ["W=G3 W=G4 W=G5 W=G6", "R1 B1"]
    assert laid(two, 1, "W=G W=4 W W / R1 B1") == ["W=G3 W=G4 W=G5 W=G6", "R1 B1"]
    undeclared = "A meld of Wilds alone has to say what it stands for, such as W=5. (W-NATURAL)"
    assert not_laid(two, 1, "W=3 W=4 W=5 W=6 / R1 B1") == undeclared
    assert not_laid(two, 1, "W=G W=G W=G W=G / R1 B1") == undeclared


# -- M-STEPRUN ---------------------------------------------------------------------------------


def test_m_steprun_odd_and_even() -> None:
    assert lays("express", 8, "R1 B3 B5 Y7")
    assert lays("express", 8, "R5 B7 B9 Y11")
    assert lays("express", 9, "G2 R4 Y6 B8")
    assert lays("express", 9, "G6 R8 Y10 B12")


def test_m_steprun_broken() -> None:
    why = "A run goes up by twos from card to card: {} does not fit there. (M-STEPRUN)"
    assert not_laid("express", 8, "R1 B3 B5 Y9") == why.format("Y9")
    assert not_laid("express", 8, "R1 B2 B3 Y4") == why.format("B2")
    assert not_laid("express", 9, "R2 B4 B6 Y7") == why.format("Y7")
    assert (
        not_laid("express", 8, "R2 B4 B6 Y8") == "This run is made of odd numbers only. (M-STEPRUN)"
    )
    assert (
        not_laid("express", 9, "R1 B3 B5 Y7")
        == "This run is made of even numbers only. (M-STEPRUN)"
    )
    assert not_laid("express", 8, "R1 B3 B5") == "Oddrun 4: at least 4 cards, not 3. (M-STEPRUN)"
    assert not_laid("express", 9, "R2 B4 B6") == "Evenrun 4: at least 4 cards, not 3. (M-STEPRUN)"


def test_m_steprun_stays_within_1_and_12() -> None:
    why = "Numbers go from 1 to 12: this run does not fit in. (M-STEPRUN)"
    assert not_laid("express", 8, "R9 R11 W W") == why
    assert not_laid("express", 8, "W R1 R3 R5") == why
    assert not_laid("express", 9, "W R2 R4 R6") == why
    assert not_laid("express", 9, "R8 R10 R12 W") == why
    assert laid("express", 9, "W R4 R6 W") == ["W=2 R4 R6 W=8"]


def test_w_skip_is_no_card_of_any_meld() -> None:
    """Asked directly, a meld with a Skip is refused as the referee would."""
    box = rules_for().edition
    fours = Meld(parse_group("set 3"), parse_cards("R4 B4 Y4"))
    assert str(read_meld(fours.group, parse_cards("R4 B4 S"), box)) == (
        "A Skip is never part of a meld. (W-SKIP)"
    )
    assert (
        str(add_to_meld(fours, parse_cards("S"), box)) == "A Skip is never part of a meld. (W-SKIP)"
    )


# -- M-EXACT -----------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_m_exact_a_third_set_is_refused(box: str) -> None:
    """Three sixes, three eights and three tens: the tens stay."""
    assert not_laid(box, 1, "R6 Y6 G6 / R8 G8 G8 / R10 Y10 G10") == (
        "Phase 1 is laid as exactly 2 melds, not 3. (M-EXACT)"
    )


@pytest.mark.parametrize("box", TABLE_A)
def test_m_exact_a_missing_meld_is_refused(box: str) -> None:
    assert not_laid(box, 2, "R11 R11 Y11") == "Phase 2 is laid as exactly 2 melds, not 1. (M-EXACT)"
    assert not_laid(box, 4, "R1 Y2 R3 R4 / R5 R6 R7") == (
        "Phase 4 is laid as exactly 1 melds, not 2. (M-EXACT)"
    )


@pytest.mark.parametrize("box", TABLE_A)
def test_m_exact_two_sets_of_the_same_number_stay_two(box: str) -> None:
    assert laid(box, 1, "R10 R10 G10 / Y10 Y10 G10") == ["R10 R10 G10", "Y10 Y10 G10"]


def test_m_exact_express_two_and_two_tens() -> None:
    assert laid("express", 2, "R10 B10 / Y10 G10") == ["R10 B10", "Y10 G10"]


@pytest.mark.parametrize("box", TABLE_A)
def test_m_exact_the_melds_come_in_the_order_of_the_phase(box: str) -> None:
    assert not_laid(box, 2, "R3 R4 R5 R6 / R8 Y8 G8").endswith("R4 does not fit. (M-SET)")
    assert not_laid(box, 9, "R3 Y3 / R8 Y8 G8 R8 Y8").endswith("(M-SET)")


# -- M-MORE ------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_m_more_five_fives_and_three_sevens(box: str) -> None:
    assert lays(box, 1, "R5 R5 Y5 Y5 G5 / R7 Y7 G7")
    assert not_laid(box, 1, "R5 R5 Y5 Y5 G6 / R7 Y7 G7").endswith("(M-SET)")


@pytest.mark.parametrize("box", TABLE_A)
def test_m_more_a_run_of_nine_for_phase_4(box: str) -> None:
    assert lays(box, 4, "R2 Y3 Y4 G5 Y6 R7 R8 G9 Y10")
    assert lays(box, 2, "R8 Y8 G8 / R2 Y3 Y4 G5 Y6 R7")
    assert lays(box, 8, "R1 R2 R2 R5 R9 R11 R12 R3 R3")


def test_m_more_in_express() -> None:
    assert lays("express", 4, "R6 Y6 B7 G7 R8 Y8")
    assert lays("express", 1, "R1 B3 B5 Y7 G9")
    assert lays("express", 7, "R4 R5 R6 R7 R8")
    assert lays("express", 8, "R1 B3 B5 Y7 G9 B11")
    assert not_laid("express", 4, "R6 Y6 B7 G7 R8").endswith("(M-PAIRRUN)")
