"""One WebSocket at a table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from contextlib import suppress
from typing import Final

from msgspec import UNSET, UnsetType
from starlette.websockets import WebSocket, WebSocketDisconnect

from phaseten.language import Language
from phaseten.rules.refusals import Refusal
from phaseten.server.allowances import Allowances, Use, Who
from phaseten.server.logs import log, where
from phaseten.server.metrics import Metrics
from phaseten.server.running.advice import Advised
from phaseten.server.running.node import Node
from phaseten.server.running.subscribers import Known
from phaseten.server.socket.messages import Done, Hint, Need, Past, encode
from phaseten.server.socket.outbox import TRY_LATER, Outbox
from phaseten.server.socket.requests import (
    MalformedError,
    Requested,
    command_of,
    read_id,
    read_request,
)
from phaseten.server.socket.updates import fit, hint, need, past, refused
from phaseten.server.store.interface import StoreUnavailableError
from phaseten.table.commands import (
    CHANGES,
    TALK,
    AskFit,
    AskHint,
    AskNeed,
    AskPast,
    AskReasons,
    Command,
    Mute,
    Question,
)
from phaseten.table.decisions import check_fit, request_mark
from phaseten.table.verdicts import TableRefusal
from phaseten.table.viewers import NO_SEATS, viewer_of

Answer = Hint | Need | Past | Refusal | TableRefusal

POLICY: Final = 1008
NO_TABLE: Final = 4404

MOST_REFUSED: Final = 200
"""Messages in a row that come too fast, before the connection is closed."""


class Connection:
    """Reads requests, and writes what happens at the table, until either side has enough."""

    def __init__(  # noqa: PLR0913 - all by name, in one place
        self,
        socket: WebSocket,
        node: Node,
        metrics: Metrics,
        allowances: Allowances,
        *,
        who: Who,
        waiting: int,
        language: Language,
    ) -> None:
        self._socket = socket
        self._node = node
        self._metrics = metrics
        self._allowances = allowances
        self._who = who
        self._code = who.table
        self.owner = who.owner
        self.language = language
        self.muted = NO_SEATS
        """The seats whose talk is not told."""
        self.known: Known | None = None
        self._asking: set[asyncio.Task[None]] = set()
        self._too_fast = 0
        self._knows_past = False
        self._is_doing = False
        """Whether something was asked for that must not be given up half-way."""
        self._is_over = False
        self._outbox = Outbox(socket, waiting)
        self.send = self._outbox.send

    async def run(self, after: int | None) -> None:
        """Serve the connection until it ends."""
        self._metrics.connections.inc()
        writer = asyncio.create_task(self._outbox.write())
        reader = asyncio.create_task(self._read(after))
        try:
            await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
            if reader.done() and (error := reader.exception()) is not None:
                self._metrics.failures.labels("connection").inc()
                log.error("failed", extra={"what": "connection", "why": where(error)})
        finally:
            self._is_over = True
            tasks = [writer, *self._asking]
            if self._is_doing:  # what is kept must be told to the others
                await asyncio.wait((reader,))
            else:
                tasks.append(reader)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            # Only now is it sure that nobody joins any more.
            self._node.audience.leave(self._code, self)
            self._metrics.connections.dec()

    async def _read(self, after: int | None) -> None:
        try:
            refusal = await self._node.audience.join(self._code, self, after)
        except StoreUnavailableError:
            await self._end(TableRefusal("unavailable"), TRY_LATER)
            return
        if refusal is not None:
            await self._end(refusal, NO_TABLE)
            return
        with suppress(WebSocketDisconnect):
            while not (self._outbox.is_closing or self._is_over):
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                await self._hear(message.get("bytes") or message.get("text") or "")

    def dismiss(self, data: bytes, *, for_good: bool) -> None:
        """Send it, and end the connection: its owner has no business here any more, or may come back."""
        self.send(data)
        self._outbox.close(NO_TABLE if for_good else TRY_LATER)

    async def _end(self, refusal: TableRefusal, code: int) -> None:
        """Say why, and close; the writer does both."""
        self.send(encode(refused(refusal, self.language, None)))
        self._outbox.close(code)
        await asyncio.Event().wait()

    async def _hear(self, data: bytes | str) -> None:
        began = time.perf_counter()
        if not self._may("messages"):
            self._too_fast += 1
            if self._too_fast > MOST_REFUSED:
                self._outbox.close(POLICY)
            self._refuse(TableRefusal("too-fast"), read_id(data))
            return
        self._too_fast = 0
        try:
            request = read_request(data)
            command = command_of(request, self._node.registry.new_seed)
        except MalformedError:
            self._refuse(TableRefusal("malformed"), read_id(data))
            return
        match command:
            case Mute(seat, on):
                self.muted = self.muted | {seat} if on else self.muted - {seat}
                self._answer(self._node.audience.show(self._code, self), request.id)
            case AskHint() | AskReasons():
                if self._plays_alone or self._may("hints"):
                    await self._begin(self._advise(command, request.id), request)
                else:
                    self._refuse(TableRefusal("too-fast"), request.id)
            case AskNeed():
                if self._may("needs"):
                    await self._begin(self._count(command, request.id), request)
                else:
                    self._refuse(TableRefusal("too-fast"), request.id)
            case AskFit():
                self._judge(command, request.id)
            case AskPast():
                await self._begin(self._tell_past(request.id), request)
            case _:
                await self._do(command, request, began)

    async def _do(self, command: Command, request: Requested, began: float) -> None:
        use = _use_of(command)
        if use is not None and not self._may(use):
            self._refuse(TableRefusal("too-fast"), request.id)
            return
        mark = None
        if request.id is not UNSET and request.at is not UNSET:
            mark = request_mark(self.owner, request.id, request.at)
        self._is_doing = True
        try:
            refusal = await self._node.registry.ask(self._code, self.owner, command, mark)
        finally:
            self._is_doing = False
        if refusal is None:
            self._metrics.action_seconds.observe(time.perf_counter() - began)
        self._answer(refusal, request.id)

    def _answer(self, refusal: Refusal | TableRefusal | None, request: int | UnsetType) -> None:
        """Say what became of a request; where it has no id, an update says enough of what was done."""
        if refusal is not None:
            self._refuse(refusal, request)
        elif request is not UNSET:
            table = self._node.registry.peek(self._code)
            self.send(encode(Done(table.version if table is not None else 0, request)))

    async def _advise(self, question: Question, request: int | UnsetType) -> Answer:
        found = await self._node.advisers.advise(self._code, self.owner, question)
        if not isinstance(found, Advised):
            return found
        return hint(found.table, question, found.advice, self.language, request)

    async def _count(self, question: AskNeed, request: int | UnsetType) -> Answer:
        found = await self._node.advisers.count(self._code, self.owner, question)
        if isinstance(found, TableRefusal):
            return found
        return need(found.table, found.needs, request)

    def _judge(self, question: AskFit, request: int | UnsetType) -> None:
        table = self._node.registry.peek(self._code)
        if table is None:
            self._refuse(TableRefusal("no-table"), request)
            return
        verdict = check_fit(table, question)
        if isinstance(verdict, TableRefusal):
            self._refuse(verdict, request)
        else:
            self.send(encode(fit(table, question, verdict, self.language, request)))

    async def _tell_past(self, request: int | UnsetType) -> Answer:
        if self._knows_past:  # once is enough: from then on everything is told
            return TableRefusal("too-fast")
        self._knows_past = True
        try:
            found = await self._node.audience.past(self._code, self)
        except StoreUnavailableError:
            self._knows_past = False
            return TableRefusal("unavailable")
        if isinstance(found, TableRefusal):
            return found
        table, steps = found
        return past(table, viewer_of(table, self.owner, self.language, self.muted), steps, request)

    async def _begin(self, answer: Awaitable[Answer], request: Requested) -> None:
        """Answer in good time, without making the player's own moves wait for it."""
        task = asyncio.create_task(self._await_answer(answer, request))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        await asyncio.sleep(0)  # it is asked about the table as it stands, before the next request

    async def _await_answer(self, awaited: Awaitable[Answer], request: Requested) -> None:
        try:
            answer = await awaited
        except Exception as error:  # noqa: BLE001 - its text could tell cards
            self._metrics.failures.labels("hint").inc()
            log.error("failed", extra={"what": "hint", "why": where(error)})
            answer = TableRefusal("no-advice")
        if isinstance(answer, Hint | Need | Past):
            self.send(encode(answer))
        else:
            self._refuse(answer, request.id)

    @property
    def _plays_alone(self) -> bool:
        """Whether nobody waits while this one thinks: one hint at a time is limit enough."""
        table = self._node.registry.peek(self._code)
        return table is not None and len({one for one in table.owners if one}) == 1

    def _may(self, use: Use) -> bool:
        return self._allowances.take(self._who, use)

    def _refuse(self, refusal: Refusal | TableRefusal, request: int | UnsetType = UNSET) -> None:
        table = self._node.registry.peek(self._code)
        message = refused(refusal, self.language, table, request)
        self._metrics.refusals.labels(message.rule).inc()
        self.send(encode(message))


def _use_of(command: Command) -> Use | None:
    """What the command uses up beside a message."""
    if isinstance(command, TALK):
        return "talk"
    return "changes" if isinstance(command, CHANGES) else None
