"""The hand: dealing, the first player, what is turned up, the next dealer."""

import pytest

from phaseten.rules.cards import SKIP, WILD, parse_card, parse_cards
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DealSeen,
    HandDealt,
    HandScored,
    MeldHit,
    PhaseLaid,
    TurnLost,
)
from phaseten.rules.melds import Meld
from phaseten.rules.referee import apply_all, deal
from phaseten.rules.refusals import Refusal
from phaseten.rules.state import Board, ScoreSheet, State
from tests.rulebook.situations import (
    ALL,
    IN_FRONT,
    ONTO_PILE,
    accept,
    board_of,
    deals,
    dealt,
    discards,
    happens,
    held,
    memory_of,
    order_with,
    refusal,
    refuse,
    rules_for,
    situation,
    table_for,
    turn,
    waiting,
)

# -- H-DEAL ------------------------------------------------------------------------------------


def test_h_deal_one_card_at_a_time_from_the_left_of_the_dealer() -> None:
    """Four players, seat 4 deals: seat 1 gets the first card and the fifth; the 41st is turned up."""
    state = table_for(4)
    order = order_with(state)[::-1]
    after = apply_all(state, events_of(deal(state, order)))
    assert after.held == (order[0:40:4], order[1:40:4], order[2:40:4], order[3:40:4])
    assert board_of(after).discards == (order[40],)
    assert after.draw_pile == order[41:]


def test_h_deal_from_another_dealer() -> None:
    """Seat 2 of three deals: seat 3 is first, then 1, then 2."""
    after = dealt(table_for(3, dealer=2), first="R1 B1 G1 R2 B2 G2")
    assert [held(after, seat).split()[:2] for seat in (3, 1, 2)] == [
        ["R1", "R2"],
        ["B1", "B2"],
        ["G1", "G2"],
    ]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize(
    ("box", "each", "deck"), [(b, 10, 108) for b in ALL[:4]] + [("express", 5, 54)]
)
def test_h_deal_everybody_gets_the_number_of_the_edition(
    box: str, each: int, deck: int, players: int
) -> None:
    state = table_for(players, box)
    (event,) = deals(state, turned_up="R1")
    assert isinstance(event, HandDealt)
    assert (event.hand, event.dealer, event.tiebreak, event.deal) == (1, players, False, each)
    after = dealt(state)
    assert board_of(after).counts == (each,) * players
    assert board_of(after).draw_count == deck - players * each - 1
    assert discards(after) == "R1"


def test_h_deal_express_for_three_turns_up_the_16th_card() -> None:
    state = table_for(3, "express")
    order = order_with(state)
    assert board_of(apply_all(state, events_of(deal(state, order)))).discards == (order[15],)


def test_h_deal_the_whole_board_after_a_deal() -> None:
    state = table_for(3, dealer=1)
    assert board_of(dealt(state, turned_up="W")) == Board(
        hand=1,
        players=(2, 3, 1),
        turn=2,
        step="draw",
        counts=(10, 10, 10),
        draw_count=77,
        discards=(WILD,),
        melds=((), (), ()),
        made=(0, 0, 0),
        waiting=(False, False, False),
        skipped_by=(0, 0, 0),
        taken=None,
        reshuffles=0,
        seen=(DealSeen(1, 1, (2, 3, 1), False, (), WILD, 10, 77),),
    )


def test_h_deal_only_with_the_whole_deck() -> None:
    state = table_for(2)
    order = state.rules.edition.deck
    assert str(deal(state, order[1:])) == (
        "These are not the cards of this edition's deck: without R1. (H-DEAL)"
    )
    assert str(deal(state, (*order, WILD, order[0]))) == (
        "These are not the cards of this edition's deck: too many of R1 W. (H-DEAL)"
    )
    swapped = (SKIP, SKIP, *order[2:])
    assert str(deal(state, swapped)) == (
        "These are not the cards of this edition's deck: too many of S S and without R1 R1. (H-DEAL)"
    )


def events_of(verdict: object) -> tuple[HandDealt | TurnLost, ...]:
    assert isinstance(verdict, tuple)
    return verdict


# -- H-FIRST -----------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
@pytest.mark.parametrize("dealer", [1, 2, 3, 4])
def test_h_first_the_dealers_left_neighbour_starts(box: str, dealer: int) -> None:
    state = dealt(table_for(4, box, dealer=dealer))
    first = dealer % 4 + 1
    order = [turn(state)]
    for _ in range(4):
        state = accept(state, "D")
        state = accept(state, f"-{next(c for c in state.held[turn(state) - 1] if not c.is_skip)}")
        order.append(turn(state))
    assert order == [first, first % 4 + 1, (first + 1) % 4 + 1, dealer, first]


def test_h_first_nobody_else_may_start() -> None:
    state = dealt(table_for(4, dealer=3))
    assert refusal(state, "D", seat=1) == "It is the turn of seat 4, not of seat 1. (T-TURN)"


# -- H-START-WILD ------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
def test_h_start_wild_may_be_taken(box: str) -> None:
    state = dealt(table_for(3, box), turned_up="W")
    assert turn(state) == 1
    after = accept(state, "P")
    assert held(after, 1).endswith(" W")
    assert discards(after) == ""
    assert memory_of(after).known == ((WILD,), (), ())


@pytest.mark.parametrize("box", ALL)
def test_h_start_wild_need_not_be_taken(box: str) -> None:
    state = dealt(table_for(3, box), turned_up="W")
    assert discards(accept(state, "D")) == "W"


