"""How options look, and what may be written after them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from phaseten.arena.time_limits import TimeLimits
from phaseten.cli.problems import Problem

Flag = Annotated[bool, Parameter(negative="", show_default=False)]
"""An option without a value."""
Optional = Parameter(show_default=False)
"""An option whose default needs no mention."""
Output = Annotated[str | None, Parameter(show_default=False, allow_leading_hyphen=True)]
"""A file to write, or - for standard output."""


def one_of(option: str, value: str | None, choices: Sequence[str]) -> str | None:
    """The value of an option, if it is one of those there are."""
    if value is not None and value not in choices:
        raise Problem(f"{option} is one of {', '.join(choices)}, not {value!r}.")
    return value


def split_words(text: str, what: str) -> list[str]:
    """The words between the commas; a Problem when there is none."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise Problem(f"Name {what}, or several separated by commas.")
    return words


def parse_player_counts(text: str) -> list[int]:
    """The numbers of players written so."""
    counts: list[int] = []
    for word in split_words(text, "a number of players"):
        if not (word.isascii() and word.isdecimal() and len(word) < 3):
            raise Problem(f"{word!r} is not a number of players: write 4, or 2,4,6 for several.")
        counts.append(int(word))
    return list(dict.fromkeys(counts))


def choose_worker_count(asked: int | None) -> int:
    """How many processes play: as many as were asked for, or one for each processor."""
    if asked is None:
        return count_processors()
    if asked < 1:
        raise Problem("At least one worker has to play.")
    return asked


def count_processors() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_time_limit(seconds: float) -> TimeLimits:
    """How long a bot from outside may think."""
    if not 0.001 <= seconds <= 3600:
        raise Problem("A time limit lies between 0.001 and 3600 seconds.")
    return TimeLimits(move=seconds)
