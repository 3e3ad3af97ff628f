"""Those who are connected to a table, and how they are told; what the words are is not known here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from phaseten.language import Language
from phaseten.server.running.presence import Present
from phaseten.table.advice import Remark
from phaseten.table.coaching import JudgedMove
from phaseten.table.state import Table
from phaseten.table.verdicts import TableRefusal
from phaseten.table.viewers import TableStep, Viewer


class Standing(NamedTuple):
    """How a table stands, and who is there."""

    table: Table
    present: Present


class Known(NamedTuple):
    """What a subscriber was told last, and as whom."""

    standing: Standing
    viewer: Viewer


class Subscriber(Protocol):
    """Somebody who is connected to a table."""

    known: Known | None
    """What was told last; None: nothing that a change could be told of."""

    @property
    def owner(self) -> str:
        """The hash of the token."""
        ...

    @property
    def language(self) -> Language:
        """The language for sentences."""
        ...

    @property
    def muted(self) -> frozenset[int]:
        """The seats whose talk is not told."""
        ...

    def send(self, data: bytes) -> None:
        """Send it in good time, without making anybody wait."""
        ...

    def dismiss(self, data: bytes, *, for_good: bool) -> None:
        """Send it, and end the connection; whoever may come back is told so."""
        ...


class Speaker(Protocol):
    """Puts what happens at a table into messages, for each subscriber what that one may see."""

    def welcome(self, subscriber: Subscriber, table: Table) -> None:
        """Tell a new subscriber how the table plays."""
        ...

    def show(
        self, subscriber: Subscriber, table: Table, steps: Sequence[TableStep], present: Present
    ) -> None:
        """Tell one subscriber how the table stands, and these steps."""
        ...

    def tell(
        self,
        subscribers: Collection[Subscriber],
        table: Table,
        steps: Sequence[TableStep],
        present: Present,
    ) -> None:
        """Tell those who may look how the table stands, and these steps."""
        ...

    def remark(
        self, subscriber: Subscriber, table: Table, version: int, move: JudgedMove, remark: Remark
    ) -> None:
        """Tell one subscriber what the coach says about that one's move, which made the table of that version."""
        ...

    def refuse(self, subscriber: Subscriber, refusal: TableRefusal) -> None:
        """Tell one subscriber why something cannot be."""
        ...

    def part(self, subscriber: Subscriber, refusal: TableRefusal, *, for_good: bool = True) -> None:
        """Tell one subscriber why nothing more will be told, and end the connection."""
        ...

    def dismiss(self, subscribers: Collection[Subscriber]) -> None:
        """Tell everybody that there is no such table any more."""
        ...
