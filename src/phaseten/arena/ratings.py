"""One number for each bot, from all games together.

The model is Plackett and Luce's, as openskill computes it, game after game. Bots do not get better
while they play, so the order of the games must not matter: we go through them in several shuffled
orders and take the mean.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

from phaseten.arena.results import GameRow
from phaseten.arena.standings import divide_win

_ORDERS: Final = 8
_MOST_UPDATES: Final = 200_000
"""How many games are gone through at most, all orders together: some seconds."""


class Rating(NamedTuple):
    """How strong a bot is, and how sure that is: everybody begins at 25 ± 8.3."""

    bot: str
    mean: float
    deviation: float

    @property
    def safe(self) -> float:
        """What it is at least, almost certainly: what a league table is sorted by."""
        return self.mean - 3 * self.deviation


def rate(rows: Sequence[GameRow]) -> list[Rating]:
    """The ratings after these games, the best bot first."""
    games = sorted(rows, key=lambda row: row.key)
    outcomes = [outcome for row in games if len(outcome := _ranks(row)) > 1]
    names = sorted({name for outcome in outcomes for name in outcome})
    chance = random.Random(10)
    if len(outcomes) > _MOST_UPDATES:  # a sample of so many tells as much
        outcomes = chance.sample(outcomes, _MOST_UPDATES)
    orders = max(1, min(_ORDERS, _MOST_UPDATES // max(1, len(outcomes))))
    sums = dict.fromkeys(names, (0.0, 0.0))
    for _ in range(orders):
        chance.shuffle(outcomes)
        for name, (mean, deviation) in _one_order(names, outcomes).items():
            sums[name] = (sums[name][0] + mean, sums[name][1] + deviation)
    ratings = [
        Rating(name, mean / orders, deviation / orders) for name, (mean, deviation) in sums.items()
    ]
    return sorted(ratings, key=lambda rating: -rating.safe)


def _ranks(row: GameRow) -> dict[str, float]:
    """The bots of a game and their ranks: whoever has a part in the win, then everybody else.

    A bot in several seats takes part once, and wins when one of its seats does.
    """
    won = divide_win(row)
    return {name: 0.0 if name in won else 1.0 for name in row.seats}


def _one_order(
    names: Sequence[str], outcomes: Sequence[dict[str, float]]
) -> dict[str, tuple[float, float]]:
    model = PlackettLuce(tau=0.0)  # nobody's strength changes
    ratings = {name: model.rating(name=name) for name in names}
    for outcome in outcomes:
        teams = [[ratings[name]] for name in outcome]
        for [rating] in model.rate(teams, ranks=list(outcome.values())):
            assert rating.name is not None
            ratings[rating.name] = rating
    return {name: (rating.mu, rating.sigma) for name, rating in ratings.items()}
