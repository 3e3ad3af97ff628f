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
from phaseten.kernel.players.network.weights import input_of, load_network, load_sheet_chances
from phaseten.kernel.players.search import Search
from phaseten.kernel.setup import compiled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from phaseten.kernel.players.network.look import Network
    from phaseten.kernel.players.network.sheet_chances import SheetChances

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
"""The same where the first choice is deep's, and sharp players alone play out."""
PUPILS_LEAN: Final = 1.0
"""The same where deep's pupil plays out."""
HOPE: Final = 0.5
"""By how many standard errors another action must seem worse than the first one to be given up."""
PUPILS_HOPE: Final = 1.5
DOUBT: Final = 3.0
"""By how many standard errors any action must seem worse than the best to be given up."""
REHEARSALS: Final = 200
"""In so many worlds sharp players play out first, which takes next to no time."""
TRIED_AGAIN: Final = 3
"""As many actions as seem best then, besides deep's, are tried with its pupil."""
ECHO: Final = 0.7
"""What a lead that sharp players found counts, where one that the pupil found counts 1."""
DISLIKE: Final = 0.0004
"""What an action counts less in chance to win, for each e times that deep likes it less than its choice."""
MOST_DISLIKE: Final = 8 * DISLIKE


class Master(BuiltIn):
    """Thinks until the choice is clear, or the time or the worlds are used up.

    What it thinks about first is what ``deep`` would do, or ``sharp`` where ``deep`` has not learned the game. Where it has,
    sharp players say what else is worth trying, and deep's pupil plays that out.
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
        attempt = Attempt(
            search, np.array(numbers, np.int32), inf if self._seconds is None else self._seconds
        )
        pupil = self._pupil(game) if lean == LEARNED_LEAN else None
        if pupil is None:
            choice = attempt.with_sharp(self._worlds, lean)
        else:
            choice = attempt.with_pupil(self._worlds, dislikes(game, numbers, pupil.edition), pupil)
        return choice, search.chosen_way() if choice == LAY_THIS else b""

    def _learned(self, game: Game) -> tuple[int, bytes] | None:
        return learned_choice(game)

    def _pupil(self, game: Game) -> Players | None:
        """Deep's pupil, where it can play hands out in time."""
        edition = input_of(game.rules, game.players)
        if edition is None or not compiled:
            return None
        return Players(load_network("pupil"), edition, load_sheet_chances())


def dislikes(game: Game, numbers: Sequence[int], edition: int) -> NDArray[np.float64]:
    """What each action counts less, because deep likes it less than the first."""
    layout = game.setup.layout
    liked = dict(load_network().likings(layout, game.save(), edition))
    best = max(liked.values())
    found = [liked.get(n if n < layout.a_lay else LAY_THIS, -inf) for n in numbers]
    return np.minimum(DISLIKE * (best - np.array(found)), MOST_DISLIKE)


class Players(NamedTuple):
    """Who plays hands out: those of a network, with its input for the edition, or sharp players."""

    network: Network | None
    edition: int
    sheets: SheetChances | None
    """Who says what the score sheet is worth then; None: a rule of thumb."""


SHARP_PLAYERS: Final = Players(None, 0, None)


class Attempt:
    """Trying actions, of which the first is what one would do without that, in worlds until time is up."""

    def __init__(self, search: Search, actions: NDArray[np.int32], seconds: float) -> None:
        self._search, self._actions, self._seconds = search, actions, seconds
        self._end = inf if seconds == inf else monotonic() + seconds

    def with_sharp(self, worlds: int, lean: float) -> int:
        """The choice when sharp players play out."""
        trials = Trials(len(self._actions), lean)
        self._run(trials, self._actions, worlds)
        return int(self._actions[trials.best()])

    def with_pupil(self, worlds: int, dislikes: NDArray[np.float64], pupil: Players) -> int:
        """The choice when deep's pupil plays out what sharp players and deep think worth it."""
        sharp = pupil._replace(network=None)
        worth = ECHO * self._rehearse(min(worlds, REHEARSALS), sharp) - dislikes
        others = 1 + np.argsort(-worth[1:], kind="stable")[:TRIED_AGAIN]
        chosen = np.concatenate(([0], others))
        trials = Trials(len(chosen), PUPILS_LEAN, PUPILS_HOPE)
        self._run(trials, self._actions[chosen], worlds, worth[chosen], pupil)
        return int(self._actions[chosen[trials.best()]])

    def _rehearse(self, worlds: int, sharp: Players) -> NDArray[np.float64]:
        """By how much each action seems better than the first when sharp players play out."""
        values = np.zeros((worlds, len(self._actions)))
        done = self._search.run(self._actions, 0, values, self._seconds, *sharp)
        return (values - values[:, :1]).sum(axis=0) / max(done, 1)

    def _run(
        self,
        trials: Trials,
        actions: NDArray[np.int32],
        worlds: int,
        worth: NDArray[np.float64] | None = None,
        players: Players = SHARP_PLAYERS,
    ) -> None:
        """Try what is open in so many worlds, where it is already worth something, until the choice is clear.

        They are others than those of the rehearsal: what luck there brought shall not count twice.
        """
        left = self._left()
        while len(trials.open) > 1 and trials.worlds < worlds:
            values = np.empty((min(BATCH, worlds - trials.worlds), len(trials.open)))
            number = REHEARSALS + trials.worlds
            done = self._search.run(actions[trials.open], number, values, left, *players)
            trials.add(values[:done] if worth is None else values[:done] + worth[trials.open])
            left = self._left()
            if left <= 0:
                break

    def _left(self) -> float:
        """Seconds."""
        return inf if self._end == inf else self._end - monotonic()


class Trials:
    """What actions were worth in the worlds so far; action 0 is what one would do without them.

    Tried in the same worlds, actions are compared by their differences world by world. Chance
    makes some of many actions look good, so that one is kept unless another is clearly better.
    """

    def __init__(self, actions: int, lean: float = LEAN, hope: float = HOPE) -> None:
        self._lean, self._hope = lean, hope
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
            keep &= self._stands_up_to(0, self._hope)
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
