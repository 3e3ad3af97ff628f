"""What becomes of a message to a closed page."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """What became of it."""

    SENT = "sent"
    GONE = "gone"
    """Nobody will ever read it there: the browser has unsubscribed."""
    FAILED = "failed"
    """Perhaps later."""
