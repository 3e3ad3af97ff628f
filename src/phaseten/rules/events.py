"""What happened. Everything else (state, view, score sheet, record) is a fold over these.

Most events lie open to everybody. Three have a secret part; of those, each seat gets to see a form
of its own, a *seen* event, which has no place where a secret could stand.
"""

from __future__ import annotations

from dataclasses import dataclass

from phaseten.rules.cards import Card
from phaseten.rules.melds import Meld


@dataclass(frozen=True, slots=True)
class HandDealt:
    """The cards were dealt (H-DEAL). Secret: the order of the whole deck."""

    hand: int
    dealer: int
    players: tuple[int, ...]
    """The seats that play this hand, in the order of dealing."""
    tiebreak: bool
    order: tuple[Card, ...]
    """The shuffled deck, the first dealt card first."""
    deal: int
    """How many cards each player gets."""

    @property
    def turned_up(self) -> Card:
        """The card that starts the discard pile."""
        return self.order[self.deal * len(self.players)]

    @property
    def draw_pile(self) -> tuple[Card, ...]:
        """The draw pile, its top first."""
        return self.order[self.deal * len(self.players) + 1 :]

    def seen_with(self, cards: tuple[Card, ...]) -> DealSeen:
        """The deal as somebody sees it who was dealt these cards."""
        return DealSeen(
            self.hand,
            self.dealer,
            self.players,
            self.tiebreak,
            cards,
            self.turned_up,
            self.deal,
            len(self.draw_pile),
        )

    def dealt_to(self, seat: int) -> tuple[Card, ...]:
        """The cards dealt to that seat."""
        if seat not in self.players:
            return ()
        count = len(self.players)
        return self.order[self.players.index(seat) : self.deal * count : count]


@dataclass(frozen=True, slots=True)
class DealSeen:
    """A deal as one seat, or a watcher, sees it."""

    hand: int
    dealer: int
    players: tuple[int, ...]
    tiebreak: bool
    cards: tuple[Card, ...]
    """The cards dealt to the one who looks."""
    turned_up: Card
    deal: int
    draw_count: int
    """How many cards the draw pile has."""


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew the top card of the draw pile. Secret: the card."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class DrawSeen:
    """A draw as one seat, or a watcher, sees it."""

    seat: int
    card: Card | None
    """The card, for the seat that drew it."""


@dataclass(frozen=True, slots=True)
class PileReshuffled:
    """The discard pile except its top card became the draw pile (T-RESHUFFLE). Secret: its order."""

    order: tuple[Card, ...]
    """The new draw pile, its top first."""


@dataclass(frozen=True, slots=True)
class ReshuffleSeen:
    """A reshuffle as everybody sees it: which cards they are is known, their order is not."""

    count: int
    """How many cards the new draw pile has."""


@dataclass(frozen=True, slots=True)
class DiscardTaken:
    """A seat took the top card of the discard pile."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class NothingDrawn:
    """A seat plays on without a card, because none could be drawn."""

    seat: int


@dataclass(frozen=True, slots=True)
class PhaseLaid:
    """A seat laid its Phase."""

    seat: int
    phase: int
    melds: tuple[Meld, ...]


@dataclass(frozen=True, slots=True)
class MeldHit:
    """A seat added cards to a meld."""

    seat: int
    cards: tuple[Card, ...]
    """The added cards, Wilds with what they stand for."""
    owner: int
    meld: int
    result: Meld
    """The meld as it stands now."""


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """A seat ended its turn with a discard; a Skip can have a target."""

    seat: int
    card: Card
    target: int | None


@dataclass(frozen=True, slots=True)
class TurnLost:
    """A seat lost its turn to a Skip."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandScored:
    """The hand is over (G-OUT, H-DEAD) and scored (G-POINTS)."""

    hand: int
    out: int | None
    """The seat that went out; None when the hand stood still (H-DEAD)."""
    points: tuple[tuple[int, int], ...]
    """Seat and points, for the seats that played."""
    made: tuple[tuple[int, int], ...]
    """Seat and number of the Phase it laid, for the seats that laid one."""
    tiebreak: bool


@dataclass(frozen=True, slots=True)
class GameTied:
    """These seats play a further hand for the last Phase (G-TIE)."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameWon:
    """The game is over (G-WIN)."""

    seat: int


OpenHandEvent = DiscardTaken | NothingDrawn | PhaseLaid | MeldHit | CardDiscarded | TurnLost
"""What everybody sees as it is, while a hand is going on."""

OpenEvent = OpenHandEvent | HandScored | GameTied | GameWon
"""What everybody sees as it is."""

HandEvent = CardDrawn | PileReshuffled | OpenHandEvent
"""The truth, while a hand is going on."""

HandSeen = DrawSeen | ReshuffleSeen | OpenHandEvent
"""What one seat, or a watcher, is shown while a hand is going on."""

Event = HandDealt | CardDrawn | PileReshuffled | OpenEvent
"""The truth."""

Seen = DealSeen | DrawSeen | ReshuffleSeen | OpenEvent
"""What one seat, or a watcher, is shown."""
