"""What holds after every event of every game."""

import random
from collections import Counter
from itertools import pairwise

from phaseten.rules.cards import SKIP, WILD, Card, parse_card, sort_cards
from phaseten.rules.events import HandDealt, PileReshuffled
from phaseten.rules.memory import remember
from phaseten.rules.options import Rules
from phaseten.rules.referee import apply_all, deal, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.state import DRAW, PLAY, State, new_game
from phaseten.rules.views import fold, new_view, seen_by, unseen_cards, view_of
from tests import oracle
from tests.laws.games import Setup, Step, happen, law, play


def whereabouts(state: State) -> Counter[Card]:
    """Every card that is somewhere."""
    board = state.board
    assert board is not None
    cards = Counter(state.draw_pile) + Counter(board.discards)
    for held in state.held:
        cards += Counter(held)
    for row in board.melds:
        for meld in row:
            cards += Counter(WILD if card.is_wild else card for card in meld.cards)
    if state.rules.edition.skip_goes_to == "front":
        cards += Counter({SKIP: sum(board.waiting)})
    return cards


@law(80)
def test_cards_are_conserved(setup: Setup) -> None:
    deck = Counter(setup.rules.edition.deck)
    for step in play(setup):
        for state in step.states:
            if state.board is not None:
                assert whereabouts(state) == deck
            else:
                assert not any(state.held)
                assert not state.draw_pile


@law(80)
def test_the_open_board_tells_the_truth(setup: Setup) -> None:
    for step in play(setup):
        for state in step.states:
            check_board(state)


def check_board(state: State) -> None:
    board = state.board
    if board is None:
        return
    rules = state.rules
    seats = range(1, state.sheet.seats + 1)
    assert board.hand == len(state.sheet.hands) + 1
    assert board.counts == tuple(len(held) for held in state.held)
    assert board.draw_count == len(state.draw_pile)
    assert set(board.players) == set(state.sheet.tied or seats)
    assert board.turn in board.players
    assert board.step in (DRAW, PLAY)
    memory = remember(board, rules.edition)
    assert memory.recycled == sort_cards(memory.recycled)
    if board.reshuffles:
        assert not Counter(state.draw_pile) - Counter(memory.recycled)
    else:
        assert memory.recycled == ()
    for seat in seats:
        held, melds = state.held[seat - 1], board.melds[seat - 1]
        assert seat in board.players or not held
        assert not Counter(memory.known[seat - 1]) - Counter(held)
        assert bool(melds) == bool(board.made[seat - 1])
        # S-ONCE-A-ROUND: whoever still has a turn to lose is protected.
        if rules.edition.skip_goes_to == "pile" and board.waiting[seat - 1]:
            assert board.skipped_by[seat - 1]
        if rules.edition.skip_goes_to == "front":
            assert not board.skipped_by[seat - 1]
        if melds:
            phase = rules.by_number[board.made[seat - 1]]
            assert [meld.group for meld in melds] == list(phase.groups)
            for meld in melds:
                texts = tuple(card.text for card in meld.cards)
                assert oracle.is_meld(texts, meld.group.text, oracle_phase(rules))
                values = [card.number for card in meld.cards]
                assert not meld.group.kind.chain or values == sorted(values)


def oracle_phase(rules: Rules) -> oracle.Phase:
    """The edition's numbers and colours; no groups."""
    return oracle.Phase([], colors=rules.edition.colors, highest=rules.edition.highest)


@law(60)
def test_applying_is_pure(setup: Setup) -> None:
    """Old states stay what they were, and give the same again."""
    steps = list(play(setup, 120))
    photographs = [(repr(step.before), [repr(state) for state in step.states]) for step in steps]
    for step, (before, after) in zip(steps, photographs, strict=True):
        again = happen(step.before, step.events)
        assert again == step.states
        assert [repr(state) for state in again] == after
        assert repr(step.before) == before
        assert apply_all(step.before, step.events) == step.after
    for one, other in pairwise(steps):
        assert other.before is one.after
    everything = [event for step in steps for event in step.events]
    assert (
        apply_all(new_game(setup.rules, setup.seats, setup.dealer), everything) == steps[-1].after
    )


@law(60)
def test_folding_what_is_shown_gives_the_view(setup: Setup) -> None:
    """For every seat and for a watcher, after every event."""
    start = new_game(setup.rules, setup.seats, setup.dealer)
    views = {seat: new_view(start, seat) for seat in (None, *range(1, setup.seats + 1))}
    for step in play(setup, 150):
        for event, state in zip(step.events, step.states, strict=True):
            for seat, view in views.items():
                views[seat] = folded = fold(view, seen_by(event, seat))
                shown = view_of(state, seat)
                assert folded == shown
                assert repr(folded) == repr(shown)
                assert seat is not None or not shown.held


@law(60)
def test_unseen_cards_are_those_that_are_hidden(setup: Setup) -> None:
    for step in play(setup, 150):
        for state in step.states:
            for seat in (None, *range(1, setup.seats + 1)):
                assert Counter(unseen_cards(view_of(state, seat))) == hidden_from(state, seat)


def hidden_from(state: State, seat: int | None) -> Counter[Card]:
    """The draw pile, and what others hold and did not take openly."""
    if state.board is None:
        return Counter(state.rules.edition.deck)
    hidden = Counter(state.draw_pile)
    known = remember(state.board, state.rules.edition).known
    for other, held in enumerate(state.held, 1):
        if other != seat:
            hidden += Counter(held) - Counter(known[other - 1])
    return hidden


@law(40)
def test_nobody_can_bring_cards_of_their_own(setup: Setup) -> None:
    """A deck or a reshuffle with other cards is refused (H-DEAL, T-RESHUFFLE)."""
    rng = random.Random(setup.seed)
    for step in play(setup, 120):
        before = step.before
        for event in step.events:
            if not isinstance(event, HandDealt | PileReshuffled):
                continue
            for order in wrong_orders(event.order, rng):
                verdict = shuffle_in(before, step, order)
                assert isinstance(verdict, Refusal)
                assert verdict.rule == ("H-DEAL" if step.action is None else "T-RESHUFFLE")
                assert verdict.sentence
            right = list(event.order)
            rng.shuffle(right)
            assert not isinstance(shuffle_in(before, step, tuple(right)), Refusal)


def wrong_orders(order: tuple[Card, ...], rng: random.Random) -> list[tuple[Card, ...]]:
    at = rng.randrange(len(order))
    other = parse_card("O12" if order[at] is not parse_card("O12") else "R1")
    return [
        order[:at] + order[at + 1 :],
        (*order, order[at]),
        (*order[:at], other, *order[at + 1 :]),
        (),
    ]


def shuffle_in(state: State, step: Step, order: tuple[Card, ...]) -> object:
    """What the referee says to the deal or draw of this step with that order."""

    def chance(cards: tuple[Card, ...], hand: int, number: int) -> tuple[Card, ...]:
        return order

    if step.action is None or step.seat is None:
        return deal(state, order)
    return decide(state, step.seat, step.action, chance)
