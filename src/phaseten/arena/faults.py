"""What a bot from outside can do wrong.

The bots of the house are trusted. When a bot from outside breaks a rule or the protocol, its game
is forfeited, and the fault says what it did, in a sentence for its author.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

FaultKind = Literal["illegal", "nonsense", "late", "crashed", "flood"]

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
    """A bot misbehaved; the sentence says how."""

    def __init__(self, kind: FaultKind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind: FaultKind = kind
        self.sentence = sentence


class Fault(NamedTuple):
    """Why a game was forfeited, and by which seat."""

    seat: int
    kind: FaultKind
    sentence: str


class EntrantError(ValueError):
    """A bot that does not exist, or cannot play."""
