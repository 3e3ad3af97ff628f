"""What is there while the server runs: it comes with the first request and goes with the last."""

from __future__ import annotations

from phaseten.server.running.coaching import Coach
from phaseten.server.running.node import Node
from phaseten.server.running.reminders import Sender
from phaseten.server.store.interface import Store


class Services:
    """The store, the node, the coach and who sends messages to closed pages, once they are open."""

    store: Store
    node: Node
    coach: Coach
    sender: Sender | None
    """None where that is not installed."""

    def open(self, store: Store, node: Node, coach: Coach, sender: Sender | None) -> None:
        """From now on there are these."""
        self.store = store
        self.node = node
        self.coach = coach
        self.sender = sender
