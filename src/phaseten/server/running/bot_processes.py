"""Bots think in processes of their own, so that nobody else's move has to wait.

A worker (``phaseten.workers``) sees a View and nothing else, and ends with the server, however that ends.
"""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

from phaseten.bots.ladder import make_bot
from phaseten.bots.reasons import explain
from phaseten.rules.actions import Action
from phaseten.rules.needs import Need, needs_of
from phaseten.rules.views import View
from phaseten.server.running.chance import SECRET
from phaseten.table.advice import Advice
from phaseten.workers import Worker, WorkerError, WorkerLostError, ignore_signals

_Worker = Worker["_Task | _Count", Any]

ADVISERS: Final = 1
"""Processes that answer people's questions: they never make a bot wait for its own move."""
COUNTERS: Final = 1
"""Processes that count what people's cards lack: a quick answer must not wait for a bot's advice."""


class BotFailedError(RuntimeError):
    """A bot could not answer; another try gets another worker."""


class _Count(NamedTuple):
    """A worker is to say what the cards of this view lack."""

    view: View


class _Task(NamedTuple):
    """A worker is to choose an action, or to explain one."""

    view: View
    level: str = ""
    seed: int = 0
    action: Action | None = None
    """The action to explain; None: the bot is to choose one."""
    why: bool = False


class BotProcesses:
    """The processes in which bots think: so many for their moves, and others for advice."""

    def __init__(self, processes: int, new_seed: Callable[[], int] = SECRET.new_bot_seed) -> None:
        self._new_seed = new_seed
        self._movers = _Pool(processes)
        self._advisers = _Pool(ADVISERS)
        self._counters = _Pool(COUNTERS)

    @property
    def waiting(self) -> int:
        """How many choices are asked for and not yet made."""
        return self._movers.waiting

    async def choose(self, level: str, view: View) -> Action:
        """What a bot of that level does when it knows this."""
        advice: Advice = await self._movers.ask(_Task(view, level, self._new_seed()))
        return advice.action

    async def advise(self, level: str, view: View) -> Advice:
        """What a bot of that level would do, and why."""
        return await self._advisers.ask(_Task(view, level, self._new_seed(), why=True))

    async def explain(self, action: Action, view: View) -> Advice:
        """Why one would do that, or why not."""
        return await self._advisers.ask(_Task(view, action=action, why=True))

    async def count(self, view: View) -> list[Need]:
        """How far the held cards go toward the Phases that can be laid."""
        return await self._counters.ask(_Count(view))

    async def close(self) -> None:
        """Let the workers end."""
        await asyncio.to_thread(self._movers.close)
        await asyncio.to_thread(self._advisers.close)
        await asyncio.to_thread(self._counters.close)


class _Pool:
    """So many workers, each started when it is needed."""

    def __init__(self, processes: int) -> None:
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="phaseten-bots")
        self.idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        for _ in range(processes):
            self.idle.put(None)
        self._processes = processes
        self.waiting = 0

    async def ask(self, task: _Task | _Count) -> Any:
        loop = asyncio.get_running_loop()
        self.waiting += 1
        try:
            return await loop.run_in_executor(self._threads, self._ask, task)
        finally:
            self.waiting -= 1

    def _ask(self, task: _Task | _Count) -> Any:
        worker: _Worker | None = self.idle.get()
        try:
            if worker is None:
                worker = Worker(_answers, ignore_signals)
            answer = worker.ask(task)
        except (OSError, WorkerError, WorkerLostError) as error:
            if worker is not None:
                _dismiss(worker)
                worker = None
            raise BotFailedError("a bot's process has ended") from error
        finally:
            self.idle.put(worker)
        if isinstance(answer, str):
            raise BotFailedError(answer)
        return answer

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
        for _ in range(self._processes):
            worker = self.idle.get()
            if worker is not None:
                _dismiss(worker)


def _dismiss(worker: _Worker) -> None:
    worker.dismiss()
    worker.leave()


def _answers(task: _Task | _Count) -> Iterator[Any]:
    """What a worker does."""
    yield _answer(task)


def _answer(task: _Task | _Count) -> Any:
    """The answer, or why there is none."""
    try:
        if isinstance(task, _Count):
            return needs_of(task.view)
        action = task.action
        if action is None:
            action = make_bot(task.level, seed=task.seed).choose(task.view)
        return Advice(action, explain(task.view, action) if task.why else ())
    except Exception as error:  # noqa: BLE001 - only its name: its text could tell cards
        who = "the count" if isinstance(task, _Count) else f"the bot {task.level}"
        return f"{who} failed: {type(error).__name__}"