# -- H-START-SKIP ------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ALL)
@pytest.mark.parametrize(("players", "then"), [(2, 1), (3, 3), (4, 3), (6, 3)])
def test_h_start_skip_costs_the_first_player_the_turn(box: str, players: int, then: int) -> None:
    """Seat 1 deals; seat 2 loses the turn, seat 3 begins (with two players: seat 1)."""
    state = table_for(players, box, dealer=1)
    event, lost = deals(state, turned_up="S")
    assert isinstance(event, HandDealt)
    assert lost == TurnLost(2)
    after = dealt(state, turned_up="S")
    assert (turn(after), board_of(after).step) == (then, "draw")
    assert discards(after) == "S"
    assert waiting(after) == []
    assert refuse(after, "P") == "T-DRAW-SKIP"


@pytest.mark.parametrize("box", ONTO_PILE)
def test_h_start_skip_counts_as_played_by_the_dealer(box: str) -> None:
    """Seat 3 may not skip seat 2 again; once seat 1, the dealer, has the turn, it may be skipped."""
    state = dealt(table_for(3, box, dealer=1), first="R1 S R1 R2 R2 S", turned_up="S")
    assert held(state, 3).startswith("S")
    assert board_of(state).skipped_by == (0, 1, 0)
    assert refusal(state, "D -S@2") == "Seat 2 was already skipped in this round. (S-ONCE-A-ROUND)"
    after = accept(state, "D -R3")
    assert turn(after) == 1
    assert board_of(after).skipped_by == (0, 0, 0)
    assert turn(accept(after, "D -S@2")) == 3


@pytest.mark.parametrize("box", IN_FRONT)
def test_h_start_skip_is_spent_at_once_where_skips_wait_in_front(box: str) -> None:
    state = dealt(table_for(3, box, dealer=1), first="R1 S", turned_up="S")
    after = accept(state, "D -S@2")
    assert (waiting(after), discards(after), turn(after)) == ([2], "S", 1)


@pytest.mark.parametrize("box", ONTO_PILE)
def test_h_start_skip_with_two_players_leaves_the_dealer_free_to_skip(box: str) -> None:
    state = dealt(table_for(2, box, dealer=1), first="R1 S", turned_up="S")
    assert turn(state) == 1
    assert board_of(state).skipped_by == (0, 0)
    assert turn(accept(state, "D -S@2")) == 1


@pytest.mark.parametrize("box", ONTO_PILE)
@pytest.mark.parametrize(
    ("dealer", "players", "last"), [(2, (3, 4, 1), 1), (4, (1, 3, 4), 4), (3, (4, 1, 3), 3)]
)
def test_h_start_skip_of_a_dealer_who_does_not_play(
    box: str, dealer: int, players: tuple[int, ...], last: int
) -> None:
    """In a tie-break hand it counts as played by the seat dealt to last."""
    rules = rules_for(box)
    state = State(rules, ScoreSheet(((),) * 4, (50,) * 4, (), dealer, (1, 3, 4)))
    after = dealt(state, turned_up="S")
    assert board_of(after).players == players
    assert board_of(after).skipped_by[players[0] - 1] == last
    assert turn(after) == players[1]
    assert board_of(after).counts == (10, 0, 10, 10)


# -- H-NEXT ------------------------------------------------------------------------------------


def test_h_next_the_deal_passes_to_the_left() -> None:
    """Seat 2 of three dealt hand 1: seat 3 deals hand 2, seat 1 deals hand 3."""
    state = table_for(3, dealer=2)
    for dealer, hand in [(2, 1), (3, 2), (1, 3), (2, 4)]:
        assert state.sheet.dealer == dealer
        event = deals(state, turned_up="R1")[0]
        assert isinstance(event, HandDealt)
        assert (event.hand, event.dealer, event.players[-1]) == (hand, dealer, dealer)
        state = apply_all(dealt(state), [HandScored(hand, 1, ((1, 0), (2, 5), (3, 5)), (), False)])


def test_h_next_all_cards_are_gathered() -> None:
    state = situation(held={1: "R9"}, table={1: ["set 3: R3 B3 G3", "set 3: R4 B4 G4"]}, players=3)
    between = accept(state, "-R9")
    assert between.board is None
    assert (between.held, between.draw_pile) == ((), ())
    after = dealt(between)
    assert board_of(after).melds == ((), (), ())
    assert (board_of(after).hand, turn(after)) == (2, 2)


def test_h_next_not_while_a_hand_is_going_on() -> None:
    state = situation()
    assert str(deal(state, state.rules.edition.deck)) == (
        "This hand is still going on: nothing can be dealt yet. (H-NEXT)"
    )


def test_g_win_nothing_is_dealt_after_the_game() -> None:
    state = State(rules_for(), ScoreSheet(((), (1,)), (0, 5), winner=1))
    verdict = deal(state, state.rules.edition.deck)
    assert isinstance(verdict, Refusal)
    assert str(verdict) == "The game is over: seat 1 has won. (G-WIN)"


def test_t_credit_the_events_of_a_whole_turn() -> None:
    """Draw, lay, hit, discard: four events, in this order, with these contents."""
    state = situation(
        held={1: "R5 B5 G5 R7 Y7 R9 Y5"}, draw="G7", step="draw", discards="B1", phases={2: 2}
    )
    drawn, laid, hit, gone = happens(state, "D L R5 B5 G5 / R7 Y7 G7 H Y5>1.1 -R9")[:4]
    assert drawn == CardDrawn(1, parse_card("G7"))
    assert isinstance(laid, PhaseLaid)
    assert (laid.seat, laid.phase) == (1, 1)
    assert [meld.cards for meld in laid.melds] == [parse_cards("R5 B5 G5"), parse_cards("R7 Y7 G7")]
    fives = Meld(laid.melds[0].group, parse_cards("R5 B5 G5 Y5"))
    assert hit == MeldHit(1, parse_cards("Y5"), 1, 1, fives)
    assert gone == CardDiscarded(1, parse_card("R9"), None)
