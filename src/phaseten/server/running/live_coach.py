"""The coach speaks up after people's moves, where all of them have agreed: each hears of the own moves alone.

It judges in a process of its own that gives way to everything else, so that no move waits for it. What it finds too
late, when the player has gone on in the next turn, is not said.
"""

from __future__ import annotations

import asyncio
from typing import Final

from phaseten.server.metrics import Metrics
from phaseten.server.running.bot_processes import BotFailedError, BotProcesses
from phaseten.server.running.live_table import LiveTable
from phaseten.server.running.tasks import Tasks
from phaseten.table.coaching import JudgedMove, may_be_told, move_to_judge, takes_back
from phaseten.table.events import TableEvent
from phaseten.table.state import Table

MOST_JUDGED: Final = 64
"""Moves that are judged or wait for it; of more nothing is said, because it would come too late."""
LATER: Final = 0.05
"""Seconds after which a move is given to be judged: everybody is told of it first."""


class LiveCoach:
    """Has people's moves judged, and tells them."""

    def __init__(self, bots: BotProcesses, metrics: Metrics, tasks: Tasks) -> None:
        self._bots = bots
        self._metrics = metrics
        self._tasks = tasks
        self.judging = 0
        """How many moves are judged or have still to be."""

    # -- what the registry tells -----------------------------------------------------------------

    def step_made(self, live: LiveTable, before: Table, events: tuple[TableEvent, ...]) -> None:
        """Judge it, if it was somebody's move who wants to hear of it."""
        undone = takes_back(events)
        if undone is not None:
            live.judged.pop(undone, None)
        move = move_to_judge(before, events)
        if move is None:
            return
        live.judged[move.seat] = move.turn
        if self.judging < MOST_JUDGED:
            self.judging += 1
            self._tasks.begin(self._judge(live, live.table.version, move), live.table.code)

    def steps_read(self, live: LiveTable) -> None:
        """Whoever made that move is connected to the node that told of it."""

    def table_read(self, live: LiveTable) -> None:
        """Nobody has moved."""

    # -- judging ---------------------------------------------------------------------------------

    async def _judge(self, live: LiveTable, version: int, move: JudgedMove) -> None:
        try:
            await asyncio.sleep(LATER)
            remark = await self._bots.judge(move.view, move.event)
        except BotFailedError as error:
            self._metrics.report("coach", str(error), live.table.code)
            return
        finally:
            self.judging -= 1
        is_late = live.judged.get(move.seat) != move.turn
        if remark is not None and not is_late and may_be_told(live.table, move):
            live.remark(move, version, remark)
