"""How those who are connected to a table are told what happens there: as messages, each once for all who see the same."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from phaseten.server.clock import now
from phaseten.server.running.presence import Present
from phaseten.server.running.subscribers import Subscriber
from phaseten.server.socket.messages import encode
from phaseten.server.socket.updates import refused, updates, welcome
from phaseten.table.events import OptionsChanged
from phaseten.table.state import Table
from phaseten.table.verdicts import TableRefusal
from phaseten.table.viewers import TableStep, Viewer, may_look, viewer_of


class MessageSpeaker:
    """Tells what happens at tables in the messages of the protocol."""

    def welcome(self, subscriber: Subscriber, table: Table) -> None:
        """Tell a new subscriber how the table plays."""
        subscriber.send(encode(welcome(table, subscriber.language, now())))

    def show(
        self, subscriber: Subscriber, table: Table, steps: Sequence[TableStep], present: Present
    ) -> None:
        """Tell one subscriber how the table stands, and these steps."""
        viewer = _viewer(subscriber, table)
        subscriber.send(encode(updates(table, [viewer], steps, present)[viewer]))

    def tell(
        self,
        subscribers: Collection[Subscriber],
        table: Table,
        steps: Sequence[TableStep],
        present: Present,
    ) -> None:
        """Tell those who may look how the table stands, and these steps."""
        found = [(subscriber, _viewer(subscriber, table)) for subscriber in subscribers]
        viewers = {viewer for _, viewer in found if may_look(table, viewer)}
        if not viewers:
            return
        messages = {
            viewer: encode(message)
            for viewer, message in updates(table, viewers, steps, present).items()
        }
        plays_anew = any(isinstance(e, OptionsChanged) for step in steps for e in step.events)
        for subscriber, viewer in found:
            if viewer in messages:
                if plays_anew:
                    self.welcome(subscriber, table)
                subscriber.send(messages[viewer])

    def refuse(self, subscriber: Subscriber, refusal: TableRefusal) -> None:
        """Tell one subscriber why something cannot be."""
        subscriber.send(encode(refused(refusal, subscriber.language, None)))

    def part(self, subscriber: Subscriber, refusal: TableRefusal) -> None:
        """Tell one subscriber why nothing more will be told, and end the connection."""
        subscriber.dismiss(encode(refused(refusal, subscriber.language, None)))

    def dismiss(self, subscribers: Collection[Subscriber]) -> None:
        """Tell everybody that there is no such table any more."""
        for subscriber in subscribers:
            self.refuse(subscriber, TableRefusal("no-table"))


def _viewer(subscriber: Subscriber, table: Table) -> Viewer:
    return viewer_of(table, subscriber.owner, subscriber.language, subscriber.muted)
