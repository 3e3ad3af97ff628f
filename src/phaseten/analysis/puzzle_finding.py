"""Finding puzzles: games of bots are searched for positions in which one action is clearly best.

A position is a candidate where a casual player does something else than a sharp one. It becomes a puzzle when,
of all legal actions, one is better than every other by more than four standard errors and by a part of
a game that is worth a thought, when worlds of another seed say the same, and when a casual player errs.

Answers that discard a Wild are left out. Sharp players, who play the trials out, never do that; so it could
look good now only because it is not done later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from phaseten.analysis.puzzles import Puzzle, Theme, theme_of
from phaseten.analysis.stakes import stakes_for
from phaseten.game import Game
from phaseten.kernel.convert import CHANCE_BYTES
from phaseten.kernel.game import Game as KernelGame
from phaseten.kernel.game import game_of
from phaseten.kernel.players import POLICIES
from phaseten.kernel.players.outlook import Outlook
from phaseten.notation.positions import format_position, parse_position
from phaseten.rules.actions import Discard
from phaseten.rules.cards import WILD
from phaseten.rules.state import open_phases
from phaseten.rules.views import View

if TYPE_CHECKING:
    from numpy.typing import NDArray

ERRORS: Final = 4.0
"""The least gap in standard errors."""
LEAST_GAP: Final = 0.01
"""The least gap at a table of two; the more players, the less a hand is worth to each."""
FIRST_LOOK: Final = 32
"""Worlds for a first look at a position: at what the sharp and the casual player do."""
SECOND_LOOK: Final = 64
"""Worlds for a look at everything that could be done."""
FAR: Final = 4.0
"""What is so many errors behind after the second look is not tried again."""
WORLDS: Final = (256, 1_024, 4_096)
"""Worlds in which an answer has to stand, twice; where the first are not enough, more."""
MOST_LAYS: Final = 12
CASUAL_TRIES: Final = 8
"""A casual player is asked so often; it must never find the answer."""
PLAYERS: Final = (2, 3, 4)


class Gap(NamedTuple):
    """What trials of all actions say."""

    best: int
    """Which action is best."""
    gap: float
    """By how much it is better than the nearest other."""
    error: float
    chances: NDArray[np.float64]
    behind: NDArray[np.float64]
    """By how much each action is worse than the best."""
    errors: NDArray[np.float64]

    @property
    def is_clear(self) -> bool:
        """Whether nothing else comes near."""
        return self.gap > ERRORS * self.error


class Quotas:
    """How many puzzles of each sort are still wanted, so that a set has something of everything."""

    def __init__(self, count: int, editions: int) -> None:
        self._each = max(1, round(count / editions))
        self._taken: Counter[tuple[object, ...]] = Counter()

    def wants(self, edition: str, theme: Theme, phase: int) -> bool:
        """Whether another one of that sort is wanted."""
        return (
            self._taken[edition,] < self._each
            and self._taken[edition, theme] < -(-self._each // 5)
            and self._taken[edition, "Phase", phase] < -(-self._each // 7)
        )

    def take(self, edition: str, theme: Theme, phase: int) -> None:
        """Count one."""
        self._taken.update([(edition,), (edition, theme), (edition, "Phase", phase)])

    def full(self, edition: str) -> bool:
        """Whether there are enough of an edition."""
        return self._taken[edition,] >= self._each


def find_puzzles(editions: tuple[str, ...], quotas: Quotas, seed: int = 0) -> Iterator[Puzzle]:
    """Search games until there are enough. They are not numbered yet."""
    number = seed
    while any(not quotas.full(edition) for edition in editions):
        for edition in editions:
            if not quotas.full(edition):
                for players in PLAYERS:
                    yield from search_game(edition, players, number, quotas)
        number += 1


def search_game(edition: str, players: int, number: int, quotas: Quotas) -> Iterator[Puzzle]:
    """The puzzles in one game of sharp players."""
    game = KernelGame(edition, players, seed=number, dealer=number % players + 1)
    twin = Game(edition, players=players, seed=number, dealer=number % players + 1)
    last = 0
    while game.winner is None:
        hand = game.hand
        sharp = game.choose_seeded(POLICIES["sharp"], number)
        casual = game.choose_seeded(POLICIES["casual"], number)
        if sharp != casual and hand != last:
            puzzle = _look(twin.view(), sharp, casual, number, quotas)
            if puzzle is not None:
                last = hand  # one from each hand: no two that are alike
                yield puzzle
        twin.play(game.action(sharp))
        game.step(sharp)


def _look(view: View, sharp: int, casual: int, seed: int, quotas: Quotas) -> Puzzle | None:
    """The puzzle that a position is, if it is one."""
    board = view.board
    assert board is not None, "it is somebody's turn"
    edition, seats = view.rules.edition.name, view.sheet.seats
    phase = board.made[board.turn - 1] or open_phases(view.rules, view.sheet, board.turn)[0]
    game = game_of(view)
    tempting = game.action(casual)
    theme = theme_of(view, game.action(sharp), tempting)
    if board.reshuffles or not quotas.wants(edition, theme, phase):
        return None
    least = LEAST_GAP * 2 / seats
    first = measure(view, [sharp, casual], FIRST_LOOK, seed)
    if first.best or first.gap < max(least / 2, first.error):
        return None
    text = format_position(view)
    known = parse_position(text)
    assert isinstance(known, View), "a seat's view is written and read as one"
    numbers = list(dict.fromkeys([sharp, casual, *_numbers(game)]))
    second = measure(known, numbers, SECOND_LOOK, seed)
    best = game.action(numbers[second.best])
    promising = second.gap > max(least / 2, second.error)
    if not promising or best == Discard(WILD) or numbers[second.best] in _casual(game):
        return None
    theme = theme_of(known, best, tempting)
    order = sorted(range(len(numbers)), key=lambda i: second.behind[i])
    near = [i for i in order if i in order[:3] or second.behind[i] <= FAR * second.errors[i]]
    sure = confirm(known, [numbers[i] for i in near], near.index(second.best), least, seed)
    if sure is None or not quotas.wants(edition, theme, phase):
        return None
    gap, worlds = sure
    quotas.take(edition, theme, phase)
    chances = {i: float(second.chances[i]) for i in range(len(numbers))}
    chances |= {i: float(gap.chances[place]) for place, i in enumerate(near)}
    order.sort(key=lambda i: -chances[i])
    return Puzzle(
        number=0,
        position=text,
        theme=theme,
        edition=edition,
        players=seats,
        phase=phase,
        answer=best.text,
        tempting=tempting.text,
        chances=tuple((game.action(numbers[i]).text, chances[i]) for i in order),
        gap=gap.gap,
        error=gap.error,
        worlds=worlds,
    )


def confirm(
    view: View, numbers: list[int], best: int, least: float, seed: int
) -> tuple[Gap, int] | None:
    """What the trials say with another seed, if both say clearly that this action is best; and the worlds."""
    for worlds in WORLDS:
        one = measure(view, numbers, worlds, seed + 10**6)
        if one.best != best or one.gap < 0.75 * least:
            return None
        if one.gap < ERRORS / 2 * one.error:
            return None  # four times the worlds halve the error: that would not be enough
        if not one.is_clear:
            continue
        other = measure(view, numbers, worlds, seed + 2 * 10**6)
        if other.best == best and other.is_clear:
            return other, worlds
    return None


def measure(view: View, numbers: list[int], worlds: int, seed: int) -> Gap:
    """Try actions in the same worlds."""
    game = game_of(view)
    seats = view.sheet.seats
    prices = stakes_for(view.rules, seats).prices(view.sheet)
    state = game.save()[:-CHANCE_BYTES] + bytes(CHANCE_BYTES)
    outlook = Outlook(game.setup.layout, state, seed, prices.worth, prices.points)
    values = np.empty((worlds, len(numbers), seats))
    outlook.imagine(np.array([[n] for n in numbers], np.int32), 0, values)
    assert view.seat is not None, "a seat's view"
    own = values[:, :, view.seat - 1]
    means = own.mean(axis=0)
    best = int(means.argmax())
    gaps = own[:, best, None] - own
    mean, error = gaps.mean(axis=0), gaps.std(axis=0) / sqrt(worlds)
    others = [i for i in range(len(numbers)) if i != best]
    nearest = min(others, key=lambda i: mean[i] - ERRORS * error[i])
    return Gap(best, float(mean[nearest]), float(error[nearest]), means, mean, error)


def _numbers(game: KernelGame) -> list[int]:
    """All legal actions, but of many ways to lay the first."""
    return [n for n in game.legal() if n < game.setup.layout.a_lay + MOST_LAYS]


def _casual(game: KernelGame) -> list[int]:
    """What a casual player may do."""
    choices = [game.choose_seeded(POLICIES["casual"], seed) for seed in range(CASUAL_TRIES)]
    return list(dict.fromkeys(choices))
