"""A word on one move: what it says, when it says nothing, and that it knows no more than the player."""

import random

import pytest

from phaseten.analysis.remarks import remark_on
from phaseten.bots.ladder import make_bot
from phaseten.game import Game
from phaseten.rules.actions import Action
from phaseten.rules.views import seen_by
from phaseten.table.advice import Remark
from phaseten.table.coaching import LEAST_REMARK
from tests.analysis.mistakes import BETTER, MISTAKE, POSITION


def remark(game: Game, action: Action) -> Remark | None:
    view = game.view()
    return remark_on(view, seen_by(game.play(action)[0], view.seat))


def test_a_mistake_gets_a_word_and_what_was_better_gets_none() -> None:
    found = remark(Game.from_position(POSITION, seed=1), MISTAKE)
    assert found is not None
    assert (found.played, found.better) == (MISTAKE, BETTER)
    assert 0.03 < found.loss < 0.06
    assert found.reasons
    assert remark(Game.from_position(POSITION, seed=1), BETTER) is None


def test_unseen_cards_make_no_difference() -> None:
    """Each seed deals what the player does not see anew."""
    words = [remark(Game.from_position(POSITION, seed=seed), MISTAKE) for seed in (1, 2, 3)]
    assert words[0] is not None
    assert words[1:] == words[:1] * 2


@pytest.mark.parametrize("edition", ["express", "anniversary"])
def test_every_move_of_a_game_can_be_judged(edition: str) -> None:
    game = Game(edition, ["Ana", "Beto", "Carla"], seed=3, variant="phases=2")
    rng = random.Random(2)
    rookie = make_bot("rookie", seed=1)
    said = 0
    for _ in range(80):
        if game.is_over:
            break
        action = (
            rng.choice(game.legal_actions()) if rng.random() < 0.2 else rookie.choose(game.view())
        )
        found = remark(game, action)
        if found is not None:
            said += 1
            assert found.loss >= LEAST_REMARK
            assert found.better != found.played
    assert said
