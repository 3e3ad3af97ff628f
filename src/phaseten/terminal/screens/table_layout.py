"""The table on the screen, for those who play and for those who watch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import Resize

from phaseten.terminal.arrangement import Held
from phaseten.terminal.display_state import DisplayState
from phaseten.terminal.screens.base import GameScreen
from phaseten.terminal.widgets.cards import HeldCards
from phaseten.terminal.widgets.key_bar import KeyBar
from phaseten.terminal.widgets.messages import MessageLine
from phaseten.terminal.widgets.phase import PhaseLine
from phaseten.terminal.widgets.table_panel import Side, TablePanel

T = TypeVar("T")

WIDE: Final = 120
"""From this width on, the score sheet and a longer log stand beside the table."""


class TableLayout(GameScreen[T]):
    """The open table, and below it one player's own things."""

    AUTO_FOCUS = ""

    def __init__(self, seats: int) -> None:
        super().__init__()
        self._seats = seats

    def compose(self) -> ComposeResult:
        with Horizontal():
            with Vertical(id="main"):
                yield TablePanel(self._seats)
                yield MessageLine()
                yield PhaseLine()
                yield HeldCards()
                yield KeyBar()
            yield Side()

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width >= WIDE, "-wide")

    def on_screen_suspend(self) -> None:
        """Under a dialog the keys of the table mean nothing: do not offer them."""
        self.query_one(KeyBar).visible = False

    def on_screen_resume(self) -> None:
        self.query_one(KeyBar).visible = True

    async def present(self, shown: DisplayState, cards: Sequence[Held]) -> None:
        """Show a moment of the game, with these cards in front."""
        with self.game_app.batch_update():
            self.query_one(PhaseLine).show(shown)
            await self.query_one(TablePanel).show(shown)
            self.query_one(Side).show(shown)
            await self.query_one(HeldCards).show(cards, self.say("new_card"))

    def tell(self, text: str, kind: str = "prompt") -> None:
        """Say something to the player."""
        self.query_one(MessageLine).say(text, kind)
