"""What follows from what everybody has seen in a hand, for whoever has a good memory.

The law asks for none of it: a :class:`Board` keeps what happened, and this is worked out of that
where it is used. It is the same for every seat and for a watcher.
"""

from __future__ import annotations

from typing import NamedTuple, assert_type

from phaseten.rules.cards import SKIP, Card, sort_cards
from phaseten.rules.editions import Edition
from phaseten.rules.events import (
    CardDiscarded,
    DealSeen,
    DiscardTaken,
    DrawSeen,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    ReshuffleSeen,
    TurnLost,
)
from phaseten.rules.state import Board


class Memory(NamedTuple):
    """What can be known of a hand besides what lies open."""

    known: tuple[tuple[Card, ...], ...]
    """Cards each seat took from the discard pile before everybody's eyes and still holds, in the
    order in which they were taken."""
    passed_over: tuple[tuple[Card, ...], ...]
    """Numbered cards each seat discarded or left lying, sorted: what it seems not to want."""
    recycled: tuple[Card, ...]
    """The cards that made the draw pile when it was last shuffled again, sorted."""


def remember(board: Board, edition: Edition) -> Memory:  # noqa: C901 - one pass: bots ask at every move
    """What follows from what was seen in this hand."""
    known: list[list[Card]] = [[] for _ in board.counts]
    passed_over: list[set[Card]] = [set() for _ in board.counts]
    pile: list[Card] = []
    recycled: tuple[Card, ...] = ()
    in_front = edition.skips_wait_in_front
    waiting: set[int] = set()  # who has a Skip lying in front, which is not yet on the pile
    for event in board.seen:
        if isinstance(event, DrawSeen):
            if pile:
                passed_over[event.seat - 1].add(pile[-1])
        elif isinstance(event, CardDiscarded):
            place, card = event.seat - 1, event.card
            if known[place]:
                _leave(known[place], (card,))
            passed_over[place].add(card)
            if in_front and event.target is not None:
                waiting.add(event.target)
            else:
                pile.append(card)
        elif isinstance(event, DiscardTaken):
            place = event.seat - 1
            del pile[-1:]
            known[place].append(event.card)
            passed_over[place].discard(event.card)
        elif isinstance(event, MeldHit):
            _leave(known[event.seat - 1], event.cards)
        elif isinstance(event, PhaseLaid):
            for meld in event.melds:
                _leave(known[event.seat - 1], meld.cards)
        elif isinstance(event, TurnLost):
            if event.seat in waiting:
                waiting.remove(event.seat)
                pile.append(SKIP)
        elif isinstance(event, ReshuffleSeen):
            recycled = sort_cards(pile[:-1])
            del pile[:-1]
        elif isinstance(event, DealSeen):
            pile.append(event.turned_up)
        else:
            assert_type(event, NothingDrawn)  # which tells nothing; another event must not pass
    return Memory(tuple(map(tuple, known)), tuple(map(_numbered, passed_over)), recycled)


def _leave(known: list[Card], cards: tuple[Card, ...]) -> None:
    """A seat lets go of cards, perhaps some that everybody knew of."""
    if known:
        for card in cards:
            if card.held in known:
                known.remove(card.held)


def _numbered(cards: set[Card]) -> tuple[Card, ...]:
    return sort_cards([card for card in cards if card.is_natural])
