"""Games by the thousand, in all processors, folded into statistics where they are played."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from typing import Final, NamedTuple

from phaseten.arena.playing import Table, bot_seed, play_game
from phaseten.arena.statistics import Statistics
from phaseten.bots.ladder import make_bot
from phaseten.rules.options import Rules

PART: Final = 10
"""So many games are played between two reports."""


class Setting(NamedTuple):
    """What is played, and by whom: the same bot in every seat."""

    rules: Rules
    players: int
    bot: str


class Part(NamedTuple):
    """Some of the games of one setting, given by its place in the list."""

    which: int
    statistics: Statistics


class _Task(NamedTuple):
    which: int
    setting: Setting
    seed: int
    deals: range


def sample(
    settings: Sequence[Setting], games: int, *, seed: int = 0, workers: int = 1
) -> Iterator[Part]:
    """Play so many games of each setting; their statistics come in parts, in any order.

    The seed fixes the games, and the parts add up to the same figures whatever the number of
    workers. All settings advance together, so that whoever stops early has something of each.
    """
    tasks = (
        _Task(which, setting, seed, range(start, min(start + PART, games)))
        for start in range(0, games, PART)
        for which, setting in enumerate(settings)
    )
    if workers == 1:
        return (_play(task, lambda: False) for task in tasks)
    return _in_processes(tasks, workers)


def _in_processes(tasks: Iterator[_Task], workers: int) -> Iterator[Part]:
    context = get_context("spawn")  # the same on every system, and safe beside threads
    stop = context.Event()
    with ProcessPoolExecutor(workers, context, _begin, (stop,)) as pool:
        try:
            with _interrupts_held():  # the workers are born here, and inherit it
                running = {pool.submit(_play_here, task) for task in islice(tasks, 3 * workers)}
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(_play_here, task) for task in islice(tasks, len(done))}
                for future in done:
                    yield future.result()
        finally:  # finished, or interrupted: then each worker ends the game it is at
            stop.set()
            pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Keep an interrupt waiting, here and for good in the processes that are started meanwhile.

    The workers would otherwise complain about it until they are far enough to ignore it.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_stopped: Callable[[], bool] = lambda: False  # noqa: E731 - replaced in each worker


def _begin(stop: Event) -> None:
    """Make a process ready: an interrupt is for the one who asked, and who then says stop."""
    global _stopped  # noqa: PLW0603 - the one thing a worker is told when it starts
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stopped = stop.is_set


def _play_here(task: _Task) -> Part:
    return _play(task, _stopped)


def _play(task: _Task, stopped: Callable[[], bool]) -> Part:
    rules, players, bot = task.setting
    table = Table(rules, players, task.seed)
    statistics = Statistics(players)
    for deal in task.deals:
        if stopped():
            break
        one = make_bot(bot, seed=bot_seed(table, deal))
        statistics.add(play_game(table, [one] * players, deal))
    return Part(task.which, statistics)
