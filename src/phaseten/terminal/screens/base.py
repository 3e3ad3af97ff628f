"""What all screens have: the application with its language and settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar, cast

from textual.events import Resize
from textual.screen import ModalScreen, Screen

from phaseten.language import Language

if TYPE_CHECKING:
    from phaseten.terminal.app import PhasetenApp

T = TypeVar("T")

WIDTH: Final = 80
HEIGHT: Final = 24
"""The smallest terminal in which everything can be read."""


class _Speaks:
    """Says things in the player's language."""

    @property
    def game_app(self) -> PhasetenApp:
        """The application this screen belongs to."""
        return cast("PhasetenApp", self.app)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    @property
    def language(self) -> Language:
        return self.game_app.language

    def say(self, name: str, /, **values: object) -> str:
        """A sentence of the terminal's own."""
        return self.language.say(f"terminal.{name}", **values)


class GameScreen(_Speaks, Screen[T]):
    """A screen of the game."""

    def on_resize(self, event: Resize) -> None:
        """Say so where the table does not fit."""
        if event.size.width < WIDTH or event.size.height < HEIGHT:
            self.notify(self.say("too_small", width=WIDTH, height=HEIGHT), severity="warning")


class Dialog(_Speaks, ModalScreen[T]):
    """Something asked or shown over the table."""
