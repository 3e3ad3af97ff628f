"""Trials of one hand: decisions in worlds that their player could not tell apart, and the truth.

A :class:`HandStudy` is plain data that can be sent to another process, worked on there, and sent back:
``for _ in study.improve(worlds)`` goes on until every figure rests on so many worlds, and can be left off
at any point.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from phaseten.analysis.stakes import Prices, stakes_for
from phaseten.analysis.walk import HandWalk, Move
from phaseten.arena.kernel_steps import steps_of
from phaseten.kernel.convert import CHANCE_BYTES
from phaseten.kernel.game import Game, game_of
from phaseten.kernel.players.outlook import Outlook
from phaseten.kernel.setup import setup_for
from phaseten.rules.actions import Action, DrawDeck
from phaseten.rules.events import Event, Seen
from phaseten.rules.options import Rules
from phaseten.rules.state import State
from phaseten.rules.views import View, view_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

DISCARDS: Final = 5
"""So many discards are worth considering, besides all draws and Skips, some hits and ways to lay."""
FEWEST_WORLDS: Final = 32
"""Before so many nothing is given up."""
DOUBT: Final = 3.0
"""By how many standard errors an action must seem worse than the best to be tried no more."""
LEAN: Final = 1.0
"""By how many standard errors an action must seem better than the sharp one to be called better."""
FINE: Final = 0.0005
"""A difference that is known so well is known well enough."""
STUCK: Final = 3
"""After so many reshuffles a hand goes in circles, and nothing is tried any more."""
TRUTHS: Final = 2
"""Worlds for the truth, for every one in which decisions are tried."""
PIECE: Final = 32
"""Trials in a row: about a millisecond. A server's coach has what others leave of a core, and the system asks it to
go only every 4 ms."""


class Weight(NamedTuple):
    """What an action is worth to its player."""

    lead: float
    """By how much it is better than the sharp choice."""
    doubt: float
    """The standard error of its distance from the best."""
    error: float
    """The standard error of its chance to win."""


class Verdict(NamedTuple):
    """What the trials of a decision say so far."""

    best: int
    """Which action seems best."""
    chance: float
    """The chance to win after the sharp choice."""
    weights: tuple[Weight, ...]
    """Of each action."""
    play: NDArray[np.float64]
    """What the choice brought each seat against the sharp one."""
    loss: float
    """What the choice gave away."""
    error: float
    """The standard error of that."""
    par: float
    """What the sharp choice would have given away."""


@dataclass(slots=True)
class Question:
    """A decision: what could be done, and what it was worth in the worlds so far."""

    step: int
    seat: int
    known: bytes
    """The position as far as the seat knew it."""
    actions: tuple[Action, ...]
    """What is tried: the sharp choice first, and what was played."""
    rows: NDArray[np.int32]
    played: int
    open: list[int]
    """The actions that are still tried."""
    values: NDArray[np.float64]
    """The chance of the player to win: a row for each world, a column for each open action."""
    play: NDArray[np.float64]
    """What the choice brought each seat against the sharp one, in all worlds together."""
    given_up: dict[int, Weight] = field(default_factory=dict[int, Weight])
    """Actions that are tried no more, and what they were worth then."""
    settled: bool = False
    """Whether nothing is left to find out."""
    verdict: Verdict | None = None

    @property
    def worlds(self) -> int:
        """In how many worlds it was tried."""
        return len(self.values)

    def add(self, values: NDArray[np.float64]) -> None:
        """Take in further worlds: world, open action, seat."""
        played = self.open.index(self.played)
        self.play = self.play + (values[:, played] - values[:, 0]).sum(axis=0)
        self.values = np.concatenate((self.values, values[:, :, self.seat - 1]))
        self._weigh()

    def _weigh(self) -> None:
        values, root = self.values, sqrt(self.worlds)
        means = values.mean(axis=0)
        best = likely_best(values)
        doubts = (values - values[:, best, None]).std(axis=0) / root
        errors = values.std(axis=0) / root
        weights = dict(self.given_up)
        for column, action in enumerate(self.open):
            lead = float(means[column] - means[0])
            weights[action] = Weight(lead, float(doubts[column]), float(errors[column]))
        loss, par = self._loss_and_par()
        self.verdict = Verdict(
            self.open[best],
            float(means[0]),
            tuple(weights[action] for action in range(len(self.actions))),
            self.play / self.worlds,
            loss,
            float(doubts[self.open.index(self.played)]),
            par,
        )
        if self.worlds >= FEWEST_WORLDS:
            self._give_up(weights, means[best] - means > DOUBT * doubts, doubts)

    def _loss_and_par(self) -> tuple[float, float]:
        """What the choice gave away, and what the sharp one would have.

        Of many actions one always looks better than it is. So the best one is chosen by every other
        world, and what it is better by is read from the rest; then the other way round.
        """
        played = self.open.index(self.played)
        loss = par = 0.0
        for half in (0, 1):
            best = likely_best(self.values[half::2])
            reading = self.values[1 - half :: 2].mean(axis=0)
            par += float(reading[best] - reading[0]) / 2
            loss += float(reading[best] - reading[played]) / 2
        return loss, par

    def _give_up(
        self,
        weights: dict[int, Weight],
        worse: NDArray[np.bool_],
        doubts: NDArray[np.float64],
    ) -> None:
        """Try no more what is clearly worse, nor anything once all that matters is known."""
        keep = [
            column
            for column, action in enumerate(self.open)
            if action in (0, self.played) or not worse[column]
        ]
        fine = self.worlds >= 2 * FEWEST_WORLDS and all(doubts[column] < FINE for column in keep)
        self.settled = fine or len(keep) < 2
        for column, action in enumerate(self.open):
            if column not in keep:
                self.given_up[action] = weights[action]
        self.values = self.values[:, keep]
        self.open = [self.open[column] for column in keep]


def likely_best(values: NDArray[np.float64]) -> int:
    """The column that is best: the first one, the sharp choice, unless another is better by more than noise."""
    leads = values - values[:, :1]
    return int((leads.mean(axis=0) - LEAN * leads.std(axis=0) / sqrt(len(values))).argmax())


@dataclass(slots=True)
class Node:
    """A moment of the true game, valued by playing on from it."""

    step: int
    true: bytes
    row: NDArray[np.int32]
    """What is done first there; -1: nothing, sharp players take over."""
    worlds: int = 0
    total: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    squares: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @property
    def chances(self) -> NDArray[np.float64]:
        """Everybody's chance to win."""
        return self.total / self.worlds

    @property
    def errors(self) -> NDArray[np.float64]:
        """The standard errors of these."""
        spread = np.maximum(self.squares / self.worlds - self.chances**2, 0)
        return np.sqrt(spread / self.worlds)


