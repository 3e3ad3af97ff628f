"""The table: who sits there, what lies on it, and what happened."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, HorizontalGroup, Vertical
from textual.content import Content
from textual.widget import Widget

from phaseten.terminal.display_state import DisplayState
from phaseten.terminal.widgets.messages import Log
from phaseten.terminal.widgets.piles import DiscardPile, DrawPile
from phaseten.terminal.widgets.score_sheet import ScoreTable
from phaseten.terminal.widgets.seats import Seats

_PILES: Final = 5
"""The height of the piles with their numbers."""


class TitleLine(Widget):
    """The edition and the hand, and whose turn it is."""

    def __init__(self) -> None:
        super().__init__()
        self._left = self._right = ""

    def show(self, left: str, right: str) -> None:
        self._left, self._right = left, right
        self.refresh()

    def render(self) -> Content:
        gap = max(1, self.content_size.width - len(self._left) - len(self._right))
        return Content.assemble((self._left, "$quiet"), " " * gap, (self._right, "bold"))


class TablePanel(Vertical):
    """Everything that lies open."""

    def __init__(self, seats: int) -> None:
        super().__init__()
        self._seats = seats

    def compose(self) -> ComposeResult:
        yield TitleLine()
        yield Seats(self._seats)
        with Horizontal(id="middle"):
            with HorizontalGroup(id="piles"):
                yield DrawPile("draw-pile")
                yield DiscardPile("discard-pile")
            yield Log()

    def on_resize(self) -> None:
        """Give every player two lines and a gap, where there is room."""
        self.set_class(self.size.height >= 1 + 3 * self._seats + _PILES, "-roomy")

    async def show(self, shown: DisplayState) -> None:
        board, language = shown.board, shown.language
        title = shown.view.rules.edition.title
        if board is not None:
            title += " · " + language.say("game.hand_title", number=board.hand)
        self.query_one(TitleLine).show(title, shown.now)
        await self.query_one(Seats).show(shown)
        self.query_one(DrawPile).show(board.draw_count if board else 0)
        discards = board.discards if board else ()
        self.query_one(DiscardPile).show(discards[-1] if discards else None, len(discards))
        self.query_one(Log).show(shown.told)


class Side(Vertical):
    """On wide screens: the score sheet and a longer log beside the table."""

    def compose(self) -> ComposeResult:
        yield ScoreTable()
        yield Log()

    def show(self, shown: DisplayState) -> None:
        self.query_one(ScoreTable).show(shown)
        self.query_one(Log).show(shown.told)
