"""Games of sensible players end."""

import random
from collections import Counter

import pytest
from hypothesis import Phase, given, note, settings

from phaseten.rules.cards import Card
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.melds import hits_on
from phaseten.rules.state import PLAY, State
from tests.effort import LONG
from tests.laws.games import Setup, custom_edition, examples, play, random_setup, randoms

MOST_ACTIONS = 6_000  # of 400 random games 385 ended, the longest after 1,137


def hits_left(state: State) -> set[int]:
    """How many cards a hit can still have, with all cards together that do not lie in melds."""
    board = state.board
    assert board is not None
    loose: Counter[Card] = Counter(state.draw_pile) + Counter(board.discards)
    for held in state.held:
        loose += Counter(held)
    edition = state.rules.edition
    melds = [meld for row in board.melds for meld in row]
    return {len(cards) for meld in melds for cards in hits_on(meld, loose, edition)}


def all_have_laid(state: State) -> bool:
    board = state.board
    return board is not None and all(board.made[seat - 1] for seat in board.players)


def nobody_can_go_out(state: State) -> bool:
    """The one way in which a hand cannot end (docs/rulings.md) but by H-DEAD: all have
    laid, and nobody can ever hit again, because none of the cards that are left fits any meld, or
    only pairs fit and nobody has a pair to spare. Everybody draws one and discards one for ever.
    """
    board = state.board
    if board is None or not all_have_laid(state):
        return False
    # What a player can hit with: the held cards and the one drawn, less one to discard if owed.
    resting = [n - (s == board.turn and board.step == PLAY) for s, n in enumerate(board.counts, 1)]
    most = max(resting) + 1 - state.rules.discard_to_go_out
    return not any(count <= most for count in hits_left(state))


def check_ends(setup: Setup, *, plans_pairs: bool = True) -> None:
    """Without ``plans_pairs``, an endless hand may also go on that only a kept pair could end."""
    state: State | None = None
    for count, step in enumerate(play(setup, MOST_ACTIONS)):
        state = step.after
        if setup.rules.endless_hands and count % 500 == 499 and nobody_can_go_out(state):
            return
    assert state is not None
    sheet = state.sheet
    if not plans_pairs and sheet.tied and sheet.hands[-1].out is None:
        return  # a tie-break that stands still decides nothing, and the next one may stand still as well
    plans_pairs |= not setup.rules.endless_hands
    if not plans_pairs and all_have_laid(state) and hits_left(state) == {2}:
        return
    assert state.sheet.winner is not None, f"not over after {MOST_ACTIONS} actions"


# Without shrinking: a game that does not end is long to look at again and again.
@settings(examples(60), phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(randoms)
def test_games_of_sensible_players_end(rng: random.Random) -> None:
    kind = rng.choice([*BOOK_EDITIONS, "roomy", "roomy", "roomy"])
    text = kind if kind in BOOK_EDITIONS else custom_edition(rng, kind)
    setup = random_setup(rng, text, "C")
    note(repr(setup))
    check_ends(setup, plans_pairs=False)


@pytest.mark.parametrize("name", BOOK_EDITIONS)
@pytest.mark.parametrize("seats", range(2, 7))
def test_games_by_the_book_end(name: str, seats: int) -> None:
    variant = "standard" if LONG else "phases=4"  # a whole game, if not as long a one
    for seed in range(4 if LONG else 1):
        check_ends(Setup(name, variant, (), seats, seats, seed, "C" * seats))


@pytest.mark.parametrize(
    ("variant", "dealer", "seed"), [("standard", 1, 26), ("ten-hands", 2, 803773816)]
)
def test_casual_keeps_what_may_become_a_pair(variant: str, dealer: int, seed: int) -> None:
    """Both have laid runs of pairs and hold one card: whoever always discards the dearer of two
    throws every ten and every Wild away, and never has the pair that would fit.
    """
    check_ends(Setup("express", variant, (), 2, dealer, seed, "CC"))


FULL_AT_ONCE = """
name = "full"
title = "Runs that are full when they are laid"
deal = 4
colors = ["R", "B"]
highest = 2
copies = 3
wilds = 0
skips = 0
shortest_run = 2
skip_goes_to = "pile"
phases = ["run 2"]
"""


def test_nobody_can_go_out_once_all_runs_are_full() -> None:
    """What the tests above let pass is that, and not just any hand that takes long."""
    steps = list(play(Setup(FULL_AT_ONCE, "standard", (), 2, 1, 1, "EE"), 60))
    laid = [sum(map(bool, step.after.board.made)) for step in steps if step.after.board]
    assert {0, 1, 2} == set(laid)
    assert [nobody_can_go_out(step.after) for step in steps] == [count == 2 for count in laid]
    pairs = FULL_AT_ONCE.replace("run 2", "pairrun 2").replace("highest = 2", "highest = 3")
    pairs = pairs.replace("deal = 4", "deal = 5")
    owing = [
        [
            (step.after.board.counts, nobody_can_go_out(step.after))
            for seed in range(20)
            for step in play(Setup(pairs, "standard", house, 2, 1, seed, "EE"), 60)
            if step.after.board and all(step.after.board.made)
        ]
        for house in ((), ("discard_to_go_out",))
    ]
    assert not any(stuck for _, stuck in owing[0])
    assert {counts for counts, stuck in owing[1] if stuck} == {(1, 1), (1, 2), (2, 1)}
    growing = FULL_AT_ONCE.replace("highest = 2", "highest = 4").replace("copies = 3", "copies = 2")
    for step in play(Setup(growing, "standard", (), 2, 1, 1, "EE"), 60):
        assert not nobody_can_go_out(step.after)
