"""What a bot is: somebody who chooses from a view, and sees no more than a person in its chair."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol, runtime_checkable

from phaseten.rules.actions import Action
from phaseten.rules.views import View


class Reason(NamedTuple):
    """One sentence of an explanation: the name of the sentence, and the values that go into it.

    The sentences stand in the catalogues of ``phaseten.language``, in every language.
    """

    name: str
    values: Mapping[str, object]


@runtime_checkable
class Bot(Protocol):
    """An opponent."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def choose(self, view: View) -> Action:
        """One of the legal actions of a view in which it is the bot's turn.

        The same seed, and the same views before and now, give the same choice.
        """
        ...
