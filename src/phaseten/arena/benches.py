"""The bots of a process, and the programs among them that go on from game to game."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from phaseten.arena.entrants import Entrant, prepare_bot
from phaseten.arena.gameplay import FastBot
from phaseten.arena.programs import Program
from phaseten.arena.time_limits import TimeLimits
from phaseten.bots.bot import Bot


class Bench:
    """Keeps programs running from game to game: one for each seat, so that none sees two hands."""

    def __init__(self, limits: TimeLimits, logs: str | None) -> None:
        self._limits = limits
        self._logs = Path(logs) if logs else None
        self._programs: dict[tuple[Entrant, int], Program] = {}

    def find_bot(self, entrant: Entrant, place: int, seed: int) -> Bot | FastBot:
        """The bot for that place, counted from 0, ready for a game with that seed."""
        running = self._programs.get((entrant, place))
        if running is not None:
            return running
        bot = prepare_bot(entrant, seed, self._limits, self._logs)
        if isinstance(bot, Program):
            self._programs[entrant, place] = bot
        return bot

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for program in self._programs.values():
            program.close()
