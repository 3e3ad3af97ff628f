"""The ladder: who stands on it, how they are called, and that a seed decides what they do."""

from __future__ import annotations

import random

import pytest

from phaseten.bots.builtin import BuiltIn
from phaseten.bots.ladder import LADDER, make_bot
from phaseten.bots.master import Master
from phaseten.kernel import Game
from phaseten.kernel.game import game_of
from phaseten.language import language
from phaseten.rules.views import view_of
from tests.bots.positions import QUICK
from tests.kernel.positions import games_in_the_middle


def test_the_rungs_from_the_bottom() -> None:
    assert LADDER == ("rookie", "casual", "sharp", "deep", "master")


@pytest.mark.parametrize(
    "name", [*LADDER, "master@0.05s", "master@1s", "master@0s", "master@0.0s", "master@9999.5s"]
)
def test_a_bot_is_called_what_it_was_asked_for(name: str) -> None:
    assert make_bot(name).name == name


@pytest.mark.parametrize("worlds", [1, 2, 16, 999_999])
def test_a_master_can_be_given_worlds_instead_of_time(worlds: int) -> None:
    bot = make_bot(f"master@{worlds}")
    assert isinstance(bot, Master)
    assert bot.name == f"master@{worlds}"


@pytest.mark.parametrize(
    "name", ["grand", "", "Master", " sharp", "sharp ", "sharp@5", "greedy", "expert", "peeker"]
)
def test_no_such_bot(name: str) -> None:
    with pytest.raises(
        ValueError, match="choose from rookie, casual, sharp, deep, master"
    ) as caught:
        make_bot(name)
    assert repr(name) in str(caught.value)


NO_BUDGETS = (
    "", "0", "s", "-1", "1e3", ".5s", "5.s", "01", " 5", "5ms", "1000000", "10000s", "inf", "infs",
    "1s ", "1\n", "1\u0663", "\u0660.5s",
)  # fmt: skip


@pytest.mark.parametrize("budget", NO_BUDGETS)
def test_no_such_budget(budget: str) -> None:
    name = f"master@{budget}"
    with pytest.raises(
        ValueError, match=r"such as master@0\.05s, or worlds, such as master@100"
    ) as caught:
        make_bot(name)
    assert repr(name) in str(caught.value)


@pytest.mark.parametrize("name", QUICK)
def test_nobody_chooses_when_it_is_not_their_turn(name: str) -> None:
    game = Game("classic", 3, seed=1)
    with pytest.raises(ValueError, match="not this seat's turn"):
        make_bot(name).choose(game.view(1))
    with pytest.raises(ValueError, match="not this seat's turn"):
        make_bot(name).choose(view_of(game.state_now(), None))


@pytest.mark.parametrize("name", QUICK)
def test_nobody_chooses_when_the_game_is_over(name: str) -> None:
    game = Game("express", 2, seed=6)
    while game.winner is None:
        game.step(game.pick())
    with pytest.raises(ValueError, match="hand"):
        make_bot(name).choose_in(game)


# -- seeds ---------------------------------------------------------------------------------------


def diary(bots: list[BuiltIn], seed: int, most: int) -> list[int]:
    """What bots of these seeds do in a game."""
    game = Game("classic", len(bots), seed=seed)
    done: list[int] = []
    while game.turn is not None and len(done) < most:
        done.append(bots[game.turn - 1].choose_in(game))
        game.step(done[-1])
    return done


def pair(name: str, *seeds: int) -> list[BuiltIn]:
    return [make_bot(name, seed=seed) for seed in seeds]


@pytest.mark.parametrize("name", QUICK)
def test_the_same_seeds_play_the_same_game(name: str) -> None:
    most = 100 if "@" in name else 400
    assert diary(pair(name, 3, 4), 1, most) == diary(pair(name, 3, 4), 1, most)


@pytest.mark.parametrize("name", QUICK)
def test_the_same_views_are_answered_alike(name: str) -> None:
    one, same = make_bot(name, seed=9), make_bot(name, seed=9)
    for game in games_in_the_middle(f"alike {name}", 25):
        assert game.turn is not None
        view = game.view(game.turn)
        assert one.choose(view) == same.choose(view)


def test_rookies_of_other_seeds_play_other_games() -> None:
    games = {tuple(diary(pair("rookie", seed, -seed), 1, 60)) for seed in range(1, 11)}
    assert len(games) == 10


def test_a_rookie_asked_again_may_change_its_mind() -> None:
    """Otherwise two could go in circles."""
    rookie = make_bot("rookie")
    game = Game("classic", 2, seed=1)
    game.step(0)
    view = game.view(game.turn or 0)
    assert len({rookie.choose(view) for _ in range(100)}) > 1


@pytest.mark.parametrize("seed", [0, -1, 2**64, 10**40, -(10**40)])
@pytest.mark.parametrize("name", QUICK)
def test_any_number_is_a_seed(name: str, seed: int) -> None:
    game = Game("classic", 2, seed=1)
    assert make_bot(name, seed=seed).choose_in(game) in game.legal()


# -- reasons -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", QUICK)
def test_everybody_explains_every_choice_in_one_or_two_sentences(name: str) -> None:
    rng = random.Random(name)
    bot, speech = make_bot(name, seed=rng.getrandbits(64)), language("en")
    for game in games_in_the_middle(f"explains {name}", 30):
        assert game.turn is not None
        view = game.view(game.turn)
        action = bot.choose(view)
        reasons = bot.explain(view, action)
        assert 1 <= len(reasons) <= 2
        assert all(speech.reason(reason).endswith((".", "!")) for reason in reasons)
        assert bot.explain(view, action) == reasons
        assert game_of(view).legal() == game.legal()