@dataclass(slots=True)
class HandStudy:
    """One hand, and what is known of it so far."""

    rules: Rules
    seats: int
    prices: Prices
    seed: int
    questions: dict[int, Question] = field(default_factory=dict[int, Question])
    """By their step."""
    chosen: dict[int, Node] = field(default_factory=dict[int, Node])
    """The truth after a decision that is not the sharp one, by its step; before what it draws."""
    dealt: dict[int, Node] = field(default_factory=dict[int, Node])
    """The truth after a deal or a draw, by its step."""
    worlds: int = 0

    def improve(self, worlds: int) -> Iterator[int]:
        """Try on until every figure rests on so many worlds; yields the steps as they improve."""
        for node in (*self.dealt.values(), *self.chosen.values()):
            if node.worlds < TRUTHS * worlds:
                self._value(node, TRUTHS * worlds)
                yield node.step
        for question in self.questions.values():
            if question.worlds < worlds and not question.settled:
                self.settle(question, worlds)
                yield question.step
        self.worlds = max(self.worlds, worlds)

    def outlook(self, state: bytes, seed: int | None = None) -> Outlook:
        """Trials from a position of this hand."""
        layout = setup_for(self.rules, self.seats).layout
        chosen = self.seed if seed is None else seed
        return Outlook(layout, state, chosen, self.prices.worth, self.prices.points)

    def _value(self, node: Node, worlds: int) -> None:
        values = np.empty((worlds - node.worlds, 1, self.seats))
        _in_pieces(self.outlook(node.true).foresee, node.row, node.worlds, values)
        if not node.worlds:
            node.total, node.squares = np.zeros(self.seats), np.zeros(self.seats)
        node.total += values[:, 0].sum(axis=0)
        node.squares += (values[:, 0] ** 2).sum(axis=0)
        node.worlds = worlds

    def settle(self, question: Question, worlds: int) -> None:
        """Try one decision in so many worlds, or until nothing is left to find out."""
        outlook = self.outlook(question.known)
        while question.worlds < worlds and not question.settled:
            count = min(worlds, max(FEWEST_WORLDS, 2 * question.worlds)) - question.worlds
            values = np.empty((count, len(question.open), self.seats))
            rows = question.rows[question.open]
            _in_pieces(outlook.imagine, rows, question.worlds, values)
            question.add(values)


