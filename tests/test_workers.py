"""Processes at the other end of a pipe, by which the arena plays and the server's bots think."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from phaseten.workers import Worker, WorkerError, WorkerLostError, ignore_signals


def squared(number: int) -> Iterator[int]:
    if number < 0:
        raise ValueError("too small")
    yield number * number


def counted(number: int) -> Iterator[int]:
    yield from range(number)


def test_a_worker_answers_one_task_after_the_other() -> None:
    worker = Worker(squared)
    assert [worker.ask(number) for number in range(4)] == [0, 1, 4, 9]
    worker.dismiss()
    worker.leave()


def test_a_worker_says_what_went_wrong_and_ends() -> None:
    worker = Worker(squared)
    with pytest.raises(WorkerError, match=r"^ValueError: too small"):
        worker.ask(-1)
    with pytest.raises(WorkerLostError):
        worker.ask(1)
    worker.dismiss()
    worker.leave()


def test_results_come_one_by_one() -> None:
    worker = Worker(counted)
    worker.give(3)
    heard = [worker.hear() for _ in range(4)]
    assert heard == [(0,), (1,), (2,), None]
    worker.dismiss()
    worker.leave()


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_a_worker_that_ignores_signals_goes_on_until_it_is_dismissed() -> None:
    worker = Worker(squared, ignore_signals)
    assert worker.ask(2) == 4
    assert worker.process.pid is not None
    os.kill(worker.process.pid, signal.SIGTERM)
    os.kill(worker.process.pid, signal.SIGINT)
    assert worker.ask(3) == 9
    pid = worker.process.pid
    worker.dismiss()
    worker.leave()
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_other_workers_end_when_they_are_told_to() -> None:
    worker = Worker(squared)
    assert worker.ask(2) == 4
    assert worker.process.pid is not None
    os.kill(worker.process.pid, signal.SIGTERM)
    worker.process.join(30)
    with pytest.raises(WorkerLostError, match="ended with code 1"):
        worker.ask(3)
    worker.dismiss()
    worker.leave()
