"""The score sheet: Phases made, the points of every hand, and the totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.content import Content
from textual.widget import Widget

from phaseten.terminal.scene import Scene

_NARROW: Final = 5
_WIDE: Final = 11
_TIE: Final = "="


class ScoreTable(Widget):
    """The sheet in short, a column for each player."""

    def __init__(self) -> None:
        super().__init__()
        self._scene: Scene | None = None

    def show(self, scene: Scene) -> None:
        self._scene = scene
        self.refresh(layout=True)

    def render(self) -> Content:
        if self._scene is None:
            return Content("")
        lines = [*heading(self._scene, wide=False), *hands(self._scene, wide=False)]
        return Content("\n").join(lines)


def heading(scene: Scene, *, wide: bool) -> list[Content]:
    """The players, and the Phases they have made."""
    column = _WIDE if wide else _NARROW
    names = [name if len(name) < column else f"{name[: column - 2]}…" for name in scene.names]
    phases = [_phases(scene, left, wide=wide) for left in scene.view.sheet.left]
    title = scene.language.say("terminal.sheet.phase")
    return [_row(scene, "", names, "bold", wide=wide), _row(scene, title, phases, wide=wide)]


def hands(scene: Scene, *, wide: bool) -> list[Content]:
    """The points of every hand, and the totals."""
    sheet = scene.view.sheet
    lines: list[Content] = []
    for hand in sheet.hands:
        points, made = dict(hand.points), dict(hand.made)
        cells = [
            f"{points[seat]}{'✓' if seat in made else ' '}" if seat in points else "- "
            for seat in range(1, sheet.seats + 1)
        ]
        name = f"{hand.hand}{_TIE if hand.tiebreak else ''}"
        lines.append(_row(scene, name, cells, "$quiet", wide=wide))
    totals = [f"{total} " for total in sheet.totals]
    title = scene.language.say("terminal.sheet.total")
    return [*lines, _row(scene, title, totals, "bold", wide=wide)]


def _row(scene: Scene, title: str, cells: Sequence[str], style: str = "", *, wide: bool) -> Content:
    column = _WIDE if wide else _NARROW
    label = max(len(scene.language.say(f"terminal.sheet.{row}")) for row in ("phase", "total"))
    text = f"{title:<{label}}" + "".join(f"{cell:>{column}}" for cell in cells)
    return Content.styled(text, style)


def _phases(scene: Scene, left: Sequence[int], *, wide: bool) -> str:
    """The Phase in work; on a wide sheet every Phase, those made ticked off."""
    if not wide:
        return f"{left[0]} " if left else "✓ "
    numbers = [phase.number for phase in scene.view.rules.phases]
    return "".join(str(number % 10) if number in left else "✓" for number in numbers)
