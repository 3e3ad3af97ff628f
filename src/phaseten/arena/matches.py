"""Who meets whom, and how the seats change so that luck cancels.

Every deal is played several times with the same cards, and the bots change seats in between. The
result of a deal is the mean over its games: what the cards gave to one side, they gave to the
other as well.

>>> alternate_seats(2), alternate_seats(4)
(((0, 1), (1, 0)), ((0, 1, 0, 1), (1, 0, 1, 0)))
>>> len(alternate_seats(3))
6
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from phaseten.arena.entrants import Entrant
from phaseten.arena.gameplay import GameTerms

Seating = tuple[int, ...]
"""For each seat, which of the match's bots sits there, counted from 0."""


class Match(NamedTuple):
    """Bots that meet at a table, deal after deal."""

    terms: GameTerms
    entrants: tuple[Entrant, ...]
    seatings: tuple[Seating, ...]
    """Every deal is played once with each."""

    @property
    def names(self) -> tuple[str, ...]:
        """The bots."""
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def key(self) -> tuple[str, int, str]:
        """What tells the match from the others: edition, players, and who plays."""
        return self.terms.rules.edition.name, self.terms.players, " - ".join(self.names)

    def deals(self, games: int) -> int:
        """How many deals make at least so many games."""
        return -(-games // len(self.seatings))


def alternate_seats(players: int) -> tuple[Seating, ...]:
    """Two bots at one table: seats taken in turn, and every seat by both equally often.

    An even number of seats is shared half and half, and two games are enough. An odd number cannot
    be shared: one bot gets a seat more, once at every place of the table, and then the other does.
    """
    turn_by_turn = tuple(seat % 2 for seat in range(players))
    if players % 2 == 0:
        return (turn_by_turn, _others(turn_by_turn))
    return tuple(
        seating for turned in rotate_seats(turn_by_turn) for seating in (turned, _others(turned))
    )


def rotate_seats(seating: Seating) -> tuple[Seating, ...]:
    """The same order round the table, beginning with everybody once."""
    return tuple(seating[start:] + seating[:start] for start in range(len(seating)))


def _others(seating: Seating) -> Seating:
    """Each bot in the other's seats."""
    return tuple(1 - bot for bot in seating)


def match_pairs(all_terms: Sequence[GameTerms], entrants: Sequence[Entrant]) -> list[Match]:
    """Everybody against everybody else, at every table."""
    return [
        Match(terms, pair, alternate_seats(terms.players))
        for terms in all_terms
        for pair in combinations(entrants, 2)
    ]


def match_all(all_terms: Sequence[GameTerms], entrants: Sequence[Entrant]) -> list[Match]:
    """All at one table, in all rotations of the seats."""
    everybody = tuple(range(len(entrants)))
    return [Match(terms, tuple(entrants), rotate_seats(everybody)) for terms in all_terms]
