"""The coach reads games in a process of its own, behind everything else that this machine has to do.

It says how far it is and what it has found so far, again and again, until it is done or nobody listens any more.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import Annotated, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from phaseten.rules.editions import Edition, edition
from phaseten.server.logs import where
from phaseten.workers import Worker, WorkerError, WorkerLostError, end_on_signal

T = TypeVar("T")

BEHIND: Final = 19
"""How much the coach's process gives way to all others: live games come first."""

Part = Annotated[float, Meta(description="A part of a game, from 0 to 1.")]
Step = Annotated[int, Meta(description="A step of the replay, from 0 on.")]


class OptionForm(Struct, frozen=True):
    """Something that could have been done."""

    text: str
    chance: Part
    behind: Annotated[float, Meta(description="How much less that is than the best.")]
    doubt: Annotated[float, Meta(description="The standard error of that difference.")]
    is_best: bool
    was_played: bool


class MistakeForm(Struct, frozen=True):
    """A decision that gave something away."""

    step: Step
    hand: int
    loss: Part
    error: float
    words: Annotated[tuple[str, ...], Meta(description="What was done, and what was better.")]
    reasons: Annotated[tuple[str, ...], Meta(description="Why the best is better.")]
    options: tuple[OptionForm, ...]


class JudgedForm(Struct, frozen=True):
    """How one player played."""

    seat: int
    name: str
    accuracy: Annotated[float, Meta(description="From 0 to 100.")]
    mistakes_title: str
    mistakes: tuple[MistakeForm, ...]
    places_title: str
    places: Annotated[
        tuple[tuple[str, ...], ...], Meta(description="Where things were given away, as a table.")
    ]


class TurningPointForm(Struct, frozen=True):
    """What moved the chances most."""

    step: Step
    text: str


class PointForm(Struct, frozen=True):
    """Everybody's chance to win after a step."""

    step: Annotated[int, Meta(description="A step of the replay; -1: before the first.")]
    hand: int
    chances: tuple[Part, ...]


class ReportForm(Struct, frozen=True):
    """What a game comes to, with its sentences in the language that was asked for."""

    title: str
    about: tuple[str, ...]
    sums: Annotated[
        tuple[tuple[str, ...], ...], Meta(description="Luck and play of everybody, as a table.")
    ]
    players: tuple[JudgedForm, ...]
    turning_points_title: str
    turning_points: tuple[TurningPointForm, ...]
    curve_title: str
    curve: tuple[PointForm, ...]
    picture: Annotated[str, Meta(description="The curve and the sums as SVG.")]


class AnalysisForm(Struct, frozen=True):
    """How far the coach is, and what it has found so far."""

    progress: Annotated[float, Meta(description="From 0 to 1.")]
    report: ReportForm | None
    problem: Annotated[str, Meta(description="Why there will be none; empty: all is well.")] = ""


class Reading(NamedTuple):
    """A game that the coach is to read."""

    record: str
    edition: Edition | None
    """Its own, if it is no edition of the book."""
    language: str

    def find(self, name: str) -> Edition:
        """The edition by which it was played."""
        return self.edition or edition(name)


class Word(NamedTuple):
    """How far it is, and now and then what it has found.

    Its process writes the line as it is sent: live games do not wait while it is taken apart and put together here.
    """

    line: bytes
    reports: Mapping[str, str] = {}
    """The last one brings the report in every language, to be kept: whoever asks later need not wait."""


def line_of(form: AnalysisForm) -> bytes:
    """What the one who waits is told."""
    return msgspec.json.encode(form) + b"\n"


class CoachFailedError(RuntimeError):
    """The coach could not read a game, or its process has ended."""


_Heard = Word | str
_Worker = Worker[Reading, _Heard]


class Coach:
    """Reads one game after the other."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="phaseten-coach")
        self._turn = asyncio.Lock()
        self._worker: _Worker | None = None
        self.waiting = 0
        """How many games are read or wait for it."""

    async def read(self, reading: Reading) -> AsyncGenerator[Word]:
        """What it finds, while it reads. Who stops listening stops the reading."""
        self.waiting += 1
        try:
            yield Word(line_of(AnalysisForm(0.0, None)))
            async with self._turn, aclosing(self._listen(reading)) as said:
                async for each in said:
                    yield each
        finally:
            self.waiting -= 1

    async def _listen(self, reading: Reading) -> AsyncGenerator[Word]:
        is_done = False
        try:
            await self._aside(lambda: self._begin(reading))
            while (heard := await self._aside(self._hear)) is not None:
                (said,) = heard
                if isinstance(said, str):
                    raise CoachFailedError(said)
                yield said
            is_done = True
        except (OSError, WorkerError, WorkerLostError) as error:
            raise CoachFailedError("the coach's process has ended") from error
        finally:
            if not is_done:
                self._dismiss()

    async def close(self) -> None:
        """Let it end."""
        self._dismiss()
        await asyncio.to_thread(self._thread.shutdown)

    async def _aside(self, do: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, do)

    def _begin(self, reading: Reading) -> None:
        if self._worker is None:
            self._worker = Worker(_read, stay_behind)
        self._worker.give(reading)

    def _hear(self) -> tuple[_Heard] | None:
        worker = self._worker
        if worker is None:  # dismissed meanwhile
            raise WorkerLostError
        return worker.hear()

    def _dismiss(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.process.kill()  # it has nothing to clean up, and who listens to it hears that it is gone
            self._thread.submit(_see_off, worker)


def _see_off(worker: _Worker) -> None:
    worker.pipe.close()
    worker.leave()


def stay_behind() -> None:
    """What the coach's process does first."""
    end_on_signal()
    give_way()


def give_way(behind: int = BEHIND) -> None:
    """From now on this process gets what others leave of its core, and little where they leave nothing."""
    if sys.platform != "win32":  # which has no such thing
        os.nice(behind)
    if sys.platform == "linux":
        # Whoever wakes up gets the core at once; from who is only nice, after some milliseconds.
        with suppress(OSError):  # some containers do not allow it
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _read(reading: Reading) -> Iterator[_Heard]:
    """What the coach's process does."""
    from phaseten.server.running.coach_reports import reports_on  # noqa: PLC0415 - large, and for this process alone

    try:
        yield from reports_on(reading)
    except Exception as error:  # noqa: BLE001 - what and where; its text could tell cards
        yield f"the coach failed: {where(error)}"
