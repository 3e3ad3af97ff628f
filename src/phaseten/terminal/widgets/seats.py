"""Everybody at the table, each with the melds they have laid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.containers import HorizontalGroup, VerticalGroup
from textual.content import Content
from textual.widget import Widget

from phaseten.rules.cards import sort_cards
from phaseten.rules.melds import Meld
from phaseten.terminal.card_faces import SKIP_SIGN, chips, fit, meld_cards, meld_forms
from phaseten.terminal.display_state import DisplayState
from phaseten.terminal.widgets.spot import Spot

NAME_WIDTH: Final = 10
INFO_WIDTH: Final = 31
_ON_TURN: Final = "▶"


class MeldStrip(Spot):
    """A meld on the table."""

    def __init__(self, owner: int, number: int, meld: Meld) -> None:
        super().__init__(id=f"meld-{owner}-{number}")
        self.owner = owner
        self.number = number
        self.meld = meld
        self._shown = Content("")

    def show(self, meld: Meld, shown: Content) -> None:
        self.meld, self._shown = meld, shown
        self.styles.width = width_of(shown) + 2
        self.refresh()

    def render(self) -> Content:
        left, right = ("[", "]") if self.has_focus else ("+" if self.possible else " ", " ")
        lines = [Content.assemble(left, line, right) for line in self._shown.split("\n")]
        return Content("\n").join(lines)

    def watch_possible(self) -> None:
        self.refresh()


class SeatInfo(Spot, can_focus=False):
    """A player: name, Phase, number of cards, points."""

    def __init__(self, seat: int) -> None:
        super().__init__(id=f"seat-{seat}")
        self.seat = seat
        self._text = Content("")

    def show(self, text: Content) -> None:
        self._text = text
        self.refresh()

    def render(self) -> Content:
        return self._text


class PhaseWords(Widget):
    """What a player still has to lay, in words; or the cards, where all may be seen."""

    def __init__(self) -> None:
        super().__init__()
        self._text = Content("")

    @property
    def width_wanted(self) -> int:
        return self._text.cell_length

    def show(self, text: Content) -> None:
        self._text = text
        self.refresh()

    def render(self) -> Content:
        return self._text


class SeatRow(HorizontalGroup):
    """One player and what lies before them."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat
        self._shown: DisplayState | None = None
        self._info = SeatInfo(seat)
        self._words = PhaseWords()

    def compose(self):
        yield self._info
        yield self._words

    @property
    def melds(self) -> list[MeldStrip]:
        return list(self.query(MeldStrip))

    async def show(self, shown: DisplayState) -> None:
        self._shown = shown
        board = shown.board
        melds = board.melds[self.seat - 1] if board else ()
        self._info.show(self._player(shown))
        self.set_class(board is not None and board.turn == self.seat, "-on-turn")
        self.set_class(shown.view.seat == self.seat, "-own")
        self._words.show(self._after_melds(shown, melds))
        if [strip.number for strip in self.melds] != list(range(1, len(melds) + 1)):
            await self.query(MeldStrip).remove()
            strips = [MeldStrip(self.seat, number, meld) for number, meld in enumerate(melds, 1)]
            await self.mount_all(strips, before=self._words)
        self._show_melds(melds)

    def on_resize(self) -> None:
        if self._shown is not None and self._shown.board is not None:
            self._show_melds(self._shown.board.melds[self.seat - 1])

    def _show_melds(self, melds: Sequence[Meld]) -> None:
        room = self.size.width - INFO_WIDTH - 2 * len(melds) - self._words.width_wanted
        shown = [meld_cards(meld) for meld in melds]
        if self.size.height < 2 or sum(map(width_of, shown)) > room:
            shown = fit([meld_forms(meld) for meld in melds], room)
        for strip, meld, form in zip(self.melds, melds, shown, strict=True):
            strip.show(meld, form)

    def _player(self, shown: DisplayState) -> Content:
        """``▶ Ana        Phase 3   7 cards  120``, in columns."""
        board, language, seat = shown.board, shown.language, self.seat
        name = _short(shown.names[seat - 1], NAME_WIDTH)
        points = f"{shown.view.sheet.totals[seat - 1]:>4}"
        if board is None or seat not in board.players:
            return Content(f"  {name:<{NAME_WIDTH}} {'':13}{points}")
        turn = _ON_TURN if board.turn == seat else " "
        skip = SKIP_SIGN if board.waiting[seat - 1] else " "
        phase = shown.phase_of(seat)
        title = language.phase_title(phase.number) if phase else ""
        done = "✓" if board.made[seat - 1] else " "
        cards = f"▯{board.counts[seat - 1]:<2}"
        return Content.assemble(
            f"{turn} ",
            (f"{name:<{NAME_WIDTH}}", "bold"),
            f"{skip}{title:<8}{done} {cards}",
            points,
        )

    def _after_melds(self, shown: DisplayState, melds: Sequence[Meld]) -> Content:
        board = shown.board
        if board is None or self.seat not in board.players:
            return Content("")
        if shown.open_hands and self.seat != shown.view.seat:
            return Content(" ") + chips(sort_cards(shown.open_hands[self.seat - 1]), "")
        phase = shown.phase_of(self.seat)
        if melds or phase is None:
            return Content("")
        return Content(f" {shown.language.phase(phase)}")


class Seats(VerticalGroup):
    """All players, from seat 1 on."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def compose(self):
        for seat in range(1, self._count + 1):
            yield SeatRow(seat)

    async def show(self, shown: DisplayState) -> None:
        for row in self.query(SeatRow):
            await row.show(shown)


def width_of(shown: Content) -> int:
    """How many columns its widest line takes."""
    return max(line.cell_length for line in shown.split("\n", allow_blank=True))


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
