"""Games by the thousand, in all processors, folded into statistics where they are played."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Final, NamedTuple

from phaseten.arena.benches import Bench
from phaseten.arena.entrants import HOUSE, Entrant
from phaseten.arena.gameplay import FastBot, GameTerms, derive_bot_seed, play_game
from phaseten.arena.statistics import GameStatistics, collect
from phaseten.arena.time_limits import TimeLimits
from phaseten.bots.bot import Bot
from phaseten.rules.options import Rules
from phaseten.workers import work

PART: Final = 10
"""So many games are played between two reports."""


class Setting(NamedTuple):
    """What is played, and by whom: the same bot in every seat."""

    rules: Rules
    players: int
    bot: Entrant
    limits: TimeLimits = TimeLimits()


class Part(NamedTuple):
    """Some of the games of one setting, given by its place in the list."""

    which: int
    statistics: GameStatistics


class _Task(NamedTuple):
    which: int
    setting: Setting
    seed: int
    deals: range


def survey(
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
    setting = task.setting
    terms = GameTerms(setting.rules, setting.players, task.seed)
    with Bench(setting.limits, logs=None) as bench:
        games = (
            play_game(terms, _seat_bots(setting, bench, derive_bot_seed(terms, deal)), deal)
            for deal in task.deals
        )
        yield Part(task.which, collect(setting.players, games))


def _seat_bots(setting: Setting, bench: Bench, seed: int) -> list[Bot | FastBot]:
    """The bot in every seat. One of the house remembers nothing: the same one sits everywhere."""
    if setting.bot.kind == HOUSE:
        return [bench.find_bot(setting.bot, 0, seed)] * setting.players
    return [bench.find_bot(setting.bot, place, seed) for place in range(setting.players)]
