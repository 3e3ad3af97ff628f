"""Many games side by side, in flat arrays that belong to NumPy, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from phaseten.kernel.batch_core import BatchCore, observation_length
from phaseten.kernel.convert import CHANCE_BYTES
from phaseten.kernel.game import Game
from phaseten.kernel.players import policy_number
from phaseten.kernel.setup import find_setup
from phaseten.rules.options import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Batch:
    """So many games, stepped together. A game that ends starts again by itself.

    Actions are a learner's: seats are counted from the one on turn, and there is one way to lay
    (see :mod:`phaseten.kernel.game`).

    ``states``, ``rewards`` and ``done`` are NumPy arrays over the games' own memory: look at them
    at any time, nothing is copied. Whatever the number of threads, the same seed gives the same
    games. They are not those of ``Game(seed=…)``: for speed, chance is a stream of its own here.
    """

    def __init__(  # noqa: PLR0913 - a batch has that many things to choose, by name
        self,
        rules: str | Rules = "classic",
        players: int = 2,
        *,
        games: int,
        variant: str = "standard",
        house: Iterable[str] = (),
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        if games < 1:
            raise ValueError("a batch has at least one game")
        self.setup = find_setup(rules, players, variant, house)
        self.games = games
        self.players = players
        self.threads = min(threads or os.cpu_count() or 1, games)
        self.actions = self.setup.layout.a_lay + 1
        self.observation_size = observation_length(self.setup.layout)
        self.states: NDArray[np.uint8] = np.zeros((games, self.setup.layout.state_size), np.uint8)
        self.rewards: NDArray[np.float32] = np.zeros((games, players), np.float32)
        self.done: NDArray[np.uint8] = np.zeros(games, np.uint8)
        self._chance = np.zeros(games, np.uint64)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._core = BatchCore(
            self.setup.layout,
            self.states.reshape(-1),
            self._chance,
            self.rewards.reshape(-1),
            self.done,
        )
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Start all games anew."""
        self._spread(self._core.reset, seed & (2**64 - 1))
        self.rewards[:] = 0
        self.done[:] = 0

    def step(self, actions: NDArray[np.int32]) -> None:
        """Carry out one action in every game; nothing is changed when one of them is illegal."""
        actions = _checked(actions, np.int32, (self.games,), "actions")
        bad = [game for game in self._spread(self._core.first_illegal, actions) if game >= 0]
        if bad:
            game = min(bad)
            raise ValueError(f"action {actions[game]} is not legal in game {game}")
        self._spread(self._core.step, actions)

    def play(self, policy: str = "casual", count: int = 1) -> None:
        """Let a built-in policy play so many actions in every game.

        ``rewards`` and ``done`` then tell of the last of them.
        """
        self._spread(self._core.play, policy_number(policy), count)

    def mask(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Which actions are legal: one row of zeros and ones for each game."""
        shape = (self.games, self.actions)
        mask = np.empty(shape, np.uint8) if out is None else _checked(out, np.uint8, shape, "out")
        self._spread(self._core.masks, mask.reshape(-1))
        return mask

    def observe(self, out: NDArray[np.int16] | None = None) -> NDArray[np.int16]:
        """What the seat on turn knows in each game: see :mod:`phaseten.kernel.knowledge`."""
        shape = (self.games, self.observation_size)
        rows = np.empty(shape, np.int16) if out is None else _checked(out, np.int16, shape, "out")
        self._spread(self._core.observe, rows.reshape(-1))
        return rows

    def turns(self) -> NDArray[np.uint8]:
        """The seat on turn in each game, counted from 1."""
        out = np.empty(self.games, np.uint8)
        self._core.turns(out)
        return out + 1

    def game(self, number: int) -> Game:
        """A copy of one of the games, for itself: to look at it, or to name an action."""
        game = Game(self.setup.rules, self.players)
        chance = int(self._chance[number]).to_bytes(8, "little")
        game.restore(self.states[number].tobytes() + chance.ljust(CHANCE_BYTES, b"\0"))
        return game

    def _spread(self, work: Callable[..., Any], *rest: Any) -> list[Any]:
        """Do the work on all games, a part on each thread."""
        if self._pool is None:
            return [work(0, self.games, *rest)]
        edges = [self.games * i // self.threads for i in range(self.threads + 1)]
        parts = [self._pool.submit(work, first, last, *rest) for first, last in pairwise(edges)]
        return [part.result() for part in parts]


Numbers = TypeVar("Numbers", bound=np.generic)


def _checked(
    array: object, dtype: type[Numbers], shape: tuple[int, ...], name: str
) -> NDArray[Numbers]:
    """The array, if it is what is wanted and the kernel can work on it in place."""
    wanted = f"{name} must be an array of {np.dtype(dtype).name} {shape}"
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{wanted}, not {type(array).__name__}")
    given = cast("NDArray[Numbers]", array)
    if given.dtype != dtype or given.shape != shape:
        raise ValueError(f"{wanted}, not {given.dtype} {given.shape}")
    if not given.flags.c_contiguous or not given.flags.writeable:
        raise ValueError(f"{name} must lie in one piece and be writable")
    return given
