"""What a seat may know and do."""

import pytest

from phaseten.rules.actions import Discard, Hit, LayPhase
from phaseten.rules.cards import SKIP, WILD, format_cards, parse_card, parse_cards, sort_cards
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DealSeen,
    DrawSeen,
    GameWon,
    HandDealt,
    PileReshuffled,
    ReshuffleSeen,
    TurnLost,
)
from phaseten.rules.referee import apply
from phaseten.rules.state import following, put, without
from phaseten.rules.views import View, fold, legal_actions, new_view, seen_by, unseen_cards, view_of
from tests.rulebook.situations import (
    accept,
    board_of,
    deals,
    dealt,
    situation,
    table_for,
)


def test_a_seat_sees_its_own_cards_and_what_lies_open() -> None:
    state = situation(held={1: "R5", 2: "B5 S"})
    assert view_of(state, 2) == View(state.rules, 2, state.sheet, state.board, parse_cards("B5 S"))
    assert view_of(state, None) == View(state.rules, None, state.sheet, state.board, ())
    assert view_of(table_for(2), 1).held == ()
    assert new_view(state, 2) == View(state.rules, 2, state.sheet, None, ())


def test_a_deal_as_it_is_seen() -> None:
    state = table_for(3, dealer=1)
    (event,) = deals(state, turned_up="W")
    assert isinstance(event, HandDealt)
    for seat in (1, 2, 3):
        assert seen_by(event, seat) == DealSeen(
            1, 1, (2, 3, 1), False, event.dealt_to(seat), WILD, 10, 77
        )
    assert seen_by(event, None) == DealSeen(1, 1, (2, 3, 1), False, (), WILD, 10, 77)


def test_a_draw_is_seen_by_the_one_who_draws() -> None:
    event = CardDrawn(2, parse_card("R5"))
    assert seen_by(event, 2) == DrawSeen(2, parse_card("R5"))
    assert seen_by(event, 1) == DrawSeen(2, None)
    assert seen_by(event, None) == DrawSeen(2, None)


def test_a_draw_whose_card_is_not_told_adds_no_card() -> None:
    state = situation(held={1: "R5"}, step="draw")
    view = fold(view_of(state, 1), DrawSeen(1, None))
    assert view.held == parse_cards("R5")
    assert view.board is not None
    assert (view.board.counts, view.board.step) == ((2, 0), "play")


def test_a_reshuffle_is_seen_without_its_order() -> None:
    assert seen_by(PileReshuffled(parse_cards("R5 R6")), 1) == ReshuffleSeen(2)


@pytest.mark.parametrize("event", [TurnLost(1), GameWon(2), CardDiscarded(1, SKIP, 2)])
def test_everything_else_lies_open(event: TurnLost) -> None:
    assert seen_by(event, None) is event


def test_a_whole_game_folds_into_every_view() -> None:
    state = table_for(3)
    views = {seat: new_view(state, seat) for seat in (None, 1, 2, 3)}
    for events in (deals(state, turned_up="R1"),):
        for event in events:
            state = apply(state, event)
            views = {seat: fold(view, seen_by(event, seat)) for seat, view in views.items()}
    for seat, view in views.items():
        assert view == view_of(state, seat)


def test_events_of_a_hand_need_a_hand() -> None:
    state = table_for(2)
    with pytest.raises(ValueError, match="TurnLost does not belong between two hands") as error:
        apply(state, TurnLost(1))
    assert str(error.value) == "TurnLost does not belong between two hands"
    with pytest.raises(ValueError, match="TurnLost") as error:
        fold(view_of(state, 1), TurnLost(1))
    assert str(error.value) == "TurnLost does not belong between two hands"


# -- the cards whose place is not known --------------------------------------------------------


def test_unseen_cards_are_the_draw_pile_and_the_hands_of_others() -> None:
    state = situation(
        "express", held={1: "R1 W", 2: "R2 S"}, discards="R3 R4", table={2: ["odd 4: R5 B5 W Y5"]}
    )
    assert unseen_cards(view_of(state, 1)) == sort_cards([*state.draw_pile, *state.held[1]])
    assert unseen_cards(view_of(state, 2)) == sort_cards([*state.draw_pile, *state.held[0]])
    watcher = [*state.draw_pile, *state.held[0], *state.held[1]]
    assert unseen_cards(view_of(state, None)) == sort_cards(watcher)


def test_unseen_cards_between_hands_are_the_whole_deck() -> None:
    state = table_for(2, "express")
    assert unseen_cards(view_of(state, 1)) == state.rules.edition.deck


