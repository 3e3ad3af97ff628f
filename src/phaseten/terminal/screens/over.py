"""The end of a hand, and the end of the game."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, VerticalGroup
from textual.content import Content
from textual.widgets import Button, Label, Static

from phaseten.language import Story
from phaseten.rules.events import GameTied
from phaseten.terminal.faces import shapes_row
from phaseten.terminal.scene import Scene
from phaseten.terminal.screens.base import Dialog

AGAIN = "again"
HOME = "home"
QUIT = "quit"


class HandOver(Dialog[None]):
    """What a hand has brought."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,escape", "go_on", show=False),
    ]

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self._scene = scene

    def compose(self) -> ComposeResult:
        with VerticalGroup(classes="dialog"):
            yield Label(_out(self._scene), classes="question", markup=False)
            yield Static(_results(self._scene), classes="results")
            if self._scene.view.sheet.tied:
                yield Label(_tie(self._scene), classes="results", markup=False)
            yield Button(self.say("over.next_hand"), id="go-on", compact=True)

    def on_button_pressed(self) -> None:
        self.action_go_on()

    def action_go_on(self) -> None:
        self.dismiss(None)


class GameOver(Dialog[str]):
    """Who has won, and another game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self._scene = scene

    def compose(self) -> ComposeResult:
        scene, sheet = self._scene, self._scene.view.sheet
        with VerticalGroup(classes="dialog"):
            yield Static(shapes_row(), classes="results")
            winner = scene.names[(sheet.winner or 1) - 1]
            title = "over.you_won" if sheet.winner == scene.view.seat else "over.won"
            yield Label(self.say(title, player=winner), classes="question large", markup=False)
            yield Static(_results(scene), classes="results")
            with HorizontalGroup(classes="buttons"):
                for name in (AGAIN, HOME, QUIT):
                    yield Button(self.say(f"over.{name}"), id=name, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id or HOME)


def _out(scene: Scene) -> str:
    hand = scene.view.sheet.hands[-1]
    you = "you" if hand.out == scene.view.seat else "other"
    name = scene.names[hand.out - 1]
    return scene.language.say(f"terminal.over.out_{you}", number=hand.hand, player=name)


def _tie(scene: Scene) -> str:
    """Who plays on for the last Phase."""
    story = Story(scene.language, scene.names, scene.view.seat)
    return " ".join(story.tell([GameTied(scene.view.sheet.tied)]))


def _results(scene: Scene) -> Content:
    """A line for each player: the points of the hand, the Phase made, the total."""
    language, sheet = scene.language, scene.view.sheet
    hand = sheet.hands[-1]
    points, made = dict(hand.points), dict(hand.made)
    widest = max(map(len, scene.names))
    lines: list[Content] = []
    for seat, name in enumerate(scene.names, 1):
        phase = ""
        if seat in made:
            phase = "✓ " + language.phase_title(made[seat])
        won = f"+{points[seat]}" if seat in points else "-"
        lines.append(
            Content.assemble(
                (f"{name:<{widest}}", "bold"),
                f"  {phase:<11}{won:>5}  ",
                (f"{sheet.totals[seat - 1]:>5}", "bold"),
            )
        )
    return Content("\n").join(lines)
