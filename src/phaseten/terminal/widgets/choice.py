"""A choice in one line: a title and what is chosen, changed with the arrow keys or a click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget


class Choice(Widget, can_focus=True):
    """One of several things."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False),
        Binding("right,space,enter", "turn(1)", show=False),
    ]

    class Changed(Message):
        """Something else was chosen."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    def __init__(
        self, name: str, title: str, options: Sequence[tuple[str, str]], chosen: str
    ) -> None:
        super().__init__(id=name)
        self._title = title
        self._options = options
        values = [value for value, _ in options]
        self._place = values.index(chosen) if chosen in values else 0

    @property
    def value(self) -> str:
        """What is chosen."""
        return self._options[self._place][0]

    def put(self, title: str, options: Sequence[tuple[str, str]]) -> None:
        """Other words for the same things."""
        self._title, self._options = title, options
        self.refresh()

    def render(self) -> Content:
        label = self._options[self._place][1]
        title = f"{self._title} " if self._title else ""
        room = self.content_size.width - len(title) - 4
        shown = label if len(label) <= room else f"{label[: room - 1]}…"
        arrows = "bold" if self.has_focus else "$quiet"
        gap = " " * max(0, room - len(shown))
        return Content.assemble(title, gap, ("◂ ", arrows), (shown, "bold"), (" ▸", arrows))

    def action_turn(self, by: int) -> None:
        self._place = (self._place + by) % len(self._options)
        self.refresh()
        self.post_message(self.Changed(self))

    def on_click(self) -> None:
        self.action_turn(1)
