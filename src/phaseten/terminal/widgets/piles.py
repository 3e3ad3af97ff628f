"""The draw pile and the discard pile."""

from __future__ import annotations

from textual.content import Content

from phaseten.rules.cards import Card
from phaseten.terminal.card_faces import CARD_WIDTH, card_back, card_face, no_card
from phaseten.terminal.widgets.spot import Spot


class Pile(Spot):
    """A pile of cards; under it their number, and the key when something may be done with it."""

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self._lines = no_card()
        self._count = 0
        self._key = ""

    def put(self, lines: list[Content], count: int) -> None:
        self._lines, self._count = lines, count
        self.refresh()

    def offer(self, key: str) -> None:
        """Say with which key something may be done here now; without one, nothing may."""
        self._key = key
        self.possible = bool(key)
        self.refresh()

    def render(self) -> Content:
        label = f"{self._key} {self._count}".strip().center(CARD_WIDTH - 2)
        marked = f"[{label}]" if self.has_focus else f" {label} "
        return Content("\n").join([*self._lines, Content(marked)])


class DrawPile(Pile):
    """The cards that are still to come."""

    def show(self, count: int) -> None:
        self.put(card_back() if count else no_card(), count)


class DiscardPile(Pile):
    """The cards that were put away, the last one on top."""

    def show(self, top: Card | None, count: int) -> None:
        self.put(card_face(top) if top is not None else no_card(), count)
