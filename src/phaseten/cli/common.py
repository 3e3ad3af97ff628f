"""What the commands share: how options look, what goes wrong, exit codes, and how to count."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Final

from cyclopts import Parameter

ILLEGAL: Final = 1
"""A record that breaks a rule."""
BAD_INPUT: Final = 2
"""Something that cannot be read or does not exist."""
INTERRUPTED: Final = 130
"""Somebody pressed Ctrl-C."""


Flag = Annotated[bool, Parameter(negative="", show_default=False)]
"""An option without a value."""
Optional = Parameter(show_default=False)
"""An option whose default needs no mention."""


class Problem(Exception):  # noqa: N818 - not an error of the program
    """Something the person has to know; the command ends with BAD_INPUT."""


def one_of(option: str, value: str | None, choices: Sequence[str]) -> str | None:
    """The value of an option, if it is one of those there are."""
    if value is not None and value not in choices:
        raise Problem(f"{option} is one of {', '.join(choices)}, not {value!r}.")
    return value


def complain(sentence: str) -> None:
    """Say it where error messages go."""
    with suppress(OSError):  # there may be nowhere left to say it
        print(f"phaseten: {sentence}", file=sys.stderr, flush=True)


def reason(error: OSError) -> str:
    """Why the system refused, in its own words."""
    return error.strerror or str(error)


def plural(count: int, word: str) -> str:
    """``1 card``, ``2 cards``, ``1,000 cards``."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
