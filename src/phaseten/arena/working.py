"""A piece of the work: some deals of one match, all their games. It can be done anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

from phaseten.arena.entrants import PROGRAM, Entrant, seat
from phaseten.arena.faults import Limits
from phaseten.arena.matches import Match
from phaseten.arena.playing import FastBot, bot_seed, play_game, record_of
from phaseten.arena.programs import Program
from phaseten.arena.results import GameRow, row_of
from phaseten.bots.bot import Bot
from phaseten.rules.actions import Action


class Conduct(NamedTuple):
    """How games are played, apart from who plays what."""

    limits: Limits = Limits()
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
    table = match.table
    seed = bot_seed(table, deal)
    sitting = [match.entrants[bot] for bot in match.seatings[seating]]
    bots = [bench.bot(entrant, place, seed) for place, entrant in enumerate(sitting)]
    actions: list[Action] | None = [] if conduct.records else None
    game = play_game(table, bots, deal, actions=actions)
    record = None
    if actions is not None:
        record = record_of(table, [entrant.name for entrant in sitting], deal, actions)
    return Played(row_of(match, deal, seating, game), record)


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
        bot = seat(entrant, seed, self._limits, self._logs)
        if entrant.kind == PROGRAM:
            assert isinstance(bot, Program)
            self._programs[entrant, place] = bot
        return bot

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for program in self._programs.values():
            program.close()
