"""A place on the table that can be gone to with the keys and clicked with the mouse."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget


class Spot(Widget, can_focus=True):
    """Says that it was chosen, by Enter or by a click."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "choose", show=False)]

    possible = reactive(default=False, toggle_class="-possible")
    """Whether something may be done here now."""

    class Chosen(Message):
        """The player chose this place."""

        def __init__(self, spot: Spot) -> None:
            super().__init__()
            self.spot = spot

        @property
        def control(self) -> Spot:
            return self.spot

    def on_click(self, event: Click) -> None:
        event.stop()
        self.action_choose()

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self))
