"""Nobody is shown what nobody showed: exchange two cards that a seat cannot see, and nothing that the
seat is given changes by a byte.
"""

import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import event

from phaseten.notation.recording import record_game
from phaseten.notation.records import Header, format_record
from phaseten.rules.cards import Card
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DiscardTaken,
    HandDealt,
    HandScored,
    MeldHit,
    PhaseLaid,
    PileReshuffled,
)
from phaseten.rules.memory import remember
from phaseten.rules.referee import deal, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.state import State, put
from phaseten.rules.views import Seen, View, legal_actions, seen_by, unseen_cards, view_of
from tests.laws.games import Setup, Step, happen, law, plain, play


def told(view: View) -> tuple[str, str, str]:
    """Everything that a seat can get out of its view, as text."""
    memory = remember(view.board, view.rules.edition) if view.board else None
    listed = repr(legal_actions(view)), repr(unseen_cards(view)), repr(memory)
    return repr(view), json.dumps(plain(view)), json.dumps(listed)


# -- exchanging cards in a state ----------------------------------------------------------------

Place = tuple[int, int]
"""A seat, or 0 for the draw pile, and the index of the card there."""


def hidden_places(state: State, seat: int | None) -> list[Place]:
    """Where the cards lie that the seat cannot know."""
    assert state.board is not None
    places = [(0, index) for index in range(len(state.draw_pile))]
    taken = remember(state.board, state.rules.edition).known
    for other, held in enumerate(state.held, 1):
        if other == seat:
            continue
        known = Counter(taken[other - 1])
        for index, card in enumerate(held):
            if known[card]:
                known[card] -= 1
            else:
                places.append((other, index))
    return places


def card_at(state: State, place: Place) -> Card:
    seat, index = place
    return state.held[seat - 1][index] if seat else state.draw_pile[index]


def with_card(state: State, place: Place, card: Card) -> State:
    seat, index = place
    if not seat:
        pile = (*state.draw_pile[:index], card, *state.draw_pile[index + 1 :])
        return state._replace(draw_pile=pile)
    held = state.held[seat - 1]
    return state._replace(held=put(state.held, seat, (*held[:index], card, *held[index + 1 :])))


def exchanged(state: State, one: Place, other: Place) -> State:
    first, second = card_at(state, one), card_at(state, other)
    return with_card(with_card(state, one, second), other, first)


@law(60)
def test_exchanging_hidden_cards_changes_no_view(setup: Setup) -> None:
    rng = random.Random(setup.seed)
    for step in play(setup, 120):
        state = step.after
        if state.board is None:
            continue
        for seat in (None, *range(1, setup.seats + 1)):
            places = hidden_places(state, seat)
            if len(places) < 2 or rng.random() < 0.8:
                continue
            before = told(view_of(state, seat))
            for _ in range(2):
                one, other = rng.sample(places, 2)
                assert told(view_of(exchanged(state, one, other), seat)) == before
            # All hidden cards in another order, too.
            mixed = state
            for place in places:
                mixed = exchanged(mixed, place, rng.choice(places))
            assert told(view_of(mixed, seat)) == before


# -- exchanging cards in a deck, and playing the same hand again -----------------------------------


class Played(NamedTuple):
    """One hand, or its beginning: enough to play it again with other cards."""

    start: State
    steps: list[Step]

    @property
    def decks(self) -> list[tuple[Card, ...]]:
        """The deal, then the reshuffles."""
        events = [one for step in self.steps for one in step.events]
        return [one.order for one in events if isinstance(one, HandDealt | PileReshuffled)]


def a_hand(setup: Setup, rng: random.Random) -> Played:
    """A hand of the game, cut off somewhere before it is scored."""
    hands: list[Played] = []
    for step in play(setup, 150):
        if isinstance(step.events[0], HandDealt):
            hands.append(Played(step.before, []))
        if not any(isinstance(one, HandScored) for one in step.events):
            hands[-1].steps.append(step)
    hand = rng.choice(hands)
    return Played(hand.start, hand.steps[: rng.randint(1, len(hand.steps))])


