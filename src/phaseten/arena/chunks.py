"""A piece of the work: some deals of one match, all their games. It can be done anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from phaseten.arena.benches import Bench
from phaseten.arena.gameplay import derive_bot_seed, format_record, play_game
from phaseten.arena.matches import Match
from phaseten.arena.results import GameRow, make_row
from phaseten.arena.time_limits import TimeLimits
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
    with Bench(chunk.conduct.limits, chunk.conduct.logs) as bench:
        for deal in chunk.deals:
            yield [
                _play(chunk.match, deal, seating, chunk.conduct, bench)
                for seating in range(len(chunk.match.seatings))
            ]


def _play(match: Match, deal: int, seating: int, conduct: Conduct, bench: Bench) -> Played:
    terms = match.terms
    seed = derive_bot_seed(terms, deal)
    sitting = [match.entrants[bot] for bot in match.seatings[seating]]
    bots = [bench.find_bot(entrant, place, seed) for place, entrant in enumerate(sitting)]
    actions: list[Action] | None = [] if conduct.records else None
    game = play_game(terms, bots, deal, actions=actions)
    record = None
    if actions is not None:
        record = format_record(terms, [entrant.name for entrant in sitting], deal, actions)
    return Played(make_row(match, deal, seating, game), record)
