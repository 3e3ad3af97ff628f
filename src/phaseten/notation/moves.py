"""Actions in text: ``D``, ``P``, ``N``, ``L R3 B3 G3 / Y7 R7 W=7``, ``H R7>2.2``, ``-S@1``.

>>> moves = parse_moves("D:R5 L R3 B3 G3 / Y7 R7 W=7 H R8,B8>2.1 -S@1")
>>> moves[0]
Move(action=DrawDeck(), named=R5)
>>> format_moves(moves)
'D:R5 L R3 B3 G3 / Y7 R7 W=7 H R8,B8>2.1 -S@1'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import Card, CardSyntaxError, parse_card
from phaseten.rules.mistakes import MistakeError, expect, mistake

_DRAW: Final = re.compile(r"([DP])(?::(.+))?")
_LAY: Final = re.compile(r"L([1-9][0-9]?)?")
_HIT: Final = re.compile(r"(.+)>([1-9][0-9]?)\.([1-9][0-9]?)")
_DISCARD: Final = re.compile(r"-([^@]+)(?:@([1-9][0-9]?))?")


class MoveSyntaxError(MistakeError):
    """A text that is no action."""


class Move(NamedTuple):
    """An action, and for a draw the card that was named with it."""

    action: Action
    named: Card | None = None


def parse_moves(text: str) -> tuple[Move, ...]:
    """The actions of a turn, in order."""
    words = text.split()
    moves: list[Move] = []
    while words:
        moves.append(_parse_move(words))
    return tuple(moves)


def parse_action(text: str) -> Action:
    """One action."""
    expect(text, str, "an action's text such as 'D' or '-R5'")
    moves = parse_moves(text)
    if len(moves) != 1:
        raise MoveSyntaxError(mistake("one-action", text=text, given=len(moves)))
    return moves[0].action


def _parse_move(words: list[str]) -> Move:
    """Take the next action off the front of the words."""
    word = words.pop(0)
    if word == "N":
        return Move(DrawNothing())
    if match := _DRAW.fullmatch(word):
        action = DrawDeck() if match[1] == "D" else TakeDiscard()
        return Move(action, _card(match[2]) if match[2] else None)
    if match := _LAY.fullmatch(word):
        return Move(LayPhase(_take_melds(words), int(match[1]) if match[1] else None))
    if word == "H":
        if not words or not (match := _HIT.fullmatch(words.pop(0))):
            raise MoveSyntaxError(mistake("hit"))
        cards = tuple(_card(card) for card in match[1].split(","))
        return Move(Hit(cards, int(match[2]), int(match[3])))
    if match := _DISCARD.fullmatch(word):
        card = _card(match[1])
        if match[2] and not card.is_skip:
            raise MoveSyntaxError(mistake("seat-without-skip", text=word))
        return Move(Discard(card, int(match[2]) if match[2] else None))
    raise MoveSyntaxError(mistake("action", text=word))


def _take_melds(words: list[str]) -> tuple[tuple[Card, ...], ...]:
    melds: list[tuple[Card, ...]] = []
    cards: list[Card] = []
    while words and (words[0] == "/" or words[0][0] in "RBYGOWS"):
        word = words.pop(0)
        if word == "/":
            melds.append(tuple(cards))
            cards = []
        else:
            cards.append(_card(word))
    melds.append(tuple(cards))
    if not all(melds):
        raise MoveSyntaxError(mistake("lay"))
    return tuple(melds)


def _card(text: str) -> Card:
    try:
        return parse_card(text)
    except CardSyntaxError as error:
        raise MoveSyntaxError(error.mistake) from error


def format_action(action: Action) -> str:
    """The action in text."""
    return action.text


def format_moves(moves: Iterable[Move]) -> str:
    """The actions of a turn in text."""
    return " ".join(
        format_action(move.action) + (f":{move.named.text}" if move.named else "") for move in moves
    )
