"""Work in other processes, on all cores of this machine.

Each worker is a process at the other end of a pipe. It reports every result as soon as there is
one, and ends when the pipe does: nothing is left running, however this program ends. The arena hands
out its games so (``work``), and the server the thinking of its bots (``Worker.ask``).
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

Task = TypeVar("Task")
Result = TypeVar("Result")

_PATIENCE: Final = 3.0
"""Seconds a worker has to clean up when it is told to end."""


class WorkerError(RuntimeError):
    """A mistake in the program, made in a worker. A note on it has the worker's traceback."""


class WorkerLostError(RuntimeError):
    """The system has ended a worker."""


def work(
    do: Callable[[Task], Iterable[Result]], tasks: Iterator[Task], workers: int
) -> Generator[Result]:
    """Do the tasks and yield their results as they come: in this process, or in so many others.

    A task is taken when there is somebody to do it.
    """
    if workers > 1:
        yield from _in_processes(do, tasks, workers)
    else:
        for task in tasks:
            yield from do(task)


def _in_processes(
    do: Callable[[Task], Iterable[Result]], tasks: Iterator[Task], workers: int
) -> Generator[Result]:
    crew: dict[Connection, Worker[Task, Result]] = {}
    try:
        with _interrupts_held():
            for task in islice(tasks, workers):
                worker = Worker[Task, Result](do)
                crew[worker.pipe] = worker
                worker.give(task)
        busy = set(crew)
        while busy:
            for pipe in cast("list[Connection]", wait(list(busy))):
                heard = crew[pipe].hear()
                if heard is not None:
                    yield heard[0]
                elif (task := next(tasks, None)) is not None:
                    crew[pipe].give(task)
                else:
                    busy.remove(pipe)
    finally:
        for worker in crew.values():
            worker.dismiss()
        for worker in crew.values():
            worker.leave()


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Keep an interrupt waiting, here and for good in the processes that are started meanwhile.

    They would otherwise complain about it until they are far enough to ignore it.
    """
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    resource_tracker.ensure_running()  # when it starts, it lets the interrupts through
    waiting: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: waiting.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
        if waiting:
            signal.raise_signal(signal.SIGINT)


class _Failure(NamedTuple):
    """What a worker says when it cannot go on."""

    sentence: str
    traceback: str


def end_on_signal() -> None:
    """Let the worker end, and clean up, as soon as somebody wants it to."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who hired us decides
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(1))


def ignore_signals() -> None:
    """Let the worker go on until its pipe ends: what stops all processes together is not for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


class Worker(Generic[Task, Result]):
    """A process that does one task after the other. ``prepare`` is done there before the first."""

    def __init__(
        self,
        do: Callable[[Task], Iterable[Result]],
        prepare: Callable[[], None] = end_on_signal,
    ) -> None:
        # Spawned rather than forked: no worker holds another one's pipe, or somebody's socket, open.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = cast("tuple[Connection, Connection]", multiprocessing.Pipe())
        self.process = context.Process(
            target=_serve, args=(theirs, do, prepare), daemon=True, name="phaseten-worker"
        )
        self.process.start()
        theirs.close()

    def ask(self, task: Task, seconds: float | None = None) -> Result:
        """Hand out a task that has one result, and wait for it, for so long; then a TimeoutError."""
        self.give(task)
        if not self.pipe.poll(seconds):
            raise TimeoutError
        heard = self.hear()
        assert heard is not None, "a task that is asked for has a result"
        (result,) = heard
        over = self.hear()
        assert over is None, "and only one"
        return result

    def give(self, task: Task) -> None:
        """Hand out a task."""
        try:
            self.pipe.send(task)
        except ConnectionError as error:
            raise self._lost() from error

    def hear(self) -> tuple[Result] | None:
        """The next result, or None when the task is done."""
        try:
            message: tuple[Result] | _Failure | None = self.pipe.recv()
        except (EOFError, ConnectionError) as error:
            raise self._lost() from error
        if isinstance(message, _Failure):
            failed = WorkerError(message.sentence)
            failed.add_note(message.traceback)
            raise failed
        return message

    def _lost(self) -> WorkerLostError:
        self.process.join(_PATIENCE)
        return WorkerLostError(
            f"a worker process ended with code {self.process.exitcode}: is there enough memory?"
        )

    def dismiss(self) -> None:
        """Tell it to end."""
        self.pipe.close()
        self.process.terminate()

    def leave(self) -> None:
        """See it off."""
        self.process.join(_PATIENCE)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        self.process.close()


def _serve(
    pipe: Connection, do: Callable[[Any], Iterable[object]], prepare: Callable[[], None]
) -> None:
    """What a worker does. It sends each result in a tuple, and None after each task."""
    prepare()
    with suppress(EOFError, ConnectionError):
        while True:
            task = pipe.recv()
            try:
                for result in do(task):
                    pipe.send((result,))
            except Exception as error:  # noqa: BLE001 - whatever it was, it is told
                pipe.send(_Failure(f"{type(error).__name__}: {error}", traceback.format_exc()))
                return
            pipe.send(None)
