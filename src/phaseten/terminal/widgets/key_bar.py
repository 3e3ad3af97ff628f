"""The row at the lower rim: what can be done now, and with which key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual.containers import HorizontalGroup
from textual.content import Content
from textual.message import Message
from textual.widget import Widget


class Key(NamedTuple):
    """Something that can be done."""

    key: str
    label: str
    action: str
    urged: bool = False
    """Whether it is what the turn asks for."""

    @property
    def width(self) -> int:
        """How many columns it takes, with a gap."""
        return len(self.key) + len(self.label) + 3


class KeyHint(Widget):
    """One key; a click does the same."""

    def __init__(self, key: Key) -> None:
        super().__init__(id=f"do-{key.action.partition('(')[0]}")
        self.key = key
        self.set_class(key.urged, "-possible")
        self.styles.width = key.width - 1

    def render(self) -> Content:
        return Content.assemble((self.key.key, "bold"), f" {self.key.label} ")

    def on_click(self) -> None:
        self.post_message(KeyBar.Pressed(self.key.action))


class KeyBar(HorizontalGroup):
    """All keys that mean something now."""

    class Pressed(Message):
        """A key of the bar was clicked."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        super().__init__()
        self._keys: tuple[Key, ...] = ()

    async def show(self, keys: Sequence[Key]) -> None:
        """Show these keys, unless they are there already."""
        if tuple(keys) != self._keys:
            self._keys = tuple(keys)
            async with self.batch():
                await self.remove_children()
                await self.mount_all([KeyHint(key) for key in keys])
                self._make_room()

    def on_resize(self) -> None:
        self._make_room()

    def _make_room(self) -> None:
        """Leave out keys that do not fit, but never the last two: help, and the way out."""
        hints = list(self.query(KeyHint))
        room = self.size.width - sum(hint.key.width for hint in hints[-2:])
        for hint in hints[:-2]:
            room -= hint.key.width
            hint.display = room >= 0 or not self.size.width
