"""How those who are connected to a table are told what happens there: as messages, each once for all who see the same.

Who was told of the table before is told what has changed since; anybody else is told the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from phaseten.bots.ladder import LADDER
from phaseten.server.clock import now
from phaseten.server.running.presence import Present
from phaseten.server.running.subscribers import Known, Standing, Subscriber
from phaseten.server.socket import updates
from phaseten.server.socket.changes import Changes
from phaseten.server.socket.messages import encode
from phaseten.server.socket.updates import refused, update, welcome
from phaseten.table.advice import Remark
from phaseten.table.coaching import JudgedMove
from phaseten.table.events import OptionsChanged
from phaseten.table.state import Table
from phaseten.table.verdicts import TableRefusal
from phaseten.table.viewers import TableStep, Viewer, may_look, viewer_of


class MessageSpeaker:
    """Tells what happens at tables in the messages of the protocol."""

    def __init__(
        self,
        now: Callable[[], int] = now,
        bots: tuple[str, ...] = LADDER,
        *,
        coach: bool = True,
    ) -> None:
        self._now = now
        self._coach = coach
        """Whether there is one that can speak up."""
        self._bots = bots
        """Those that can be asked to play, the weakest first."""

    def welcome(self, subscriber: Subscriber, table: Table) -> None:
        """Tell a new subscriber how the table plays."""
        language, now = subscriber.language, self._now()
        subscriber.send(encode(welcome(table, language, now, self._bots, coach=self._coach)))

    def show(
        self, subscriber: Subscriber, table: Table, steps: Sequence[TableStep], present: Present
    ) -> None:
        """Tell one subscriber how the table stands, and these steps."""
        viewer = _viewer(subscriber, table)
        subscriber.send(encode(update(table, viewer, steps, present)))
        subscriber.known = Known(Standing(table, present), viewer)

    def tell(
        self,
        subscribers: Collection[Subscriber],
        table: Table,
        steps: Sequence[TableStep],
        present: Present,
    ) -> None:
        """Tell those who may look what has changed, and these steps."""
        after = Standing(table, present)
        plays_anew = any(
            isinstance(event, OptionsChanged) for step in steps for event in step.events
        )
        found: dict[int, Changes] = {}
        for subscriber in subscribers:
            known = subscriber.known
            changes = found.get(id(known.standing)) if known is not None else None
            if known is not None and changes is None:
                changes = found[id(known.standing)] = Changes(known.standing, after, steps)
            if known is not None and changes is not None and changes.are_seated_alike:
                viewer = known.viewer
            else:
                viewer = _viewer(subscriber, table)
            if not may_look(table, viewer):
                subscriber.known = None
                continue
            if plays_anew:
                self.welcome(subscriber, table)
            if known is None or changes is None or known.viewer != viewer:
                # Who was not allowed to look has missed more than these steps, and starts anew.
                self.show(subscriber, table, steps if known is not None else (), present)
                continue
            subscriber.send(changes.message(viewer))
            subscriber.known = Known(after, viewer)

    def remark(
        self, subscriber: Subscriber, table: Table, version: int, move: JudgedMove, remark: Remark
    ) -> None:
        """Tell one subscriber what the coach says about that one's move."""
        message = updates.remark(table, version, move, remark, subscriber.language)
        subscriber.send(encode(message))

    def refuse(self, subscriber: Subscriber, refusal: TableRefusal) -> None:
        """Tell one subscriber why something cannot be."""
        subscriber.send(encode(refused(refusal, subscriber.language, None)))

    def part(self, subscriber: Subscriber, refusal: TableRefusal, *, for_good: bool = True) -> None:
        """Tell one subscriber why nothing more will be told, and end the connection."""
        data = encode(refused(refusal, subscriber.language, None))
        subscriber.dismiss(data, for_good=for_good)

    def dismiss(self, subscribers: Collection[Subscriber]) -> None:
        """Tell everybody that there is no such table any more."""
        for subscriber in subscribers:
            self.refuse(subscriber, TableRefusal("no-table"))


def _viewer(subscriber: Subscriber, table: Table) -> Viewer:
    return viewer_of(table, subscriber.owner, subscriber.language, subscriber.muted)
