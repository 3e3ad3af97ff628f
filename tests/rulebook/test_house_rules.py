"""House rules, one by one and together."""

import pytest

from phaseten.rules.actions import Discard, Hit, LayPhase
from phaseten.rules.cards import parse_card, parse_cards
from phaseten.rules.editions import read_edition
from phaseten.rules.events import GameTied, GameWon, HandScored, PhaseLaid
from phaseten.rules.views import legal_actions, view_of
from tests.rulebook.situations import (
    ALL,
    TABLE_A,
    accept,
    board_of,
    discards,
    happens,
    lays,
    not_laid,
    refusal,
    refuse,
    situation,
    turn,
    working_on,
)

DOWN = ["set 3: R3 Y3 G3", "set 3: R4 Y4 G4"]
KEEP = "By your house rule you go out with a discard: keep one card for it. (G-OUT)"


# -- discard_to_go_out -------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_discard_to_go_out_the_last_card_is_not_hit(box: str) -> None:
    """Seat 1 holds R4 and Y3: the second hit is refused, the discard goes out."""
    state = situation(box, held={1: "R4 Y3"}, table={1: DOWN}, house=["discard_to_go_out"])
    assert refusal(state, "H R4>1.2 H Y3>1.1") == KEEP
    after = accept(state, "H R4>1.2")
    assert not any(isinstance(action, Hit) for action in legal_actions(view_of(after, 1)))
    assert accept(after, "-Y3").board is None
    assert accept(situation(box, held={1: "R4"}, table={1: DOWN}), "H R4>1.2").board is None


@pytest.mark.parametrize("box", TABLE_A)
def test_discard_to_go_out_the_last_card_is_not_laid(box: str) -> None:
    state = situation(box, held={1: "R5 Y5 G5 R7 Y7 G7"}, house=["discard_to_go_out"])
    assert refusal(state, "L R5 Y5 G5 / R7 Y7 G7") == KEEP
    assert not any(isinstance(action, LayPhase) for action in legal_actions(view_of(state, 1)))
    more = situation(box, held={1: "R5 Y5 G5 R7 Y7 G7 G7"}, house=["discard_to_go_out"])
    assert refusal(more, "L R5 Y5 G5 / R7 Y7 G7 G7") == KEEP
    assert board_of(accept(more, "L R5 Y5 G5 / R7 Y7 G7")).counts[0] == 1


def test_discard_to_go_out_a_pair_is_not_the_last_hit() -> None:
    state = situation(
        "express", held={1: "R8 B8"}, phases={1: 4}, table={1: ["pairrun 2: R6 Y6 B7 G7"]},
        house=["discard_to_go_out"],
    )  # fmt: skip
    assert refusal(state, "H R8,B8>1.1") == KEEP


@pytest.mark.parametrize("box", ALL)
def test_discard_to_go_out_with_a_skip(box: str) -> None:
    state = situation(
        box, players=3, held={1: "S"}, phases={1: 2}, table={1: ["set 3: R3 Y3 G3", "set 2: R4 Y4"]},
        house=["discard_to_go_out"],
    )  # fmt: skip
    assert accept(state, "-S").board is None
    assert accept(state, "-S@3").board is None


def test_discard_to_go_out_is_named_last() -> None:
    """What does not fit is refused for that, and not by the house rule."""
    state = situation(held={1: "R9"}, table={1: DOWN}, house=["discard_to_go_out"])
    assert refuse(state, "H R9>1.1") == "T-HIT"
    state = situation(held={1: "R5 Y5 G5 R7 Y7 G8"}, house=["discard_to_go_out"])
    assert refuse(state, "L R5 Y5 G5 / R7 Y7 G8") == "M-SET"
    state = situation(held={1: "W W W W W W"}, house=["discard_to_go_out"])
    assert refuse(state, "L W=1 W W / W=2 W W") == "W-NATURAL"


# -- natural_per_meld --------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_natural_per_meld_every_meld_needs_a_numbered_card(box: str) -> None:
    house = ["natural_per_meld"]
    assert not_laid(box, 1, "W=4 W=4 W=4 / R9 Y9 G9", house) == (
        "By your house rule every meld needs at least one numbered card. (W-NATURAL)"
    )
    assert refuse_like(box, "R9 Y9 G9 / W=4 W=4 W=4") == "W-NATURAL"
    assert lays(box, 1, "W=4 W=4 R4 / R9 Y9 G9", house)
    assert lays(box, 1, "W=4 W=4 R4 / W=9 W=9 G9", house)
    assert lays(box, 1, "W=4 W=4 W=4 / R9 Y9 G9")


def refuse_like(box: str, cards: str) -> str:
    return not_laid(box, 1, cards, ["natural_per_meld"]).rpartition("(")[2].rstrip(")")


def test_natural_per_meld_no_natural_at_all_is_still_the_plain_rule() -> None:
    assert not_laid("classic", 1, "W=4 W=4 W=4 / W=9 W=9 W=9", ["natural_per_meld"]) == (
        "A Phase needs at least one numbered card. (W-NATURAL)"
    )


