"""The games that are over: choose one to watch it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Label, OptionList
from textual.widgets.option_list import Option

from phaseten.terminal.saves import SavedGame
from phaseten.terminal.screens.base import GameScreen
from phaseten.terminal.screens.home import saved_words


class Records(GameScreen[SavedGame | None]):
    """A list of records; None where nobody wants to watch one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape", "leave", show=False)]

    def __init__(self, games: Sequence[SavedGame]) -> None:
        super().__init__()
        self._games = games

    def compose(self) -> ComposeResult:
        with Vertical(classes="page-full"):
            yield Label(self.say("records.title"), classes="question", markup=False)
            if self._games:
                yield OptionList(*[Option(saved_words(self, game)) for game in self._games])
            else:
                yield Label(self.say("records.none"), markup=False)
            yield Label(self.say("records.keys"), classes="keys", markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._games[event.option_index])

    def action_leave(self) -> None:
        self.dismiss(None)
