"""What follows from what everybody has seen in a hand."""

from phaseten.rules.cards import SKIP, WILD, parse_card, parse_cards
from phaseten.rules.events import CardDrawn, DealSeen, DrawSeen, PileReshuffled, ReshuffleSeen
from phaseten.rules.memory import Memory
from phaseten.rules.referee import apply
from phaseten.rules.views import fold, view_of
from tests.rulebook.situations import accept, board_of, dealt, memory_of, situation, table_for


def test_after_the_deal_there_is_nothing_to_remember() -> None:
    state = dealt(table_for(3), turned_up="R5")
    assert memory_of(state) == Memory(((), (), ()), ((), (), ()), ())


def test_what_was_seen_has_no_place_for_a_secret() -> None:
    """A deal without hands, draws without cards, a reshuffle as a count: in truth and view alike."""
    state = dealt(table_for(2), turned_up="R5")
    deal = board_of(state).seen[0]
    assert isinstance(deal, DealSeen)
    assert (deal.cards, deal.turned_up) == ((), parse_card("R5"))
    turn = board_of(state).turn
    after = apply(state, CardDrawn(turn, state.draw_pile[0]))
    assert board_of(after).seen == (deal, DrawSeen(turn, None))
    folded = fold(view_of(state, turn), DrawSeen(turn, state.draw_pile[0]))
    assert folded == view_of(after, turn)
    state = situation(discards="R1 R2 R3", rest=2, step="draw")
    after = apply(state, PileReshuffled(parse_cards("R2 R1")))
    assert board_of(after).seen[-1] == ReshuffleSeen(2)


def test_a_skip_in_front_comes_onto_the_pile_when_its_turn_is_lost() -> None:
    """Passed over is what lay on top: beneath a waiting Skip the pile is as it was."""
    state = situation("anniversary", players=3, held={1: "S R1", 3: "G1 G2"}, discards="Y9",
                      draw="R7 R8 R9")  # fmt: skip
    state = accept(state, "-S@3")
    assert board_of(state).discards == parse_cards("Y9")
    state = accept(state, "D -R7")  # seat 2 left the Y9, and seat 3 loses its turn
    assert board_of(state).discards == parse_cards("Y9 R7 S")
    assert memory_of(state).passed_over == ((), parse_cards("R7 Y9"), ())
    state = accept(state, "D -R1")  # nobody passes over a Skip
    assert memory_of(state).passed_over[0] == parse_cards("R1")


def test_a_skip_onto_the_pile_lies_on_what_was_there() -> None:
    state = situation(players=2, held={1: "S R1"}, discards="Y9", draw="R7 R8")
    state = accept(state, "-S@2")
    assert board_of(state).discards[-1] is SKIP
    assert memory_of(accept(state, "D")).passed_over == ((), ())


def test_of_two_equal_cards_one_leaves() -> None:
    state = situation(held={1: "R1", 2: "B1"}, discards="R9 R9", step="draw", draw="B5 B6")
    state = accept(state, "P -R1")
    state = accept(state, "D -B1")
    assert memory_of(state).known == (parse_cards("R9"), ())
    state = accept(state, "D -R9")
    assert memory_of(state).known == ((), ())


def test_a_wild_that_was_taken_is_known_until_it_is_laid_for_something() -> None:
    state = situation(held={1: "R5 B5 R7 B7 G7 Y1"}, discards="W", step="draw")
    state = accept(state, "P")
    assert memory_of(state).known == ((WILD,), ())
    assert memory_of(accept(state, "L R5 B5 W / R7 B7 G7")).known == ((), ())


def test_a_second_reshuffle_forgets_the_first() -> None:
    state = situation(held={1: "R5 B5 G5", 2: "Y5 Y6"}, discards="R1 R2", rest=2, step="draw")
    state = accept(state, "D -R5")  # R1 was shuffled in and drawn
    assert memory_of(state).recycled == parse_cards("R1")
    state = accept(state, "D -Y5")  # R2 was
    assert memory_of(state).recycled == parse_cards("R2")
