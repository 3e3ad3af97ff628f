"""The end of a hand, and the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, VerticalGroup, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Label, Static

from phaseten.language import Story
from phaseten.rules.events import GameTied
from phaseten.terminal.card_faces import shapes_row
from phaseten.terminal.display_state import DisplayState
from phaseten.terminal.replay import Replay
from phaseten.terminal.screens.base import Dialog
from phaseten.terminal.screens.pages import HelpPage, LogPage, ScorePage
from phaseten.terminal.screens.replay import ReplayScreen
from phaseten.terminal.widgets.key_bar import Key, KeyBar
from phaseten.terminal.widgets.score_sheet import hands, heading

AGAIN: Final = "again"
WATCH: Final = "watch"
HOME: Final = "home"
QUIT: Final = "quit"

T = TypeVar("T")


class Result(Dialog[T]):
    """What a hand or a game has brought, with keys for the pages that tell more."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "scores", show=False),
        Binding("g", "log", show=False),
        Binding("question_mark", "help", show=False),
    ]
    KEYS: ClassVar[Sequence[tuple[str, str]]] = ()
    """The keys of the bar, and the actions that they do."""

    def __init__(self, shown: DisplayState, log: Sequence[str]) -> None:
        super().__init__()
        self._shown = shown
        self._log = log

    async def on_mount(self) -> None:
        keys = [Key(key, self.say(f"key.{action}"), action) for key, action in self.KEYS]
        await self.query_one(KeyBar).show(keys)

    @on(KeyBar.Pressed)
    async def _key_clicked(self, event: KeyBar.Pressed) -> None:
        await self.run_action(event.action)

    def action_scores(self) -> None:
        self.game_app.push_screen(ScorePage(self._shown))

    def action_log(self) -> None:
        self.game_app.push_screen(LogPage(self._log))

    def action_help(self) -> None:
        self.game_app.push_screen(HelpPage())


class HandOver(Result[None]):
    """What a hand has brought."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,escape", "next_hand", show=False),
    ]
    KEYS = (("c", "scores"), ("g", "log"), ("?", "help"))

    def compose(self) -> ComposeResult:
        with VerticalGroup(classes="dialog"):
            yield Label(_out(self._shown), classes="question", markup=False)
            yield Static(_results(self._shown), classes="results")
            if self._shown.view.sheet.tied:
                yield Label(_tie(self._shown), classes="results", markup=False)
            yield Button(self.say("over.next_hand"), id="next-hand", compact=True)
            yield KeyBar()

    def on_button_pressed(self) -> None:
        self.action_next_hand()

    def action_next_hand(self) -> None:
        self.dismiss(None)


class GameOver(Result[str]):
    """Who has won, the score sheet, the game once more to watch, and another game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
        Binding("up", "scroll_scores(-1)", show=False),
        Binding("down", "scroll_scores(1)", show=False),
        Binding("w", "watch", show=False),
        Binding("q", "leave", show=False),
        Binding("escape", "home", show=False),
    ]
    KEYS = (("w", WATCH), ("c", "scores"), ("g", "log"), ("?", "help"), ("q", "leave"))
    AUTO_FOCUS = "Button"

    def __init__(self, shown: DisplayState, log: Sequence[str], replay: Replay) -> None:
        super().__init__(shown, log)
        self._replay = replay

    def compose(self) -> ComposeResult:
        shown, sheet = self._shown, self._shown.view.sheet
        with VerticalGroup(classes="dialog"):
            yield Static(shapes_row(), classes="results")
            winner = shown.names[(sheet.winner or 1) - 1]
            title = "over.you_won" if sheet.winner == shown.view.seat else "over.won"
            yield Label(self.say(title, player=winner), classes="question large", markup=False)
            yield Static(Content("\n").join(heading(shown, wide=True)), classes="scores")
            with VerticalScroll(classes="scores", can_focus=False):
                yield Static(Content("\n").join(hands(shown, wide=True)), classes="scores")
            with HorizontalGroup(classes="buttons"):
                for name in (AGAIN, WATCH, HOME, QUIT):
                    yield Button(self.say(f"over.{name}"), id=name, compact=True)
            yield KeyBar()

    async def on_mount(self) -> None:
        await super().on_mount()
        self.query_one(VerticalScroll).scroll_end(animate=False)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == WATCH:
            self.action_watch()
        else:
            self.dismiss(event.button.id or HOME)

    def action_scroll_scores(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_watch(self) -> None:
        """Watch the game from its beginning; afterwards this is shown again."""
        self.game_app.push_screen(ReplayScreen(self._replay, self._shown.view.seat))

    def action_home(self) -> None:
        self.dismiss(HOME)

    def action_leave(self) -> None:
        self.dismiss(QUIT)


def _out(shown: DisplayState) -> str:
    hand = shown.view.sheet.hands[-1]
    if hand.out is None:
        return shown.language.say("terminal.over.out_nobody", number=hand.hand)
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
