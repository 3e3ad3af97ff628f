"""What the nodes of one server tell each other: that a table has changed, and who is there."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping
from typing import Protocol

from phaseten.server.metrics import Metrics
from phaseten.server.store.interface import Change, Notice, Store, StoreUnavailableError


class ChangeListener(Protocol):
    """Whoever follows what other nodes do to tables."""

    def hear(self, change: Change) -> None:
        """A table has changed."""
        ...

    def doubt(self) -> None:
        """Some changes may have been missed."""
        ...


class NoticeListener(Protocol):
    """Whoever follows what other nodes say."""

    def hear(self, notice: Notice) -> None:
        """Another node has said something."""
        ...


class Bus:
    """Speaks and listens for this node, by way of the store that all nodes share."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self._node = secrets.token_hex(4)
        """How other nodes tell this one from others."""

    async def announce(self, texts: Mapping[str, str]) -> None:
        """Tell the other nodes something about each of these tables."""
        try:
            if texts:
                await self._store.announce(
                    [Notice(code, self._node, text) for code, text in texts.items()]
                )
        except StoreUnavailableError as error:
            self._metrics.report("store", str(error))

    async def follow(
        self,
        heard: AsyncIterator[Change | Notice | None],
        changes: ChangeListener,
        notices: NoticeListener,
    ) -> None:
        """Pass on what other nodes say, as long as there is something to hear."""
        async for said in heard:
            if said is None:
                changes.doubt()
            elif isinstance(said, Change):
                changes.hear(said)
            elif said.node != self._node:
                notices.hear(said)
