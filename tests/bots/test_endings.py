"""Games come to an end: bots do not go round in circles where there is a way out."""

from __future__ import annotations

import random
import time

import pytest

from phaseten.bots.builtin import BuiltIn
from phaseten.bots.ladder import make_bot
from phaseten.kernel import Game
from phaseten.kernel.game import game_of
from phaseten.rules.cards import WILD
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.events import DiscardTaken
from phaseten.rules.views import view_of
from tests.bots.positions import QUICK, play_out
from tests.effort import LONG
from tests.kernel.twins import Table, random_table
from tests.rulebook.situations import situation

MOST = 4_000
"""Actions of a classic game: nearly ten times as many as it has."""
TOO_LONG = 90
"""Turns in a row in which somebody takes the discard: more than chance explains."""


@pytest.mark.parametrize("name", ["rookie", "casual", "sharp"])
def test_two_of_a_kind_finish_every_classic_game(name: str) -> None:
    for seed in range(300):
        game = Game("classic", 2, seed=seed)
        bots = [make_bot(name, seed=2 * seed), make_bot(name, seed=2 * seed + 1)]
        while game.winner is None and game.hand < 60:
            game.step(bots[(game.turn or 1) - 1].choose_in(game))
        assert game.winner is not None


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("edition", BOOK_EDITIONS)
def test_six_of_a_kind_finish_a_game(edition: str, name: str) -> None:
    game = Game(edition, 6, seed=3, variant="phases=1" if "@" in name else "standard")
    play_out(game, [make_bot(name, seed=seat) for seat in range(6)], MOST)
    assert game.winner is not None


# -- taking a card and throwing it back ----------------------------------------------------------


def longest_exchange(game: Game, bots: list[BuiltIn], most: int) -> int:
    """For how many turns in a row somebody took the discard, though there was a draw pile."""
    longest = running = 0
    for _ in range(most):
        if game.turn is None:
            break
        choice = bots[game.turn - 1].choose_in(game)
        if choice == 0:
            running = 0
        elif choice == 1 and 0 in game.legal():
            running += 1
        longest = max(longest, running)
        game.step(choice)
    return longest


def can_end(table: Table) -> bool:
    """Whether every hand has a way out.

    Who holds one card and must keep one to discard can add no pair to a run of pairs; and of ones
    alone, no even number can be laid.
    """
    return not table.rules.discard_to_go_out and table.rules.edition.highest > 1


@pytest.mark.parametrize("name", QUICK)
def test_nobody_takes_discards_for_ever(name: str) -> None:
    rng = random.Random(name)
    count = (40 if "@" in name else 500) // (1 if LONG else 2)
    tables = [random_table(rng) for _ in range(count)]
    for table in filter(can_end, tables):
        game = Game(table.rules, table.seats, seed=table.seed)
        bots = [make_bot(name, seed=rng.getrandbits(64)) for _ in range(table.seats)]
        assert longest_exchange(game, bots, 300 if "@" in name else 400) < TOO_LONG, table


@pytest.mark.parametrize("name", QUICK)
def test_two_with_a_wild_too_many_do_not_hand_it_round(name: str) -> None:
    """Nothing on the table takes a Wild any more: who takes one has to throw it back."""
    full = "run 9: " + " ".join(f"R{number}" for number in range(1, 13))
    state = situation(
        held={1: "W", 2: "W"}, table={1: [full], 2: [full.replace("R", "B")]},
        phases={1: 6, 2: 6}, discards="R1 W", step="draw",
    )  # fmt: skip
    assert state.board is not None
    known = state.board._replace(seen=(DiscardTaken(2, WILD),))
    game = game_of(view_of(state._replace(board=known), 1))
    bots = [make_bot(name, seed=seat) for seat in (1, 2)]
    if name == "deep":  # it has no idea that this goes on, until nothing was laid for 20 turns each
        assert longest_exchange(game.copy(), bots, 200) <= 40
    elif "@" not in name:  # searching, there is nothing between the two
        assert longest_exchange(game.copy(), bots, 60) < 10
    assert play_out(game, bots, 200) == 200


# -- where there is no way out -------------------------------------------------------------------


@pytest.mark.parametrize("name", [*QUICK, "master"])
def test_a_hand_that_cannot_end_is_played_on_quickly(name: str) -> None:
    """All cards that fit lie on the table, and nobody can get rid of the rest."""
    state = situation(
        "express", held={1: "G7 G8", 2: "G6"}, phases={1: 5, 2: 5}, step="draw",
        table={1: ["set 3: Y4 G4 W=4 W=4"], 2: ["set 3: R4 B4 W=4"]}, house=["endless_hands"],
    )  # fmt: skip
    game = game_of(view_of(state, 1))
    bots = [make_bot(name, seed=seat) for seat in (1, 2)]
    begun = time.process_time()
    if name == "master":
        while not game.state_now().board.reshuffles > 3:  # pyright: ignore[reportOptionalMemberAccess]
            game.step(make_bot("sharp").choose_in(game))
    assert play_out(game, bots, 1_000) == 1_000
    assert game.hand == 1
    assert time.process_time() - begun < 20
