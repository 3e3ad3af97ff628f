"""One learner against bots, by Gymnasium's own check and by what the page promises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from phaseten.bots.ladder import make_bot
from phaseten.envs import PhasetenEnv
from phaseten.envs.registration import name_of
from phaseten.rules.actions import Action, DrawNothing
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.options import OptionError
from phaseten.rules.views import View, legal_actions

SORTS: list[dict[str, Any]] = [
    {},
    {"players": 4, "opponents": ["rookie", "sharp", "deep"], "episode": "hand", "reward": "chance"},
    {"players": 3, "reward": "points", "most_actions": 60, "variant": "ten-hands"},
    {"opponents": "random", "house": ("no_rediscard",), "episode": "hand", "reward": "points"},
]


def played(env: PhasetenEnv, steps: int, *, seed: int) -> Iterator[tuple[Any, ...]]:
    """Random legal actions, and what comes of them."""
    chance = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    yield observation, info
    for _ in range(steps):
        action = chance.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        yield observation, reward, terminated, truncated, info
        if terminated or truncated:
            observation, info = env.reset()
            yield observation, info


@pytest.mark.parametrize("edition", BOOK_EDITIONS)
def test_gymnasium_finds_nothing_wrong_with_any_edition(edition: str) -> None:
    check_env(gymnasium.make(name_of(edition), render_mode="ansi").unwrapped)


@pytest.mark.parametrize("choices", SORTS, ids=str)
def test_gymnasium_finds_nothing_wrong_with_any_choice(choices: dict[str, Any]) -> None:
    check_env(gymnasium.make("phaseten/Express-v0", **choices).unwrapped)


@pytest.mark.parametrize("choices", SORTS, ids=str)
def test_the_seed_decides(choices: dict[str, Any]) -> None:
    one, same, other = (
        list(played(PhasetenEnv("express", **choices), 300, seed=seed)) for seed in (5, 5, 6)
    )
    assert data_equivalence(one, same, exact=True)
    assert not data_equivalence(one, other)
    assert any(len(row) == 5 and (row[2] or row[3]) for row in one)


def test_every_observation_is_in_the_space_and_the_mask_is_what_is_legal() -> None:
    env = PhasetenEnv("classic", players=3, opponents="rookie")
    for row in played(env, 400, seed=2):
        assert env.observation_space.contains(row[0])
        mask = row[-1]["action_mask"]
        if env.table.turn:
            legal = {env.game.relative(number) for number in env.game.legal()}
            assert set(np.flatnonzero(mask).tolist()) == legal
            assert env.table.turn == 1
        else:
            assert not mask.any()


def test_the_winner_is_paid() -> None:
    env = PhasetenEnv("express", players=3, opponents=("random", "rookie"))
    teacher = make_bot("sharp")
    rewards: list[float] = []
    env.reset(seed=4)
    while len(rewards) < 8:
        action = env.game.relative(teacher.choose_in(env.game))
        _, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        if terminated:
            assert reward == (1 if info["winner"] == 1 else -0.5)
            rewards.append(reward)
            env.reset()
        else:
            assert (reward, info["winner"]) == (0, 0)
    assert 1 in rewards


def test_points_are_paid_hand_by_hand_and_hands_make_a_game() -> None:
    env = PhasetenEnv("express", opponents="random", episode="hand", reward="points")
    total, hand, won = 0, 0, 0
    for row in played(env, 1_500, seed=1):
        if len(row) == 2:
            assert env.game.hand == (1 if won else hand + 1)
            total, hand = env.game.totals[0], env.game.hand
        elif row[2]:
            assert env.game.totals[0] == total - row[1]
            won = row[-1]["winner"]
        else:
            assert row[1] == 0
    assert total


def test_a_hand_that_is_over_before_the_learners_first_turn_is_no_episode() -> None:
    env = PhasetenEnv("express", opponents="sharp", episode="hand")
    hands: set[int] = set()
    for seed in range(200):
        env.reset(seed=seed)
        assert env.table.turn == 1
        hands.add(env.game.hand)
    assert hands > {1}


def test_a_hand_that_is_left_begins_a_new_game() -> None:
    env = PhasetenEnv("express", episode="hand")
    rows = played(env, 400, seed=3)
    while env.game.hand < 3:
        next(rows)
    env.reset()
    assert env.game.hand == 1
    assert env.game.totals == (0, 0)


def test_an_episode_can_have_an_end() -> None:
    env = PhasetenEnv("classic", opponents="casual", most_actions=25)
    ended = [row for row in played(env, 100, seed=1) if len(row) == 5 and row[3]]
    assert ended
    assert not any(row[2] for row in ended)


def test_an_illegal_action_loses() -> None:
    env = PhasetenEnv("classic", illegal_reward=-3.0)
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    before = env.game.save()
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated, info["illegal"]) == (-3.0, True, False, True)
    assert env.game.save() == before
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(0)
    env.reset()
    with pytest.raises(ValueError, match="a number below 256, not 256"):
        env.step(256)


class Visitor:
    """A bot from outside: it chooses from what it is shown, and lays larger than it must."""

    name = "visitor"

    def __init__(self) -> None:
        self.views: list[View] = []

    def choose(self, view: View) -> Action:
        self.views.append(view)
        return legal_actions(view)[-1]


def test_a_bot_from_outside_is_shown_what_its_seat_saw() -> None:
    visitor = Visitor()
    env = PhasetenEnv("express", players=3, opponents=("rookie", visitor))
    for _ in played(env, 250, seed=6):
        shown = env._seated._shown
        assert shown is not None
        if env.game.turn is not None:
            here, there = env.game.state_now(), shown.state
            assert here.draw_pile == there.draw_pile
            assert here.sheet.totals == there.sheet.totals
            assert here.board is not None
            assert there.board is not None
            assert here.board.discards == there.board.discards
            assert here.board.turn == there.board.turn
    assert len(visitor.views) > 100
    assert {view.seat for view in visitor.views} == {3}
    assert any(view.board is not None and view.board.seen for view in visitor.views)


class Cheat:
    name = "cheat"

    def choose(self, view: View) -> Action:  # noqa: ARG002 - it does not look
        return DrawNothing()


def test_a_bot_that_breaks_the_rules_is_named() -> None:
    env = PhasetenEnv("express", opponents=Cheat())
    with pytest.raises(ValueError, match="cheat played N: "):
        list(played(env, 10, seed=1))


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"opponents": "clever"}, "there is no bot 'clever'"),
        ({"players": 3, "opponents": ["sharp"]}, "3 players need 2 opponents, not 1"),
        ({"episode": "day"}, "a 'hand' or a 'game', not 'day'"),
        ({"reward": "money"}, "not 'money'"),
        ({"most_actions": -1}, "or 0 for no end"),
        ({"render_mode": "human"}, "None or 'ansi', not 'human'"),
        ({"variant": "odd"}, "'odd' is not a variation"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_said_in_a_sentence(choices: dict[str, Any], sentence: str) -> None:
    with pytest.raises((ValueError, OptionError), match=sentence):
        PhasetenEnv("classic", **choices)


def test_the_table_in_text() -> None:
    env = PhasetenEnv("classic", render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None
    assert text.startswith("Classic, hand 1: Ana is to draw.")
    assert PhasetenEnv("classic").render() is None
