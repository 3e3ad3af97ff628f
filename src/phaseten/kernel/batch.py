"""Many games side by side, in flat arrays that belong to NumPy, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from phaseten.kernel.batch_core import BatchCore, observation_length, seeds_from
from phaseten.kernel.convert import CHANCE_BYTES
from phaseten.kernel.game import Game
from phaseten.kernel.planes import planes_of
from phaseten.kernel.players import policy_number
from phaseten.kernel.setup import find_setup
from phaseten.kernel.sharing import Threads
from phaseten.kernel.sheets import Sheet, read_sheet, rows_of
from phaseten.rules.options import Rules

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

EPISODES = ("game", "hand")
REWARDS = ("win", "chance", "points")
YOURS = -1
"""In ``policies``: no built-in player has the seat."""


class Batch:
    """So many games, stepped together. An episode that ends begins anew by itself.

    Actions are a learner's: seats are counted from the one on turn, and there is one way to lay
    (see :mod:`phaseten.kernel.game`).

    All arrays that are attributes lie over the games' own memory: look at them at any time, nothing
    is copied. Whatever the number of threads, the same seed gives the same games. They are not those of
    ``Game(seed=…)``: for speed, chance is a stream of its own here.
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
        episode: str = "game",
        reward: str = "win",
        most_actions: int = 0,
        autoreset: bool = True,
        opponents: Sequence[str | None] | None = None,
        sheets: Sheet | None = None,
    ) -> None:
        """``episode`` is a ``game`` or a ``hand``; it is truncated after ``most_actions`` (0: never).

        ``reward``: ``win`` pays 1 to the winner of a game and -1 to the others together; ``chance``,
        after each hand, by how much the chance to win has changed; ``points`` takes off those of the hand.
        ``opponents`` names a built-in player for each seat, or None for a seat that is yours: they play
        within ``step`` until it is your turn. ``sheets``: new games begin with any row of it.
        """
        if games < 1:
            raise ValueError("a batch has at least one game")
        if most_actions < 0:
            raise ValueError("most_actions must not be below 0, which means: as many as there are")
        self.setup = find_setup(rules, players, variant, house)
        self.games = games
        self.players = players
        self.threads = min(threads or os.cpu_count() or 1, games)
        self.actions = self.setup.layout.a_lay + 1
        """How many there are."""
        self.observation_size = observation_length(self.setup.layout)
        self.planes = planes_of(self.setup.layout)
        """Where each plane of an observation is, by its name."""
        self._make_arrays()
        self.policies[:] = _policies(opponents, players)
        self._all = np.arange(games)
        self._threads = Threads(self.threads)
        self._core = BatchCore(
            self.setup.layout,
            self._arrays(),
            np.empty((0, 2 * players + 2), np.int32)
            if sheets is None
            else rows_of(self.setup, sheets),
            _place(reward, REWARDS, "reward"),
            most_actions,
            _place(episode, EPISODES, "episode") == 1,
            autoreset,
        )
        self.reset(seed)

    def _make_arrays(self) -> None:
        games, players, size = self.games, self.players, self.setup.layout.state_size
        self._states = np.zeros((games, size), np.uint8)
        self._final = np.zeros((games, size), np.uint8)
        self._chance = np.zeros(games, np.uint64)
        self._seeds = np.zeros(games, np.uint64)
        self._totals = np.zeros((games, players), np.int32)
        self._ended = np.zeros((games, 2), np.uint8)
        self.states: NDArray[np.uint8] = _read_only(self._states)
        self.final_states: NDArray[np.uint8] = _read_only(self._final)
        """How the last episode of each game ended."""
        self.rewards: NDArray[np.float32] = np.zeros((games, players), np.float32)
        """Of each seat, in the last step."""
        self.chances: NDArray[np.float32] = np.zeros((games, players), np.float32)
        """Each seat's chance to win by the score sheet with which the hand began."""
        self.lengths: NDArray[np.int32] = np.zeros(games, np.int32)
        """Actions so far in the episode."""
        self.terminated: NDArray[np.bool_] = _read_only(self._ended.view(np.bool_)[:, 0])
        """Whose episode has come to its end in the last step."""
        self.truncated: NDArray[np.bool_] = _read_only(self._ended.view(np.bool_)[:, 1])
        """Whose episode was broken off in the last step."""
        self.policies: NDArray[np.int8] = np.zeros((games, players), np.int8)
        """The number of the built-in player who has the seat, or -1; it can be changed at any time."""

    def _arrays(self) -> list[NDArray[Any]]:
        """The arrays in one dimension, in the order in which the core takes them."""
        arrays = (
            self._states, self._final, self._chance, self._seeds, self.rewards,
            self.chances, self._totals, self._ended, self.lengths, self.policies.view(np.uint8),
        )  # fmt: skip
        return [array.reshape(-1) for array in arrays]

    # -- playing -------------------------------------------------------------------------------

    def reset(
        self,
        seed: int | ArrayLike = 0,
        *,
        games: ArrayLike | None = None,
        sheet: Sheet | None = None,
    ) -> None:
        """Begin new games: all, or those of certain numbers; the others are not touched.

        A whole number as a seed gives every game a seed of its own. An array has one for each: the
        same seed has the same cards in any game, hand by hand, however it is played. The games begin
        with the rows of a score sheet, if there is one, otherwise as those of the batch do.
        """
        chosen = self._chosen(games)
        given = np.asarray(seed)
        if isinstance(seed, int):  # of any size
            seeds = seeds_from(seed & (2**64 - 1), chosen)
        elif given.dtype.kind not in "iu":
            raise ValueError("seeds must be whole numbers")
        elif given.ndim == 0:
            seeds = seeds_from(int(given) & (2**64 - 1), chosen)
        else:
            seeds = seeds_from(0, given.astype(np.uint64))
        if seeds.shape != chosen.shape:
            raise ValueError(f"there must be a seed for each of {len(chosen)} games")
        none = np.empty((0, 2 * self.players + 2), np.int32)
        rows = none if sheet is None else rows_of(self.setup, sheet, len(chosen))
        self._spread(self._core.reset, len(chosen), chosen, seeds, rows)

    def step(
        self,
        actions: NDArray[np.int32],
        *,
        seen: NDArray[np.int16] | None = None,
        seats: ArrayLike | None = None,
        mask: NDArray[np.uint8] | None = None,
    ) -> None:
        """Carry out one action in every game; nothing is changed when one of them is illegal.

        In a game that is over, which can be where ``autoreset`` is off, nothing happens. What
        ``observe`` and ``mask`` would then write can be written in the same go, into these arrays: that is
        faster than to ask for it, most of all with several threads.
        """
        core = self._core
        actions = _checked(actions, np.int32, (self.games,), "actions")
        if seen is not None:
            seen = _checked(seen, np.int16, (self.games, self.observation_size), "seen").reshape(-1)
        if mask is not None:
            mask = _checked(mask, np.uint8, (self.games, self.actions), "mask").reshape(-1)
        looking = self._looking(seats, self.games)
        bad: list[int] = []

        def check(first: int, last: int) -> None:
            game = core.first_illegal(first, last, actions)
            if game >= 0:
                bad.append(game)

        def carry_out(first: int, last: int) -> None:
            if bad:
                return
            core.step(first, last, actions)
            if seen is not None:
                core.observe(first, last, self._states, self._all, looking, seen)
            if mask is not None:
                core.masks(first, last, mask)

        self._threads.share(self.games, check, carry_out)
        if bad:
            raise ValueError(f"action {actions[min(bad)]} is not legal in game {min(bad)}")

    def play(
        self, policy: str = "casual", count: int = 1, *, games: ArrayLike | None = None
    ) -> None:
        """Let a built-in policy play so many actions in every game, or in some.

        ``rewards``, ``terminated`` and ``truncated`` then tell of the last of them.
        """
        chosen = self._chosen(games)
        self._spread(self._core.play, len(chosen), chosen, policy_number(policy), count)

    def pick(
        self,
        policy: str = "sharp",
        *,
        games: ArrayLike | None = None,
        out: NDArray[np.int32] | None = None,
    ) -> NDArray[np.int32]:
        """What a built-in policy would do in each game, or in some; -1 where one is over.

        Nothing is changed by it, not even chance: asked again, it answers the same.
        """
        chosen = self._chosen(games)
        found = _room(out, np.int32, chosen.shape)
        self._spread(self._core.pick, len(chosen), chosen, policy_number(policy), found)
        return found

    # -- looking -------------------------------------------------------------------------------

    def mask(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Which actions are legal: one row of zeros and ones for each game."""
        mask = _room(out, np.uint8, (self.games, self.actions))
        self._spread(self._core.masks, self.games, mask.reshape(-1))
        return mask

    def observe(
        self, out: NDArray[np.int16] | None = None, *, seats: ArrayLike | None = None
    ) -> NDArray[np.int16]:
        """What the seat on turn, or a certain seat, knows: see :mod:`phaseten.kernel.knowledge`.

        ``seats`` count from 1: one for all games, or one for each.
        """
        return self._observe(self._states, self._all, seats, out)

    def final_observations(
        self,
        games: ArrayLike | None = None,
        *,
        seats: ArrayLike | None = None,
        out: NDArray[np.int16] | None = None,
    ) -> NDArray[np.int16]:
        """What a seat, or who acted last, knew when the episodes ended: a row for each of the games.

        They are those of which an episode ended in the last step, or are given.
        """
        ended = self.terminated | self.truncated
        chosen = np.flatnonzero(ended) if games is None else self._chosen(games)
        if not ended[chosen].all():
            raise ValueError("there are final observations only of episodes that ended just now")
        return self._observe(self._final, chosen, seats, out)

    def turns(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """The seat on turn in each game, counted from 1."""
        seats = _room(out, np.uint8, (self.games,))
        self._spread(self._core.turns, self.games, seats)
        return seats

    def sheet(self) -> Sheet:
        """The score sheets with which the hands began."""
        return read_sheet(self.setup, self._states)

    def game(self, number: int) -> Game:
        """A copy of one of the games, for itself: to look at it, or to name an action."""
        game = Game(self.setup.rules, self.players)
        chance = int(self._chance[number]).to_bytes(8, "little")
        game.restore(self._states[number].tobytes() + chance.ljust(CHANCE_BYTES, b"\0"))
        return game

    # -- all, or some --------------------------------------------------------------------------

    def _observe(
        self,
        states: NDArray[np.uint8],
        games: NDArray[np.intp],
        seats: ArrayLike | None,
        out: NDArray[np.int16] | None,
    ) -> NDArray[np.int16]:
        rows = _room(out, np.int16, (len(games), self.observation_size))
        looking = self._looking(seats, len(games))
        self._spread(self._core.observe, len(games), states, games, looking, rows.reshape(-1))
        return rows

    def _looking(self, seats: ArrayLike | None, games: int) -> NDArray[np.uint8]:
        """The seat that looks in each game; none where it is the seat on turn."""
        if seats is None:
            return np.empty(0, np.uint8)
        given = np.asarray(seats)
        if given.dtype.kind not in "iu" or given.shape not in ((), (games,)):
            raise ValueError(f"seats must be one number, or one for each of {games} games")
        if given.size and not 1 <= given.min() <= given.max() <= self.players:
            raise ValueError(f"seats count from 1 to {self.players}")
        return np.ascontiguousarray(np.broadcast_to(given, games), np.uint8)

    def _chosen(self, games: ArrayLike | None) -> NDArray[np.intp]:
        """The numbers of the games that are meant."""
        if games is None:
            return self._all
        chosen = np.asarray(games)
        if chosen.dtype == np.bool_ and chosen.shape == (self.games,):
            return np.flatnonzero(chosen)
        if chosen.size == 0:
            return np.empty(0, np.intp)
        if chosen.dtype.kind not in "iu" or chosen.ndim != 1:
            raise ValueError("games must be a list of numbers of games, or a mask of all of them")
        if chosen.min() < 0 or chosen.max() >= self.games:
            raise ValueError(f"games have the numbers 0 to {self.games - 1}")
        if len(np.unique(chosen)) < len(chosen):
            raise ValueError("no game can be meant twice")
        return np.ascontiguousarray(chosen, np.intp)

    def _spread(self, work: Callable[..., None], count: int, *rest: Any) -> None:
        """Do so much work, in pieces on all threads."""
        self._threads.share(count, lambda first, last: work(first, last, *rest))


Numbers = TypeVar("Numbers", bound=np.generic)


def _room(
    out: NDArray[Numbers] | None, dtype: type[Numbers], shape: tuple[int, ...]
) -> NDArray[Numbers]:
    """An array to write into: the one that is given, or a new one."""
    return np.empty(shape, dtype) if out is None else _checked(out, dtype, shape, "out")


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


def _read_only(array: NDArray[Numbers]) -> NDArray[Numbers]:
    """The same memory, to be looked at."""
    view = array.view()
    view.flags.writeable = False
    return view


def _place(name: str, names: tuple[str, ...], what: str) -> int:
    """Where a name stands among those that there are."""
    if name not in names:
        raise ValueError(f"there is no {what} {name!r}: choose from {', '.join(names)}")
    return names.index(name)


def _policies(names: Sequence[str | None] | None, players: int) -> list[int]:
    """The numbers of the built-in players, seat by seat."""
    if names is None:
        return [YOURS] * players
    if isinstance(names, str) or len(names) != players or None not in names:
        raise ValueError(
            f"opponents must name a player or None for each of {players} seats, and None for yours"
        )
    return [YOURS if name is None else policy_number(name) for name in names]
