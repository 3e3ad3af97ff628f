"""What each action is worth: the chance to win the game after it, as far as a seat can know.

Every legal action is tried in the same imagined worlds, which agree with all that the seat has
seen, and the hand is played out in each by sharp players. This is how ``master`` thinks at first, without
giving up actions early. What the score sheet is worth then says a network that has seen many, where ``deep`` has
learned the game, and a rule of thumb elsewhere.

>>> from phaseten import Game
>>> game = Game("classic", ["Ana", "Beto"], seed=7)
>>> best, other = evaluate(game.view(), worlds=200)
>>> sorted([best.action.text, other.action.text]), best.chance >= other.chance, best.error < 0.01
(['D', 'P'], True, True)
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from phaseten.kernel.game import game_of
from phaseten.kernel.players.network.weights import input_of, load_sheet_chances
from phaseten.kernel.players.search import Search
from phaseten.kernel.setup import compiled
from phaseten.rules.actions import Action
from phaseten.rules.mistakes import expect
from phaseten.rules.views import View

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORLDS: Final = 500
"""In how many worlds actions are tried unless something else is asked for."""
MOST_LAYS: Final = 60
"""So many ways to lay a Phase are tried: with many Wilds there can be thousands."""
_PART: Final = 64
"""Worlds tried in one go."""


class Evaluation(NamedTuple):
    """What an action is worth."""

    action: Action
    chance: float
    """The chance to win the game, from 0 to 1."""
    error: float
    """The standard error of that chance."""


def evaluate(view: View, *, worlds: int = WORLDS, seed: int = 0) -> list[Evaluation]:
    """Each legal action of the seat on turn with its chance to win, the best first.

    The same view, ``worlds`` and ``seed`` give the same figures. Twice the precision takes four
    times the worlds. Where a Phase can be laid in more than 60 ways, the first 60 are tried.
    """
    expect(view, View, "what a seat sees, such as game.view(),")
    if expect(worlds, int, "a number of worlds") < 1:
        raise ValueError("actions are tried in one world at least")
    game = game_of(view)
    lays = game.setup.layout.a_lay
    numbers = np.array([n for n in game.legal() if n < lays + MOST_LAYS], np.int32)
    search = Search(game.setup.layout, game.save(), expect(seed, int, "a seed") % 2**64)
    values: NDArray[np.float64] = np.empty((worlds, len(numbers)))
    edition = input_of(game.rules, game.players) if compiled else None
    sheets = None if edition is None else load_sheet_chances()
    for first in range(0, worlds, _PART):
        part = values[first : first + _PART]
        search.run(numbers, first, part, edition=edition or 0, sheets=sheets)
    chances = values.mean(axis=0)
    errors = values.std(axis=0) / sqrt(worlds)
    found = [
        Evaluation(game.action(int(number)), float(chance), float(error))
        for number, chance, error in zip(numbers, chances, errors, strict=True)
    ]
    return sorted(found, key=lambda each: -each.chance)
