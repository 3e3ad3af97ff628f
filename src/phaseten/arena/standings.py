"""What the games of a tournament say: shares, how sure they are, and who is stronger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from phaseten.arena.intervals import Estimate, estimate_mean
from phaseten.arena.matches import Match
from phaseten.arena.results import GameRow, Key


class Share(NamedTuple):
    """How much of the wins went to a bot."""

    bot: str
    estimate: Estimate


class Standing(NamedTuple):
    """How a match stands."""

    edition: str
    players: int
    match: str
    shares: tuple[Share, ...]
    fair: float
    """The share of each if all are equally strong."""
    games: int
    deals: int
    given_up: int
    """Games in which nobody got on any more: everybody gets the same part of the win."""
    forfeits: int

    @property
    def verdict(self) -> str:
        """What that means, in plain words."""
        best, second = sorted(self.shares, key=lambda share: -share.estimate.value)[:2]
        if len(self.shares) == 2:
            if best.estimate.low > self.fair:
                return f"{best.bot} is stronger than {second.bot}: {format_percent(best.estimate)}"
            first, other = self.shares
            return (
                f"no difference found between {first.bot} and {other.bot}: "
                f"{format_percent(first.estimate)}"
            )
        if best.estimate.low > second.estimate.high:
            return f"{best.bot} is the strongest: {format_percent(best.estimate)}"
        return f"{best.bot} and {second.bot} are too close to call: {format_percent(best.estimate)}"


def format_percent(estimate: Estimate) -> str:
    """The share and its error."""
    return f"{100 * estimate.value:.1f} % ± {100 * estimate.error:.1f}"


def compute_standing(match: Match, rows: Mapping[Key, GameRow], deals: int) -> Standing | None:
    """How the match stands after those of its first deals that are complete; None before any."""
    games: list[GameRow] = []
    samples: list[list[float]] = [[] for _ in match.entrants]
    for deal in range(deals):
        played = find_games(match, rows, deal)
        if played is None:
            continue
        games += played
        for share, row in zip(measure_deal(match, played), samples, strict=True):
            row.append(share)
    if not games:
        return None
    return Standing(
        *match.key,
        tuple(
            Share(name, estimate_mean(row)) for name, row in zip(match.names, samples, strict=True)
        ),
        1 / len(match.entrants),
        len(games),
        len(samples[0]),
        sum(game.winner is None and game.fault is None for game in games),
        sum(game.fault is not None for game in games),
    )


def find_games(match: Match, rows: Mapping[Key, GameRow], deal: int) -> list[GameRow] | None:
    """The games of that deal; None unless all have been played."""
    keys = [(*match.key, deal, seating) for seating in range(len(match.seatings))]
    return [rows[key] for key in keys] if all(key in rows for key in keys) else None


def measure_deal(match: Match, games: Sequence[GameRow]) -> list[float]:
    """Which part of the wins of one deal went to each bot of the match."""
    wins = [divide_win(game) for game in games]
    return [sum(each.get(name, 0.0) for each in wins) / len(wins) for name in match.names]


def divide_win(game: GameRow) -> dict[str, float]:
    """Which part of the win each bot gets.

    A forfeited game is won by the seats of the others together; one that could not end, by all.
    """
    if game.winner is not None:
        return {game.seats[game.winner - 1]: 1.0}
    guilty = game.seats[game.fault.seat - 1] if game.fault else None
    winners = Counter(name for name in game.seats if name != guilty)
    return {name: count / winners.total() for name, count in winners.items()}


class Behaviour(NamedTuple):
    """How a bot behaved, over all its matches."""

    bot: str
    games: int
    decisions: int
    seconds: float
    faults: tuple[GameRow, ...]
    """The games it forfeited."""

    @property
    def milliseconds(self) -> float:
        """How long it thinks about one decision, on average."""
        return 1000 * self.seconds / self.decisions if self.decisions else 0.0


def observe_behaviour(bot: str, rows: Sequence[GameRow]) -> Behaviour:
    """How that bot behaved in these games."""
    games, decisions, seconds = 0, 0, 0.0
    faults: list[GameRow] = []
    for row in rows:
        places = [place for place, name in enumerate(row.seats) if name == bot]
        games += bool(places)
        decisions += sum(row.decisions[place] for place in places)
        seconds += sum(row.seconds[place] for place in places)
        if row.fault is not None and row.fault.seat - 1 in places:
            faults.append(row)
    return Behaviour(bot, games, decisions, seconds, tuple(faults))
