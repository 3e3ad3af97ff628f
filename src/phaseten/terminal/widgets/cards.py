"""The player's own cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from phaseten.terminal.arrangement import Held
from phaseten.terminal.card_faces import CARD_WIDTH, card_face
from phaseten.terminal.widgets.spot import Spot

_UNDER: Final = "━" * CARD_WIDTH


class CardFace(Spot):
    """One card before the player: it is lifted when it is chosen, and underlined when in focus."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "pick", show=False)]

    class Picked(Message):
        """The card was chosen, or no longer."""

        def __init__(self, face: CardFace) -> None:
            super().__init__()
            self.face = face

    class Dropped(Message):
        """The card was dragged with the mouse to another place."""

        def __init__(self, face: CardFace, target: Widget) -> None:
            super().__init__()
            self.face = face
            self.target = target

    def __init__(self, held: Held, new: str) -> None:
        super().__init__()
        self.held = held
        self._new = new
        """What is written over a card that has just come."""

    def show(self, held: Held, new: str) -> None:
        self.held = held
        self._new = new
        self.set_class(held.chosen, "-chosen")
        self.refresh()

    def render(self) -> Content:
        under = _UNDER if self.has_focus else " " * CARD_WIDTH
        mark = self._new[:CARD_WIDTH].center(CARD_WIDTH) if self.held.fresh else ""
        face = card_face(self.held.card)
        lines = [*face, Content(mark), Content(under)]
        if not self.held.chosen:
            lines = [Content(mark), *face, Content(under)]
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        """A card is picked when the button is let go: it may have been a drag."""
        event.prevent_default()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self.capture_mouse()
        event.stop()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self.release_mouse()
        event.stop()
        if not self.screen.region.contains_point(event.screen_offset):
            return
        target, _ = self.screen.get_widget_at(*event.screen_offset)
        if target is self:
            self.action_pick()
        else:
            self.post_message(self.Dropped(self, target))

    def action_pick(self) -> None:
        self.post_message(self.Picked(self))


class HeldCards(HorizontalGroup):
    """All of the player's cards, side by side; closer together where there is little room."""

    @property
    def faces(self) -> list[CardFace]:
        return list(self.query(CardFace))

    async def show(self, cards: Sequence[Held], new: str) -> None:
        """Show these cards; the focus stays with its card, or near its place."""
        faces = self.faces
        place = next((i for i, face in enumerate(faces) if face.has_focus), None)
        focused = faces[place].held if place is not None else None
        for face, held in zip(faces, cards, strict=False):
            face.show(held, new)
        await self.mount_all([CardFace(held, new) for held in cards[len(faces) :]])
        if cards and place is not None:
            near = min(place, len(cards) - 1)
            self.screen.set_focus(self.faces[cards.index(focused) if focused in cards else near])
        await self.remove_children(faces[len(cards) :])
        self._make_room()

    def on_resize(self) -> None:
        self._make_room()

    def _make_room(self) -> None:
        """Leave out the gaps between the cards, then parts of them, until all fit."""
        cards = list(self.children)
        if not cards or not self.size.width:
            return
        share = self.size.width // len(cards)
        wide = share > CARD_WIDTH
        for card in cards[:-1]:
            card.styles.width = CARD_WIDTH if share >= CARD_WIDTH else max(2, share)
            card.set_class(not wide, "-close")
        cards[-1].styles.width = CARD_WIDTH
