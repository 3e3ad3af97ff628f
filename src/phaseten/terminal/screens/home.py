"""The start: go on with a saved game, begin a new one, or watch an old one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, VerticalGroup
from textual.content import Content
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from phaseten.terminal.card_faces import shapes_row
from phaseten.terminal.saves import SavedGame
from phaseten.terminal.screens.base import GameScreen
from phaseten.terminal.screens.pages import HelpPage

RESUME: Final = "resume"
NEW: Final = "new"
RECORDS: Final = "records"
RULES: Final = "rules"
LEAVE: Final = "leave"

_NAMES: Final = 22
"""So much room have the names of the players in a list."""


class HomeChoice(NamedTuple):
    """What somebody wants to do."""

    what: str
    game: SavedGame | None = None


class Home(GameScreen[HomeChoice]):
    """Asks what to do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape", "leave", show=False),
        Binding("n", "new", show=False),
        Binding("question_mark", "help", show=False),
    ]

    def __init__(self, running: Sequence[SavedGame], trouble: str = "") -> None:
        super().__init__()
        self._trouble = trouble
        self._choices = [HomeChoice(RESUME, game) for game in running]
        self._choices += [
            HomeChoice(NEW),
            HomeChoice(RECORDS),
            HomeChoice(RULES),
            HomeChoice(LEAVE),
        ]

    def compose(self) -> ComposeResult:
        with VerticalGroup(classes="page-middle"):
            yield Static(title_art(), classes="art")
            yield Label(self._trouble, classes="trouble", markup=False)
            with Center():
                yield OptionList(*[Option(self._words(choice)) for choice in self._choices])
            yield Label(self.say("home.keys"), classes="keys", markup=False)

    def _words(self, choice: HomeChoice) -> Content:
        if choice.game is None:
            return Content.styled(self.say(f"home.{choice.what}"), "bold")
        return Content.assemble(
            (self.say("home.resume"), "bold"), "  ", (saved_words(self, choice.game), "")
        )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._choices[event.option_index])

    def action_leave(self) -> None:
        self.dismiss(HomeChoice(LEAVE))

    def action_help(self) -> None:
        self.game_app.push_screen(HelpPage())

    def action_new(self) -> None:
        self.dismiss(HomeChoice(NEW))


def saved_words(
    screen: GameScreen[HomeChoice] | GameScreen[SavedGame | None], game: SavedGame
) -> str:
    """A saved game in a line of a list."""
    names = ", ".join(game.names)
    short = names if len(names) <= _NAMES else f"{names[: _NAMES - 1]}…"
    hand = screen.language.say("game.hand_title", number=game.hand)
    when = time.strftime("%m-%d %H:%M", time.localtime(game.when))
    return f"{short} · {game.edition} · {hand} · {when}"


def title_art() -> Content:
    """The name of the game, under its shapes."""
    return Content("\n").join(
        [shapes_row(), Content(""), Content.styled("p h a s e t e n", "bold")]
    )
