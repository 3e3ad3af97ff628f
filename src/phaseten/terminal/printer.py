"""What a command can print: colours, shapes, and how wide the terminal is.

Every card can be told without its colour: it has a letter, and a shape where the terminal can
show one. Colours follow the terminal and the environment variable NO_COLOR.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TextIO

from phaseten.rules.cards import Card

WIDEST: Final = 100
"""Lines of text longer than this are hard to read, however wide the terminal is."""
NARROWEST: Final = 30

SHAPES: Final = {"R": "▲", "B": "●", "Y": "★", "G": "■", "O": "⬢"}
_INKS: Final = {"R": "91", "B": "94", "Y": "93", "G": "92", "O": "38;5;208"}
_ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")
_PLAIN: Final = str.maketrans({"·": "-", "—": "-", "─": "-", "…": "...", "•": "*"})


@dataclass(frozen=True)
class Printer:
    """How to write on one output."""

    color: bool = False
    shapes: bool = False
    """Whether characters beyond ASCII can be shown."""
    width: int = 80

    def card(self, card: Card) -> str:
        """A card: its shape and its text."""
        if not self.shapes:
            return self._ink(card.text, _INKS.get(card.color, "1"))
        if card.is_natural:
            return self._ink(f"{SHAPES[card.color]}{card.text}", _INKS[card.color])
        return self._ink(card.text, _INKS.get(card.color, "1"))

    def cards(self, cards: Iterable[Card]) -> str:
        """Several cards, separated by spaces."""
        return " ".join(self.card(card) for card in cards)

    def bold(self, text: str) -> str:
        return self._ink(text, "1")

    def dim(self, text: str) -> str:
        return self._ink(text, "2")

    def _ink(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.color else text

    def text(self, text: str) -> str:
        """The text with what cannot be shown replaced."""
        return text if self.shapes else text.translate(_PLAIN)

    def wrap(self, text: str, indent: str = "", first: str | None = None) -> str:
        """The text in lines of the screen's width. Spaces inside escape sequences do not occur."""
        lines = wrap_inked(text, self.width - len(indent))
        return "\n".join(
            ((indent if first is None or i else first) + line) for i, line in enumerate(lines)
        )


def printer_for(stream: TextIO | None = None) -> Printer:
    """What this output can show; standard output if none is named."""
    out = sys.stdout if stream is None else stream
    terminal = out.isatty()
    color = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns if terminal else 80
    return Printer(color, _shows_shapes(out), max(NARROWEST, min(width, WIDEST)))


def _shows_shapes(stream: TextIO) -> bool:
    try:
        "".join([*SHAPES.values(), "·─…"]).encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def visible(text: str) -> int:
    """How many columns the text takes."""
    return len(_ESCAPE.sub("", text))


def pad(text: str, width: int) -> str:
    """The text filled up with spaces to that width."""
    return text + " " * (width - visible(text))


def wrap_inked(text: str, width: int) -> list[str]:
    """The words of the text in lines of that width, not counting escape sequences."""
    lines: list[str] = []
    current: list[str] = []
    used = 0
    for word in text.split():
        size = visible(word)
        if current and used + 1 + size > width:
            lines.append(" ".join(current))
            current, used = [], 0
        used += size + (1 if current else 0)
        current.append(word)
    if current:
        lines.append(" ".join(current))
    return lines or [""]


def table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Rows of cells as lines, the first row being the heading; long cells are wrapped.

    No word is broken: where the longest words do not fit side by side, each row becomes a paragraph.
    """
    widths = _fit(rows, width)
    if widths is None:
        return _paragraphs(rows, width)
    lines: list[str] = []
    for number, row in enumerate(rows):
        cells = [wrap_inked(text, widths[i]) for i, text in enumerate(row)]
        for k in range(max(len(cell) for cell in cells)):
            parts = [
                pad(cell[k] if k < len(cell) else "", size)
                for cell, size in zip(cells, widths, strict=True)
            ]
            lines.append("  ".join(parts).rstrip())
        if number == 0:
            lines.append("  ".join("─" * size for size in widths))
    return lines


def _fit(rows: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """How wide the columns are: the widest narrower until all fit; None when a word would break."""
    columns = list(zip(*rows, strict=True))
    fitted = [max(map(visible, column)) for column in columns]
    least = [
        max(visible(word) for text in column for word in [*text.split(), ""]) for column in columns
    ]
    room = width - 2 * (len(columns) - 1)
    if sum(least) > room:
        return None
    while sum(fitted) > room:
        widest = max(
            (i for i in range(len(fitted)) if fitted[i] > least[i]), key=lambda i: (fitted[i], i)
        )
        fitted[widest] -= 1
    return fitted


def _paragraphs(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Each row below its first cell, every cell after the heading of its column."""
    heading, *others = rows
    lines: list[str] = []
    for row in others:
        lines += [""] if lines else []
        lines += wrap_inked(f"{heading[0]} {row[0]}", width)
        for name, text in zip(heading[1:], row[1:], strict=True):
            words = wrap_inked(f"{name}: {text}" if name else text, width - 4) if text else []
            lines += [("    " if i else "  ") + line for i, line in enumerate(words)]
    return lines
