"""Games by the thousand, in all processors, folded into statistics where they are played."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Final, NamedTuple

from phaseten.arena.entrants import ladder_bot
from phaseten.arena.playing import Table, bot_seed, play_game
from phaseten.arena.statistics import Statistics, collect
from phaseten.rules.options import Rules
from phaseten.workers import work

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
) -> Generator[Part]:
    """Play so many games of each setting; their statistics come in parts, in any order.

    The seed fixes the games, and the parts add up to the same figures whatever the number of
    workers. All settings advance together, so that whoever stops early has something of each.
    """
    tasks = (
        _Task(which, setting, seed, range(start, min(start + PART, games)))
        for start in range(0, games, PART)
        for which, setting in enumerate(settings)
    )
    return work(_play, tasks, workers)


def _play(task: _Task) -> Iterator[Part]:
    rules, players, bot = task.setting
    table = Table(rules, players, task.seed)
    games = (
        play_game(table, [ladder_bot(bot, bot_seed(table, deal))] * players, deal)
        for deal in task.deals
    )
    yield Part(task.which, collect(players, games))
