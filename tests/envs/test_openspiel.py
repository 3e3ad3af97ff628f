"""The game for OpenSpiel: its own tests, its algorithms, and chance that is a player."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, mcts, outcome_sampling_mccfr
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.random_agent import RandomAgent

from phaseten.envs.openspiel import PhasetenGame
from phaseten.kernel.game import Game
from phaseten.rules.cards import SKIP

HAND = "phaseten(edition=express,episode=hand,reward=points)"
KINDS = [
    HAND,
    "phaseten(episode=hand,reward=chance,players=3,dealer=1)",
    "phaseten(edition=anniversary,players=6,episode=hand,reward=points)",
    "phaseten(edition=express,variant=ten-hands+phases:2,house=no_rediscard+choose_phase)",
]


def played(text: str, seed: int) -> list[Any]:
    """All states of a random game."""
    chance = np.random.default_rng(seed)
    state = pyspiel.load_game(text).new_initial_state()
    states = [state.clone()]
    while not state.is_terminal():
        if state.is_chance_node():
            faces, likely = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(chance.choice(faces, p=likely)))
        else:
            state.apply_action(int(chance.choice(state.legal_actions())))
        states.append(state.clone())
    return states


@pytest.mark.parametrize("text", KINDS)
def test_openspiel_finds_nothing_wrong(text: str) -> None:
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_states_can_be_written_and_read() -> None:
    pyspiel.random_sim_test(pyspiel.load_game(HAND), num_sims=1, serialize=True, verbose=False)
    game = pyspiel.load_game(HAND)
    assert isinstance(game, PhasetenGame)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    state = played(HAND, 3)[40]
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


@pytest.mark.long
def test_several_hands_of_every_edition() -> None:
    for edition in ("classic", "deluxe", "elchavo", "anniversary", "express"):
        game = pyspiel.load_game(f"phaseten(edition={edition},players=4,most_actions=700)")
        pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_a_playthrough_is_the_same_again() -> None:
    one, same = (generate_playthrough.playthrough(HAND, None, seed=5) for _ in range(2))
    assert one == same
    assert "GameType.chance_mode = ChanceMode.EXPLICIT_STOCHASTIC" in one
    assert 'PrivateObservationString(1) = "' in one


# -- chance ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", KINDS)
def test_every_card_that_is_left_is_equally_likely(text: str) -> None:
    for state in played(text, 1):
        game: Game = state.play.game
        if game.turn is not None:
            law = game.state_now()
            assert law.board is not None
            lying = [card for seat in law.board.melds for meld in seat for card in meld.cards]
            held = [card for hand in law.held for card in hand]
            cards = [card.held for card in (*law.draw_pile, *law.board.discards, *held, *lying)]
            lost = Counter(game.rules.edition.deck) - Counter(cards)
            assert set(lost) <= {SKIP}  # which can lie in front of somebody
            assert len(cards) + lost.total() == len(game.rules.edition.deck)
        if state.is_chance_node():
            faces = game.setup.convert.faces
            likely = {faces[face]: chance for face, chance in state.chance_outcomes()}
            assert sum(likely.values()) == pytest.approx(1)
            if game.turn is not None:
                pile = Counter(game.state_now().draw_pile)
                assert likely == {card: n / pile.total() for card, n in pile.items()}


def test_the_pile_is_turned_over_when_it_is_empty() -> None:
    text = "phaseten(players=6,episode=hand)"
    for seed in range(10):
        last = played(text, seed)[-1]
        if any(event.text == "shuffled" for event in last.play.events):
            return
    raise AssertionError("no hand was long enough")


# -- what a player sees ------------------------------------------------------------------------


def test_nobody_sees_what_others_hold() -> None:
    """The law of exchanged cards: another state that a player cannot tell from this one."""
    differs = 0
    for state in played(HAND, 2):
        if state.is_chance_node() or state.is_terminal():
            continue
        player = state.current_player()
        other = state.resample_from_infostate(player, None)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_string(player) == state.observation_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert other.legal_actions() == state.legal_actions()
        differs += other.observation_string(1 - player) != state.observation_string(1 - player)
    assert differs > 10


def test_what_was_seen_is_remembered() -> None:
    states = played(HAND, 4)
    for player in (0, 1):
        told = [state.information_state_string(player) for state in states]
        assert all(later.startswith(now) for now, later in pairwise(told))
        assert "?" in told[-1]
    assert "?" not in str(states[-1])


def test_who_is_paid() -> None:
    last = played("phaseten(edition=express,variant=phases:1,players=3)", 1)[-1]
    assert sorted(last.returns()) == [-0.5, -0.5, 1.0]
    points = played(HAND, 1)[-1]
    assert points.returns() == [-total for total in points.play.game.totals]
    chance = played("phaseten(edition=express,episode=hand,reward=chance,players=3)", 1)[-1]
    assert sum(chance.returns()) == pytest.approx(0)
    assert chance.returns() == pytest.approx([now - 1 / 3 for now in chance.play.game.chances()])
    cut = played("phaseten(most_actions=50)", 1)
    assert cut[-1].returns() == [0, 0]
    assert sum(state.is_player_node() for state in cut) == 50


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("phaseten(players=7)", "2 to 6 players, not 7"),
        ("phaseten(edition=poker)", "there is no edition 'poker'"),
        ("phaseten(reward=money)", "not 'money'"),
        ("phaseten(dealer=3)", "a seat from 1 to 2, or 0"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises((ValueError, pyspiel.SpielError), match=sentence):
        pyspiel.load_game(text)


# -- algorithms --------------------------------------------------------------------------------


def test_search_in_imagined_worlds() -> None:
    game = pyspiel.load_game(HAND)
    state = next(state for state in played(HAND, 6) if state.is_player_node())
    chance = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = ISMCTSBot(
        game=game, evaluator=evaluator, uct_c=2.0, max_simulations=5, random_state=chance
    )
    assert bot.step(state) in state.legal_actions()


def test_regret_minimisation() -> None:
    game = pyspiel.load_game("phaseten(edition=express,episode=hand,most_actions=40)")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    solver.iteration()
    assert solver.average_policy() is not None


def test_agents_that_learn_from_observations() -> None:
    env = rl_environment.Environment(
        pyspiel.load_game(HAND),
        observation_type=rl_environment.ObservationType.OBSERVATION,
    )
    env.seed(1)
    agents = [RandomAgent(player, env.action_spec()["num_actions"]) for player in (0, 1)]
    np.random.seed(1)  # which is what the agents draw from
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([agents[player].step(step).action])
    assert min(step.rewards) < 0
    assert len(step.observations["info_state"][0]) == env.observation_spec()["info_state"][0]
