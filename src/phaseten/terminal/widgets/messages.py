"""What is said to the player, and what everybody did."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from phaseten.terminal.card_faces import with_cards


class MessageLine(Widget):
    """What can be done next; or why something was refused, or a hint."""

    def __init__(self) -> None:
        super().__init__()
        self._text = Content("")

    def say(self, text: str, kind: str = "prompt") -> None:
        """Say something; ``kind`` is ``prompt``, ``refusal``, ``hint`` or ``trouble``."""
        self._text = with_cards(text)
        for name in ("prompt", "refusal", "hint", "trouble"):
            self.set_class(name == kind, f"-{name}")
        self.refresh()

    def has_room_for(self, text: str) -> bool:
        """Whether the text can be read in full."""
        width, height = self.content_size
        return len(with_cards(text).wrap(max(1, width))) <= height

    def render(self) -> Content:
        return self._text


class Log(Widget):
    """The latest of what everybody did, as much as there is room for."""

    def __init__(self) -> None:
        super().__init__()
        self._sentences: Sequence[str] = ()

    def show(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences
        self.refresh()

    def render(self) -> Content:
        width, height = self.content_size
        lines: list[Content] = []
        for sentence in reversed(self._sentences):
            wrapped = with_cards(sentence).wrap(max(10, width))
            if lines and len(lines) + len(wrapped) > height:
                break
            style = "" if not lines else "$quiet"
            lines = [*[line.stylize_before(style) for line in wrapped], *lines]
        return Content("\n").join(lines[-max(1, height) :])
