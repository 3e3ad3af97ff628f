"""What the nodes of one server tell each other: that a table has changed, and who is there."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping
from typing import Protocol, assert_never

from phaseten.server.metrics import Metrics
from phaseten.server.store.interface import (
    Change,
    Garbled,
    Heard,
    Notice,
    Store,
    StoreUnavailableError,
)


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
        heard: AsyncIterator[Heard],
        changes: ChangeListener,
        notices: NoticeListener,
    ) -> None:
        """Pass on what other nodes say, as long as there is something to hear."""
        async for said in heard:
            try:
                self._pass_on(said, changes, notices)
            except Exception as error:  # noqa: BLE001 - what comes next can be heard all the same
                code = said.table if isinstance(said, Change | Notice) else ""
                self._metrics.report_error("notice", error, code)

    def _pass_on(self, said: Heard, changes: ChangeListener, notices: NoticeListener) -> None:
        match said:
            case None:
                changes.doubt()
            case Garbled(why):
                self._metrics.report("notice", why)
            case Change():
                changes.hear(said)
            case Notice():
                if said.node != self._node:
                    notices.hear(said)
            case _:
                assert_never(said)
