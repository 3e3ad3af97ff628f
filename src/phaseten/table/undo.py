"""What may be taken back: a step that showed nobody anything new, as long as nobody has acted on it.

Taking, laying and hitting use cards that the player knew already. What is drawn or dealt was hidden, and
with the score everybody learns what the others held: such a step stays. That others see the cards that
somebody has laid is to the disadvantage of that one alone.

Who has acted on a step only the host knows. At a table of the server the next player sees a discard at
once; at one terminal nobody has, until the screen is handed on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DiscardTaken,
    Event,
    GameTied,
    GameWon,
    HandDealt,
    HandScored,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    PileReshuffled,
    TurnLost,
)


def actor_of(event: Event) -> int | None:
    """The seat whose action begins with this event; None for what only follows from one."""
    match event:
        case (
            CardDrawn(seat)
            | DiscardTaken(seat)
            | NothingDrawn(seat)
            | PhaseLaid(seat)
            | MeldHit(seat)
            | CardDiscarded(seat)
        ):
            return seat
        case HandDealt() | PileReshuffled() | TurnLost() | HandScored() | GameTied() | GameWon():
            return None
        case _:
            assert_never(event)


def reveals_nothing(event: Event) -> bool:
    """Whether nobody learns from this what that one could not know before, but for the actor's own cards."""
    match event:
        case (
            DiscardTaken() | NothingDrawn() | PhaseLaid() | MeldHit() | CardDiscarded() | TurnLost()
        ):
            return True
        case HandDealt() | CardDrawn() | PileReshuffled() | HandScored() | GameTied() | GameWon():
            return False
        case _:
            assert_never(event)


def last_step(events: Sequence[Event], acted_on: int = 0) -> int | None:
    """Where the last step begins among these events, if it may be taken back.

    The first ``acted_on`` events stay, because others have seen them and acted on them.
    """
    for place in range(len(events) - 1, acted_on - 1, -1):
        event = events[place]
        if not reveals_nothing(event):
            return None
        if actor_of(event) is not None:
            return place
    return None
