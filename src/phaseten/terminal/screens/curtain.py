"""Several people at one keyboard: between their turns everything is hidden."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalGroup
from textual.widgets import Button, Label, Static

from phaseten.terminal.faces import shapes_row
from phaseten.terminal.screens.base import GameScreen

LIFT: Final = "lift"
TAKE_BACK: Final = "take-back"


class Curtain(GameScreen[str]):
    """Waits for the next person; or the last one takes the last step back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "lift", show=False),
        Binding("u", "take_back", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, name: str, *, can_undo: bool) -> None:
        super().__init__()
        self._name = name
        self._can_undo = can_undo

    def compose(self) -> ComposeResult:
        with VerticalGroup(classes="page-middle"):
            yield Static(shapes_row(), classes="art")
            yield Label(self.say("curtain.turn", player=self._name), classes="large", markup=False)
            yield Label(self.say("curtain.look_away", player=self._name), markup=False)
            yield Button(self.say("curtain.ready", player=self._name), id=LIFT, compact=True)
            if self._can_undo:
                yield Button(self.say("curtain.undo"), id=TAKE_BACK, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == LIFT:
            self.action_lift()
        else:
            self.action_take_back()

    def action_lift(self) -> None:
        self.dismiss(LIFT)

    def action_take_back(self) -> None:
        if self._can_undo:
            self.dismiss(TAKE_BACK)
