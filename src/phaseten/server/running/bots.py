"""Bots think in processes of their own, so that nobody else's move has to wait.

A worker is at the other end of a pipe, sees a View and nothing else, and ends when the pipe does:
nothing is left running, however the server ends.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import queue
import secrets
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final, NamedTuple, cast

from phaseten.bots.bot import Reason
from phaseten.bots.ladder import make_bot
from phaseten.bots.reasons import explain
from phaseten.rules.actions import Action
from phaseten.rules.needs import Need, needs_of
from phaseten.rules.views import View

_PATIENCE: Final = 2.0
"""Seconds a worker has to end."""
ADVISERS: Final = 1
"""Processes that answer people's questions: they never make a bot wait for its own move."""
COUNTERS: Final = 1
"""Processes that count what people's cards lack: a quick answer must not wait for a bot's advice."""


class ThinkingError(RuntimeError):
    """A bot could not answer; another try gets another worker."""


class Advice(NamedTuple):
    """An action, and what speaks for it or against it."""

    action: Action
    reasons: tuple[Reason, ...]


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


class _Worker(NamedTuple):
    pipe: Connection
    process: SpawnProcess


class Thinkers:
    """The processes in which bots think: so many for their moves, and others for advice."""

    def __init__(self, processes: int) -> None:
        self._movers = _Pool(processes)
        self._advisers = _Pool(ADVISERS)
        self._counters = _Pool(COUNTERS)

    @property
    def waiting(self) -> int:
        """How many choices are asked for and not yet made."""
        return self._movers.waiting

    async def choose(self, level: str, view: View) -> Action:
        """What a bot of that level does when it knows this."""
        advice: Advice = await self._movers.ask(_Task(view, level, secrets.randbits(63)))
        return advice.action

    async def advise(self, level: str, view: View) -> Advice:
        """What a bot of that level would do, and why."""
        return await self._advisers.ask(_Task(view, level, secrets.randbits(63), why=True))

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
                worker = _hire()
            worker.pipe.send(task)
            answer = worker.pipe.recv()
        except (OSError, EOFError) as error:
            if worker is not None:
                _dismiss(worker)
                worker = None
            raise ThinkingError("a bot's process has ended") from error
        finally:
            self.idle.put(worker)
        if isinstance(answer, str):
            raise ThinkingError(answer)
        return answer

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
        for _ in range(self._processes):
            worker = self.idle.get()
            if worker is not None:
                _dismiss(worker)


def _hire() -> _Worker:
    # Spawned rather than forked: no worker holds another one's pipe, or a player's socket, open.
    context = multiprocessing.get_context("spawn")
    ours, theirs = cast("tuple[Connection, Connection]", multiprocessing.Pipe())
    process = context.Process(target=_think, args=(theirs,), daemon=True, name="phaseten-bot")
    process.start()
    theirs.close()
    return _Worker(ours, process)


def _dismiss(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.join(_PATIENCE)
    if worker.process.is_alive():
        worker.process.kill()
        worker.process.join()


def _think(pipe: Connection) -> None:
    """The worker's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server says when it is over
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            pipe.send(_answer(cast("_Task | _Count", pipe.recv())))


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
