"""Gymnasium: one learner against opponents that it chooses."""

from __future__ import annotations

from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from phaseten.envs.opponents import Opponents, Seated, check_opponents
from phaseten.envs.table import MOST_SEED, Length, Reward, Table, Terms
from phaseten.kernel.game import Game
from phaseten.rules.options import Rules

Observation = NDArray[np.int16]
Info = dict[str, Any]

LEARNER: Final = 1
"""The learner's seat; who deals first is drawn, so every other seat is as good."""
MOST: Final = 32767
"""The largest number of an observation."""


def observation_space(size: int) -> spaces.Box:
    """So many whole numbers."""
    return spaces.Box(0, MOST, (size,), np.int16)


class PhasetenEnv(gymnasium.Env[Any, Any]):
    """One seat of a game, the others played by ``opponents``: a bot's name, a Bot, or one for each.

    ``info["action_mask"]`` says what is legal. An illegal action ends the episode, pays ``illegal_reward``
    and is told in ``info["illegal"]``; nothing has been played then.

    >>> env = PhasetenEnv("express", opponents="casual", episode="hand", reward="points")
    >>> observation, info = env.reset(seed=7)
    >>> action = env.action_space.sample(info["action_mask"])
    >>> observation, reward, terminated, truncated, info = env.step(action)
    >>> reward, terminated, truncated
    (0.0, False, False)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - so it stands in Gymnasium

    def __init__(  # noqa: PLR0913 - an environment has that many things to choose, by name
        self,
        edition: str | Rules = "classic",
        *,
        players: int = 2,
        opponents: Opponents = "casual",
        variant: str = "standard",
        house: tuple[str, ...] = (),
        episode: Length = "game",
        reward: Reward = "win",
        most_actions: int = 0,
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is None or 'ansi', not {render_mode!r}")
        self.table = Table(
            Terms.of(
                edition,
                players,
                variant=variant,
                house=house,
                episode=episode,
                reward=reward,
                most_actions=most_actions,
            )
        )
        self._seated = Seated(self.table, check_opponents(opponents, players))
        self._illegal_reward = illegal_reward
        self._is_over = True
        self.render_mode = render_mode
        self.observation_space = observation_space(self.table.size)
        self.action_space = spaces.Discrete(self.game.actions)

    @property
    def game(self) -> Game:
        """The game as the kernel has it: to look at, and to name actions."""
        return self.table.game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin an episode; with a seed, or in the middle of one, a new game."""
        super().reset(seed=seed, options=options)
        self._begin(anew=seed is not None)
        while not self.table.turn:  # the hand was over before the learner had a turn
            self._begin(anew=False)
        self._is_over = False
        return self._seen(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, Info]:
        """The learner's action, and those of the others until it is on turn again."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset()")
        if not self.action_space.contains(action := np.int64(action)):
            raise ValueError(f"an action is a number below {self.game.actions}, not {action}")
        if not self.table.mask()[action]:
            self._is_over = True
            return self._seen(), self._illegal_reward, True, False, self._info(illegal=True)
        self._seated.watch(self.game.absolute(int(action)))
        reward = self.table.rewards[LEARNER - 1] + self._let_others_act()
        self._is_over = not self.table.turn
        terminated = self.table.terminated
        return self._seen(), float(reward), terminated, self.table.truncated, self._info()

    def render(self) -> str | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The table with everybody's cards, in the mode ``ansi``."""
        return self.table.text() if self.render_mode == "ansi" else None

    def _begin(self, *, anew: bool) -> None:
        if self.table.begin(self.np_random, anew=anew):
            self._seated.begin(int(self.np_random.integers(MOST_SEED)))
        self._let_others_act()

    def _let_others_act(self) -> float:
        """Until the learner is on turn or the episode is over; what they bring it."""
        reward = 0.0
        while self.table.turn not in (0, LEARNER):
            self._seated.act()
            reward += self.table.rewards[LEARNER - 1]
        return reward

    def _seen(self) -> Observation:
        return self.table.observe(LEARNER)

    def _info(self, *, illegal: bool = False) -> Info:
        return {
            "action_mask": self.table.mask(),
            "illegal": illegal,
            "winner": self.game.winner or 0,
        }
