"""Finding puzzles: games of bots are searched for positions in which one action is clearly best.

A position is a candidate where a casual player does something else than a sharp one, or where a Phase can be laid. It
becomes a puzzle when,
of all legal actions, one is better than every other by more than four standard errors and by a part of
a game that is worth a thought, when worlds of another seed say the same, and when a casual player errs.

Answers that discard a Wild, or do not lay a Phase that could be laid, are left out. Sharp players, who play the
trials out, never do the one and always do the other; so it could look good now only because of what they do later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from phaseten.analysis.puzzles import Puzzle, Theme, theme_of
from phaseten.analysis.stakes import stakes_for
from phaseten.kernel.convert import CHANCE_BYTES
from phaseten.kernel.game import Game as KernelGame
from phaseten.kernel.game import game_of
from phaseten.kernel.players import POLICIES
from phaseten.kernel.players.outlook import Outlook
from phaseten.notation.positions import format_position, parse_position
from phaseten.rules.actions import Action, Discard, LayPhase
from phaseten.rules.cards import WILD
from phaseten.rules.referee import apply_all, deal, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.shuffle import seed_of, seeded
from phaseten.rules.state import State, open_phases
from phaseten.rules.views import View, view_of

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
WORLDS: Final = (256, 1_024)
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
            and self._taken[edition, theme] < -(-self._each // 4)
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
        for place, edition in enumerate(editions):
            if not quotas.full(edition):
                for players in PLAYERS:  # other cards in each: some editions play alike
                    deals = number + 10**6 * (10 * place + players)
                    yield from search_game(edition, players, deals, quotas)
        number += 1


def search_game(edition: str, players: int, number: int, quotas: Quotas) -> Iterator[Puzzle]:
    """The puzzles in one game of sharp players."""
    game = KernelGame(edition, players, seed=number, dealer=number % players + 1)
    hand = Hand(game, number)
    while game.winner is None:
        if game.hand != hand.number:
            hand = Hand(game, number)
        sharp = game.choose_seeded(POLICIES["sharp"], number)
        casual = game.choose_seeded(POLICIES["casual"], number)
        open_question = sharp != casual or sharp >= game.setup.layout.a_lay
        if open_question and not hand.done and _is_promising(game, hand, sharp, casual, quotas):
            puzzle = _look(hand.view(), sharp, casual, number, quotas)
            if puzzle is not None:
                hand.done = True  # one from each hand: no two that are alike
                yield puzzle
        hand.actions.append(game.action(sharp))
        game.step(sharp)


class Hand:
    """A hand of a game that is played in the kernel, and how to see it as ``rules`` does."""

    def __init__(self, game: KernelGame, seed: int) -> None:
        self.number = game.hand
        self.sheet = game.state_now().sheet
        self.actions: list[Action] = []
        self.done = False
        self._rules = game.rules
        self._seed = seed

    def view(self) -> View:
        """What the seat on turn has seen: the hand is dealt and played again by the referee."""
        shuffle = seeded(seed_of(self._seed), "")
        events = deal(
            State(self._rules, self.sheet),
            shuffle(self._rules.edition.deck, self.number, 0),
        )
        assert not isinstance(events, Refusal), events
        state = apply_all(State(self._rules, self.sheet), events)
        for action in self.actions:
            assert state.board is not None, "the hand is going on"
            events = decide(state, state.board.turn, action, shuffle)
            assert not isinstance(events, Refusal), events
            state = apply_all(state, events)
        assert state.board is not None, "the hand is going on"
        return view_of(state, state.board.turn)


def _is_promising(game: KernelGame, hand: Hand, sharp: int, casual: int, quotas: Quotas) -> bool:
    """A first look: whether the casual choice seems worse than the sharp one, and is wanted.

    Both lay a Phase in the same way. There the question is whether another way is better.
    """
    state = game.state_now()
    board, seats = state.board, state.sheet.seats
    assert board is not None, "it is somebody's turn"
    view = view_of(state, board.turn)
    prices = stakes_for(game.rules, seats).prices(hand.sheet)
    outlook = Outlook(game.setup.layout, game.save(), 1, prices.worth, prices.points)
    others = [sharp] if sharp != casual else [n for n in outlook.candidates(2) if n != casual]
    edition, phase, tempting = game.rules.edition.name, phase_of(view), game.action(casual)
    others = [
        number
        for number in others
        if quotas.wants(edition, theme_of(view, game.action(number), tempting), phase)
    ]
    if board.reshuffles or not others:
        return False
    values = np.empty((FIRST_LOOK, 1 + len(others), seats))
    outlook.imagine(np.array([[n] for n in (casual, *others)], np.int32), 0, values)
    leads = values[:, 1:, board.turn - 1] - values[:, :1, board.turn - 1]
    errors = leads.std(axis=0) / sqrt(FIRST_LOOK)
    return bool((leads.mean(axis=0) > np.maximum(LEAST_GAP / seats, errors)).any())


def phase_of(view: View) -> int:
    """The Phase that the seat on turn works on, or has laid."""
    board = view.board
    assert board is not None, "it is somebody's turn"
    return board.made[board.turn - 1] or open_phases(view.rules, view.sheet, board.turn)[0]


def _look(view: View, sharp: int, casual: int, seed: int, quotas: Quotas) -> Puzzle | None:
    """The puzzle that a position is, if it is one."""
    edition, seats = view.rules.edition.name, view.sheet.seats
    phase, game = phase_of(view), game_of(view)
    tempting = game.action(casual)
    least = LEAST_GAP * 2 / seats
    text = format_position(view)
    known = parse_position(text)
    assert isinstance(known, View), "a seat's view is written and read as one"
    numbers = list(dict.fromkeys([sharp, casual, *some_actions(game)]))
    second = measure(known, numbers, SECOND_LOOK, seed)
    best = game.action(numbers[second.best])
    promising = second.gap > max(least / 2, second.error)
    if not promising or best == Discard(WILD) or numbers[second.best] in casual_choices(game):
        return None
    if isinstance(tempting, LayPhase) and not isinstance(best, LayPhase):
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
    return gap_of(values[:, :, view.seat - 1])


def gap_of(own: NDArray[np.float64]) -> Gap:
    """What the values of actions say to whom they are worth that: a row for each world."""
    means = own.mean(axis=0)
    best = int(means.argmax())
    gaps = own[:, best, None] - own
    mean, error = gaps.mean(axis=0), gaps.std(axis=0) / sqrt(len(own))
    others = [i for i in range(own.shape[1]) if i != best]
    nearest = min(others, key=lambda i: mean[i] - ERRORS * error[i])
    return Gap(best, float(mean[nearest]), float(error[nearest]), means, mean, error)


def some_actions(game: KernelGame) -> list[int]:
    """All legal actions, but of many ways to lay the first."""
    return [n for n in game.legal() if n < game.setup.layout.a_lay + MOST_LAYS]


def casual_choices(game: KernelGame) -> list[int]:
    """What a casual player may do."""
    choices = [game.choose_seeded(POLICIES["casual"], seed) for seed in range(CASUAL_TRIES)]
    return list(dict.fromkeys(choices))
