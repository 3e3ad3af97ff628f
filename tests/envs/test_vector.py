"""Many games by Gymnasium's vector interface: as its own vector environment of single ones behaves."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

from phaseten.envs import PhasetenEnv, PhasetenVectorEnv
from phaseten.envs.table import Prizes, Reward
from phaseten.kernel import Batch, Sheet

NEXT, SAME, NEVER = AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED
GAMES = 6


def envs_of(mode: AutoresetMode, **choices: Any) -> PhasetenVectorEnv:
    return PhasetenVectorEnv("express", GAMES, autoreset_mode=mode, **choices)


def like_gymnasium(mode: AutoresetMode, **choices: Any) -> SyncVectorEnv:
    return SyncVectorEnv([lambda: PhasetenEnv("express", **choices)] * GAMES, autoreset_mode=mode)


def legal(infos: dict[str, Any], chance: np.random.Generator) -> NDArray[np.int64]:
    """Any legal action; 0 where there is none."""
    mask = infos["action_mask"]
    return (mask * (1 + chance.random(mask.shape))).argmax(axis=1)


def played(envs: VectorEnv[Any, Any, Any], steps: int, seed: int = 3) -> list[tuple[Any, ...]]:
    """What every step gave, and a reset where the mode leaves that to the user."""
    chance = np.random.default_rng(seed)
    seen, infos = envs.reset(seed=seed)
    rows: list[tuple[Any, ...]] = [(seen, infos)]
    for _ in range(steps):
        row = envs.step(legal(infos, chance))
        rows.append(row)
        infos = row[-1]
        over = row[2] | row[3]
        if over.any() and envs.metadata["autoreset_mode"] == NEVER:
            seen, infos = envs.reset(options={"reset_mask": over})
            rows.append((seen, infos))
    return rows


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_spaces_are_those_of_single_environments(mode: AutoresetMode) -> None:
    ours, theirs = envs_of(mode), like_gymnasium(mode)
    for space in (
        "observation_space", "action_space", "single_observation_space", "single_action_space",
    ):  # fmt: skip
        assert getattr(ours, space) == getattr(theirs, space)
    assert ours.num_envs == theirs.num_envs
    assert ours.metadata == theirs.metadata


@pytest.mark.parametrize("mode", AutoresetMode)
def test_what_is_told_has_the_form_of_gymnasiums_own(mode: AutoresetMode) -> None:
    rows, theirs = (
        played(make(mode, opponents="random", most_actions=40), 120)
        for make in (envs_of, like_gymnasium)
    )
    assert form(rows) == form(theirs)


def form(rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    """The kinds of all that was told: types and shapes by place and name."""
    found: dict[str, Any] = {}

    def note(name: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, part in value.items():
                note(f"{name}.{key}", part)
        else:
            found[name] = (value.dtype, value.shape)

    for row in rows:
        for place, value in enumerate(row):
            note(f"{len(row)}:{place}", value)
    # A vector knows no illegal end, and at an end nothing is legal.
    return {
        name: kind
        for name, kind in found.items()
        if not name.endswith("illegal") and not ("final_info" in name and "mask" in name)
    }


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_seed_decides_and_threads_do_not(mode: AutoresetMode) -> None:
    one, same, other = (
        played(envs_of(mode, episode="hand", threads=threads, reward="chance"), 80, seed)
        for threads, seed in ((1, 5), (2, 5), (1, 6))
    )
    assert data_equivalence(one, same, exact=True)
    assert not data_equivalence(one, other)


def test_next_step() -> None:
    envs = envs_of(NEXT, episode="hand", reward="points", opponents="sharp")
    ended = np.zeros(GAMES, np.bool_)
    endings = 0
    for seen, *row, infos in played(envs, 300)[1:]:
        rewards, terminated, truncated = row
        assert not truncated.any()
        assert not terminated[ended].any()  # this step was the reset
        assert not rewards[ended].any()
        assert not infos["action_mask"][terminated].any()
        assert infos["action_mask"][~terminated].any(axis=1).all()
        assert envs.observation_space.contains(seen)
        ended = terminated
        endings += int(terminated.sum())
    assert endings > 50


def test_same_step() -> None:
    envs = envs_of(SAME, episode="game", variant="phases=2", opponents="rookie")
    games = 0
    for seen, rewards, terminated, _, infos in played(envs, 500)[1:]:
        assert infos["action_mask"].any(axis=1).all()
        assert ("final_obs" in infos) == terminated.any()
        if not terminated.any():
            continue
        games += int(terminated.sum())
        assert (infos["_final_obs"] == terminated).all()
        assert (infos["_final_info"] == terminated).all()
        winners = infos["final_info"]["winner"]
        assert ((winners > 0) == terminated).all()
        assert (rewards[terminated] == np.where(winners[terminated] == 1, 1, -1)).all()
        for row in np.flatnonzero(terminated):
            final = infos["final_obs"][row]
            assert envs.single_observation_space.contains(final)
            assert (final != seen[row]).any()
    assert games > 5


def test_without_autoreset_the_user_resets() -> None:
    envs = envs_of(NEVER, most_actions=12, opponents="random")
    chance = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    over = np.zeros(GAMES, np.bool_)
    while not over.any():
        _, _, terminated, truncated, infos = envs.step(legal(infos, chance))
        over = terminated | truncated
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset it by options"):
        envs.step(legal(infos, chance))
    going = envs.batch.states[~over].copy()
    _, infos = envs.reset(options={"reset_mask": over})
    assert (envs.batch.states[~over] == going).all()
    assert infos["action_mask"].any(axis=1).all()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_hands_make_a_game(mode: AutoresetMode) -> None:
    envs = envs_of(mode, episode="hand", opponents="rookie")
    hands: set[int] = set()
    chance = np.random.default_rng(2)
    _, infos = envs.reset(seed=2)
    for _ in range(400):
        _, _, terminated, _, infos = envs.step(legal(infos, chance))
        if mode == NEVER and terminated.any():
            _, infos = envs.reset(options={"reset_mask": terminated})
        hands |= set(np.asarray(envs.batch.sheet().hands).tolist())
    assert hands >= {0, 1, 2, 3}


def test_games_begin_from_a_score_sheet() -> None:
    envs = envs_of(NEXT)
    envs.reset(seed=1, options={"sheet": Sheet(left=[[1, 2]], totals=[[10, 20]])})
    assert {envs.batch.game(number).totals for number in range(GAMES)} == {(10, 20)}


@pytest.mark.parametrize("reward", ["win", "chance", "points"])
def test_single_games_pay_what_batches_pay(reward: Reward) -> None:
    batch = Batch("express", 3, variant="phases=2", games=5, seed=4, reward=reward, threads=1)
    games = [batch.game(number) for number in range(batch.games)]
    prizes = [Prizes(reward, game) for game in games]
    paid = 0
    for _ in range(400):
        actions = batch.pick("casual")
        games = [batch.game(number) for number in range(batch.games)]
        batch.step(actions)
        for number, game in enumerate(games):
            game.deals_itself = False
            if game.step(game.absolute(int(actions[number]))):
                rewards = prizes[number].after_hand(game)
                assert batch.rewards[number] == pytest.approx(rewards, abs=1e-6)
                paid += rewards.any()
                if game.winner:
                    prizes[number] = Prizes(reward, batch.game(number))
            else:
                assert not batch.rewards[number].any()
    assert paid > 10


def test_gymnasium_makes_them_and_wraps_them() -> None:
    made = gymnasium.make_vec(
        "phaseten/Express-v0",
        num_envs=3,
        vectorization_mode="vector_entry_point",
        opponents="rookie",
        variant="phases=2",
    )
    envs = RecordEpisodeStatistics(made)
    chance = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    for _ in range(1_000):
        *_, infos = envs.step(legal(infos, chance))
        if "episode" in infos:
            assert infos["episode"]["r"].min() == -1
            return
    raise AssertionError("no game came to its end")


def test_the_tables_in_text() -> None:
    envs = envs_of(NEXT, render_mode="ansi")
    envs.reset(seed=1)
    texts = envs.render()
    assert texts is not None
    assert len(texts) == GAMES
    assert all(text.startswith("Express, hand 1: Ana is to draw.") for text in texts)
    assert envs_of(NEXT).render() is None


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"opponents": "deep"}, "'deep' does not play in the kernel: choose from random, "),
        ({"opponents": ["rookie", "sharp"]}, "2 players need 1 opponents, not 2"),
        ({"render_mode": "human"}, "None or 'ansi', not 'human'"),
        ({"reward": "money"}, "not 'money'"),
        ({"autoreset_mode": "Always"}, "'Always' is not a valid AutoresetMode"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_said_in_a_sentence(choices: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        PhasetenVectorEnv("express", GAMES, **choices)


def test_an_illegal_action_raises_and_nothing_is_played() -> None:
    envs = envs_of(NEXT)
    envs.reset(seed=1)
    before = envs.batch.states.copy()
    with pytest.raises(ValueError, match="action 2 is not legal in game 0"):
        envs.step(np.full(GAMES, 2))
    assert (envs.batch.states == before).all()
