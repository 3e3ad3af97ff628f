"""The work on all cores of this machine.

Each worker is a process at the other end of a pipe. It reports every deal as soon as it is played,
and ends when the pipe does: nothing is left running, however this program ends.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import traceback
from collections.abc import Generator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final, cast

from phaseten.arena.schedule import Schedule
from phaseten.arena.working import Chunk, Played, play_chunk

_PATIENCE: Final = 3.0
"""Seconds a worker has to clean up when it is told to end."""


class WorkerError(RuntimeError):
    """A worker failed: a mistake in the program, or the system ended it."""


def play_here(schedule: Schedule) -> Generator[list[Played]]:
    """Do the work in this process."""
    while chunk := schedule.next_chunk():
        yield from play_chunk(chunk)


def play_in_processes(schedule: Schedule, workers: int) -> Generator[list[Played]]:
    """Do the work in so many processes."""
    crew: dict[Connection, SpawnProcess] = {}
    try:
        for _ in range(workers):
            chunk = schedule.next_chunk()
            if chunk is None:
                break
            pipe, process = _hire()
            crew[pipe] = process
            pipe.send(chunk)
        busy = set(crew)
        while busy:
            for pipe in cast("list[Connection]", wait(list(busy))):
                played = _hear(pipe, crew[pipe])
                if played is not None:
                    yield played
                elif chunk := schedule.next_chunk():
                    pipe.send(chunk)
                else:
                    busy.remove(pipe)
    finally:
        _dismiss(crew)


def _hire() -> tuple[Connection, SpawnProcess]:
    # Spawned rather than forked: no worker holds another one's pipe open.
    context = multiprocessing.get_context("spawn")
    ours, theirs = cast("tuple[Connection, Connection]", multiprocessing.Pipe())
    process = context.Process(target=_work, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    return ours, process


def _hear(pipe: Connection, process: SpawnProcess) -> list[Played] | None:
    """The next deal from that worker, or None when its piece of work is done."""
    try:
        message = pipe.recv()
    except (EOFError, ConnectionError) as error:
        process.join(_PATIENCE)
        raise WorkerError(
            f"a worker process ended with code {process.exitcode}: is there enough memory? "
            "The finished games are kept, and the same command goes on"
        ) from error
    if isinstance(message, str):
        raise WorkerError(message)
    return message


def _dismiss(crew: dict[Connection, SpawnProcess]) -> None:
    for pipe, process in crew.items():
        pipe.close()
        process.terminate()
    for process in crew.values():
        process.join(_PATIENCE)
        if process.exitcode is None:
            process.kill()
            process.join()
        process.close()


def _work(pipe: Connection) -> None:
    """What a worker does. The pipe carries deals, None after a piece of work, or what went wrong."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who hired us decides
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(1))
    with suppress(EOFError, ConnectionError):
        while True:
            chunk: Chunk = pipe.recv()
            try:
                for played in play_chunk(chunk):
                    pipe.send(played)
            except Exception:  # noqa: BLE001 - whatever it was, it is told
                pipe.send(traceback.format_exc())
                return
            pipe.send(None)
