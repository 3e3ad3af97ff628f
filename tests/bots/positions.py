"""The ladder in a form that is quick and leaves nothing to the clock, and positions to ask it in."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from phaseten.bots.builtin import BuiltIn
from phaseten.bots.ladder import LADDER, make_bot
from phaseten.kernel import Game
from phaseten.rules.state import State
from tests.laws.games import Setup, play

QUICK: Final = tuple("master@16" if name == "master" else name for name in LADDER)


def quick_bots(seed: int) -> list[BuiltIn]:
    """Fresh bots of every rung."""
    return [make_bot(name, seed=seed) for name in QUICK]


def some_states(setup: Setup, rng: random.Random, part: float) -> Iterator[State]:
    """That part of the states of a game, somebody being on turn."""
    for step in play(setup, 120):
        if step.after.board is not None and rng.random() < part:
            yield step.after


def play_out(game: Game, bots: list[BuiltIn], most: int) -> int:
    """Let the bots play on, at most so many actions; how many they were. All must be legal."""
    for done in range(most):
        if game.turn is None:
            return done
        choice = bots[game.turn - 1].choose_in(game)
        assert choice in game.legal(), game.name(choice)
        game.step(choice)
    return most
