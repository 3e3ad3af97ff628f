"""A test that may stop as soon as it is sure: the sequential probability ratio test (SPRT).

Two hypotheses say which share of the games the first bot wins. After every deal their likelihoods
are compared; the test ends when one has become so much likelier than the other that a wrong answer
is as rare as was asked for. Because the stopping is part of the test, one may look at it as often
as one likes, which an ordinary interval does not allow.

The sample is the deal with all its games, seats exchanged, as in ``intervals``. How deals scatter is
not known beforehand, so each hypothesis gets the distribution with its mean that fits the deals seen
so far best: the generalised test of Van den Bergh, as fastchess and fishtest run it over pairs of games.

>>> test = SequentialTest(parse_hypotheses(["won0=50", "won1=60"]))
>>> for _ in range(40):
...     test.add(1.0)
>>> test.accepted, test.deals
('won1', 17)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import inf, log
from typing import Final, Literal, NamedTuple

from phaseten.arena.matches import Match
from phaseten.arena.results import GameRow, Key
from phaseten.arena.standings import find_games, measure_deal

_UNSEEN: Final = 1e-3
"""What counts for a result of a deal that is possible and has not been seen."""
_STEPS: Final = 100
"""More halvings than a number has digits; Newton's steps are far fewer."""
_CLOSE: Final = 1e-13
_KEYS: Final = ("elo0", "elo1", "won0", "won1", "alpha", "beta")


class HypothesesError(ValueError):
    """Something that does not say what is to be tested."""


class Hypotheses(NamedTuple):
    """What is tested: the share won by the first bot is the one, or the other."""

    won0: float
    won1: float
    alpha: float = 0.05
    """How often ``won1`` may be accepted although ``won0`` is true."""
    beta: float = 0.05
    """How often ``won0`` may be accepted although ``won1`` is true."""

    @property
    def lower(self) -> float:
        """Where ``won0`` is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Where ``won1`` is accepted."""
        return log((1 - self.beta) / self.alpha)


def parse_hypotheses(words: Iterable[str]) -> Hypotheses:
    """The hypotheses written so: ``elo0=0 elo1=20``, or ``won0=50 won1=53`` in percent."""
    given: dict[str, float] = {}
    for word in (part for each in words for part in each.split(",") if part):
        key, _, text = word.partition("=")
        if key not in _KEYS:
            raise HypothesesError(
                f"{word!r} is no part of a test: write elo0=0 elo1=20, or won0=50 won1=53 "
                "(in percent), and alpha=0.05 beta=0.05 if you like; bots stand before --sprt"
            )
        try:
            given[key] = float(text.removesuffix("%"))
        except ValueError as error:
            raise HypothesesError(f"{word!r} has no number after the =") from error
    found = Hypotheses(
        _share(given, "0", 0.5),
        _share(given, "1", None),
        given.get("alpha", 0.05),
        given.get("beta", 0.05),
    )
    if not 0 < found.won0 < found.won1 < 1:
        raise HypothesesError(
            "the second hypothesis has to be the larger one, and both lie between 0 and 100 %"
        )
    if not (0 < found.alpha < 0.5 and 0 < found.beta < 0.5):
        raise HypothesesError("alpha and beta lie between 0 and 0.5")
    return found


def _share(given: Mapping[str, float], number: str, default: float | None) -> float:
    elo, won = given.get(f"elo{number}"), given.get(f"won{number}")
    if elo is not None and won is not None:
        raise HypothesesError(f"elo{number} and won{number} say the same: give one of them")
    if elo is not None:
        return share_of_elo(elo)
    if won is not None:
        return won / 100
    if default is None:
        raise HypothesesError(
            "a test needs elo1=20, say, or won1=53: how much stronger it asks for"
        )
    return default


def share_of_elo(elo: float) -> float:
    """Which share of the games so many Elo points more win."""
    exponent = max(-300.0, min(300.0, -elo / 400))
    return 1 / (1 + 10**exponent)


Accepted = Literal["won0", "won1"]


class SequentialTest:
    """The test, deal after deal. What comes after its end changes nothing."""

    def __init__(self, hypotheses: Hypotheses, games_of_a_deal: int = 2) -> None:
        self.hypotheses = hypotheses
        self.deals = 0
        self.ratio = 0.0
        """The logarithm of how much likelier the second hypothesis is."""
        self.accepted: Accepted | None = None
        self._counts = Counter[float](
            {won / games_of_a_deal: 0 for won in range(games_of_a_deal + 1)}
        )

    def add(self, share: float) -> None:
        """Count a deal of which the first bot won that share."""
        if self.accepted is not None:
            return
        self.deals += 1
        self._counts[share] += 1
        self.ratio = compare_likelihoods(self._counts, self.hypotheses.won0, self.hypotheses.won1)
        if self.ratio >= self.hypotheses.upper:
            self.accepted = "won1"
        elif self.ratio <= self.hypotheses.lower:
            self.accepted = "won0"

    def advance(self, match: Match, rows: Mapping[Key, GameRow], most_deals: int) -> None:
        """Count the deals in their order, as far as they have been played without a gap.

        So the answer does not depend on which deal was finished first, nor on how many processes play.
        """
        while self.accepted is None and self.deals < most_deals:
            games = find_games(match, rows, self.deals)
            if games is None:
                return
            self.add(measure_deal(match, games)[0])


def compare_likelihoods(counts: Mapping[float, int], won0: float, won1: float) -> float:
    """The logarithm of how much likelier these results are with the second mean than with the first."""
    weights = {value: count or _UNSEEN for value, count in counts.items()}
    tilt0, tilt1 = _tilt(weights, won0), _tilt(weights, won1)
    return sum(
        weight * log((1 + tilt0 * (value - won0)) / (1 + tilt1 * (value - won1)))
        for value, weight in weights.items()
    )


def _tilt(weights: Mapping[float, float], mean: float) -> float:
    """How the distribution seen is bent to have that mean, and stay as likely as possible.

    Each value's probability is divided by 1 + tilt · (value - mean), where the tilt solves
    Σ weight · (value - mean) / (1 + tilt · (value - mean)) = 0. The sum falls as the tilt grows.
    """
    away = [(value - mean, weight) for value, weight in weights.items()]
    low = max((-1 / distance for distance, _ in away if distance > 0), default=-inf)
    high = min((-1 / distance for distance, _ in away if distance < 0), default=inf)
    tilt = 0.0
    for _ in range(_STEPS):
        parts = [(weight, distance / (1 + tilt * distance)) for distance, weight in away]
        total = sum(weight * part for weight, part in parts)
        low, high = (tilt, high) if total > 0 else (low, tilt)
        newton = tilt + total / sum(weight * part * part for weight, part in parts)
        better = newton if low < newton < high else (low + high) / 2
        if abs(better - tilt) <= _CLOSE * (high - low) or better in {low, high}:
            return better
        tilt = better
    return tilt
