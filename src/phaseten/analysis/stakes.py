"""What a score sheet is worth: everybody's chance to win the game between two hands.

A chance is a softmax over the players. What counts for a player is how far the leader is, how far
the player is behind (:attr:`Stakes.lag`), points against the average, which weigh the more the nearer
the end is (:attr:`Stakes.points`), and who begins the next hand (:attr:`Stakes.first`). The figures of
the editions of the book are fitted to games of sharp players by ``benchmarks/coach.py fit``; other
editions, variations and house rules use the rule of thumb of the bots.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from phaseten.kernel.setup import setup_for
from phaseten.rules.options import STANDARD, Rules
from phaseten.rules.state import ScoreSheet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Chances = NDArray[np.float64]
    """The chance of each seat to win."""

FITTED: Final = Path(__file__).parent / "stakes.json"
SAME_GAME: Final = {"deluxe": "classic"}
"""Editions that play like another one."""


class Prices(NamedTuple):
    """What the end of one hand is worth, by which seats made their Phase in it.

    The row of a set of seats has that set's bits as its number. A seat's chance is a softmax of
    ``worth - points * (its total - the mean of all totals)``.
    """

    worth: NDArray[np.float64]
    points: NDArray[np.float64]


class Stakes:
    """What score sheets are worth in games by the same rules with the same number of players."""

    def __init__(self, rules: Rules, players: int) -> None:
        self._rules = rules
        self._players = players
        self._length = len(rules.phases)
        fitted = _fitted(rules, players)
        if fitted is None:
            self.lag, self.points = self._rule_of_thumb()
            self.first: Chances = np.zeros(players)
        else:
            self.lag, self.points, self.first = (np.array(rows) for rows in fitted)

    def _rule_of_thumb(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """As the bots weigh Phases and points: see ``kernel/players/playouts.py``."""
        layout = setup_for(self._rules, self._players).layout
        done = np.arange(self._length + 1)
        scale = 1 / np.sqrt(1.0 + self._length - done)[:, None]
        behind = np.maximum(done[:, None] - done[None, :], 0)
        return -layout.phase_worth * behind * scale, layout.point_worth * scale + 0 * behind

    def chances(self, sheet: ScoreSheet) -> Chances:
        """Everybody's chance to win, between two hands or after the game."""
        chances = np.zeros(self._players)
        if sheet.winner is not None:
            chances[sheet.winner - 1] = 1.0
        elif sheet.tied:
            chances[[seat - 1 for seat in sheet.tied]] = 1 / len(sheet.tied)
        else:
            worth, points = self._weights(self._done(sheet), sheet.dealer)
            totals = np.array(sheet.totals, float)
            worth = worth - points * (totals - totals.mean())
            chances = np.exp(worth - worth.max())
            chances /= chances.sum()
        return chances

    def prices(self, sheet: ScoreSheet) -> Prices:
        """What the end of the hand will be worth that is played on this sheet."""
        done = self._done(sheet)
        rows: list[tuple[Chances, Chances]] = []
        for bits in range(2**self._players):
            made = np.array([bits >> seat & 1 for seat in range(self._players)])
            after = done + (1 if self._rules.variant.ten_hands else made)
            rows.append(self._weights(after, sheet.dealer % self._players + 1))
        worth, points = zip(*rows, strict=True)
        return Prices(np.array(worth), np.array(points))

    def _done(self, sheet: ScoreSheet) -> NDArray[np.intp]:
        """How many Phases each seat has behind it; where everybody has a hand for each, hands."""
        return np.array([self._length - len(left) for left in sheet.left])

    def _weights(self, done: NDArray[np.intp], dealer: int) -> tuple[Chances, Chances]:
        done = np.minimum(done, self._length)
        lead = int(done.max())
        order = (np.arange(self._players) - dealer) % self._players
        return self.lag[lead, done] + self.first[order], self.points[lead, done]


@cache
def stakes_for(rules: Rules, players: int) -> Stakes:
    """The stakes of games with these rules and that many players."""
    return Stakes(rules, players)


def _fitted(rules: Rules, players: int) -> tuple[list[list[float]], ...] | None:
    if rules.variant != STANDARD or rules.house or rules.edition.source:
        return None
    name = SAME_GAME.get(rules.edition.name, rules.edition.name)
    entry = _read().get(name, {}).get(str(players))
    return None if entry is None else (entry["lag"], entry["points"], entry["first"])


@cache
def _read() -> dict[str, dict[str, dict[str, list[list[float]]]]]:
    return json.loads(FITTED.read_text(encoding="utf-8")) if FITTED.exists() else {}
