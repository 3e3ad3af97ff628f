"""The tables that are alive on this node: who is connected, and what has to happen when.

Every change goes the same way: decide on the table as it stands, append, and only when the step is
kept apply it and tell everybody. Where another node was faster, look again and decide again.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

from msgspec import UNSET, UnsetType

from phaseten.rules.refusals import Refusal
from phaseten.rules.shuffle import SEED_BYTES
from phaseten.server.logs import log, where
from phaseten.server.metrics import Metrics
from phaseten.server.running.bots import Advice, Thinkers, ThinkingError
from phaseten.server.running.live_table import Listener, LiveTable, now
from phaseten.server.running.presence import LINGER, NOBODY, REPEAT, Present, parse_present
from phaseten.server.socket.messages import Hint, Need, encode
from phaseten.server.socket.updates import TableStep, hint, may_look, need, refused
from phaseten.server.store.codec import write_events
from phaseten.server.store.interface import (
    REWRITTEN,
    Change,
    ConflictError,
    Notice,
    Step,
    Store,
    StoreUnavailableError,
)
from phaseten.server.store.listings import listing_of
from phaseten.server.store.records import read_step
from phaseten.table.commands import (
    AskHint,
    AskNeed,
    AskReasons,
    Chore,
    ClaimHost,
    Command,
    DealHand,
    EndTurnTime,
    GiveUp,
    OpenTable,
    PlayBot,
    Question,
)
from phaseten.table.decisions import (
    Decision,
    TableRefusal,
    check_question,
    decide,
    do_chore,
    open_table,
)
from phaseten.table.events import TableEvent
from phaseten.table.options import Options
from phaseten.table.state import (
    BotDuty,
    ClockDuty,
    DealDuty,
    Duty,
    GiveUpDuty,
    Table,
    apply,
    next_duty,
    nobody_yet,
)

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
MOST_SWEPT: Final = 200
QUIET_SECONDS: Final = 0.5
"""Between two messages that say no more than who is there."""


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
        self._node = secrets.token_hex(4)
        """How other nodes tell this one from others."""
        self._announced_at = time.monotonic()
        metrics.bots_waiting.set_function(lambda: thinkers.waiting)
        metrics.tables.set_function(lambda: len(self._tables))
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
        at = now()
        table = apply(nobody_yet(code), at, events)
        await self._store.append(code, 0, Step(at, write_events(events)), listing_of(table))

    async def table(self, code: str) -> Table | None:
        """The table as it stands, or None where there is none."""
        async with self._hold(code) as live:
            return live.table if live is not None else None

    async def steps(self, table: Table) -> Sequence[TableStep]:
        """All that happened at a table until now."""
        kept = await self._store.read(table.code)
        return [read_step(one) for one in kept if one.version <= table.version]

    def peek(self, code: str) -> Table | None:
        """The table as this node last saw it, if it is in memory."""
        live = self._tables.get(code)
        return live.table if live is not None else None

    def present(self, code: str) -> Present:
        """Who is connected to a table, as far as this node knows."""
        live = self._tables.get(code)
        return live.attendance.present(live.table) if live is not None else NOBODY

    async def join(self, code: str, listener: Listener, after: int | None) -> TableRefusal | None:
        """Tell the listener how the table stands, and from now on what happens there."""
        async with self._hold(code) as live:
            if live is None:
                return TableRefusal("no-table")
            table = live.table
            if not may_look(table, live.viewer(listener)):
                return TableRefusal("no-watchers")
            steps: list[TableStep] = []
            if after is not None and table.since <= after < table.version:
                steps = [read_step(kept) for kept in await self._store.read(code, after)]
                steps = [step for step in steps if step.version <= table.version]
            if len(steps) > MOST_MISSED:
                steps = []
            live.listeners.add(listener)
            live.attendance.arrive(listener.owner)
            live.greet(listener, steps)
            self._show_presence(live, but=listener)
            return None

    def leave(self, code: str, listener: Listener) -> None:
        """The listener is gone."""
        live = self._tables.get(code)
        if live is None or listener not in live.listeners:
            return
        live.listeners.discard(listener)
        live.attendance.depart(listener.owner)
        live.used = time.monotonic()
        # A little later, lest the clock finds that it is not yet time.
        asyncio.get_running_loop().call_later(LINGER + 0.05, self._settle, code)

    def show(self, code: str, listener: Listener) -> None:
        """Tell the listener, who wants to be told otherwise from now on, how the table stands."""
        live = self._tables.get(code)
        if live is not None and listener in live.listeners:
            live.show(listener)

    async def ask(self, code: str, owner: str, command: Command) -> Refusal | TableRefusal | None:
        """Do what somebody asks for; why not, where it is refused."""
        if isinstance(command, ClaimHost):
            live = self._tables.get(code)
            if live is None or not live.attendance.is_host_gone(live.table):
                return TableRefusal("host-here")
        return await self._change(code, lambda table: decide(table, owner, command), by="people")

    async def advise(
        self,
        code: str,
        listener: Listener,
        question: Question,
        request: int | UnsetType = UNSET,
    ) -> Hint | Refusal | TableRefusal:
        """Ask a bot on behalf of the player on turn."""
        try:
            async with self._hold(code) as live:
                if live is None:
                    return TableRefusal("no-table")
                refusal = check_question(live.table, listener.owner, question)
                if refusal is not None:
                    return refusal
                if live.advising:  # one at a time: nobody's questions keep others waiting
                    return TableRefusal("too-fast")
                table = live.table
                live.advising = True
            try:
                began = time.perf_counter()
                advice = await self._advice(table, question)
                self._metrics.hint_seconds.observe(time.perf_counter() - began)
            finally:
                live.advising = False
            async with self._hold(code) as live:
                if live is None:
                    return TableRefusal("no-table")
                refusal = check_question(live.table, listener.owner, question)
            return refusal or hint(table, question, advice, listener.language, request)
        except ThinkingError as error:
            self._failed("hint", str(error))
            return TableRefusal("no-advice")
        except StoreUnavailableError as error:
            self._failed("store", str(error))
            return TableRefusal("unavailable")

    async def count(
        self,
        code: str,
        owner: str,
        question: AskNeed,
        request: int | UnsetType = UNSET,
    ) -> Need | TableRefusal:
        """Say how far somebody's cards go toward the Phase."""
        try:
            async with self._hold(code) as live:
                if live is None:
                    return TableRefusal("no-table")
                table, seat = live.table, live.table.seat_of(owner)
            if seat is None:
                return TableRefusal("no-seat")
            view = table.view(seat)
            if view is None:
                return TableRefusal("no-game")
            if table.moved > question.at:  # another question is on its way, or will be
                return TableRefusal("stale")
            return need(table, await self._thinkers.count(view), request)
        except ThinkingError as error:
            self._failed("need", str(error))
            return TableRefusal("no-advice")
        except StoreUnavailableError as error:
            self._failed("store", str(error))
            return TableRefusal("unavailable")

    async def _advice(self, table: Table, question: Question) -> Advice:
        view = table.view(table.turn)
        assert view is not None
        match question:
            case AskHint(level):
                return await self._thinkers.advise(level, view)
            case AskReasons(action):
                return await self._thinkers.explain(action, view)

    async def reread(self, code: str) -> None:
        """The log of a table was rewritten: keep nothing of what is gone, and tell everybody."""
        live = self._tables.get(code)
        if live is None:
            return
        async with live.lock:
            if self._tables.get(code) is not live:
                return
            live.fresh = False
            table = nobody_yet(code)
            for step in map(read_step, await self._store.read(code)):
                table = apply(table, step.at, step.events)
            live.table, live.fresh = table, True
            live.stop_timer()
            if table.version:
                live.tell([])
                self._schedule(live)
                return
            del self._tables[code]
        for listener in live.listeners:
            listener.send(encode(refused(TableRefusal("no-table"), listener.language, None)))

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
                # The log is not the one that is known here: it was rewritten, and nobody said so.
                self._begin(self._reread_safely(code))
                return TableRefusal("unavailable")
        except StoreUnavailableError as error:
            self._failed("store", str(error))
            return TableRefusal("unavailable")

    async def _append(self, live: LiveTable, events: tuple[TableEvent, ...]) -> None:
        """Keep a step; then, and only then, apply it and tell everybody."""
        began = time.perf_counter()
        at = now()
        after = apply(live.table, at, events)
        step = Step(at, write_events(events))
        live.fresh = False  # until it is known whether the step was kept
        listing = listing_of(after, live.table)
        await self._store.append(after.code, live.table.version, step, listing)
        live.fresh = True
        if listing.finished is not None:
            self._metrics.finished.inc()
        self._metrics.append_seconds.observe(time.perf_counter() - began)
        before, live.table, live.mine = live.table, after, True
        live.tell([TableStep(after.version, at, events)])
        self._schedule(live)
        if after.places is not before.places or after.host != before.host:
            self._announce(live)

    async def _catch_up(self, live: LiveTable) -> None:
        """Read what others have appended, and tell everybody."""
        kept = await self._store.read(live.table.code, live.table.version)
        steps = [read_step(one) for one in kept]
        for step in steps:
            live.table = apply(live.table, step.at, step.events)
        live.fresh = True
        if steps:
            live.mine = False
            live.tell(steps)
            # Who made the step sees to what follows from it; the sweep, if that node is gone.
            live.stop_timer()
            self._announce(live)

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
                was_fresh = live.fresh
                try:
                    if not was_fresh:
                        await self._catch_up(live)
                finally:
                    if not live.table.version:
                        del self._tables[code]
                if not was_fresh and live.table.version:
                    self._schedule(live)  # whoever saw to it before may be gone
                yield live if live.table.version else None
                return

    # -- what the server does by itself ------------------------------------------------------------

    def _schedule(self, live: LiveTable) -> None:
        """See to what the server must do next at the table."""
        live.stop_timer()
        duty = next_duty(live.table)
        if duty is None or self._closed:
            return
        delay = max(0, duty.at - now()) / 1000
        code = live.table.code
        live.timer = asyncio.get_running_loop().call_later(delay, self._start_duty, code)

    def _start_duty(self, code: str) -> None:
        live = self._tables.get(code)
        if live is not None:
            live.timer = None
        if self._closed:
            return
        self._begin(self._do_duty(code))

    async def _do_duty(self, code: str) -> None:
        """Do what is due at a table."""
        try:
            async with self._hold(code) as live:
                duty = self._overdue(live) if live is not None else None
                if live is None or duty is None:
                    return
                table = live.table
                live.thinking = isinstance(duty, BotDuty)
            try:
                chore = await self._chore(table, duty)
            finally:
                live.thinking = False
            refusal = await self._change(
                code, lambda found: _fulfil(found, duty, chore), by="server"
            )
            if refusal is not None:
                await self._look_again(code, table.version)
        except ThinkingError as error:
            self._failed("bot", str(error))  # the sweep tries again
        except StoreUnavailableError as error:
            self._failed("store", str(error))
        except Exception as error:  # noqa: BLE001 - its text could tell cards
            self._failed("duty", where(error))

    def _overdue(self, live: LiveTable) -> Duty | None:
        """What is to be done now at the table; what is to be done later is scheduled."""
        duty = next_duty(live.table)
        if duty is None or live.thinking:
            return None
        if duty.at > now():
            self._schedule(live)
            return None
        return duty

    async def _chore(self, table: Table, duty: Duty) -> Chore:
        """How the duty is done; a bot has to think about it."""
        match duty:
            case BotDuty(seat, level):
                view = table.view(seat)
                assert view is not None
                began = time.perf_counter()
                action = await self._thinkers.choose(level, view)
                self._metrics.bot_seconds.observe(time.perf_counter() - began)
                return PlayBot(seat, action, table.version)
            case ClockDuty():
                return EndTurnTime(table.version)
            case DealDuty():
                return DealHand()
            case GiveUpDuty():
                return GiveUp()

    async def _look_again(self, code: str, version: int) -> None:
        """Something else happened meanwhile, and what follows from that was put off."""
        async with self._hold(code) as live:
            if live is not None and live.mine and live.table.version != version:
                self._schedule(live)

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
                    live.stop_timer()
                await self._tell_nodes(
                    [
                        Notice(code, self._node, NOBODY.text)
                        for code, live in self._tables.items()
                        if live.announced != NOBODY
                    ]
                )
                for task in (*tasks, *self._tasks):
                    task.cancel()
                await asyncio.gather(*tasks, *self._tasks, return_exceptions=True)

    async def _follow(self, changes: AsyncIterator[Change | Notice | None]) -> None:
        async for change in changes:
            if isinstance(change, Notice):
                self._hear_node(change)
                continue
            if change is None:  # some were missed
                for live in list(self._tables.values()):
                    live.fresh = False
                    self._begin(self._bring_up_to_date(live, None))
                continue
            live = self._tables.get(change.table)
            if live is not None and change.version == REWRITTEN:
                self._begin(self._reread_safely(change.table))
            elif live is not None and change.version > live.table.version:
                self._begin(self._bring_up_to_date(live, change.version))

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reread_safely(self, code: str) -> None:
        try:
            await self.reread(code)
        except StoreUnavailableError as error:
            self._failed("store", str(error))

    async def _bring_up_to_date(self, live: LiveTable, version: int | None) -> None:
        try:
            async with live.lock:
                # One's own steps are heard of as well, and mostly before they are applied.
                if version is None or version > live.table.version:
                    await self._catch_up(live)
        except StoreUnavailableError as error:
            live.fresh = False
            self._failed("store", str(error))

    async def _sweep(self) -> None:
        while True:
            try:
                for code in await self._store.due(now() - GRACE, MOST_SWEPT):
                    self._start_duty(code)
            except StoreUnavailableError as error:
                self._failed("store", str(error))
            for code, live in list(self._tables.items()):
                if live.is_idle:
                    live.stop_timer()
                    del self._tables[code]
                elif live.attendance.is_shared:
                    self._settle(code)
            await self._repeat_presence()
            await asyncio.sleep(SWEEP_SECONDS)

    # -- who is there ------------------------------------------------------------------------------

    def _settle(self, code: str) -> None:
        """Those who left some time ago are gone."""
        live = self._tables.get(code)
        if live is not None and not self._closed:
            live.attendance.settle()
            self._show_presence(live)

    def _show_presence(self, live: LiveTable, but: Listener | None = None) -> None:
        """Tell everybody who is there, if that has changed, and not too often."""
        self._announce(live)
        if live.attendance.present(live.table) == live.told:
            return
        wait = live.quiet_until - time.monotonic()
        if wait <= 0:
            live.tell([], but)
            if len(live.listeners) > 1:
                live.quiet_until = time.monotonic() + QUIET_SECONDS
        elif live.later is None:
            loop = asyncio.get_running_loop()
            live.later = loop.call_later(wait, self._show_presence_later, live)

    def _show_presence_later(self, live: LiveTable) -> None:
        live.later = None
        if not self._closed:
            self._show_presence(live)

    def _announce(self, live: LiveTable) -> None:
        """Tell the other nodes who is there on this one, if that has changed."""
        here = live.attendance.here(live.table)
        if here != live.announced and not self._closed:
            live.announced = here
            self._begin(self._tell_nodes([Notice(live.table.code, self._node, here.text)]))

    async def _repeat_presence(self) -> None:
        """Tell the other nodes from time to time that people are still there."""
        if time.monotonic() - self._announced_at < REPEAT:
            return
        self._announced_at = time.monotonic()
        await self._tell_nodes(
            [
                Notice(code, self._node, live.announced.text)
                for code, live in self._tables.items()
                if live.announced != NOBODY
            ]
        )

    async def _tell_nodes(self, notices: Sequence[Notice]) -> None:
        try:
            if notices:
                await self._store.announce(notices)
        except StoreUnavailableError as error:
            self._failed("store", str(error))

    def _hear_node(self, notice: Notice) -> None:
        """Another node says who is there; one that is new at the table is answered."""
        live = self._tables.get(notice.table)
        if live is None or notice.node == self._node:
            return
        if live.attendance.hear(notice.node, parse_present(notice.text)):
            live.announced = NOBODY
        self._show_presence(live)

    def _failed(self, what: str, why: str) -> None:
        self._metrics.failures.labels(what).inc()
        log.warning("failed", extra={"what": what, "why": why})


def _fulfil(table: Table, duty: Duty, chore: Chore) -> Decision:
    """Do the chore, if it is still what the server has to do."""
    return do_chore(table, chore) if next_duty(table) == duty else TableRefusal("stale")
