"""What the coach finds: what every decision gave away, and what every card was worth.

For each seat the findings of a game add up: its chance at the start, all luck, its own play and the
others' play give the result. Everything here is in parts of a game: 0.01 is one game in a hundred.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, assert_never

from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import SKIP, Card

Kind = Literal["draw", "lay", "hit", "discard", "skip"]
KINDS: Final[tuple[Kind, ...]] = ("draw", "lay", "hit", "discard", "skip")

BySeat = tuple[float, ...]
"""A figure for each seat."""

CLEAR: Final = 2.0
"""A loss is called a mistake when it is so many times its error."""
LEAST_MISTAKE: Final = 0.002
"""What costs less is not worth a word."""


@dataclass(frozen=True, slots=True)
class Option:
    """One action worth considering."""

    action: Action
    chance: float
    """The chance of the player to win, as far as the player could know."""
    error: float
    """Its standard error."""
    behind: float
    """By how much it is worse than the best."""
    doubt: float
    """The standard error of that."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player chose, from what the player knew."""

    step: int
    hand: int
    seat: int
    phase: int
    """The Phase the player works on, or has laid."""
    kind: Kind
    """The kind of the best action: not laying when one should is a mistake in laying."""
    action: Action
    """What was played."""
    sharp: Action
    """What a sharp player does here."""
    options: tuple[Option, ...]
    """What was worth considering, the best first."""
    loss: float
    """What the choice gave away against the best one. Small ones can be below 0, by chance."""
    error: float
    """Its standard error."""
    par: float
    """What the sharp choice would have given away."""
    play: BySeat
    """What the choice brought each seat against the sharp one: for its player ``par - loss``."""
    luck: BySeat
    """What it brought each seat beyond that, by cards that the player could not see."""
    chances: BySeat
    """Everybody's chance to win after it, for somebody who sees all hands."""
    worlds: int

    @property
    def best(self) -> Action:
        """The best action."""
        return self.options[0].action

    @property
    def is_mistake(self) -> bool:
        """Whether it clearly gave something away."""
        return self.loss > max(CLEAR * self.error, LEAST_MISTAKE)


@dataclass(frozen=True, slots=True)
class Fortune:
    """What chance brought: a deal, or a card from the draw pile."""

    step: int
    hand: int
    seat: int | None
    """Who drew; None for a deal."""
    card: Card | None
    luck: BySeat
    """What it was worth to each seat against the average of what could have come."""
    errors: BySeat
    chances: BySeat
    """Everybody's chance to win after it, for somebody who sees all hands."""


Finding = Decision | Fortune


def kind_of(action: Action) -> Kind:
    """The kind of decision that an action belongs to."""
    match action:
        case DrawDeck() | TakeDiscard() | DrawNothing():
            return "draw"
        case LayPhase():
            return "lay"
        case Hit():
            return "hit"
        case Discard(card):
            return "skip" if card is SKIP else "discard"
        case _:
            assert_never(action)
