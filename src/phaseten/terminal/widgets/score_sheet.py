"""The score sheet: Phases made, the points of every hand, and the totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.content import Content
from textual.widget import Widget

from phaseten.terminal.display_state import DisplayState

_NARROW: Final = 5
_WIDE: Final = 11
_TIE: Final = "="


class ScoreTable(Widget):
    """The sheet in short, a column for each player."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: DisplayState | None = None

    def show(self, shown: DisplayState) -> None:
        self._shown = shown
        self.refresh(layout=True)

    def render(self) -> Content:
        if self._shown is None:
            return Content("")
        lines = [*heading(self._shown, wide=False), *hands(self._shown, wide=False)]
        return Content("\n").join(lines)


def heading(shown: DisplayState, *, wide: bool) -> list[Content]:
    """The players, and the Phases they have made."""
    column = _WIDE if wide else _NARROW
    names = [name if len(name) < column else f"{name[: column - 2]}…" for name in shown.names]
    phases = [_phases(shown, left, wide=wide) for left in shown.view.sheet.left]
    title = shown.language.say("terminal.sheet.phase")
    return [_row(shown, "", names, "bold", wide=wide), _row(shown, title, phases, wide=wide)]


def hands(shown: DisplayState, *, wide: bool) -> list[Content]:
    """The points of every hand, and the totals."""
    sheet = shown.view.sheet
    lines: list[Content] = []
    for hand in sheet.hands:
        points, made = dict(hand.points), dict(hand.made)
        cells = [
            f"{points[seat]}{'✓' if seat in made else ' '}" if seat in points else "- "
            for seat in range(1, sheet.seats + 1)
        ]
        name = f"{hand.hand}{_TIE if hand.tiebreak else ''}"
        lines.append(_row(shown, name, cells, "$quiet", wide=wide))
    totals = [f"{total} " for total in sheet.totals]
    title = shown.language.say("terminal.sheet.total")
    return [*lines, _row(shown, title, totals, "bold", wide=wide)]


def _row(
    shown: DisplayState, title: str, cells: Sequence[str], style: str = "", *, wide: bool
) -> Content:
    column = _WIDE if wide else _NARROW
    label = max(len(shown.language.say(f"terminal.sheet.{row}")) for row in ("phase", "total"))
    text = f"{title:<{label}}" + "".join(f"{cell:>{column}}" for cell in cells)
    return Content.styled(text, style)


def _phases(shown: DisplayState, left: Sequence[int], *, wide: bool) -> str:
    """The Phase in work; on a wide sheet every Phase, those made ticked off."""
    if not wide:
        return f"{left[0]} " if left else "✓ "
    numbers = [phase.number for phase in shown.view.rules.phases]
    return "".join(str(number % 10) if number in left else "✓" for number in numbers)
