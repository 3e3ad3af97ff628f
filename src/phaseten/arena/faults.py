"""What a guest among the bots can do wrong.

The bots of the house are trusted. A bot from outside is a guest: when it breaks a rule or the
protocol, its game is forfeited, and the fault says what it did, in a sentence for its author.
"""

from __future__ import annotations

from typing import Final, NamedTuple

ILLEGAL: Final = "illegal"
"""An action that the rules refuse."""
NONSENSE: Final = "nonsense"
"""An answer that is no action, or no line of the protocol."""
LATE: Final = "late"
"""No answer within the time limit."""
CRASHED: Final = "crashed"
"""An exception, or a program that has ended."""
FLOOD: Final = "flood"
"""More output than was asked for."""


class FaultError(Exception):
    """A guest misbehaved; the sentence says how."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.sentence = sentence


class Fault(NamedTuple):
    """Why a game was forfeited, and by which seat."""

    seat: int
    kind: str
    sentence: str


class Limits(NamedTuple):
    """How long a guest may take, in seconds."""

    move: float = 1.0
    start: float = 10.0
    """For a program: until it has said hello."""


class EntrantError(ValueError):
    """A bot that does not exist, or cannot play."""
