"""What a seat can ask for. The seat itself is never part of the request."""

from __future__ import annotations

from dataclasses import dataclass

from phaseten.rules.cards import Card


@dataclass(frozen=True, slots=True)
class DrawDeck:
    """Draw the top card of the draw pile (T-DRAW)."""


@dataclass(frozen=True, slots=True)
class TakeDiscard:
    """Take the top card of the discard pile (T-DRAW)."""


@dataclass(frozen=True, slots=True)
class DrawNothing:
    """Play on without a card, because none can be drawn (T-RESHUFFLE)."""


@dataclass(frozen=True, slots=True)
class LayPhase:
    """Lay a Phase: one row of cards for each of its groups (T-LAY)."""

    melds: tuple[tuple[Card, ...], ...]
    phase: int | None = None
    """Which Phase, under ``choose_phase``; otherwise it is the seat's current one."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Add cards to a meld on the table: one card, or a pair for a run of pairs (T-HIT)."""

    cards: tuple[Card, ...]
    owner: int
    """The seat that laid the meld."""
    meld: int
    """Which of its melds, counted from 1."""


@dataclass(frozen=True, slots=True)
class Discard:
    """End the turn with a card on the discard pile (T-DISCARD); a Skip names a seat (S-PLAY)."""

    card: Card
    target: int | None = None


Action = DrawDeck | TakeDiscard | DrawNothing | LayPhase | Hit | Discard
