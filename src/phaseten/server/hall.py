"""The tables that are alive on this node: who is connected, and what has to happen when.

Every change goes the same way: decide on the table as it stands, append, and only when the step is
kept apply it and tell everybody. Where another node was faster, look again and decide again.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final, Protocol

from phaseten.language import Language
from phaseten.rules.refusals import Refusal
from phaseten.rules.shuffle import SEED_BYTES
from phaseten.server.commands import Chore, Command, DealHand, EndTurnTime, OpenTable, PlayBot
from phaseten.server.deciding import Decision, TableRefusal, decide, do_chore, open_table
from phaseten.server.events import TableEvent
from phaseten.server.listing import listing_of
from phaseten.server.logs import log, where
from phaseten.server.metrics import Metrics
from phaseten.server.options import Options
from phaseten.server.saved import read_events, write_events
from phaseten.server.showing import TableStep, may_look, update, updates, viewer_of, welcome
from phaseten.server.store import (
    Change,
    ConflictError,
    KeptStep,
    Step,
    Store,
    StoreUnavailableError,
)
from phaseten.server.table import (
    BotDuty,
    ClockDuty,
    DealDuty,
    Table,
    apply,
    next_duty,
    nobody_yet,
)
from phaseten.server.thinking import Thinkers, ThinkingError
from phaseten.server.wire import encode

CODE_LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without those that look alike: 0 and O, 1 and I."""
CODE_LENGTH: Final = 8
"""40 bits: with a million tables, one address at its limit of guesses needs some four months for a hit."""

MOST_TRIES: Final = 20
MOST_MISSED: Final = 2_000
"""Steps in one update; who missed more starts anew."""
SWEEP_SECONDS: Final = 1.0
GRACE: Final = 3_000
"""Milliseconds after which any node does what the node that should have done it has not."""
IDLE_SECONDS: Final = 60.0
MOST_SWEPT: Final = 200


class Listener(Protocol):
    """Somebody who is connected to a table."""

    @property
    def owner(self) -> str:
        """The hash of the token."""
        ...

    @property
    def language(self) -> Language:
        """The language for sentences."""
        ...

    def send(self, data: bytes) -> None:
        """Send it in good time, without making anybody wait."""
        ...


class LiveTable:
    """A table in memory. Only who holds the lock may change it."""

    def __init__(self, code: str) -> None:
        self.lock = asyncio.Lock()
        self.table: Table = nobody_yet(code)
        self.fresh = False
        """Whether this is what the store has, as far as this node has heard."""
        self.listeners: set[Listener] = set()
        self.timer: asyncio.TimerHandle | None = None
        self.thinking = False
        self.used = time.monotonic()

    @property
    def is_idle(self) -> bool:
        """Whether it may be forgotten until somebody asks for it again."""
        return not (
            self.listeners
            or self.timer
            or self.thinking
            or self.lock.locked()
            or time.monotonic() - self.used < IDLE_SECONDS
        )


