"""What the commands that play many games share: how they are asked, how far they are, what they show."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Final, TypeVar

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from phaseten.cli.common import Problem
from phaseten.cli.files import listed_words
from phaseten.terminal.printer import Printer

STANDARD_OUTPUT: Final = "-"
Output = Annotated[str | None, Parameter(show_default=False, allow_leading_hyphen=True)]
"""A file to write, or - for standard output."""
Answer = TypeVar("Answer")
Form = Callable[[Answer], str]
"""How an answer is written."""
_IN_ASCII: Final = str.maketrans({"±": "+-", "µ": "u", "\N{MINUS SIGN}": "-", "\N{EN DASH}": "-"})


def player_counts(text: str) -> list[int]:
    """The numbers of players written so."""
    counts: list[int] = []
    for word in listed_words(text, "a number of players"):
        if not (word.isascii() and word.isdecimal() and len(word) < 3):
            raise Problem(f"{word!r} is not a number of players: write 4, or 2,4,6 for several.")
        counts.append(int(word))
    return list(dict.fromkeys(counts))


def worker_count(asked: int | None) -> int:
    """How many processes play: as many as were asked for, or one for each processor."""
    if asked is None:
        return processors()
    if asked < 1:
        raise Problem("At least one worker has to play.")
    return asked


def processors() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def progress_bar() -> Progress:
    """Shows how far the games are, where somebody can see it."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def outputs(*wanted: tuple[str | None, Form[Answer]]) -> dict[str, Form[Answer]]:
    """Which file gets what."""
    chosen = [(name, form) for name, form in wanted if name is not None]
    if len(dict(chosen)) < len(chosen):
        raise Problem("Two answers cannot go to the same place: give each another name.")
    return dict(chosen)


def check_writable(names: Iterable[str | None]) -> None:
    """Find out before the games, not after them; the system's refusals are told by ``main``."""
    for name in names:
        if name is not None and name != STANDARD_OUTPUT:
            with Path(name).open("a", encoding="utf-8"):
                pass


def write(name: str, text: str) -> None:
    """Put the text into that file, or on the screen."""
    if name == STANDARD_OUTPUT:
        print(text, end="")
    else:
        Path(name).write_text(text, encoding="utf-8")


def show(screen: Printer, lines: Iterable[str]) -> None:
    """Print figures, with what the screen cannot show replaced."""
    text = screen.text("\n".join(lines))
    print(text if screen.shapes else text.translate(_IN_ASCII))
