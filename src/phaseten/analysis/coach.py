"""The analysis of a game, which can be looked at while it improves.

>>> import phaseten
>>> game = phaseten.Game("express", seed=1, variant="phases=1")
>>> bot = phaseten.make_bot("casual")
>>> while not game.is_over:
...     _ = game.play(bot.choose(game.view()))
>>> analysis = analyse(game.record(), worlds=32)
>>> findings = list(analysis)
>>> [round(total.start + total.luck + total.play + total.others - total.result, 9)
...  for total in analysis.report().players]
[0.0, 0.0]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Final

import numpy as np

from phaseten.analysis.findings import Finding
from phaseten.analysis.judging import judge_hand
from phaseten.analysis.report import Report, report_on
from phaseten.analysis.stakes import stakes_for
from phaseten.analysis.trials import FEWEST_WORLDS, HandStudy, study_hand
from phaseten.analysis.walk import Walk, walk
from phaseten.notation.sources import Source
from phaseten.rules.editions import Edition
from phaseten.rules.mistakes import expect

if TYPE_CHECKING:
    from numpy.typing import NDArray

EFFORTS: Final = {"quick": 192, "full": 1536}
"""In how many worlds decisions are tried."""
MOST_WORLDS: Final = 100_000


class Analysis:
    """The analysis of one game: iterate over it to let it work.

    It goes through the game again and again, each time with twice the worlds, and yields every finding
    that it has made or improved. :meth:`findings` and :meth:`report` say at any time what is known so far.
    """

    def __init__(
        self, game: Walk, worlds: int, *, seconds: float | None = None, seed: int = 0
    ) -> None:
        self.game = game
        self.worlds = worlds
        """The worlds it will have tried in the end."""
        self.studies: list[HandStudy] = [study_hand(hand, seed % 2**64) for hand in game.hands]
        """Each hand's trials: plain data, which other processes can work on."""
        self._seconds = seconds
        self._progress = 0.0

    @property
    def progress(self) -> float:
        """How much of the work is done, from 0 to 1."""
        return self._progress

    def __iter__(self) -> Iterator[Finding]:
        end = None if self._seconds is None else monotonic() + self._seconds
        begun = monotonic()
        for worlds in rounds(self.worlds):
            for number, study in enumerate(self.studies):
                for _ in study.improve(worlds):
                    if end is not None and monotonic() >= end:
                        self._progress = 1.0
                        yield from self._of_hand(number)
                        return
                done = self._share(worlds, number)
                if end is not None and self._seconds:
                    done = max(done, (monotonic() - begun) / self._seconds)
                self._progress = min(done, 1.0)
                yield from self._of_hand(number)
        self._progress = 1.0

    def _share(self, worlds: int, number: int) -> float:
        """How much is done after that hand in the round of so many worlds."""
        before = worlds // 2 if worlds > FEWEST_WORLDS else 0
        return (before + (worlds - before) * (number + 1) / len(self.studies)) / self.worlds

    def _of_hand(self, number: int) -> list[Finding]:
        hand, study = self.game.hands[number], self.studies[number]
        return judge_hand(hand, study, self.start(number))

    def start(self, number: int = 0) -> NDArray[np.float64]:
        """Everybody's chance to win before a hand, if all play as sharp players do."""
        hand, study = self.game.hands[number], self.studies[number]
        node = study.dealt[hand.step]
        if hand.dealt or not node.worlds:
            return stakes_for(self.game.rules, self.game.seats).chances(hand.start.sheet)
        return node.chances

    def findings(self) -> list[Finding]:
        """All that is known so far, in the order of the game."""
        return [finding for number in range(len(self.studies)) for finding in self._of_hand(number)]

    def report(self) -> Report:
        """What the game comes to so far."""
        return report_on(self.game, self.start(), self.findings())


def rounds(worlds: int) -> Iterator[int]:
    """How many worlds have been tried after each time through the game."""
    count = FEWEST_WORLDS
    while count < worlds:
        yield count
        count *= 2
    yield worlds


def analyse(
    record: Source,
    *,
    worlds: int = EFFORTS["quick"],
    seconds: float | None = None,
    seed: int = 0,
    find: Callable[[str], Edition] | None = None,
) -> Analysis:
    """Analyse a full record, its text or its file: an iterator of findings, each time improved.

    It ends when decisions have been tried in that many ``worlds``, or after so many ``seconds``. The same
    record, ``worlds`` and ``seed`` give the same figures. ``find`` finds editions by name.
    """
    if not FEWEST_WORLDS <= expect(worlds, int, "a number of worlds") <= MOST_WORLDS or worlds % 2:
        raise ValueError(
            f"decisions are tried in an even number of worlds, {FEWEST_WORLDS} or more"
        )
    return Analysis(walk(record, find), worlds, seconds=seconds, seed=expect(seed, int, "a seed"))
