"""What is there while the server runs: it comes with the first request and goes with the last."""

from __future__ import annotations

from phaseten.server.running.node import Node
from phaseten.server.store.interface import Store


class Services:
    """The store and the node, once they are open."""

    store: Store
    node: Node

    def open(self, store: Store, node: Node) -> None:
        """From now on there are these."""
        self.store = store
        self.node = node
