"""The strongest bot: tries what could be done in many worlds that agree with what it knows."""

from __future__ import annotations

from math import inf, sqrt
from time import monotonic
from typing import TYPE_CHECKING, Final

import numpy as np

from phaseten.bots.builtin import BuiltIn
from phaseten.bots.deep import learned_choice
from phaseten.kernel.game import LAY_THIS, Game
from phaseten.kernel.players import POLICIES
from phaseten.kernel.players.search import Search
from phaseten.kernel.setup import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

SECONDS: Final = 0.2
"""The time for a move, unless something else is asked for."""
MOST_WORLDS: Final = 2_000
"""More worlds do not change a choice that is still open then: what is left is about the same."""
MOST_DISCARDS: Final = 5
BATCH: Final = 16 if compiled else 1
"""Worlds between two looks at the clock."""
FEWEST_WORLDS: Final = 48
"""Before so many nothing is decided."""
LEAST_EVIDENCE: Final = 8
"""In fewer worlds chance says more than skill, and the first choice stands."""
LEAN: Final = 0.75
"""By how many standard errors another action must seem better than sharp's to be chosen."""
LEARNED_LEAN: Final = 2.5
"""The same where the first choice is deep's, which is worth more than what a few worlds say."""
HOPE: Final = 0.5
"""By how many standard errors another action must seem worse than the first one to be given up."""
DOUBT: Final = 3.0
"""By how many standard errors any action must seem worse than the best to be given up."""


class Master(BuiltIn):
    """Thinks until the choice is clear, or the time or the worlds are used up.

    What it thinks about first is what ``deep`` would do, or ``sharp`` where ``deep`` has not learned the game.
    """

    def __init__(
        self,
        name: str = "master",
        *,
        seed: int = 0,
        seconds: float | None = SECONDS,
        worlds: int = MOST_WORLDS,
    ) -> None:
        super().__init__(name, POLICIES["sharp"], seed)
        self._seconds = seconds
        self._worlds = worlds

    def _decide(self, game: Game) -> tuple[int, bytes]:
        learned = self._learned(game)
        left = inf if self._seconds is None else self._seconds
        end = inf if self._seconds is None else monotonic() + left
        search = Search(game.setup.layout, game.save(), self._next_seed())
        numbers = search.candidates(MOST_DISCARDS)
        lean = LEAN
        # Where one action alone is worth trying, the hand stands still.
        if learned is not None and len(numbers) > 1:
            number, _ = learned
            if number in numbers:
                numbers.remove(number)
            numbers.insert(0, number)
            lean = LEARNED_LEAN
        actions = np.array(numbers, np.int32)
        trials = Trials(len(actions), lean)
        while len(trials.open) > 1 and trials.worlds < self._worlds:
            batch = min(BATCH, self._worlds - trials.worlds)
            values = np.empty((batch, len(trials.open)))
            done = search.run(actions[trials.open], trials.worlds, values, left)
            trials.add(values[:done])
            if end < inf:
                left = end - monotonic()
            if left <= 0:
                break
        choice = int(actions[trials.best()])
        return choice, search.chosen_way() if choice == LAY_THIS else b""

    def _learned(self, game: Game) -> tuple[int, bytes] | None:
        return learned_choice(game)


class Trials:
    """What actions were worth in the worlds so far; action 0 is what one would do without them.

    Tried in the same worlds, actions are compared by their differences world by world. Chance
    makes some of many actions look good, so that one is kept unless another is clearly better.
    """

    def __init__(self, actions: int, lean: float = LEAN) -> None:
        self._lean = lean
        self.open: NDArray[np.intp] = np.arange(actions)
        """The actions that are still tried."""
        self._values: NDArray[np.float64] = np.empty((0, actions))

    @property
    def worlds(self) -> int:
        """In how many worlds they were tried."""
        return len(self._values)

    def add(self, values: NDArray[np.float64]) -> None:
        """Take in further worlds, and give up the actions that will hardly turn out best."""
        self._values = np.vstack((self._values, values))
        if self.worlds < FEWEST_WORLDS:
            return
        keep = self._stands_up_to(int(self._values.mean(axis=0).argmax()), DOUBT)
        if keep[0] and self.open[0] == 0:
            keep &= self._stands_up_to(0, HOPE)
        self.open, self._values = self.open[keep], self._values[:, keep]

    def _stands_up_to(self, column: int, errors: float) -> NDArray[np.bool_]:
        """Which actions seem no worse than that one by so many standard errors."""
        lead, error = self._lead_over(column)
        stands = lead > -errors * error
        stands[column] = True
        return stands

    def best(self) -> int:
        """The number of the action to choose."""
        if self.worlds < LEAST_EVIDENCE:
            return 0
        if self.open[0] != 0:
            return int(self.open[self._values.mean(axis=0).argmax()])
        lead, error = self._lead_over(0)
        return int(self.open[(lead - self._lean * error).argmax()])

    def _lead_over(self, column: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """By how much each action seems better than that one, and the standard error of it."""
        differences = self._values - self._values[:, column, None]
        return differences.mean(axis=0), differences.std(axis=0) / sqrt(self.worlds)
