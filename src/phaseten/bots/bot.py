"""What a bot is: somebody who chooses from a view, and sees no more than a person in its chair."""

from __future__ import annotations

from typing import Protocol

from phaseten.rules.actions import Action
from phaseten.rules.views import View


class Bot(Protocol):
    """An opponent."""

    name: str

    def choose(self, view: View) -> Action:
        """One of the legal actions of a view in which it is the bot's turn."""
        ...
