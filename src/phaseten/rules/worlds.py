"""A whole game that agrees with what a seat knows: what is hidden is dealt by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from phaseten.rules.cards import Card
from phaseten.rules.memory import remember
from phaseten.rules.state import State, without
from phaseten.rules.views import View, unseen_cards


def imagine(view: View, shuffle: Callable[[tuple[Card, ...]], tuple[Card, ...]]) -> State:
    """A state of which that seat, or a watcher, knows exactly this.

    Others hold what everybody saw them take, and otherwise anything that is hidden. After a
    reshuffle the draw pile is made of cards that were shuffled into it.
    """
    board = view.board
    if board is None:
        return State(view.rules, view.sheet)
    memory = remember(board, view.rules.edition)
    hidden = shuffle(unseen_cards(view))
    pile = _draw_pile(hidden, board.draw_count, memory.recycled)
    rest = list(without(hidden, pile))
    held: list[tuple[Card, ...]] = []
    for seat, count in enumerate(board.counts, 1):
        if seat == view.seat:
            held.append(view.held)
            continue
        known = memory.known[seat - 1]
        held.append((*known, *[rest.pop() for _ in range(count - len(known))]))
    return State(view.rules, view.sheet, board, tuple(held), pile)


def _draw_pile(
    hidden: tuple[Card, ...], count: int, recycled: tuple[Card, ...]
) -> tuple[Card, ...]:
    """So many of the hidden cards: first of all those that can lie in the draw pile."""
    left = Counter(recycled)
    likely: list[Card] = []
    others: list[Card] = []
    for card in hidden:
        (likely if left[card] > 0 else others).append(card)
        left[card] -= 1
    # Where the beginning of the hand was not seen, more can lie there than is remembered.
    return tuple([*likely, *others][:count])
