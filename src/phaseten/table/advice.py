"""What a bot advises."""

from __future__ import annotations

from typing import NamedTuple

from phaseten.bots.bot import Reason
from phaseten.rules.actions import Action


class Advice(NamedTuple):
    """An action, and what speaks for it or against it."""

    action: Action
    reasons: tuple[Reason, ...]


class Remark(NamedTuple):
    """What the coach says about a move that gave something away, as far as its player could know."""

    played: Action
    better: Action
    loss: float
    """What was given away, in parts of a game."""
    reasons: tuple[Reason, ...]
    """Why the better one is better."""