class Hall:
    """All tables of this node."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        metrics: Metrics,
        *,
        new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
    ) -> None:
        self._store = store
        self._thinkers = thinkers
        self._metrics = metrics
        self.new_seed = new_seed
        self._tables: dict[str, LiveTable] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    # -- for connections -------------------------------------------------------------------------

    async def open(self, owner: str, name: str, options: Options) -> str | TableRefusal | Refusal:
        """Open a table; its code."""
        decision = open_table(owner, OpenTable(options, name, self.new_seed()))
        if not isinstance(decision, tuple):
            return decision
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            with suppress(ConflictError):  # somebody has that code
                await self._keep_first(code, decision)
                self._metrics.opened.inc()
                return code

    async def _keep_first(self, code: str, events: tuple[TableEvent, ...]) -> None:
        at = _now()
        table = apply(nobody_yet(code), at, events)
        await self._store.append(code, 0, Step(at, write_events(events)), listing_of(table))

    async def table(self, code: str) -> Table | None:
        """The table as it stands, or None where there is none."""
        async with self._hold(code) as live:
            return live.table if live is not None else None

    async def steps(self, table: Table) -> Sequence[TableStep]:
        """All that happened at a table until now."""
        kept = await self._store.read(table.code)
        return [_read(one) for one in kept if one.version <= table.version]

    def peek(self, code: str) -> Table | None:
        """The table as this node last saw it, if it is in memory."""
        live = self._tables.get(code)
        return live.table if live is not None else None

    async def join(self, code: str, listener: Listener, after: int | None) -> TableRefusal | None:
        """Tell the listener how the table stands, and from now on what happens there."""
        async with self._hold(code) as live:
            if live is None:
                return TableRefusal("no-table")
            table = live.table
            viewer = viewer_of(table, listener.owner)
            if not may_look(table, viewer):
                return TableRefusal("no-watchers")
            steps: list[TableStep] = []
            if after is not None and table.since <= after < table.version:
                steps = [_read(kept) for kept in await self._store.read(code, after)]
                steps = [step for step in steps if step.version <= table.version]
            if len(steps) > MOST_MISSED:
                steps = []
            listener.send(encode(welcome(table, listener.language)))
            listener.send(encode(update(table, viewer, steps)))
            live.listeners.add(listener)
            return None

    def leave(self, code: str, listener: Listener) -> None:
        """The listener is gone."""
        live = self._tables.get(code)
        if live is not None:
            live.listeners.discard(listener)
            live.used = time.monotonic()

    async def ask(self, code: str, owner: str, command: Command) -> Refusal | TableRefusal | None:
        """Do what somebody asks for; why not, where it is refused."""
        return await self._change(code, lambda table: decide(table, owner, command), by="people")

    # -- changing --------------------------------------------------------------------------------

    async def _change(
        self, code: str, decide_on: Callable[[Table], Decision], *, by: str
    ) -> Refusal | TableRefusal | None:
        try:
            async with self._hold(code) as live:
                if live is None:
                    return TableRefusal("no-table")
                for _ in range(MOST_TRIES):
                    decision = decide_on(live.table)
                    if not isinstance(decision, tuple):
                        return decision
                    try:
                        await self._append(live, decision)
                    except ConflictError:
                        self._metrics.conflicts.inc()
                        await self._catch_up(live)
                    else:
                        self._metrics.steps.labels(by).inc()
                        return None
                return TableRefusal("unavailable")
        except StoreUnavailableError as error:
            self._failed("store", str(error))
            return TableRefusal("unavailable")

    async def _append(self, live: LiveTable, events: tuple[TableEvent, ...]) -> None:
        """Keep a step; then, and only then, apply it and tell everybody."""
        began = time.perf_counter()
        at = _now()
        after = apply(live.table, at, events)
        step = Step(at, write_events(events))
        live.fresh = False  # until it is known whether the step was kept
        await self._store.append(after.code, live.table.version, step, listing_of(after))
        live.fresh = True
        self._metrics.append_seconds.observe(time.perf_counter() - began)
        live.table = after
        _tell(live, [TableStep(after.version, at, events)])
        self._schedule(live)

    async def _catch_up(self, live: LiveTable) -> None:
        """Read what others have appended, and tell everybody."""
        kept = await self._store.read(live.table.code, live.table.version)
        steps = [_read(one) for one in kept]
        for step in steps:
            live.table = apply(live.table, step.at, step.events)
        live.fresh = True
        if steps:
            _tell(live, steps)
            # Who made the step sees to what follows from it; the sweep, if that node is gone.
            _stop_timer(live)

    @asynccontextmanager
    async def _hold(self, code: str) -> AsyncGenerator[LiveTable | None]:
        """The table of that code, locked and up to date; None where there is none."""
        while True:
            live = self._tables.get(code)
            if live is None:
                live = self._tables[code] = LiveTable(code)
            async with live.lock:
                if self._tables.get(code) is not live:
                    continue  # it was forgotten while we waited
                live.used = time.monotonic()
                is_new = not live.table.version
                try:
                    if not live.fresh:
                        await self._catch_up(live)
                finally:
                    if not live.table.version:
                        del self._tables[code]
                if is_new and live.table.version:
                    self._schedule(live)  # whoever saw to it before may be gone
                self._metrics.tables.set(len(self._tables))
                yield live if live.table.version else None
                return

    # -- what the server does by itself ------------------------------------------------------------

    def _schedule(self, live: LiveTable) -> None:
        """See to what the server must do next at the table."""
        _stop_timer(live)
        duty = next_duty(live.table)
        if duty is None or self._closed:
            return
        delay = max(0, duty.at - _now()) / 1000
        code = live.table.code
        live.timer = asyncio.get_running_loop().call_later(delay, self._start_duty, code)

    def _start_duty(self, code: str) -> None:
        live = self._tables.get(code)
        if live is not None:
            live.timer = None
        if self._closed:
            return
        task = asyncio.create_task(self._do_duty(code))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do_duty(self, code: str) -> None:
        """Do what is due at a table."""
        try:
            async with self._hold(code) as live:
                if live is None or live.thinking:
                    return
                duty = next_duty(live.table)
                if duty is None:
                    return
                if duty.at > _now():
                    self._schedule(live)
                    return
                version = live.table.version
                live.thinking = isinstance(duty, BotDuty)
                view = live.table.view(duty.seat) if isinstance(duty, BotDuty) else None
            match duty:
                case BotDuty(seat, level):
                    assert view is not None
                    try:
                        began = time.perf_counter()
                        self._metrics.bots_waiting.set(self._thinkers.waiting + 1)
                        action = await self._thinkers.choose(level, view)
                        self._metrics.bot_seconds.observe(time.perf_counter() - began)
                    finally:
                        live.thinking = False
                        self._metrics.bots_waiting.set(self._thinkers.waiting)
                    chore: Chore = PlayBot(seat, action, version)
                case ClockDuty():
                    chore = EndTurnTime(version)
                case DealDuty():
                    chore = DealHand()
            # A refusal here means that somebody was faster.
            await self._change(code, lambda table: do_chore(table, chore), by="server")
        except ThinkingError as error:
            self._failed("bot", str(error))  # the sweep tries again
        except StoreUnavailableError as error:
            self._failed("store", str(error))
        except Exception as error:  # noqa: BLE001 - its text could tell cards
            self._failed("duty", where(error))

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Hear what other nodes do, and see to what they leave undone, as long as the block runs."""
        async with self._store.changes() as changes:
            tasks = [
                asyncio.create_task(self._follow(changes)),
                asyncio.create_task(self._sweep()),
            ]
            try:
                yield
            finally:
                self._closed = True
                for live in self._tables.values():
                    _stop_timer(live)
                for task in (*tasks, *self._tasks):
                    task.cancel()
                await asyncio.gather(*tasks, *self._tasks, return_exceptions=True)

    async def _follow(self, changes: AsyncIterator[Change | None]) -> None:
        async for change in changes:
            if change is None:  # some were missed
                for live in list(self._tables.values()):
                    live.fresh = False
                    self._refresh(live)
                continue
            live = self._tables.get(change.table)
            if live is not None and change.version > live.table.version:
                self._refresh(live)

    def _refresh(self, live: LiveTable) -> None:
        task = asyncio.create_task(self._bring_up_to_date(live))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _bring_up_to_date(self, live: LiveTable) -> None:
        try:
            async with live.lock:
                await self._catch_up(live)
        except StoreUnavailableError as error:
            live.fresh = False
            self._failed("store", str(error))

    async def _sweep(self) -> None:
        while True:
            try:
                for code in await self._store.due(_now() - GRACE, MOST_SWEPT):
                    self._start_duty(code)
            except StoreUnavailableError as error:
                self._failed("store", str(error))
            for code, live in list(self._tables.items()):
                if live.is_idle:
                    del self._tables[code]
            self._metrics.tables.set(len(self._tables))
            await asyncio.sleep(SWEEP_SECONDS)

    def _failed(self, what: str, why: str) -> None:
        self._metrics.failures.labels(what).inc()
        log.warning("failed", extra={"what": what, "why": why})


def _tell(live: LiveTable, steps: list[TableStep]) -> None:
    """Tell everybody at the table, each what that one may see."""
    table = live.table
    found = [(listener, viewer_of(table, listener.owner)) for listener in live.listeners]
    viewers = {viewer for _, viewer in found if may_look(table, viewer)}
    messages = {
        viewer: encode(message) for viewer, message in updates(table, viewers, steps).items()
    }
    for listener, viewer in found:
        if viewer in messages:
            listener.send(messages[viewer])


def _stop_timer(live: LiveTable) -> None:
    if live.timer is not None:
        live.timer.cancel()
        live.timer = None


def _read(kept: KeptStep) -> TableStep:
    return TableStep(kept.version, kept.step.at, read_events(kept.step.events))


def _now() -> int:
    return time.time_ns() // 1_000_000
