# pyright: reportMissingTypeStubs=false
"""PettingZoo: every seat is an agent, and the one on turn acts (AEC).

>>> from phaseten.envs import phaseten_v0
>>> env = phaseten_v0.env("express", players=3)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     mask = observation["action_mask"]
...     env.step(None if over else env.action_space(agent).sample(mask))
>>> env.agents
[]
"""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from numpy.typing import NDArray

from phaseten.envs.extra import missing
from phaseten.envs.single import observation_space
from phaseten.envs.table import Length, Reward, Table, Terms
from phaseten.kernel.game import Game
from phaseten.rules.options import Rules

try:
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
except ModuleNotFoundError as error:
    raise missing(error) from error


class Seen(TypedDict):
    """What an agent sees. Who is not on turn has an empty mask."""

    observation: NDArray[np.int16]
    action_mask: NDArray[np.int8]


def env(edition: str | Rules = "classic", **choices: Any) -> AECEnv[str, Any, Any]:
    """The environment with PettingZoo's usual wrappers: an illegal action loses, a wrong order raises.

    ``choices`` are those of :class:`PhasetenTable`.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(edition, **choices), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def raw_env(edition: str | Rules = "classic", **choices: Any) -> PhasetenTable:
    """The environment alone: an illegal action raises."""
    return PhasetenTable(edition, **choices)


def parallel_env(edition: str | Rules = "classic", **choices: Any) -> ParallelEnv[str, Any, Any]:
    """The same by PettingZoo's parallel interface.

    One plays after the other: of the actions given only that of the agent on turn is looked at, who is
    named in ``infos[...]["active_agent"]`` from the first step on.
    """
    return turn_based_aec_to_parallel(env(edition, **choices))


class PhasetenTable(AECEnv[str, Any, Any], EzPickle):
    """A table of learners: ``player_0`` sits in seat 1, and so on clockwise."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - so it stands in PettingZoo
        "name": "phaseten_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(  # noqa: PLR0913 - a table has that many things to choose, by name
        self,
        edition: str | Rules = "classic",
        *,
        players: int = 2,
        variant: str = "standard",
        house: tuple[str, ...] = (),
        episode: Length = "game",
        reward: Reward = "win",
        most_actions: int = 0,
        render_mode: str | None = None,
    ) -> None:
        what: dict[str, Any] = {
            "players": players,
            "variant": variant,
            "house": house,
            "episode": episode,
            "reward": reward,
            "most_actions": most_actions,
        }
        EzPickle.__init__(self, edition, **what, render_mode=render_mode)
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is None or 'ansi', not {render_mode!r}")
        self.table = Table(Terms.of(edition, **what))
        self.render_mode = render_mode
        self.possible_agents = [f"player_{i}" for i in range(players)]
        self.agents = []
        self._chance, _ = seeding.np_random()
        actions = self.game.actions
        seen: dict[str, spaces.Space[Any]] = {
            "observation": observation_space(self.table.size),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
        self.observation_spaces = {who: spaces.Dict(seen) for who in self.possible_agents}
        self.action_spaces = {who: spaces.Discrete(actions) for who in self.possible_agents}

    @property
    def game(self) -> Game:
        """The game as the kernel has it: to look at, and to name actions."""
        return self.table.game

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - there are none
        """Begin an episode; with a seed, or in the middle of one, a new game."""
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        self.table.begin(self._chance, anew=seed is not None)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self._on_turn()

    def observe(self, agent: str) -> Seen:
        seat = self.possible_agents.index(agent) + 1
        mask = self.table.mask()
        if seat != self.table.turn:
            mask[:] = 0
        return {"observation": self.table.observe(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The action of the agent on turn; None from one whose episode is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < self.game.actions or not self.table.mask()[action]:
            raise ValueError(f"{agent} cannot do {action}: the action mask says what is legal")
        self._cumulative_rewards[agent] = 0.0
        self.table.step(self.game.absolute(int(action)))
        self.rewards = dict(zip(self.agents, map(float, self.table.rewards), strict=True))
        if self.table.turn:
            self.agent_selection = self._on_turn()
        else:
            self.terminations = dict.fromkeys(self.agents, self.table.terminated)
            self.truncations = dict.fromkeys(self.agents, self.table.truncated)
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """The table with everybody's cards, in the mode ``ansi``."""
        return self.table.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""

    def _on_turn(self) -> str:
        return self.possible_agents[self.table.turn - 1]
