"""The order in which players keep their cards: sorted by number or by colour, or moved by hand.

>>> from phaseten.rules.cards import parse_cards
>>> cards = Arrangement("number")
>>> cards.follow(parse_cards("R7 B3 Y7"))
>>> cards.faces
(B3, R7, Y7)
>>> cards.move(0, 2)
>>> cards.faces
(R7, Y7, B3)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from phaseten.rules.cards import Card, by_order

NUMBER: Final = "number"
COLOR: Final = "color"
OWN: Final = "own"
SORTS: Final = (NUMBER, COLOR)
"""The orders that can be asked for; moving a card gives an order of one's own."""


class Held:
    """One card in a player's hand. Two cards with the same face are two of these."""

    __slots__ = ("card", "chosen", "fresh")

    def __init__(self, card: Card, *, fresh: bool = False) -> None:
        self.card: Final = card
        self.chosen = False
        self.fresh = fresh
        """Whether it came with the last draw."""


class Arrangement:
    """The cards a player holds, in the order in which the player wants to see them."""

    def __init__(self, sort: str = NUMBER) -> None:
        self.sort = sort
        self.cards: list[Held] = []

    @property
    def faces(self) -> tuple[Card, ...]:
        return tuple(held.card for held in self.cards)

    @property
    def chosen(self) -> tuple[Card, ...]:
        """The faces of the chosen cards, in order."""
        return tuple(held.card for held in self.cards if held.chosen)

    def follow(self, held: Sequence[Card]) -> None:
        """Take over what is held now: cards that stay keep their place and their choice."""
        coming = list(held)
        staying: list[Held] = []
        for card in self.cards:
            if card.card in coming:
                coming.remove(card.card)
                staying.append(card)
        if coming:
            for card in staying:
                card.fresh = False
        fresh = len(coming) == 1
        self.cards = [*staying, *[Held(card, fresh=fresh) for card in coming]]
        if coming and self.sort != OWN:
            self.order_by(self.sort)

    def order_by(self, sort: str) -> None:
        """Sort the cards, now and when others come."""
        self.sort = sort
        if sort != OWN:
            self.cards.sort(key=_by_number if sort == NUMBER else _by_color)

    def next_sort(self) -> None:
        """Sort by number, or by colour if they are sorted by number."""
        self.order_by(COLOR if self.sort == NUMBER else NUMBER)

    def move(self, place: int, to: int) -> None:
        """Move the card at a place to another one; the order is the player's own from then on."""
        if 0 <= place < len(self.cards):
            card = self.cards.pop(place)
            self.cards.insert(max(0, min(to, len(self.cards))), card)
            self.sort = OWN

    def put_in_order(self, faces: Sequence[Card]) -> None:
        """Put the cards in the order of these faces, if they are the same cards."""
        if Counter(faces) != Counter(self.faces):
            return
        rest = self.cards
        self.cards = []
        for face in faces:
            self.cards.append(next(held for held in rest if held.card is face))
            rest.remove(self.cards[-1])
        self.sort = OWN

    def settle(self) -> None:
        """The last draw is over: no card is new any more."""
        for held in self.cards:
            held.fresh = False

    def choose_nothing(self) -> None:
        for held in self.cards:
            held.chosen = False


def _by_number(held: Held) -> tuple[int, int]:
    return held.card.number or 99, held.card.order


def _by_color(held: Held) -> int:
    return by_order(held.card)
