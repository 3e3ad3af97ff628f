"""A bot knows what a person in its chair knows: exchange cards that the seat cannot see, and a bot
with the same seed makes the same choice.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import get_type_hints

import pytest

from phaseten.bots.bot import Bot
from phaseten.bots.builtin import BuiltIn
from phaseten.bots.ladder import LADDER, make_bot
from phaseten.bots.master import Master
from phaseten.bots.peeker import Peeker
from phaseten.kernel import Game
from phaseten.rules.actions import Action
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.state import State
from phaseten.rules.views import View, view_of
from tests.bots.positions import QUICK, quick_bots, some_states
from tests.effort import LONG
from tests.kernel.positions import games_in_the_middle
from tests.kernel.twins import RARE, play
from tests.laws.games import Setup, law, random_setup
from tests.laws.test_leaks import exchanged, hidden_places


@pytest.mark.parametrize("kind", [BuiltIn, Master])
def test_a_bot_is_given_a_view_and_nothing_else(kind: type[Bot]) -> None:
    assert get_type_hints(kind.choose) == {"view": View, "return": Action}


# -- from the states of the rules ----------------------------------------------------------------


def choices(state: State, seed: int) -> list[Action]:
    """What fresh bots of every rung do."""
    assert state.board is not None
    view = view_of(state, state.board.turn)
    return [bot.choose(view) for bot in quick_bots(seed)]


def mixed(state: State, rng: random.Random) -> State:
    """The state with all cards that the seat on turn cannot see in another order."""
    assert state.board is not None
    places = hidden_places(state, state.board.turn)
    for place in places:
        state = exchanged(state, place, rng.choice(places))
    return state


def is_fair(state: State, rng: random.Random) -> None:
    """Nothing that is hidden from the seat on turn changes what the bots choose for it."""
    assert state.board is not None
    seed = rng.getrandbits(64)
    before = choices(state, seed)
    places = hidden_places(state, state.board.turn)
    if len(places) > 1:
        one, other = rng.sample(places, 2)
        assert choices(exchanged(state, one, other), seed) == before
    assert choices(mixed(state, rng), seed) == before


@law(60)
def test_exchanging_hidden_cards_changes_no_choice(setup: Setup) -> None:
    rng = random.Random(setup.seed)
    for state in some_states(setup, rng, 0.1):
        is_fair(state, rng)


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_nor_in_any_edition(name: str) -> None:
    rng = random.Random(name)
    for _ in range(3 if LONG else 1):
        for state in some_states(random_setup(rng, name), rng, 0.2):
            is_fair(state, rng)


# -- in the kernel, where the bots of the arena are asked ----------------------------------------


def differences(choose: Callable[[Game], int], games: int, name: str) -> int:
    """How often a choice is another one after the hidden cards were dealt anew."""
    found = 0
    for game in games_in_the_middle(name, games):
        assert game.turn is not None
        other = game.copy()
        other.resample(game.turn)
        found += choose(other) != choose(game)
    return found


@pytest.mark.parametrize("name", QUICK)
def test_dealing_hidden_cards_anew_changes_no_choice(name: str) -> None:
    seeds = random.Random(name)
    seed = seeds.getrandbits(64)
    assert differences(lambda game: make_bot(name, seed=seed).choose_in(game), 60, name) == 0


def test_nor_where_deeps_pupil_plays_the_masters_hands_out() -> None:
    for players in (2, 3):
        game = Game("classic", players, seed=players)
        for i in range(120):
            if game.turn is None:
                break
            if i % 8 == 5:
                other = game.copy()
                other.resample(game.turn)
                one, same = (
                    make_bot("master@64", seed=i).choose_in(each) for each in (game, other)
                )
                assert one == same
            game.step(game.pick("sharp"))


def test_one_who_peeks_is_found_out_so() -> None:
    assert differences(Peeker(seed=1, tries=20).choose_in, 60, "peeker") > 5


@pytest.mark.parametrize("part", range(3))
def test_a_view_and_the_game_itself_lead_to_the_same_choice(part: int) -> None:
    rng = random.Random(f"same {part}")
    for table in rng.sample(RARE, 8):
        for twins, _ in play(table, 60):
            game, board = twins.game, twins.state.board
            if board is None or rng.random() < 0.85:
                continue
            view = view_of(twins.state, board.turn)
            seed = rng.getrandbits(64)
            for one, other in zip(quick_bots(seed), quick_bots(seed), strict=True):
                assert one.choose(view) == game.action(other.choose_in(game))


@pytest.mark.parametrize("name", QUICK)
def test_nor_does_being_asked_change_the_game(name: str) -> None:
    for game in games_in_the_middle(f"asked {name}", 20):
        before = game.save()
        make_bot(name).choose_in(game)
        assert game.save() == before


# -- the one who sees everything -----------------------------------------------------------------


def test_the_peeker_can_sit_at_no_table() -> None:
    assert not hasattr(Peeker, "choose")
    assert Peeker.name not in LADDER
    with pytest.raises(ValueError, match="there is no bot 'peeker'"):
        make_bot(Peeker.name)


def test_the_peeker_plays_legally() -> None:
    for game in games_in_the_middle("peeks", 40):
        assert Peeker(seed=5, tries=10).choose_in(game) in game.legal()
