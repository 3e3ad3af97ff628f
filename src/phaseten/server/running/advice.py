"""What people at a table ask bots, and what they are answered."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple, assert_never

from phaseten.rules.needs import Need
from phaseten.rules.refusals import Refusal
from phaseten.server.metrics import Metrics
from phaseten.server.running.bot_processes import BotFailedError, BotProcesses
from phaseten.server.running.registry import Registry
from phaseten.server.store.interface import StoreUnavailableError
from phaseten.table.advice import Advice
from phaseten.table.commands import AskHint, AskNeed, AskReasons, Question
from phaseten.table.decisions import check_question
from phaseten.table.state import Table
from phaseten.table.verdicts import TableRefusal


class Advised(NamedTuple):
    """A bot's advice, and the table as it stood when it was asked."""

    table: Table
    advice: Advice


class Counted(NamedTuple):
    """How far somebody's cards go, and the table as it stood then."""

    table: Table
    needs: Sequence[Need]


class Advisers:
    """Ask bots on behalf of people."""

    def __init__(self, registry: Registry, bots: BotProcesses, metrics: Metrics) -> None:
        self._registry = registry
        self._bots = bots
        self._metrics = metrics
        self._counting: set[tuple[str, str]] = set()
        """Whose cards are being counted, and at which table."""

    async def advise(
        self, code: str, owner: str, question: Question
    ) -> Advised | Refusal | TableRefusal:
        """Ask a bot on behalf of the player on turn."""
        try:
            async with self._registry.hold(code) as live:
                if live is None:
                    return TableRefusal("no-table")
                refusal = check_question(live.table, owner, question)
                if refusal is not None:
                    return refusal
                if live.advising:  # one at a time: nobody's questions keep others waiting
                    return TableRefusal("too-fast")
                table = live.table
                live.advising = True
            try:
                began = time.perf_counter()
                advice = await self._ask(table, question)
                self._metrics.hint_seconds.observe(time.perf_counter() - began)
            finally:
                live.advising = False
            async with self._registry.hold(code) as live:
                if live is None:
                    return TableRefusal("no-table")
                refusal = check_question(live.table, owner, question)
            return refusal or Advised(table, advice)
        except BotFailedError as error:
            self._metrics.report("hint", str(error))
            return TableRefusal("no-advice")
        except StoreUnavailableError as error:
            self._metrics.report("store", str(error))
            return TableRefusal("unavailable")

    async def count(self, code: str, owner: str, question: AskNeed) -> Counted | TableRefusal:
        """Say how far somebody's cards go toward the Phase."""
        try:
            async with self._registry.hold(code) as live:
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
            if (
                code,
                owner,
            ) in self._counting:  # one at a time: nobody's questions keep others waiting
                return TableRefusal("too-fast")
            self._counting.add((code, owner))
            try:
                return Counted(table, await self._bots.count(view))
            finally:
                self._counting.discard((code, owner))
        except BotFailedError as error:
            self._metrics.report("need", str(error))
            return TableRefusal("no-advice")
        except StoreUnavailableError as error:
            self._metrics.report("store", str(error))
            return TableRefusal("unavailable")

    async def _ask(self, table: Table, question: Question) -> Advice:
        view = table.view(table.turn)
        assert view is not None
        match question:
            case AskHint(level):
                return await self._bots.advise(level, view)
            case AskReasons(action):
                return await self._bots.explain(action, view)
            case _:
                assert_never(question)
