"""Where answers go: files, standard output, and the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from phaseten.cli.problems import Problem
from phaseten.terminal.printer import Printer

STANDARD_OUTPUT: Final = "-"
Answer = TypeVar("Answer")
Form = Callable[[Answer], str]
"""How an answer is written."""
_IN_ASCII: Final = str.maketrans({"±": "+-", "µ": "u", "\N{MINUS SIGN}": "-", "\N{EN DASH}": "-"})


def plan_outputs(*wanted: tuple[str | None, Form[Answer]]) -> dict[str, Form[Answer]]:
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


def write_output(name: str, text: str) -> None:
    """Put the text into that file, or on the printer."""
    if name == STANDARD_OUTPUT:
        print(text, end="")
    else:
        Path(name).write_text(text, encoding="utf-8")


def show(printer: Printer, lines: Iterable[str]) -> None:
    """Print figures, with what the screen cannot show replaced."""
    text = printer.text("\n".join(lines))
    print(text if printer.shapes else text.translate(_IN_ASCII))


def show_progress() -> Progress:
    """A bar that says how far the games are, where somebody can see it."""
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
