"""What is there while the server runs: it comes with the first request and goes with the last."""

from __future__ import annotations

from phaseten.server.running.registry import Hall
from phaseten.server.store.interface import Store


class Backstage:
    """The store and the hall, once they are open."""

    store: Store
    hall: Hall

    def open(self, store: Store, hall: Hall) -> None:
        """From now on there are these."""
        self.store = store
        self.hall = hall