def test_natural_per_meld_is_not_undone_by_hits() -> None:
    state = situation(held={1: "W W S"}, table={1: DOWN}, house=["natural_per_meld"])
    assert board_of(accept(state, "H W>1.1 H W>1.1")).counts[0] == 1


# -- no_rediscard ------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
def test_no_rediscard_not_the_card_just_taken(box: str) -> None:
    state = situation(box, held={1: "R5"}, discards="G1 R4", step="draw", house=["no_rediscard"])
    taken = accept(state, "P")
    assert refusal(taken, "-R4") == (
        "By your house rule the card just taken may not be discarded in the same turn. (T-DISCARD)"
    )
    assert legal_actions(view_of(taken, 1)) == [Discard(parse_card("R5"))]
    assert discards(accept(taken, "-R5")) == "G1 R5"


@pytest.mark.parametrize("box", ALL)
def test_no_rediscard_a_card_drawn_from_the_draw_pile_may_be(box: str) -> None:
    state = situation(box, held={1: "R5"}, draw="R4", step="draw", house=["no_rediscard"])
    assert turn(accept(state, "D -R4")) == 2


def test_no_rediscard_a_second_card_with_the_same_face_may_be() -> None:
    state = situation(held={1: "R5 R4"}, discards="R4", step="draw", house=["no_rediscard"])
    assert discards(accept(state, "P -R4")) == "R4"


@pytest.mark.parametrize("box", ALL)
def test_no_rediscard_the_only_card_left_may_be(box: str) -> None:
    state = situation(box, discards="R4", step="draw", house=["no_rediscard"])
    assert discards(accept(state, "P -R4")) == "R4"


def test_no_rediscard_holds_for_that_turn_only() -> None:
    state = situation(
        held={1: "R5 R6", 2: "R9"}, discards="R4", step="draw", house=["no_rediscard"]
    )
    later = accept(accept(state, "P -R5"), "D -R9")
    assert turn(accept(later, "D -R4")) == 2


def test_no_rediscard_goes_out_with_the_taken_card_when_it_is_the_last() -> None:
    state = situation(
        held={1: "R3"}, discards="R12", step="draw", table={1: DOWN}, house=["no_rediscard"]
    )
    assert refuse(state, "P -R12") == "T-DISCARD"
    assert accept(state, "P H R3>1.1 -R12").board is None


# -- choose_phase ------------------------------------------------------------------------------


@pytest.mark.parametrize("box", TABLE_A)
def test_choose_phase_any_phase_not_yet_made(box: str) -> None:
    """In the first hand a run of 7 is laid as Phase 4; the others are left."""
    state = situation(
        box, players=2, held={1: "R2 Y3 Y4 G5 Y6 R7 G8 R12 Y12"}, house=["choose_phase"]
    )
    after = accept(state, "L4 R2 Y3 Y4 G5 Y6 R7 G8")
    assert board_of(after).made == (4, 0)
    assert refuse(after, "L1 R12 Y12") == "T-LAY-ONE"
    state = situation(box, held={1: "R2 Y3 Y4 G5 Y6 R7 G8", 2: "R1"}, house=["choose_phase"])
    over = accept(state, "L4 R2 Y3 Y4 G5 Y6 R7 G8")
    assert over.sheet.left == ((1, 2, 3, 5, 6, 7, 8, 9, 10), tuple(range(1, 11)))
    assert working_on(over) == [1, 1]


def test_choose_phase_without_a_number_it_is_the_lowest() -> None:
    state = situation(held={1: "R5 B5 G5 R7 B7 G7 S"}, left={1: (1, 3, 7)}, house=["choose_phase"])
    (laid,) = happens(state, "L R5 B5 G5 / R7 B7 G7")
    assert isinstance(laid, PhaseLaid)
    assert laid.phase == 1


def test_choose_phase_each_is_made_only_once() -> None:
    state = situation(
        held={1: "R2 Y3 Y4 G5 Y6 R7 G8 R12"}, left={1: (1, 3, 5)}, house=["choose_phase"]
    )
    assert refusal(state, "L4 R2 Y3 Y4 G5 Y6 R7 G8") == (
        "You cannot lay Phase 4: it is not one of those you still have to make. (T-LAY-ONE)"
    )
    assert refuse(state, "L11 R2") == "T-LAY-ONE"


def test_choose_phase_what_is_offered_names_its_phase() -> None:
    state = situation(
        "express", held={1: "R1 B3 Y5 G7 S"}, left={1: (1, 3, 8)}, house=["choose_phase"]
    )
    lays_offered = [a for a in legal_actions(view_of(state, 1)) if isinstance(a, LayPhase)]
    assert lays_offered == [
        LayPhase((parse_cards("R1 B3 Y5 G7"),), 1),
        LayPhase((parse_cards("R1 B3 Y5 G7"),), 8),
    ]


