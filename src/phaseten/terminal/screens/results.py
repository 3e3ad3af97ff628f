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
from phaseten.terminal.card_faces import shapes_row
from phaseten.terminal.display_state import DisplayState
from phaseten.terminal.screens.base import Dialog

AGAIN = "again"
HOME = "home"
QUIT = "quit"


class HandOver(Dialog[None]):
    """What a hand has brought."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,escape", "go_on", show=False),
    ]

    def __init__(self, shown: DisplayState) -> None:
        super().__init__()
        self._shown = shown

    def compose(self) -> ComposeResult:
        with VerticalGroup(classes="dialog"):
            yield Label(_out(self._shown), classes="question", markup=False)
            yield Static(_results(self._shown), classes="results")
            if self._shown.view.sheet.tied:
                yield Label(_tie(self._shown), classes="results", markup=False)
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

    def __init__(self, shown: DisplayState) -> None:
        super().__init__()
        self._shown = shown

    def compose(self) -> ComposeResult:
        shown, sheet = self._shown, self._shown.view.sheet
        with VerticalGroup(classes="dialog"):
            yield Static(shapes_row(), classes="results")
            winner = shown.names[(sheet.winner or 1) - 1]
            title = "over.you_won" if sheet.winner == shown.view.seat else "over.won"
            yield Label(self.say(title, player=winner), classes="question large", markup=False)
            yield Static(_results(shown), classes="results")
            with HorizontalGroup(classes="buttons"):
                for name in (AGAIN, HOME, QUIT):
                    yield Button(self.say(f"over.{name}"), id=name, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id or HOME)


def _out(shown: DisplayState) -> str:
    hand = shown.view.sheet.hands[-1]
    you = "you" if hand.out == shown.view.seat else "other"
    name = shown.names[hand.out - 1]
    return shown.language.say(f"terminal.over.out_{you}", number=hand.hand, player=name)


def _tie(shown: DisplayState) -> str:
    """Who plays on for the last Phase."""
    story = Story(shown.language, shown.names, shown.view.seat)
    return " ".join(story.tell([GameTied(shown.view.sheet.tied)]))


def _results(shown: DisplayState) -> Content:
    """A line for each player: the points of the hand, the Phase made, the total."""
    language, sheet = shown.language, shown.view.sheet
    hand = sheet.hands[-1]
    points, made = dict(hand.points), dict(hand.made)
    widest = max(map(len, shown.names))
    lines: list[Content] = []
    for seat, name in enumerate(shown.names, 1):
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
