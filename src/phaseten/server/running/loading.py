"""How a table comes into memory: from its last snapshot and the steps after it, beside the play of others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, TypeVar

from phaseten.server.breathing import breathing
from phaseten.server.store.interface import (
    Base,
    KeptStep,
    Snapshot,
    Store,
    UnknownEventsError,
)
from phaseten.server.store.records import read_step
from phaseten.server.store.snapshots import (
    EVERY,
    FORM,
    DamagedSnapshotError,
    begins_anew,
    is_due,
    read_table,
    write_table,
)
from phaseten.table.events import TableEvent
from phaseten.table.fold import apply
from phaseten.table.state import Table, empty_table
from phaseten.table.viewers import TableStep

T = TypeVar("T")

PAGE: Final = 1_000
"""Steps that are read at once: while more are on their way, others have their turn."""
FEW: Final = 8
"""Steps that are read and applied on the spot: to have it done elsewhere would take longer."""


class Loaded(NamedTuple):
    """A table that was not in memory."""

    table: Table
    rewrites: int = 0
    """How often its log had been rewritten."""
    folded: int = 0
    """How many steps had to be folded."""


class Loader:
    """Reads tables, one after the other, in a thread of its own: nobody's move waits for an old table."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._aside = ThreadPoolExecutor(1, thread_name_prefix="phaseten-load")

    async def load(self, code: str) -> Loaded | None:
        """The table of that code; None where there is none."""
        base = await self._store.base(code, FORM)
        if base is None:
            return None
        table = await self.aside(lambda: _begin(code, base))
        begun = table.version
        while True:
            kept = await self._store.read(code, table.version, PAGE)
            steps = await self.read(kept)
            table = await self._fold(table, steps)
            if len(kept) < PAGE:
                return Loaded(table, base.rewrites, table.version - begun)

    async def read(self, kept: Sequence[KeptStep]) -> list[TableStep]:
        """The steps, read."""
        if len(kept) <= FEW:
            return [read_step(one) for one in kept]
        return await self.aside(lambda: [read_step(one) for one in breathing(kept)])

    async def catch_up(self, table: Table) -> tuple[Table, list[TableStep]]:
        """The table with what others have appended, and what that was."""
        steps = await self.read(await self._store.read(table.code, table.version))
        return await self._fold(table, steps), steps

    async def _fold(self, table: Table, steps: Sequence[TableStep]) -> Table:
        if len(steps) <= FEW:
            return _folded(table, steps)
        return await self.aside(lambda: _folded(table, breathing(steps)))

    async def aside(self, work: Callable[[], T]) -> T:
        """Do this beside the play of others, and one such thing at a time."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, work)

    async def mend(self, loaded: Loaded) -> None:
        """Keep a snapshot of a table that took long, because none could be used."""
        if loaded.folded > 2 * EVERY:
            state = await self.aside(lambda: write_table(loaded.table))
            snapshot = Snapshot(loaded.table.version, FORM, state, loaded.rewrites)
            await self._store.keep_snapshot(loaded.table.code, snapshot)


def snapshot_of(table: Table, events: Sequence[TableEvent], rewrites: int) -> Snapshot | None:
    """What is to be kept of the table after these events, if it is time for that."""
    if not is_due(table, events):
        return None
    return Snapshot(table.version, FORM, write_table(table), rewrites, begins_anew(events))


def _begin(code: str, base: Base) -> Table:
    if not base.version:
        return empty_table(code)
    try:
        table = read_table(base.state)
    except DamagedSnapshotError:
        return empty_table(code)
    # A snapshot of another table, or of another time, is none.
    is_ours = (table.code, table.version) == (code, base.version)
    return table if is_ours else empty_table(code)


def _folded(table: Table, steps: Iterable[TableStep]) -> Table:
    try:
        for step in steps:
            table = apply(table, step.at, step.events)
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        # Without its cause: that could tell cards.
        why = f"The steps of a table do not follow from each other ({type(error).__name__})."
        raise UnknownEventsError(why) from None
    return table
