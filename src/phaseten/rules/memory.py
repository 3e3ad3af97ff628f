"""What follows from what everybody has seen in a hand, for whoever has a good memory.

The law asks for none of it: a :class:`Board` keeps what happened, and this is worked out of that
where it is used. It is the same for every seat and for a watcher.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

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
    waiting: set[int] = set()  # who has a Skip lying in front, which is not yet on the pile
    for event in board.seen:
        match event:
            case DrawSeen(seat):
                passed_over[seat - 1].update(pile[-1:])
            case CardDiscarded(seat, card, target):
                _leave(known[seat - 1], (card,))
                passed_over[seat - 1].add(card)
                if target is not None and edition.skips_wait_in_front:
                    waiting.add(target)
                else:
                    pile.append(card)
            case DiscardTaken(seat, card):
                del pile[-1:]
                known[seat - 1].append(card)
                passed_over[seat - 1].discard(card)
            case MeldHit(seat, cards):
                _leave(known[seat - 1], cards)
            case PhaseLaid(seat, _, melds):
                for meld in melds:
                    _leave(known[seat - 1], meld.cards)
            case TurnLost(seat):
                if seat in waiting:
                    waiting.remove(seat)
                    pile.append(SKIP)
            case ReshuffleSeen():
                recycled = sort_cards(pile[:-1])
                del pile[:-1]
            case DealSeen():
                pile.append(event.turned_up)
            case NothingDrawn():
                pass
            case _:
                assert_never(event)
    return Memory(tuple(map(tuple, known)), tuple(map(_numbered, passed_over)), recycled)


def _leave(known: list[Card], cards: tuple[Card, ...]) -> None:
    """A seat lets go of cards, perhaps some that everybody knew of."""
    if known:
        for card in cards:
            if card.held in known:
                known.remove(card.held)


def _numbered(cards: set[Card]) -> tuple[Card, ...]:
    return sort_cards([card for card in cards if card.is_natural])
