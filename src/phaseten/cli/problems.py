"""What goes wrong for whoever types a command: how it is said, and which exit code it has."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Final

ILLEGAL: Final = 1
"""A record that breaks a rule."""
BAD_INPUT: Final = 2
"""Something that cannot be read or does not exist."""
INTERRUPTED: Final = 130
"""Somebody pressed Ctrl-C."""


class Problem(Exception):  # noqa: N818 - not an error of the program
    """Something the person has to know; the command ends with BAD_INPUT."""


def complain(sentence: str) -> None:
    """Say it where error messages go."""
    with suppress(OSError):  # there may be nowhere left to say it
        print(f"phaseten: {sentence}", file=sys.stderr, flush=True)


def reason(error: OSError) -> str:
    """Why the system refused, in its own words."""
    return error.strerror or str(error)
