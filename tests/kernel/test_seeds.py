"""The verifiable shuffle: the same seeds give the same cards in the kernel and in the rules."""

from __future__ import annotations

import pickle
import random

import pytest

import phaseten
from phaseten.kernel import Game
from phaseten.kernel.convert import RESHUFFLES
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.options import Rules
from phaseten.rules.shuffle import seeded
from tests.kernel.twins import make_edition, normal


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_a_seed_deals_the_same_game_as_phaseten_does(name: str) -> None:
    """Whole games, with later hands and reshuffles."""
    hands = 0
    for seed in (7, 0, -1, 2**80):
        fast = Game(name, players=3, dealer=2, seed=seed)
        slow = phaseten.Game(name, ["Ana", "Beto", "Caro"], dealer=2, seed=seed)
        chance = random.Random(seed)
        for _ in range(400):
            if fast.winner is not None:
                break
            assert fast.state_now() == normal(slow.state)
            number = fast.pick(chance.choice(("casual", "random")))
            slow.play(fast.action(number))
            fast.step(number)
        assert fast.totals == slow.state.sheet.totals
        hands += fast.hand
    assert hands > 12


def test_so_do_reshuffles() -> None:
    box = make_edition(phases="set 4, run 5", deal=5, highest=4)
    most = 0
    for seed in range(20):
        fast = Game(Rules(box), players=3, seed=seed)
        slow = phaseten.Game(box, ["Ana", "Beto", "Caro"], seed=seed)
        for _ in range(200):
            if fast.winner is not None:
                break
            number = fast.pick("random")
            slow.play(fast.action(number))
            fast.step(number)
            if fast.turn is not None:
                assert fast.state_now() == normal(slow.state)
                most = max(most, fast.at(RESHUFFLES))
    assert most > 9


def test_a_seed_in_bytes_is_the_server_seed() -> None:
    chance = random.Random(3)
    for _ in range(200):
        seed = chance.randbytes(32)
        game = Game("express", players=2, seed=seed)
        deck = seeded(seed, "")(game.rules.edition.deck, 1, 0)
        assert game.save() == Game("express", players=2, seed=seed, deck=deck).save()


@pytest.mark.parametrize("size", [0, 31, 33])
def test_which_has_32_of_them(size: int) -> None:
    with pytest.raises(ValueError, match=f"32 of them, not {size}"):
        Game("classic", 2, seed=bytes(size))


def next_hand(game: Game) -> bytes:
    """The game as it is after the next deal."""
    game = game.copy()
    hand = game.hand
    while game.hand == hand:
        game.step(game.pick("sharp"))
    return game.save()


def test_the_later_hands_go_along_with_copies_and_saves() -> None:
    game = Game("classic", 2, seed=5)
    then = next_hand(game)
    assert next_hand(game.copy()) == then
    assert next_hand(pickle.loads(pickle.dumps(game))) == then
    other = Game("classic", 2, seed=6)
    other.restore(game.save())
    assert next_hand(other) == then


def test_but_not_with_worlds_that_a_seat_imagines() -> None:
    """They would tell it what is dealt next."""
    game = Game("classic", 2, seed=5)
    raw = game.save()
    size = game.setup.layout.state_size
    seeds = {raw[size + 8 :]}
    for _ in range(20):
        game.resample(1)
        seeds.add(game.save()[size + 8 :])
    assert len(seeds) == 21
