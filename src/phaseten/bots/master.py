"""The strongest bot: tries what could be done in many worlds that agree with what it knows."""

from __future__ import annotations

from math import inf, sqrt
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from phaseten.bots.builtin import BuiltIn
from phaseten.bots.deep import learned_choice
from phaseten.kernel.game import LAY_THIS, Game
from phaseten.kernel.players import POLICIES
from phaseten.kernel.players.network.weights import input_of, load_network
from phaseten.kernel.players.search import Search
from phaseten.kernel.setup import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from phaseten.kernel.players.network.look import Network

    Players = tuple[Network, int]
    """Those of a network: what it is, and its input for the edition."""

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
REHEARSALS: Final = 400
"""In so many worlds sharp players say what deep's players shall try."""
LEARNED_PART: Final = 4
"""Of as many worlds as are allowed, deep's players play out one in so many."""
LEARNED_BATCH: Final = 4
OPINION: Final = 40
"""What sharp players found counts as much as so many worlds in which deep's players play on."""
ECHO: Final = 0.4
"""What is left of a lead that sharp players found when deep's players play on."""
AGREED_LEAN: Final = 0.5
"""By how many standard errors another action must seem better than deep's in the end."""
HOPE: Final = 0.5
"""By how many standard errors another action must seem worse than the first one to be given up."""
DOUBT: Final = 3.0
"""By how many standard errors any action must seem worse than the best to be given up."""


class Master(BuiltIn):
    """Thinks until the choice is clear, or the time or the worlds are used up.

    What it thinks about first is what ``deep`` would do, or ``sharp`` where ``deep`` has not learned the game. Where it has,
    what then seems better is also tried with deep's players.
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
        learned, players = self._learned(game), self._players(game)
        end = inf if self._seconds is None else monotonic() + self._seconds
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
        by_sharp = Attempt(search, actions)
        if learned is None or players is None or self._worlds < FEWEST_WORLDS:
            trials = Trials(len(actions), lean)
            by_sharp.run(trials, self._worlds, end)
        else:
            trials = Trials(len(actions), lean, keeps_first=True)
            rehearsals = min(self._worlds, REHEARSALS)
            by_sharp.run(trials, rehearsals, end)
            if trials.worlds == rehearsals:
                trials = trials.handed_on()
                by_deep = Attempt(search, actions, players, REHEARSALS, LEARNED_BATCH)
                by_deep.run(trials, self._worlds // LEARNED_PART, end)
        choice = int(actions[trials.best()])
        return choice, search.chosen_way() if choice == LAY_THIS else b""

    def _learned(self, game: Game) -> tuple[int, bytes] | None:
        return learned_choice(game)

    def _players(self, game: Game) -> Players | None:
        """Deep's network and its input for the edition, where it can play hands out in time."""
        edition = input_of(game.rules, game.players)
        return None if edition is None or not compiled else (load_network(), edition)


class Attempt(NamedTuple):
    """Where actions are tried, and who plays the hands out there: sharp players, or those of a network."""

    search: Search
    actions: NDArray[np.int32]
    players: Players | None = None
    first: int = 0
    """The number of the first world: nobody begins with worlds in which others played."""
    batch: int = BATCH

    def run(self, trials: Trials, most: int, end: float) -> None:
        """Try what is open in so many worlds, unless the choice is clear before or time is up."""
        network, edition = self.players or (None, 0)
        worlds, left = 0, inf if end == inf else end - monotonic()
        while len(trials.open) > 1 and worlds < most and (left > 0 or not trials.worlds):
            values = np.empty((min(self.batch, most - worlds), len(trials.open)))
            opened = self.actions[trials.open]
            done = self.search.run(opened, self.first + worlds, values, left, network, edition)
            trials.add(values[:done])
            worlds += done
            if end < inf:
                left = end - monotonic()


class Trials:
    """What actions were worth in the worlds so far; action 0 is what one would do without them.

    Tried in the same worlds, actions are compared by their differences world by world. Chance
    makes some of many actions look good, so that one is chosen unless another is clearly better; where others
    than those who tried have the last word (``keeps_first``), it is never given up.
    """

    def __init__(self, actions: int, lean: float = LEAN, *, keeps_first: bool = False) -> None:
        self._lean = lean
        self._keeps_first = keeps_first
        self.open: NDArray[np.intp] = np.arange(actions)
        """The actions that are still tried."""
        self._values: NDArray[np.float64] = np.empty((0, actions))

    @property
    def worlds(self) -> int:
        """In how many worlds they were tried."""
        return len(self._values)

    def handed_on(self) -> Trials:
        """Trials of what seems better than the first action, for other players, who seldom find as much.

        They begin with what was found, as if it had been ``OPINION`` worlds with an ``ECHO`` of the lead.
        """
        lead, _ = self._lead_over(0)
        better = lead > 0
        better[0] = True
        opinion = (self._values - self._values[:, :1])[:OPINION, better]
        trials = Trials(0, AGREED_LEAN, keeps_first=True)
        trials.open = self.open[better]
        trials._values = opinion - opinion.mean(axis=0) + ECHO * lead[better]
        return trials

    def add(self, values: NDArray[np.float64]) -> None:
        """Take in further worlds, and give up the actions that will hardly turn out best."""
        self._values = np.vstack((self._values, values))
        if self.worlds < FEWEST_WORLDS:
            return
        keep = self._stands_up_to(int(self._values.mean(axis=0).argmax()), DOUBT)
        keep[0] |= self._keeps_first
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
