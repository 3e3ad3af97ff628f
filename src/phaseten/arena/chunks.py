"""A piece of the work: some deals of one match, all their games. It can be done anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

from phaseten.arena.entrants import PROGRAM, Entrant, prepare_bot
from phaseten.arena.gameplay import FastBot, derive_bot_seed, format_record, play_game
from phaseten.arena.matches import Match
from phaseten.arena.programs import Program
from phaseten.arena.results import GameRow, make_row
from phaseten.arena.time_limits import TimeLimits
from phaseten.bots.bot import Bot
from phaseten.rules.actions import Action


class Conduct(NamedTuple):
    """How games are played, apart from who plays what."""

    limits: TimeLimits = TimeLimits()
    logs: str | None = None
    """The folder for what programs write to their standard error."""
    records: bool = False
    """Whether the games are written down."""


class Chunk(NamedTuple):
    """Deals of one match."""

    match: Match
    deals: tuple[int, ...]
    conduct: Conduct


class Played(NamedTuple):
    """A game that was played, and its record if there is one."""

    row: GameRow
    record: str | None


def play_chunk(chunk: Chunk) -> Iterator[list[Played]]:
    """Play the deals; the games of one deal at a time."""
    with _Bench(chunk.conduct) as bench:
        for deal in chunk.deals:
            yield [
                _play(chunk.match, deal, seating, chunk.conduct, bench)
                for seating in range(len(chunk.match.seatings))
            ]


def _play(match: Match, deal: int, seating: int, conduct: Conduct, bench: _Bench) -> Played:
    setup = match.setup
    seed = derive_bot_seed(setup, deal)
    sitting = [match.entrants[bot] for bot in match.seatings[seating]]
    bots = [bench.bot(entrant, place, seed) for place, entrant in enumerate(sitting)]
    actions: list[Action] | None = [] if conduct.records else None
    game = play_game(setup, bots, deal, actions=actions)
    record = None
    if actions is not None:
        record = format_record(setup, [entrant.name for entrant in sitting], deal, actions)
    return Played(make_row(match, deal, seating, game), record)


class _Bench:
    """Keeps programs running from game to game: one for each seat, so that none sees two hands."""

    def __init__(self, conduct: Conduct) -> None:
        self._limits = conduct.limits
        self._logs = Path(conduct.logs) if conduct.logs else None
        self._programs: dict[tuple[Entrant, int], Program] = {}

    def bot(self, entrant: Entrant, place: int, seed: int) -> Bot | FastBot:
        running = self._programs.get((entrant, place))
        if running is not None:
            return running
        bot = prepare_bot(entrant, seed, self._limits, self._logs)
        if entrant.kind == PROGRAM:
            assert isinstance(bot, Program)
            self._programs[entrant, place] = bot
        return bot

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for program in self._programs.values():
            program.close()
