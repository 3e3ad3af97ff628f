"""What a game comes to: luck and play of every player, mistakes, turning points, the curve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from phaseten.analysis.findings import KINDS, BySeat, Decision, Finding, Fortune, Kind
from phaseten.analysis.walk import Walk

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_MISTAKES: Final = 5
TURNING_POINTS: Final = 3
YARDSTICK: Final = 0.004
"""What somebody gives away for each decision, at a table of two, whose accuracy is 37."""


@dataclass(frozen=True, slots=True)
class Share:
    """What was given away in decisions of one sort."""

    decisions: int
    loss: float


@dataclass(frozen=True, slots=True)
class Player:
    """How one player fared, in parts of a game: start + luck + play + others = result."""

    seat: int
    name: str
    start: float
    luck: float
    play: float
    """What the own decisions brought, against those of a sharp player: ``par - given_away``."""
    others: float
    """What the others' decisions brought, against those of sharp players."""
    result: float
    decisions: int
    given_away: float
    """What the own decisions gave away, against the best ones."""
    par: float
    """What a sharp player would have given away in their place."""
    error: float
    """The standard error of ``play``, and of the opposite in luck."""
    accuracy: float
    phases: tuple[tuple[int, Share], ...]
    kinds: tuple[tuple[Kind, Share], ...]
    mistakes: tuple[Decision, ...]
    """The worst first."""


@dataclass(frozen=True, slots=True)
class Point:
    """Everybody's chance to win after a step."""

    step: int
    hand: int
    chances: BySeat


@dataclass(frozen=True, slots=True)
class Report:
    """What a game comes to."""

    names: tuple[str, ...]
    winner: int | None
    players: tuple[Player, ...]
    turning_points: tuple[Finding, ...]
    """What moved the chances most, in the order of the game."""
    curve: tuple[Point, ...]
    steps: int


def report_on(game: Walk, start: NDArray[np.float64], findings: Sequence[Finding]) -> Report:
    """Sum the findings of a game up."""
    decisions = [each for each in findings if isinstance(each, Decision)]
    last = findings[-1].chances if findings else tuple(float(x) for x in start)
    players = tuple(
        _player(game, seat, float(start[seat - 1]), last[seat - 1], findings, decisions)
        for seat in range(1, game.seats + 1)
    )
    turning = sorted(findings, key=lambda each: -_swing(each))[:TURNING_POINTS]
    first = Point(-1, game.hands[0].number, tuple(float(x) for x in start))
    return Report(
        game.names,
        game.end.sheet.winner,
        players,
        tuple(sorted(turning, key=lambda each: each.step)),
        (first, *[Point(each.step, each.hand, each.chances) for each in findings]),
        game.steps,
    )


def _swing(finding: Finding) -> float:
    """How far a finding moves the chances."""
    match finding:
        case Decision(play=play, luck=luck):
            return max(abs(p + x) for p, x in zip(play, luck, strict=True))
        case Fortune(luck=luck):
            return max(map(abs, luck))


def _player(  # noqa: PLR0913, PLR0917 - it is one sum over all of them
    game: Walk,
    seat: int,
    start: float,
    result: float,
    findings: Sequence[Finding],
    decisions: Sequence[Decision],
) -> Player:
    own = [each for each in decisions if each.seat == seat]
    given_away = sum(each.loss for each in own)
    return Player(
        seat=seat,
        name=game.names[seat - 1],
        start=start,
        luck=sum(each.luck[seat - 1] for each in findings),
        play=sum(each.play[seat - 1] for each in own),
        others=sum(each.play[seat - 1] for each in decisions if each.seat != seat),
        result=result,
        decisions=len(own),
        given_away=given_away,
        par=sum(each.par for each in own),
        error=sqrt(sum(each.error**2 for each in own if each.action != each.sharp)),
        accuracy=accuracy(given_away, len(own), game.seats),
        phases=tuple(
            (phase, _share(each for each in own if each.phase == phase))
            for phase in sorted({each.phase for each in own})
        ),
        kinds=tuple(
            (kind, _share(each for each in own if each.kind == kind))
            for kind in KINDS
            if any(each.kind == kind for each in own)
        ),
        mistakes=tuple(
            sorted((each for each in own if each.is_mistake), key=lambda each: -each.loss)[
                :MOST_MISTAKES
            ]
        ),
    )


def _share(decisions: Iterable[Decision]) -> Share:
    losses = [each.loss for each in decisions]
    return Share(len(losses), sum(losses))


def accuracy(given_away: float, decisions: int, seats: int) -> float:
    """How well somebody played, from 0 to 100.

    Each :data:`YARDSTICK` that is given away for each decision costs the same factor; with more players
    at the table every decision is worth less to each of them, and the yardstick is shorter.
    """
    yardstick = YARDSTICK * 2 / seats
    return 100 * exp(-max(given_away, 0.0) / max(decisions, 1) / yardstick)
