"""Gymnasium: many games side by side, stepped in compiled code on all cores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from phaseten.envs.single import LEARNER, observation_space
from phaseten.envs.table import MOST_SEED, Length, Reward, Terms, text_of
from phaseten.kernel.batch import Batch
from phaseten.kernel.convert import TIED, WINNER
from phaseten.kernel.players import POLICIES
from phaseten.kernel.sheets import Sheet
from phaseten.rules.options import Rules

WORTH_THREADS: Final = 512
"""From so many games on, several threads are faster than one."""
Infos = dict[str, Any]
Step = tuple[NDArray[np.int16], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]


class PhasetenVectorEnv(VectorEnv[Any, Any, Any]):
    """So many games, each with one learner in seat 1 against players of the kernel.

    An illegal action raises, and then nothing has been played in any game.

    >>> envs = PhasetenVectorEnv("express", num_envs=3, opponents="rookie")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(envs.batch.pick("sharp"))
    >>> rewards
    array([0., 0., 0.])
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - so it stands in Gymnasium

    def __init__(  # noqa: PLR0913 - an environment has that many things to choose, by name
        self,
        edition: str | Rules = "classic",
        num_envs: int = 1,
        *,
        players: int = 2,
        opponents: str | Sequence[str] = "casual",
        variant: str = "standard",
        house: tuple[str, ...] = (),
        episode: Length = "game",
        reward: Reward = "win",
        most_actions: int = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is None or 'ansi', not {render_mode!r}")
        self._mode: Final = AutoresetMode(autoreset_mode)
        terms = Terms.of(
            edition,
            players,
            variant=variant,
            house=house,
            episode=episode,
            reward=reward,
            most_actions=most_actions,
        )
        self.batch: Final = Batch(
            terms.rules,
            players,
            games=num_envs,
            threads=threads or (None if num_envs >= WORTH_THREADS else 1),
            episode=episode,
            reward=reward,
            most_actions=most_actions,
            autoreset=self._mode == AutoresetMode.SAME_STEP,
            opponents=(None, *_opponents(opponents, players)),
        )
        self._goes_on: Final = episode == "hand"
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.batch.observation_size)
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    # -- Gymnasium -----------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int16], Infos]:
        """Begin new games, or an episode in those that ``options["reset_mask"]`` marks.

        With ``options["sheet"]`` they begin from score sheets: :class:`phaseten.kernel.sheets.Sheet`.
        """
        super().reset(seed=seed)
        options = options or {}
        mask, sheet = options.get("reset_mask"), options.get("sheet")
        if mask is None:
            self.batch.reset(self._next_seed(), sheet=sheet)
        elif sheet is not None:
            self.batch.reset(self._next_seed(), games=mask, sheet=sheet)
        else:
            self._begin(np.asarray(mask, np.bool_))
        return self._seen(), self._infos(self.batch.mask())

    def step(self, actions: ArrayLike) -> Step:
        """An action in every game, and those of the others until the learner is on turn again."""
        over = self.batch.terminated | self.batch.truncated
        if self._mode == AutoresetMode.DISABLED and over.any():
            raise gymnasium.error.ResetNeeded(
                f"the episode of {np.flatnonzero(over)[0]} is over: reset it by options['reset_mask']"
            )
        seen = np.empty((self.num_envs, self.batch.observation_size), np.int16)
        mask = np.empty((self.num_envs, self.batch.actions), np.uint8)
        self.batch.step(
            np.ascontiguousarray(actions, np.int32), seen=seen, seats=LEARNER, mask=mask
        )
        rewards = self.batch.rewards[:, LEARNER - 1].astype(np.float64)
        if self._mode == AutoresetMode.NEXT_STEP and over.any():
            rewards[over] = 0
            self._begin(over)
            seen, mask = self._seen(), self.batch.mask()
        terminated, truncated = self.batch.terminated.copy(), self.batch.truncated.copy()
        infos = self._infos(mask)
        if self._mode == AutoresetMode.SAME_STEP and (ended := terminated | truncated).any():
            infos |= self._final(ended)
        return seen, rewards, terminated, truncated, infos

    def render(self) -> tuple[str, ...] | None:
        """Every table with everybody's cards, in the mode ``ansi``."""
        if self.render_mode is None:
            return None
        return tuple(text_of(self.batch.game(number)) for number in range(self.num_envs))

    # -- episodes ------------------------------------------------------------------------------

    def _next_seed(self) -> int:
        return int(self.np_random.integers(MOST_SEED))

    def _begin(self, games: NDArray[np.bool_]) -> None:
        """Begin an episode in these games: after a hand the next one, otherwise a new game."""
        states = self.batch.states
        next_hand = (
            games & self.batch.terminated & (states[:, WINNER] == 0) & (states[:, TIED] == 0)
        )
        if self._goes_on and next_hand.any():
            sheet = Sheet(*(np.asarray(part)[next_hand] for part in self.batch.sheet()))
            self.batch.reset(self._next_seed(), games=next_hand, sheet=sheet)
            games = games & ~next_hand
        if games.any():
            self.batch.reset(self._next_seed(), games=games)

    # -- what is told --------------------------------------------------------------------------

    def _seen(self) -> NDArray[np.int16]:
        return self.batch.observe(seats=LEARNER)

    def _infos(self, mask: NDArray[np.uint8]) -> Infos:
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": mask.view(np.int8),
            "_action_mask": everywhere,
            "winner": self.batch.states[:, WINNER].astype(np.int64),
            "_winner": everywhere.copy(),
        }

    def _final(self, ended: NDArray[np.bool_]) -> Infos:
        """How the episodes ended that have begun anew."""
        observations = np.full(self.num_envs, None, object)
        rows = self.batch.final_observations(seats=LEARNER)
        for place, row in zip(np.flatnonzero(ended), rows, strict=True):
            observations[place] = row
        return {
            "final_obs": observations,
            "_final_obs": ended,
            "final_info": {
                "winner": self.batch.final_states[:, WINNER].astype(np.int64) * ended,
                "_winner": ended.copy(),
            },
            "_final_info": ended.copy(),
        }


def _opponents(opponents: str | Sequence[str], players: int) -> list[str]:
    chosen = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
    if len(chosen) != players - 1:
        raise ValueError(f"{players} players need {players - 1} opponents, not {len(chosen)}")
    for name in chosen:
        if name not in POLICIES:
            raise ValueError(
                f"{name!r} does not play in the kernel: choose from {', '.join(POLICIES)}, or make "
                "gymnasium.vector.SyncVectorEnv of single environments"
            )
    return chosen
