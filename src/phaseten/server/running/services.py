"""What is there while the server runs: it comes with the first request and goes with the last."""

from __future__ import annotations

from phaseten.server.running.coaching import Coach
from phaseten.server.running.node import Node
from phaseten.server.store.interface import Store


class Services:
    """The store, the node and the coach, once they are open."""

    store: Store
    node: Node
    coach: Coach

    def open(self, store: Store, node: Node, coach: Coach) -> None:
        """From now on there are these."""
        self.store = store
        self.node = node
        self.coach = coach
