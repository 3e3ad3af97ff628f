"""From trials to findings: the figures of one hand, which add up whatever their errors.

Values telescope. The value of a moment is everybody's chance to win when sharp players play on from the true
hands, the draw pile being shuffled. A sharp choice leaves it as it is; any other choice, and every card that
chance brings, has a value before it and one after it. Of the difference that a choice makes, what its player
could know is play, and the rest is luck; all of what a card makes is luck. So the sum of all luck and play is
the difference between the last value, the result, and the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from phaseten.analysis.findings import BySeat, Decision, Finding, Fortune, Option, kind_of
from phaseten.analysis.stakes import stakes_for
from phaseten.analysis.trials import HandStudy, Question, Verdict
from phaseten.analysis.walk import HandWalk, Move
from phaseten.rules.state import open_phases

if TYPE_CHECKING:
    from numpy.typing import NDArray


def judge_hand(hand: HandWalk, study: HandStudy, level: NDArray[np.float64]) -> list[Finding]:
    """The findings of a hand that begins at this value."""
    findings: list[Finding] = []
    judge = _Judge(hand, study, level)
    if hand.dealt:
        findings.append(judge.deal())
    for move in hand.moves:
        findings += judge.move(move)
    return findings


class _Judge:
    """Keeps the value of the moment, and what has not been told of yet."""

    def __init__(self, hand: HandWalk, study: HandStudy, level: NDArray[np.float64]) -> None:
        self._hand = hand
        self._study = study
        self.level = level
        self.error = np.zeros_like(level)

    def deal(self) -> Fortune:
        return self._fortune(self._hand.step, None)

    def move(self, move: Move) -> Iterator[Finding]:
        question = self._study.questions.get(move.step)
        node = self._study.chosen.get(move.step)
        verdict = None if question is None else question.verdict
        play = np.zeros_like(self.level) if verdict is None else verdict.play
        before, self.level = self.level, self.level + play
        if node is not None and node.worlds:
            self.level, self.error = node.chances, node.errors
        if move.after.board is None:
            stakes = stakes_for(self._study.rules, self._study.seats)
            self.level = stakes.chances(move.after.sheet)
            self.error = np.zeros_like(self.level)
        if question is not None and verdict is not None:
            yield self._decision(move, question, verdict, self.level - before - play)
        elif move.after.board is None:
            yield Fortune(
                move.step,
                self._hand.number,
                move.seat,
                None,
                by_seat(self.level - before),
                by_seat(self.error),
                by_seat(self.level),
            )
        if move.step in self._study.dealt:
            yield self._fortune(move.step, move)

    def _fortune(self, step: int, move: Move | None) -> Fortune:
        node = self._study.dealt[step]
        before, doubt = self.level, self.error
        if node.worlds:
            self.level, self.error = node.chances, node.errors
        return Fortune(
            step,
            self._hand.number,
            None if move is None else move.seat,
            None if move is None else move.drawn,
            by_seat(self.level - before),
            by_seat(np.hypot(self.error, doubt)),
            by_seat(self.level),
        )

    def _decision(
        self,
        move: Move,
        question: Question,
        verdict: Verdict,
        luck: NDArray[np.float64],
    ) -> Decision:
        options = options_of(question, verdict)
        board = move.before.board
        assert board is not None, "a decision is made in a hand"
        made = board.made[move.seat - 1]
        phases = open_phases(move.before.rules, move.before.sheet, move.seat)
        return Decision(
            step=move.step,
            hand=self._hand.number,
            seat=move.seat,
            phase=made or phases[0],
            kind=kind_of(options[0].action),
            action=move.action,
            sharp=question.actions[0],
            options=options,
            loss=verdict.loss,
            error=verdict.error,
            par=verdict.par,
            play=by_seat(verdict.play),
            luck=by_seat(luck),
            chances=by_seat(self.level),
            worlds=question.worlds,
        )


def options_of(question: Question, verdict: Verdict) -> tuple[Option, ...]:
    """What was worth considering, the best first."""
    weights = verdict.weights
    best = weights[verdict.best].lead
    order = sorted(range(len(weights)), key=lambda i: (i != verdict.best, -weights[i].lead, i))
    return tuple(
        Option(
            question.actions[i],
            verdict.chance + weights[i].lead,
            weights[i].error,
            best - weights[i].lead,
            weights[i].doubt,
        )
        for i in order
    )


def by_seat(values: NDArray[np.float64]) -> BySeat:
    """The figures as plain numbers."""
    return tuple(float(value) for value in values)
