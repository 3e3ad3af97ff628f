"""Work in pieces that several threads share: whoever is free takes the next."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator
from itertools import pairwise
from queue import SimpleQueue
from threading import Thread
from typing import Final

import numpy as np

from phaseten.kernel.waiting import all_set

PIECES: Final = 4
"""For each thread, so that one who comes late, or is slower, has less to do."""
SMALLEST: Final = 512
"""A piece of fewer games is hardly worth being taken by itself: that takes some microseconds."""
LOOKS: Final = 2000
"""How often one looks at once whether the others are done, before one gives up the processor for a while."""
NAP: Final = 0.0002

Work = Callable[[int, int], None]
"""Something to do for the places from one number up to another."""


class Threads:
    """So many threads, the caller's among them. They sleep while there is nothing to do."""

    def __init__(self, number: int) -> None:
        self.number: Final = number
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        for _ in range(number - 1):
            Thread(target=_help, args=(self._jobs,), daemon=True).start()
            weakref.finalize(self, self._jobs.put, None)

    def share(self, count: int, *stages: Work) -> None:
        """Do so much work of each kind, one after the other: none begins before the last is done everywhere.

        To wake a thread takes as long as hundreds of actions, so what belongs together is shared at once.
        """
        if self.number == 1 or count < self.number:
            for work in stages:
                work(0, count)
            return
        job = Job(count, max(self.number, min(PIECES * self.number, count // SMALLEST)), stages)
        for _ in range(self.number - 1):
            self._jobs.put(job)
        try:
            job.take_part()
        except (
            BaseException
        ):  # somebody has pressed Ctrl+C: nobody must wait for what is not done now
            job.given_up = True
            raise
        if job.errors:
            raise job.errors[0]


def _help(jobs: SimpleQueue[Job | None]) -> None:
    """Take part in everything, until there is no more. Who wakes too late finds nothing left to do."""
    while (job := jobs.get()) is not None:
        job.take_part()
        del job  # its arrays may be large


class Job:
    """The pieces of some work, for everybody who takes part."""

    def __init__(self, count: int, pieces: int, stages: tuple[Work, ...]) -> None:
        edges = [count * i // pieces for i in range(pieces + 1)]
        parts = list(enumerate(pairwise(edges)))
        self._stages: list[tuple[Work, Iterator[tuple[int, tuple[int, int]]], _Marks]] = [
            (work, iter(parts), np.zeros(pieces, np.uint8)) for work in stages
        ]
        self.errors: list[BaseException] = []
        self.given_up = False

    def take_part(self) -> None:
        """Do pieces of each stage until all are done."""
        for work, rest, done in self._stages:
            for number, (first, last) in rest:
                try:
                    if not self.errors:
                        work(first, last)
                except BaseException as error:  # noqa: BLE001 - whoever shares the work raises it
                    self.errors.append(error)
                done[number] = 1
            while not all_set(done, LOOKS) and not self.given_up:  # what others took is done soon
                time.sleep(NAP)


_Marks = np.ndarray[tuple[int], np.dtype[np.uint8]]