def test_unseen_cards_do_not_include_what_was_taken_openly() -> None:
    state = accept(situation(held={1: "B9", 2: "R2"}, discards="R9", step="draw"), "P")
    assert parse_card("R9") not in state.draw_pile[:0]
    assert unseen_cards(view_of(state, 2)).count(parse_card("R9")) == 1
    assert unseen_cards(view_of(state, 1)).count(parse_card("R9")) == 1
    assert unseen_cards(view_of(state, 2)).count(parse_card("B9")) == 2


@pytest.mark.parametrize(("box", "left"), [("express", 1), ("classic", 2)])
def test_unseen_cards_do_not_include_waiting_skips(box: str, left: int) -> None:
    """In front of its target or on the pile, a Skip that was played is seen by everybody."""
    state = accept(situation(box, players=3, held={1: "S S R5"}), "-S@3")
    assert unseen_cards(view_of(state, 1)).count(SKIP) == left
    assert unseen_cards(view_of(state, 2)).count(SKIP) == left + 1


# -- what may be done --------------------------------------------------------------------------


def test_everything_that_may_be_done_before_laying() -> None:
    state = situation("express", players=3, held={1: "R1 B3 Y5 G7 R1 S".replace("R1 S", "R2 S")})
    assert legal_actions(view_of(state, 1)) == [
        LayPhase((parse_cards("R1 B3 Y5 G7"),), None),
        *[Discard(card) for card in parse_cards("R1 B3 Y5 G7 R2")],
        Discard(SKIP, 2),
        Discard(SKIP, 3),
    ]
    assert legal_actions(view_of(state, 2)) == []
    assert legal_actions(view_of(state, None)) == []
    assert legal_actions(view_of(table_for(2), 1)) == []


def test_everything_that_may_be_done_after_laying() -> None:
    state = situation(
        held={1: "R3 R3 W", 2: "R1"},
        table={
            1: ["set 3: Y3 B3 G3", "set 3: R4 B4 G4"],
            2: ["set 3: R5 B5 G5", "set 3: R6 B6 G6"],
        },
    )
    assert legal_actions(view_of(state, 1)) == [
        Hit(parse_cards("R3"), 1, 1),
        Hit(parse_cards("W=3"), 1, 1),
        Hit(parse_cards("W=4"), 1, 2),
        Hit(parse_cards("W=5"), 2, 1),
        Hit(parse_cards("W=6"), 2, 2),
        Discard(parse_card("R3")),
        Discard(WILD),
    ]


def test_the_last_skip_may_name_somebody_or_nobody() -> None:
    down = ["set 3: Y3 B3 G3", "set 3: R4 B4 G4"]
    state = situation(players=3, held={1: "S"}, table={1: down})
    assert legal_actions(view_of(state, 1)) == [Discard(SKIP), Discard(SKIP, 2), Discard(SKIP, 3)]
    state = situation(players=3, held={1: "S S"}, table={1: down})
    assert legal_actions(view_of(state, 1)) == [Discard(SKIP, 2), Discard(SKIP, 3)]
    state = situation(players=3, held={1: "S"})
    assert legal_actions(view_of(state, 1)) == [Discard(SKIP, 2), Discard(SKIP, 3)]


def test_targets_are_offered_in_the_order_of_seats() -> None:
    state = situation(players=4, held={3: "S R1"}, turn=3, dealer=2)
    assert legal_actions(view_of(state, 3)) == [
        Discard(SKIP, 1),
        Discard(SKIP, 2),
        Discard(SKIP, 4),
        Discard(parse_card("R1")),
    ]


# -- small tools -------------------------------------------------------------------------------


def test_put_following_and_without() -> None:
    assert put((1, 2, 3), 2, 9) == (1, 9, 3)
    assert put((1, 2, 3), 1, 9) == (9, 2, 3)
    assert put((1, 2, 3), 3, 9) == (1, 2, 9)
    assert [following((4, 1, 3), seat) for seat in (4, 1, 3)] == [1, 3, 4]
    assert format_cards(without(parse_cards("R1 R2 R1 W"), parse_cards("R1 W"))) == "R2 R1"
    assert without(parse_cards("R1"), parse_cards("R1 R1 B5")) == ()


def test_the_top_of_the_discard_pile() -> None:
    assert board_of(situation(discards="R5 R6")).top is parse_card("R6")
    assert board_of(situation(discards="")).top is None
    assert board_of(dealt(table_for(2))).top is parse_card("R1")