def origins(hand: Played, seat: int | None) -> dict[int, list[int]]:
    """For each deck of the hand the places in it whose cards the seat has never seen.

    Follows every single card from the deck: of equal cards, the one that came first is played.
    """
    hidden: dict[int, list[int]] = {}
    pile: list[tuple[int, int]] = []
    holds: dict[int, list[tuple[int, int, Card]]] = {}
    deck = -1

    def lose(who: int, card: Card) -> None:
        mine = next(item for item in holds[who] if item[2] is card.held)
        holds[who].remove(mine)

    for step in hand.steps:
        for one in step.events:
            match one:
                case HandDealt(players=players):
                    deck += 1
                    for i, card in enumerate(one.order[: one.deal * len(players)]):
                        holds.setdefault(players[i % len(players)], []).append((deck, i, card))
                    pile = [(deck, i) for i in range(one.deal * len(players) + 1, len(one.order))]
                case PileReshuffled(order):
                    deck += 1
                    pile = [(deck, i) for i in range(len(order))]
                case CardDrawn(who, card):
                    holds[who].append((*pile.pop(0), card))
                case DiscardTaken(who, card):
                    holds[who].append((-1, -1, card))
                case CardDiscarded(who, card):
                    lose(who, card)
                case PhaseLaid(who, _, melds):
                    for meld in melds:
                        for card in meld.cards:
                            lose(who, card)
                case MeldHit(who, cards):
                    for card in cards:
                        lose(who, card)
                case _:
                    pass
    for which, index in pile:
        hidden.setdefault(which, []).append(index)
    for who, items in holds.items():
        if who != seat:
            for which, index, _ in items:
                if which >= 0:
                    hidden.setdefault(which, []).append(index)
    return hidden


def replay(hand: Played, decks: Sequence[tuple[Card, ...]]) -> list[Step] | None:
    """The same actions with other decks; None if one of them is no longer possible."""
    state = hand.start

    def chance(cards: tuple[Card, ...], hand: int, number: int) -> tuple[Card, ...]:
        return decks[number]

    again: list[Step] = []
    for step in hand.steps:
        if step.action is None or step.seat is None:
            verdict = deal(state, decks[0])
        else:
            verdict = decide(state, step.seat, step.action, chance)
        if isinstance(verdict, Refusal):
            return None
        again.append(Step(state, step.seat, step.action, verdict, happen(state, verdict)))
        state = again[-1].after
    return again


def shown(steps: Sequence[Step], seat: int | None) -> list[Seen]:
    return [seen_by(one, seat) for step in steps for one in step.events]


def log(steps: Sequence[Step], seat: int | None) -> list[tuple[str, str]]:
    """All that the seat was shown and offered, after every event, in bytes."""
    lines: list[tuple[str, str]] = []
    for step in steps:
        for one, state in zip(step.events, step.states, strict=True):
            seen = seen_by(one, seat)
            lines.append((repr(seen), json.dumps(plain(seen))))
            lines.append((repr(view_of(state, seat)), repr(legal_actions(view_of(state, seat)))))
    return lines


def redacted(setup: Setup, steps: Sequence[Step], seat: int) -> str:
    header = Header("x", ("A",) * setup.seats, setup.dealer, setup.rules.variant, seen=seat)
    return format_record(record_game(header, shown(steps, seat)))


@law(120)
def test_a_hand_with_hidden_cards_exchanged_looks_the_same(setup: Setup) -> None:
    """Exchange two cards of the deck that a seat has not seen until now; play the same actions."""
    rng = random.Random(setup.seed)
    hand = a_hand(setup, rng)
    assert replay(hand, hand.decks) == hand.steps
    replayed = 0
    for seat in (None, *range(1, setup.seats + 1)):
        for which, places in origins(hand, seat).items():
            if len(places) < 2:
                continue
            one, other = rng.sample(places, 2)
            deck = list(hand.decks[which])
            deck[one], deck[other] = deck[other], deck[one]
            decks = [*hand.decks[:which], tuple(deck), *hand.decks[which + 1 :]]
            again = replay(hand, decks)
            if again is None:
                continue  # a second card of the same face was needed: no_rediscard
            replayed += 1
            assert log(again, seat) == log(hand.steps, seat)
            if seat is not None:
                assert redacted(setup, again, seat) == redacted(setup, hand.steps, seat)
    event("replayed" if replayed else "nothing to exchange")
