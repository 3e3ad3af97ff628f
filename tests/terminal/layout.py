"""Whether everything on a screen can be read."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Label, OptionList, Static

from phaseten.terminal.card_faces import CARD_HEIGHT, CARD_WIDTH
from phaseten.terminal.widgets.cards import CardFace
from phaseten.terminal.widgets.choice import Choice
from phaseten.terminal.widgets.key_bar import KeyHint
from phaseten.terminal.widgets.messages import MessageLine
from phaseten.terminal.widgets.phase import PhaseLine
from phaseten.terminal.widgets.piles import Pile
from phaseten.terminal.widgets.score_sheet import ScoreTable
from phaseten.terminal.widgets.seats import MeldStrip, PhaseWords, SeatInfo
from phaseten.terminal.widgets.table_panel import TitleLine

ONE_LINE = (Button, Choice, KeyHint, SeatInfo, PhaseWords, TitleLine)
LINES = (MeldStrip, PhaseLine, ScoreTable)
TEXT = (Label, MessageLine, Static)


def clipped(screen: Screen) -> list[str]:
    """The texts on the screen that cannot be read in full."""
    screen._on_timer_update()
    return list(_clipped(screen))


def _clipped(screen: Screen) -> Iterator[str]:
    for widget in screen.walk_children():
        if not isinstance(widget, Widget) or not widget.display or not widget.region.area:
            continue
        width, height = widget.content_size
        if isinstance(widget, CardFace | Pile) and not _whole(widget, screen):
            yield f"{widget!r} is cut: {widget.region}"
        if isinstance(widget, CardFace) and widget.size != (CARD_WIDTH, CARD_HEIGHT + 2):
            yield f"{widget!r} is narrow: {widget.size}"
        if isinstance(widget, OptionList):
            yield from _too_long(widget, width)
            continue
        if isinstance(widget, (*ONE_LINE, *LINES, *TEXT)):
            text = _content(widget)
            lines = (
                text.split("\n") if isinstance(widget, (*ONE_LINE, *LINES)) else text.wrap(width)
            )
            scrolls = any(type(parent).__name__ == "VerticalScroll" for parent in widget.ancestors)
            if len(lines) > height and not scrolls:
                yield f"{widget!r} {height}: {text.plain}"
            if any(line.rstrip().cell_length > width for line in lines):
                yield f"{widget!r} {width}: {text.plain}"
            if isinstance(widget, Choice) and "…" in text.plain:
                yield f"{widget!r}: {text.plain}"
            if not screen.region.contains_region(widget.region) and not scrolls:
                yield f"{widget!r} is outside: {widget.region}"


def _whole(widget: Widget, screen: Screen) -> bool:
    """Whether the widget lies wholly inside all that it lies in."""
    around = [node for node in widget.ancestors if isinstance(node, Widget)]
    return all(node.region.contains_region(widget.region) for node in [*around, screen])


def _content(widget: Widget) -> Content:
    shown = widget.label if isinstance(widget, Button) else widget.render()
    return shown if isinstance(shown, Content) else Content(str(shown))


def _too_long(listed: OptionList, width: int) -> Iterator[str]:
    for option in listed.options:
        text = option.prompt
        plain = text.plain if isinstance(text, Content) else str(text)
        if len(plain.rstrip()) > width:
            yield f"{listed!r} {width}: {plain}"
