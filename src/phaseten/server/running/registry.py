"""The tables that are in memory on this node, and the one way in which they change.

Every change goes the same way: decide on the table as it stands, append, and only when the step is
kept apply it and tell everybody. Where another node was faster, look again and decide again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final, Protocol

from phaseten.rules.refusals import Refusal
from phaseten.server.clock import now
from phaseten.server.metrics import Metrics
from phaseten.server.running.chance import SECRET
from phaseten.server.running.codes import new_code
from phaseten.server.running.live_table import LiveTable
from phaseten.server.running.loading import Loaded, Loader, snapshot_of
from phaseten.server.running.subscribers import Speaker
from phaseten.server.running.tasks import Tasks
from phaseten.server.store.codec import form_of, write_events
from phaseten.server.store.interface import (
    REWRITTEN,
    Change,
    ConflictError,
    OutcomeUnknownError,
    Step,
    Store,
    StoreUnavailableError,
    UnknownEventsError,
)
from phaseten.server.store.listings import listing_of
from phaseten.server.store.records import read_step
from phaseten.table.commands import ClaimHost, Command, OpenTable
from phaseten.table.decisions import decide_once, open_table
from phaseten.table.events import TableEvent
from phaseten.table.fold import apply
from phaseten.table.options import Options
from phaseten.table.state import Table, empty_table
from phaseten.table.verdicts import ALREADY_DONE, Decision, TableRefusal
from phaseten.table.viewers import TableStep

MOST_TRIES: Final = 20
LOOK_AGAIN: Final = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
"""Seconds between the attempts to learn what became of a step."""


class Follower(Protocol):
    """Whoever has to act when a table in memory has changed."""

    def step_made(self, live: LiveTable, before: Table, events: tuple[TableEvent, ...]) -> None:
        """This node has made a step, of these events."""
        ...

    def steps_read(self, live: LiveTable) -> None:
        """Other nodes have made steps, and see to what follows from them."""
        ...

    def table_read(self, live: LiveTable) -> None:
        """The table was read from the store: whoever saw to it before may be gone."""
        ...


def _step(at: int, events: tuple[TableEvent, ...]) -> Step:
    return Step(at, write_events(events), form_of(events))


class Registry:
    """All tables of this node."""

    def __init__(
        self,
        store: Store,
        speaker: Speaker,
        metrics: Metrics,
        tasks: Tasks,
        *,
        new_seed: Callable[[], bytes] = SECRET.new_seed,
    ) -> None:
        self._store = store
        self._speaker = speaker
        self._metrics = metrics
        self._tasks = tasks
        self._loader = Loader(store)
        self.new_seed = new_seed
        self._tables: dict[str, LiveTable] = {}
        self._followers: list[Follower] = []
        metrics.tables.set_function(lambda: len(self._tables))

    def inform(self, follower: Follower) -> None:
        """Let it know from now on what happens, after those who were named before."""
        self._followers.append(follower)

    # -- reading ---------------------------------------------------------------------------------

    def find(self, code: str) -> LiveTable | None:
        """The table of that code, if it is in memory."""
        return self._tables.get(code)

    def peek(self, code: str) -> Table | None:
        """The table as this node last saw it, if it is in memory."""
        live = self._tables.get(code)
        return live.table if live is not None else None

    @property
    def all(self) -> Sequence[LiveTable]:
        """Every table in memory."""
        return list(self._tables.values())

    async def table(self, code: str) -> Table | None:
        """The table as it stands, or None where there is none."""
        async with self.hold(code) as live:
            return live.table if live is not None else None

    async def steps(self, table: Table, after: int = 0) -> list[TableStep]:
        """What happened at a table after that version, until now."""
        kept = await self._store.read(table.code, after, table.version - after)
        return await self._loader.read(kept)

    @asynccontextmanager
    async def hold(self, code: str) -> AsyncGenerator[LiveTable | None]:
        """The table of that code, locked and up to date; None where there is none."""
        while True:
            live = self._tables.get(code)
            if live is None:
                live = self._tables[code] = LiveTable(code, self._speaker)
            async with live.lock:
                if self._tables.get(code) is not live:
                    continue  # it was forgotten while we waited
                live.used = time.monotonic()
                was_fresh = live.fresh
                try:
                    if not was_fresh:
                        await self._store.listen(code)
                        await self.catch_up(live)
                finally:
                    if not live.table.version:
                        del self._tables[code]
                if not was_fresh and live.table.version:
                    for follower in self._followers:
                        follower.table_read(live)
                yield live if live.table.version else None
                return

    def forget_idle(self) -> None:
        """Let go of the tables that nobody needs."""
        idle = [code for code, live in self._tables.items() if live.is_idle]
        for code in idle:
            self._tables[code].stop_timer()
            del self._tables[code]
        if idle:
            self._tasks.begin(self._store.stop_listening(idle), "")

    # -- changing --------------------------------------------------------------------------------

    async def open(
        self, owner: str, name: str, options: Options, position: str = ""
    ) -> str | TableRefusal | Refusal:
        """Open a table, perhaps one at which games begin in a position; its code."""
        decision = open_table(owner, OpenTable(options, name, self.new_seed(), position))
        if not isinstance(decision, tuple):
            return decision
        while True:
            code = new_code()
            with suppress(ConflictError):  # somebody has that code
                await self._keep_first(code, decision)
                self._metrics.opened.inc()
                return code

    async def _keep_first(self, code: str, events: tuple[TableEvent, ...]) -> None:
        at = now()
        table = apply(empty_table(code), at, events)
        await self._store.append(code, 0, _step(at, events), listing_of(table))

    async def ask(
        self, code: str, owner: str, command: Command, mark: int | None = None
    ) -> Refusal | TableRefusal | None:
        """Do what somebody asks for, but not twice under the same mark; why not, where it is refused."""
        if isinstance(command, ClaimHost):
            live = self._tables.get(code)
            if live is None or not live.attendance.is_host_gone(live.table):
                return TableRefusal("host-here")
        refusal = await self.change(
            code, lambda table: decide_once(table, owner, command, mark), by="people"
        )
        return None if refusal is ALREADY_DONE else refusal

    async def change(
        self, code: str, decide_on: Callable[[Table], Decision], *, by: str
    ) -> Refusal | TableRefusal | None:
        """Decide on the table as it stands, and do it; why not, where it is refused."""
        try:
            async with self.hold(code) as live:
                if live is None:
                    return TableRefusal("no-table")
                in_vain = 0
                while in_vain < MOST_TRIES:
                    decision = decide_on(live.table)
                    if not isinstance(decision, tuple):
                        return decision
                    try:
                        await self._append(live, decision)
                    except ConflictError:
                        self._metrics.conflicts.inc()
                        version = live.table.version
                        await self.catch_up(live)
                        # Another node was first, as often as it likes; or there is nothing to see of it.
                        in_vain += live.table.version == version
                    except OutcomeUnknownError as error:
                        self._metrics.report("store", str(error))
                        return await self._find_out(live, decision)
                    else:
                        self._metrics.steps.labels(by).inc()
                        return None
                # The log is not the one that is known here: it was rewritten, and nobody said so.
                self._tasks.begin(self.reread(code), code)
                return TableRefusal("unavailable")
        except StoreUnavailableError as error:
            self._metrics.report("store", str(error))
            return TableRefusal("unavailable")

    async def _append(self, live: LiveTable, events: tuple[TableEvent, ...]) -> None:
        """Keep a step; then, and only then, apply it and tell everybody."""
        began = time.perf_counter()
        at = now()
        after = apply(live.table, at, events)
        step = _step(at, events)
        live.fresh = False  # until it is known whether the step was kept
        listing = listing_of(after, live.table)
        snapshot = snapshot_of(after, events, live.rewrites)
        if snapshot is not None:
            listing = listing._replace(snapshot=snapshot)
        await self._store.append(after.code, live.table.version, step, listing)
        live.fresh = True
        if listing.finished is not None:
            self._metrics.finished.inc()
        self._metrics.append_seconds.observe(time.perf_counter() - began)
        before, live.table, live.mine = live.table, after, True
        live.tell([TableStep(after.version, at, events)])
        for follower in self._followers:
            follower.step_made(live, before, events)

    async def _find_out(
        self, live: LiveTable, events: tuple[TableEvent, ...]
    ) -> TableRefusal | None:
        """Whether a step was kept of which the store could not say so."""
        self._tasks.begin(self._look_again(live.table.code), live.table.code)
        with suppress(StoreUnavailableError):
            kept = await self._store.read(live.table.code, live.table.version)
            if kept and read_step(kept[0]).events == events:
                return None
        return TableRefusal("unknown")

    async def _look_again(self, code: str) -> None:
        """Tell everybody how the table stands, as soon as that can be known."""
        for wait in LOOK_AGAIN:
            await asyncio.sleep(wait)
            with suppress(StoreUnavailableError):
                async with self.hold(code) as live:
                    if live is not None:
                        live.tell([])
                return

    # -- following other nodes -------------------------------------------------------------------

    async def catch_up(self, live: LiveTable) -> None:
        """Read what others have appended to a table that is held, and tell everybody."""
        if not live.table.version:
            await self._load(live)
            return
        try:
            live.table, steps = await self._loader.catch_up(live.table)
        except UnknownEventsError:
            live.fresh = False
            live.interrupt()
            raise
        live.fresh = True
        if steps:
            live.mine = False
            live.tell(steps)
            for follower in self._followers:
                follower.steps_read(live)

    async def _load(self, live: LiveTable) -> None:
        """Read a table of which nothing is known here."""
        code = live.table.code
        loaded = await self._loader.load(code) or Loaded(empty_table(code))
        live.table, live.rewrites, live.mine, live.fresh = (
            loaded.table,
            loaded.rewrites,
            False,
            True,
        )
        self._tasks.begin(self._loader.mend(loaded), code)

    def hear(self, change: Change) -> None:
        """Another node has changed a table, or this one has."""
        live = self._tables.get(change.table)
        if live is not None and change.version == REWRITTEN:
            self._tasks.begin(self.reread(change.table), change.table)
        elif live is not None and change.version > live.table.version:
            self._tasks.begin(self._bring_up_to_date(live, change.version), change.table)

    def doubt(self) -> None:
        """Some changes may have been missed: read every table again."""
        for live in self.all:
            live.fresh = False
            self._tasks.begin(self._bring_up_to_date(live, None), live.table.code)

    async def _bring_up_to_date(self, live: LiveTable, version: int | None) -> None:
        try:
            async with live.lock:
                # One's own steps are heard of as well, and mostly before they are applied.
                if version is None:
                    await self._store.listen(live.table.code)
                if version is None or version > live.table.version:
                    await self.catch_up(live)
        except Exception:
            live.fresh = False
            raise

    async def reread(self, code: str) -> None:
        """The log of a table was rewritten: keep nothing of what is gone, and tell everybody."""
        live = self._tables.get(code)
        if live is None:
            return
        async with live.lock:
            if self._tables.get(code) is not live:
                return
            live.fresh = False
            await self._load(live)
            live.stop_timer()
            if live.table.version:
                live.tell([])
                for follower in self._followers:
                    follower.table_read(live)
                return
            del self._tables[code]
        live.dismiss()