def test_choose_phase_all_are_needed_to_win() -> None:
    last = ["set 5: R8 R8 Y8 Y8 G8", "set 3: R3 Y3 G3"]
    state = situation(held={1: "R12"}, left={1: (10,)}, table={1: last}, house=["choose_phase"])
    assert happens(state, "-R12")[2] == GameWon(1)
    early = situation(
        held={1: "R8 R8 Y8 Y8 G8 R3 Y3 G3"}, left={1: (9, 10)}, house=["choose_phase"]
    )
    assert len(happens(early, "L10 R8 R8 Y8 Y8 G8 / R3 Y3 G3")) == 2
    assert accept(early, "L10 R8 R8 Y8 Y8 G8 / R3 Y3 G3").sheet.left[0] == (9,)


def test_choose_phase_a_tie_is_still_for_the_last_phase() -> None:
    state = situation(
        held={1: "R2 Y3 Y4 G5 Y6 R7 G8"}, left={1: (), 2: ()}, tied=(1, 2), house=["choose_phase"]
    )
    assert refusal(state, "L4 R2 Y3 Y4 G5 Y6 R7 G8") == (
        "You cannot lay Phase 4: it is not one of those you still have to make. (T-LAY-ONE)"
    )


def test_choose_phase_with_ten_hands_forfeits_nothing() -> None:
    house = ["choose_phase"]
    state = situation(held={1: "R2 Y3 Y4 G5 Y6 R7 G8", 2: "R1"}, variant="ten-hands", house=house)
    after = accept(state, "L4 R2 Y3 Y4 G5 Y6 R7 G8")
    assert after.sheet.left == ((1, 2, 3, 5, 6, 7, 8, 9, 10), tuple(range(1, 11)))
    ninth = situation(
        held={1: "R2 Y3 Y4 G5 Y6 R7 G8"},
        left={1: (4, 5)},
        played=8,
        variant="ten-hands",
        house=house,
    )
    assert len(happens(ninth, "L4 R2 Y3 Y4 G5 Y6 R7 G8")) == 2
    tenth = situation(
        held={1: "R2 Y3 Y4 G5 Y6 R7 G8", 2: "R1"}, left={1: (4, 5)}, played=9, totals=(7, 1),
        variant="ten-hands", house=house,
    )  # fmt: skip
    assert happens(tenth, "L4 R2 Y3 Y4 G5 Y6 R7 G8")[1:] == (
        HandScored(10, 1, ((1, 0), (2, 5)), ((1, 4),), False),
        GameWon(2),
    )


# -- together, and custom Phase lists ----------------------------------------------------------


def test_choose_phase_together_with_the_other_house_rules() -> None:
    house = ["discard_to_go_out", "natural_per_meld", "no_rediscard", "choose_phase"]
    state = situation(
        held={1: "W W W R9 B9 Y9 R4"}, discards="B4", step="draw", house=house, left={1: (1, 2)}
    )
    taken = accept(state, "P")
    assert refuse(taken, "-B4") == "T-DISCARD"
    assert refuse(taken, "L1 W=4 W=4 W=4 / R9 B9 Y9") == "W-NATURAL"
    assert refuse(taken, "L3 W=4 W=4 R4 / R9 B9 Y9") == "T-LAY-ONE"
    assert refuse(taken, "L1 W W R4 B4 / R9 B9 Y9 W") == "G-OUT"
    assert accept(taken, "L1 W W R4 B4 / R9 B9 Y9 -W").board is None


def test_choose_phase_of_a_file_of_ones_own() -> None:
    """House rules that an edition has switched on hold without being asked for."""
    kitchen = read_edition(
        'based_on = "classic"\nname = "family"\ntitle = "Our kitchen table"\n'
        'phases = ["set 3 + set 3", "run 7", "color 7", "set 5 + run 4"]\n'
        'house = ["choose_phase", "no_rediscard"]\n',
        "family.toml",
    )
    state = situation(kitchen, held={1: "R2 R3 R4 R5 R6 R7 R8 R12"}, discards="B4", step="draw")
    taken = accept(state, "P")
    assert refuse(taken, "-B4") == "T-DISCARD"
    assert board_of(accept(taken, "L2 R2 R3 R4 R5 R6 R7 R8")).made == (2, 0)
    assert board_of(accept(taken, "L3 R2 R3 R4 R5 R6 R7 R8")).made == (3, 0)
    assert refuse(taken, "L4 R2 R3 R4 R5 R6 / R7 R8") == "M-SET"
    assert refuse(taken, "L5 R2 R3") == "T-LAY-ONE"


def test_choose_phase_own_phase_list_ends_with_its_own_last_phase() -> None:
    short = read_edition(
        'based_on = "classic"\nname = "two"\nphases = ["set 2", "run 4"]\n', "two.toml"
    )
    first = situation(short, held={1: "R1 B1", 2: "R5"})
    after = accept(first, "L R1 B1")
    assert working_on(after) == [2, 1]
    last = situation(short, held={1: "R1 R2 R3 R4"}, phases={1: 2}, totals=(50, 0))
    assert happens(last, "L R1 R2 R3 R4")[2] == GameWon(1)
    both = situation(
        short, held={1: "R1 R2 R3 R4"}, phases={1: 2, 2: 2}, table={2: ["run 4: B1 B2 B3 B4"]}
    )
    assert happens(both, "L R1 R2 R3 R4")[2] == GameTied((1, 2))
