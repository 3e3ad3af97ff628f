"""Several people at one keyboard: between their turns everything is hidden."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalGroup
from textual.widgets import Button, Label, Static

from phaseten.terminal.card_faces import shapes_row
from phaseten.terminal.screens.base import GameScreen

READY: Final = "ready"
UNDO: Final = "undo"


class PrivacyScreen(GameScreen[str]):
    """Waits for the next person; or the last one takes the last step back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "ready", show=False),
        Binding("u", "undo", show=False),
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
            yield Label(self.say("privacy.turn", player=self._name), classes="large", markup=False)
            yield Label(self.say("privacy.look_away", player=self._name), markup=False)
            yield Button(self.say("privacy.ready", player=self._name), id=READY, compact=True)
            if self._can_undo:
                yield Button(self.say("privacy.undo"), id=UNDO, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == READY:
            self.action_ready()
        else:
            self.action_undo()

    def action_ready(self) -> None:
        self.dismiss(READY)

    def action_undo(self) -> None:
        if self._can_undo:
            self.dismiss(UNDO)
