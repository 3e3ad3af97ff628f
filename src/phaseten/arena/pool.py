"""Work on all cores of this machine.

Each worker is a process at the other end of a pipe. It reports every result as soon as there is
one, and ends when the pipe does: nothing is left running, however this program ends.
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
    crew: dict[Connection, _Worker[Task, Result]] = {}
    try:
        with _interrupts_held():
            for task in islice(tasks, workers):
                worker = _Worker[Task, Result](do)
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


class _Worker(Generic[Task, Result]):
    """A process that does one task after the other."""

    def __init__(self, do: Callable[[Task], Iterable[Result]]) -> None:
        # Spawned rather than forked: no worker holds another one's pipe open.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = cast("tuple[Connection, Connection]", multiprocessing.Pipe())
        self._process = context.Process(target=_serve, args=(theirs, do), daemon=True)
        self._process.start()
        theirs.close()

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
        self._process.join(_PATIENCE)
        return WorkerLostError(
            f"a worker process ended with code {self._process.exitcode}: is there enough memory?"
        )

    def dismiss(self) -> None:
        """Tell it to end."""
        self.pipe.close()
        self._process.terminate()

    def leave(self) -> None:
        """See it off."""
        self._process.join(_PATIENCE)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        self._process.close()


def _serve(pipe: Connection, do: Callable[[Any], Iterable[object]]) -> None:
    """What a worker does. It sends each result in a tuple, and None after each task."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who hired us decides
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(1))
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
