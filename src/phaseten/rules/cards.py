"""Cards and their text form.

There is one object per distinct face, so cards compare by identity and a hand is a tuple of shared
objects. Two red sevens are the same object twice: nothing in the game can tell them apart.

>>> parse_card("R7").number
7
>>> parse_card("W=5"), parse_card("W=5").held
(W=5, W)
>>> parse_card("R7") is parse_card("R7")
True
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from phaseten.rules.mistakes import MistakeError, mistake

COLORS: Final = "RBYGO"
COLOR_NAMES: Final = {"R": "red", "B": "blue", "Y": "yellow", "G": "green", "O": "orange"}
HIGHEST: Final = 12

WILD_POINTS: Final = 25
SKIP_POINTS: Final = 15


class CardSyntaxError(MistakeError):
    """A text that is no card."""


class Card:
    """One face of a card, or a Wild on the table together with what it stands for.

    ``number`` is 0 and ``color`` is empty where the face has none; on a Wild they say what it
    stands for. ``held`` is the same card as it is held: without what it stands for.
    """

    __slots__ = ("color", "held", "is_natural", "is_skip", "is_wild", "number", "order", "text")

    def __init__(self, text: str, color: str, number: int, order: int) -> None:
        self.text: Final = text
        self.color: Final = color
        self.number: Final = number
        self.order: Final = order
        self.is_wild: Final = text[0] == "W"
        self.is_skip: Final = text == "S"
        self.is_natural: Final = not (self.is_wild or self.is_skip)
        self.held: Card = self

    @property
    def points(self) -> int:
        """What the card costs when it is still held at the end of a hand (G-POINTS)."""
        if self.is_natural:
            return 5 if self.number <= 9 else 10
        return WILD_POINTS if self.is_wild else SKIP_POINTS

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return parse_card, (self.text,)

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self


def _every_card() -> dict[str, Card]:
    numbers = range(1, HIGHEST + 1)
    faces = [(f"{color}{number}", color, number) for color in COLORS for number in numbers]
    faces += [("W", "", 0), ("S", "", 0)]
    faces += [(f"W={number}", "", number) for number in numbers]
    faces += [(f"W={color}", color, 0) for color in COLORS]
    faces += [(f"W={color}{number}", color, number) for color in COLORS for number in numbers]
    cards = {text: Card(text, color, number, i) for i, (text, color, number) in enumerate(faces)}
    for card in cards.values():
        if card.is_wild:
            card.held = cards["W"]
    return cards


_CARDS: Final = _every_card()
WILD: Final = _CARDS["W"]
SKIP: Final = _CARDS["S"]


def parse_card(text: str) -> Card:
    """The card written as ``text``: ``R7``, ``W``, ``S``, ``W=5``, ``W=R``, ``W=R5``."""
    card = _CARDS.get(text)
    if card is None:
        raise CardSyntaxError(mistake("card", text=text, colors=", ".join(COLORS), highest=HIGHEST))
    return card


def parse_cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """Several cards, from words separated by spaces or from a list of words."""
    words = text.split() if isinstance(text, str) else text
    return tuple(parse_card(word) for word in words)


def natural(color: str, number: int) -> Card:
    """The numbered card of that colour and number."""
    return _CARDS[f"{color}{number}"]


def wild_as(color: str = "", number: int = 0) -> Card:
    """A Wild that stands for this colour, number, or both."""
    return _CARDS[f"W={color}{number or ''}" if color or number else "W"]


def format_cards(cards: Iterable[Card]) -> str:
    """The cards in text, separated by spaces."""
    return " ".join(card.text for card in cards)


by_order = attrgetter("order")


def sort_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Numbered cards by colour and number, then Wilds, then Skips."""
    return tuple(sorted(cards, key=by_order))


def total_points(cards: Iterable[Card]) -> int:
    """What these cards cost when they are still held at the end of a hand (G-POINTS)."""
    return sum(card.points for card in cards)
