"""When bots that play without people give a game up: where nothing in the rules would ever end it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MOST_ACTIONS: Final = 2_000
"""Actions in one hand: under the house rule ``endless_hands`` nothing else ends a hand in which nobody
gets on."""
MOST_DEAD_HANDS: Final = 3
"""Hands in a row that stood still (H-DEAD): by an edition of one's own there can be a Phase that nobody
can make."""


def is_stuck(out: Sequence[int | None]) -> bool:
    """Whether nobody has gone out for some hands, given who went out in each hand of the game.

    >>> is_stuck([2, None, None]), is_stuck([2, None, None, None])
    (False, True)
    """
    last = out[-MOST_DEAD_HANDS:]
    return len(last) == MOST_DEAD_HANDS and not any(last)
