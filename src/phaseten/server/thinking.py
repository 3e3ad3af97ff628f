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
from typing import Final, NamedTuple, cast

from phaseten.bots.ladder import make_bot
from phaseten.rules.actions import Action
from phaseten.rules.views import View

_PATIENCE: Final = 2.0
"""Seconds a worker has to end."""


class ThinkingError(RuntimeError):
    """A bot could not answer; another try gets another worker."""


class _Worker(NamedTuple):
    pipe: Connection
    process: SpawnProcess


class Thinkers:
    """So many processes in which bots think."""

    def __init__(self, processes: int) -> None:
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="phaseten-bots")
        self._idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        for _ in range(processes):
            self._idle.put(None)  # started when it is needed
        self._processes = processes
        self.waiting = 0
        """How many choices are asked for and not yet made."""

    async def choose(self, level: str, view: View) -> Action:
        """What a bot of that level does when it knows this."""
        loop = asyncio.get_running_loop()
        self.waiting += 1
        try:
            return await loop.run_in_executor(self._threads, self._ask, level, view)
        finally:
            self.waiting -= 1

    async def close(self) -> None:
        """Let the workers end."""
        await asyncio.to_thread(self._close)

    def _ask(self, level: str, view: View) -> Action:
        worker: _Worker | None = self._idle.get()
        try:
            if worker is None:
                worker = _hire()
            worker.pipe.send((level, view, secrets.randbits(63)))
            answer = worker.pipe.recv()
        except (OSError, EOFError) as error:
            if worker is not None:
                _dismiss(worker)
                worker = None
            raise ThinkingError("a bot's process has ended") from error
        finally:
            self._idle.put(worker)
        if isinstance(answer, str):
            raise ThinkingError(answer)
        return cast("Action", answer)

    def _close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
        for _ in range(self._processes):
            worker = self._idle.get()
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
            level, view, seed = cast("tuple[str, View, int]", pipe.recv())
            try:
                answer = make_bot(level, seed=seed).choose(view)
            except Exception as error:  # noqa: BLE001 - only its name: its text could tell cards
                pipe.send(f"the bot {level} failed: {type(error).__name__}")
            else:
                pipe.send(answer)
