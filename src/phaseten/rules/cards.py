"""Cards and their text form.

There is one object per distinct face, so cards compare by identity and a hand is a tuple of shared
objects. Two red sevens are the same object twice: nothing in the game can tell them apart.

>>> Card("R7").number
7
>>> parse_card("W=5"), parse_card("W=5").held
(W=5, W)
>>> Card("R7") is Card("r7") is parse_card("R7")
True
>>> sorted(parse_cards("s b1, w r12 r2"))
[R2, R12, B1, W, S]
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from phaseten.rules.mistakes import MistakeError, expect, mistake

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

    text: str
    color: str
    number: int
    order: int
    """Its place among all faces, by which cards are sorted."""
    is_wild: bool
    is_skip: bool
    is_natural: bool
    held: Card

    def __new__(cls, text: str) -> Card:
        """The card written so, in capitals or not: always the same object for the same face."""
        expect(text, str, "a card's text such as 'R7'")
        return _CARDS.get(text.strip().upper()) or parse_card(text)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("cards do not change: all cards of one face are one object")

    def __lt__(self, other: Card) -> bool:
        return self.order < other.order

    def __le__(self, other: Card) -> bool:
        return self.order <= other.order

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
    cards: dict[str, Card] = {}
    for order, (text, color, number) in enumerate(faces):
        card = object.__new__(Card)
        is_wild, is_skip = text[0] == "W", text == "S"
        values = {
            "text": text,
            "color": color,
            "number": number,
            "order": order,
            "is_wild": is_wild,
            "is_skip": is_skip,
            "is_natural": not (is_wild or is_skip),
            "held": cards["W"] if is_wild and text != "W" else card,
        }
        for name, value in values.items():
            object.__setattr__(card, name, value)
        cards[text] = card
    return cards


_CARDS: Final = _every_card()
WILD: Final = _CARDS["W"]
SKIP: Final = _CARDS["S"]


def parse_card(text: str) -> Card:
    """The card written as ``text``: ``R7``, ``W``, ``S``, ``W=5``, ``W=R``, ``W=R5``."""
    try:
        return _CARDS[text]
    except (KeyError, TypeError):
        raise _no_card(text) from None


def _no_card(text: str) -> CardSyntaxError:
    expect(text, str, "a card's text such as 'R7'")
    return CardSyntaxError(mistake("card", text=text, colors=", ".join(COLORS), highest=HIGHEST))


def parse_cards(cards: str | Iterable[str | Card]) -> tuple[Card, ...]:
    """Several cards, from a text with spaces or commas between them, or from a list.

    Small letters will do: this reads what people type. Records are read by :func:`parse_card`.
    """
    if isinstance(cards, str):
        return tuple(Card(word) for word in cards.replace(",", " ").split())
    expect(cards, Iterable, "cards, such as 'R3 B3 W' or a list of them,")
    return tuple(card if isinstance(card, Card) else Card(card) for card in cards)


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