def _in_pieces(
    try_out: Callable[[NDArray[np.int32], int, NDArray[np.float64]], None],
    rows: NDArray[np.int32],
    first: int,
    values: NDArray[np.float64],
) -> None:
    """Try the rows in all these worlds, and let whoever else waits for this core have it in between."""
    worlds = max(1, PIECE // len(rows))
    for begin in range(0, len(values), worlds):
        try_out(rows, first + begin, values[begin : begin + worlds])
        if sys.platform != "win32":
            os.sched_yield()


def study_hand(hand: HandWalk, seed: int = 0) -> HandStudy:
    """What is to be found out about a hand."""
    rules, seats = hand.start.rules, hand.start.sheet.seats
    prices = stakes_for(rules, seats).prices(hand.start.sheet)
    study = HandStudy(rules, seats, prices, seed)
    study.dealt[hand.step] = _node(hand.step, hand.start)
    for move in hand.moves:
        board = move.before.board
        assert board is not None, "a move is made in a hand"
        if board.reshuffles >= STUCK:
            continue
        question = ask(move, study)
        if question is not None:
            study.questions[move.step] = question
            if question.played:
                _note_choice(study, move, question)
        if move.drawn is not None:
            study.dealt[move.step] = _node(move.step, move.after)
    return study


def _note_choice(study: HandStudy, move: Move, question: Question) -> None:
    """The truth after a choice that is not the sharp one; a hand that is over needs no trial."""
    if isinstance(move.action, DrawDeck):
        row = question.rows[question.played : question.played + 1]
        study.chosen[move.step] = _node(move.step, move.before, row)
    elif move.after.board is not None:
        study.chosen[move.step] = _node(move.step, move.after)


def _node(step: int, state: State, row: NDArray[np.int32] | None = None) -> Node:
    convert = setup_for(state.rules, state.sheet.seats).convert
    true = convert.truth(state) + bytes(CHANCE_BYTES)
    return Node(step, true, np.array([[-1]], np.int32) if row is None else row)


def ask(move: Move, study: HandStudy) -> Question | None:
    """The decision that a move was, if there was something to decide."""
    view = view_of(move.before, move.seat)
    return ask_about(view, move.action, move.events[0], study, move.step)


def ask_about(
    view: View, action: Action, event: Event | Seen, study: HandStudy, step: int = 0
) -> Question | None:
    """The decision of somebody who knew that much: the action, and its first event."""
    game = game_of(view)
    rows = [[number] for number in study.outlook(game.save()).candidates(DISCARDS)]
    played = steps_of(game, event)
    if played not in rows:
        rows.append(played)
    if len(rows) < 2:
        return None
    actions = [action if row == played else game.action(row[0]) for row in rows]
    return pose(game, step, rows, actions, rows.index(played))


def pose(
    game: Game, step: int, rows: list[list[int]], actions: Sequence[Action], played: int
) -> Question:
    """Ask what these actions are worth to the seat on turn; each is done by a row of numbers."""
    longest = max(map(len, rows))
    padded = np.array([row + [-1] * (longest - len(row)) for row in rows], np.int32)
    assert game.turn is not None, "there is something to decide while a hand is going on"
    return Question(
        step,
        game.turn,
        game.save(),
        tuple(actions),
        padded,
        played,
        list(range(len(rows))),
        np.empty((0, len(rows))),
        np.zeros(game.players),
    )
