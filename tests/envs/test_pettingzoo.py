"""Every seat an agent, by PettingZoo's own tests and by what the page promises."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    collect_render_results,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    seed_test,
)

from phaseten.envs import phaseten_v0

SORTS: list[dict[str, Any]] = [
    {"edition": "classic"},
    {"edition": "express", "players": 4, "episode": "hand", "reward": "points"},
    {"edition": "anniversary", "players": 6, "most_actions": 50, "house": ("choose_phase",)},
]

# An observation with a mask is a dictionary, as PettingZoo asks for; its test has a list of its own
# environments for which it does not say so.
with_mask = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
)


@with_mask
@pytest.mark.parametrize("choices", SORTS, ids=str)
def test_pettingzoo_finds_nothing_wrong(choices: dict[str, Any]) -> None:
    api_test(phaseten_v0.env(**choices), num_cycles=300)
    api_test(phaseten_v0.raw_env(**choices), num_cycles=100)


@pytest.mark.parametrize("choices", SORTS, ids=str)
def test_the_seed_decides(choices: dict[str, Any]) -> None:
    seed_test(lambda: phaseten_v0.env(**choices), num_cycles=100)


@pytest.mark.parametrize("choices", SORTS, ids=str)
def test_the_parallel_interface(choices: dict[str, Any]) -> None:
    parallel_api_test(phaseten_v0.parallel_env(**choices), num_cycles=100)
    parallel_seed_test(lambda: phaseten_v0.parallel_env(**choices), num_cycles=100)


@pytest.mark.long
def test_performance(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(phaseten_v0.env("classic"))
    assert "turns per second" in capsys.readouterr().out


def test_the_table_in_text() -> None:
    results = collect_render_results(phaseten_v0.env("express", render_mode="ansi"))
    assert all("Draw pile" in text for text in results)


def test_the_winner_is_paid_and_everybody_is_told() -> None:
    env = phaseten_v0.env("express", players=3)
    chance = np.random.default_rng(1)
    env.reset(seed=1)
    paid: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        assert not truncation
        assert observation is not None
        if termination:
            assert not observation["action_mask"].any()
            paid[agent] = reward
            env.step(None)
        else:
            assert reward == 0
            env.step(chance.choice(np.flatnonzero(observation["action_mask"])))
    assert sorted(paid) == ["player_0", "player_1", "player_2"]
    assert sorted(paid.values()) == [-0.5, -0.5, 1.0]


def test_only_the_agent_on_turn_has_a_mask() -> None:
    env = phaseten_v0.raw_env("classic", players=4)
    env.reset(seed=3)
    for agent in env.possible_agents:
        mask = env.observe(agent)["action_mask"]
        assert mask.any() == (agent == env.agent_selection)
        assert env.infos[agent] == {}


@pytest.mark.parametrize("action", [2, 255, 256, -1, None])
def test_alone_it_raises_where_an_action_is_illegal(action: int | None) -> None:
    env = phaseten_v0.raw_env("classic")
    env.reset(seed=3)
    with pytest.raises(ValueError, match="the action mask says what is legal"):
        env.step(action)


def test_it_can_be_sent_to_another_process() -> None:
    env = pickle.loads(pickle.dumps(phaseten_v0.raw_env("express", players=3)))
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.game.rules.edition.name == "express"
