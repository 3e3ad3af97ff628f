"""The codes by which people find a table."""

from __future__ import annotations

import secrets
from typing import Final

CODE_LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without those that look alike: 0 and O, 1 and I."""
CODE_LENGTH: Final = 8
"""40 bits: with a million tables, one address at its limit of guesses needs some four months for a hit."""


def new_code() -> str:
    """A code that nobody can guess."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def is_code(text: str) -> bool:
    """Whether a table could have that code."""
    return len(text) == CODE_LENGTH and not set(text) - set(CODE_LETTERS)
