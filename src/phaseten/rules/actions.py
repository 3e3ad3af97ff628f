"""What a seat can ask for. The seat itself is never part of the request.

Every action has a text, which is how records write it; ``notation.moves`` reads it.

>>> from phaseten.rules.cards import Card
>>> Hit((Card("R7"),), owner=2, meld=1).text
'H R7>2.1'
>>> print(Discard(Card("S"), target=3))
-S@3
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never, cast

from phaseten.rules.cards import Card, format_cards


class _Written:
    """Has a text."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The action as records write it."""
        return _write(cast("Action", self))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class DrawDeck(_Written):
    """Draw the top card of the draw pile (T-DRAW)."""


@dataclass(frozen=True, slots=True)
class TakeDiscard(_Written):
    """Take the top card of the discard pile (T-DRAW)."""


@dataclass(frozen=True, slots=True)
class DrawNothing(_Written):
    """Play on without a card, because none can be drawn (T-RESHUFFLE)."""


@dataclass(frozen=True, slots=True)
class LayPhase(_Written):
    """Lay a Phase: one row of cards for each of its groups (T-LAY)."""

    melds: tuple[tuple[Card, ...], ...]
    phase: int | None = None
    """Which Phase, under ``choose_phase``; otherwise it is the seat's current one."""


@dataclass(frozen=True, slots=True)
class Hit(_Written):
    """Add cards to a meld on the table: one card, or a pair for a run of pairs (T-HIT)."""

    cards: tuple[Card, ...]
    owner: int
    """The seat that laid the meld."""
    meld: int
    """Which of its melds, counted from 1."""


@dataclass(frozen=True, slots=True)
class Discard(_Written):
    """End the turn with a card on the discard pile (T-DISCARD); a Skip names a seat (S-PLAY)."""

    card: Card
    target: int | None = None


Action = DrawDeck | TakeDiscard | DrawNothing | LayPhase | Hit | Discard


def _write(action: Action) -> str:
    match action:
        case DrawDeck():
            return "D"
        case TakeDiscard():
            return "P"
        case DrawNothing():
            return "N"
        case LayPhase(melds, phase):
            return f"L{phase or ''} " + " / ".join(format_cards(cards) for cards in melds)
        case Hit(cards, owner, meld):
            return f"H {','.join(card.text for card in cards)}>{owner}.{meld}"
        case Discard(card, target):
            return f"-{card.text}" if target is None else f"-{card.text}@{target}"
        case _:
            assert_never(action)
