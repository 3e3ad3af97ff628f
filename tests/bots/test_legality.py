"""Whole games of bots: every choice is legal, whatever is played and however many play it."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from hypothesis import event

from phaseten.bots.builtin import BuiltIn
from phaseten.bots.ladder import make_bot
from phaseten.kernel import Game
from phaseten.rules.actions import LayPhase
from phaseten.rules.editions import BOOK_EDITIONS, HOUSE_RULES, edition
from phaseten.rules.options import Rules, Variant
from phaseten.rules.referee import apply_all, deal, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.shapes import plan_for
from phaseten.rules.state import new_game
from phaseten.rules.views import legal_actions, view_of
from tests.bots.positions import QUICK, play_out
from tests.effort import LONG, every
from tests.kernel import twins
from tests.laws.games import Chance, Setup, law

VARIANTS = [
    Variant(ten_hands, first, even)
    for ten_hands in (False, True)
    for first in (None, 2, 5)
    for even in (False, True)
]
HOUSES: list[frozenset[str]] = [
    frozenset(rules)
    for count in range(len(HOUSE_RULES) + 1)
    for rules in itertools.combinations(HOUSE_RULES, count)
]


def seated(seats: int, rng: random.Random) -> list[BuiltIn]:
    """A bot on each seat, of any rung."""
    return [make_bot(rng.choice(QUICK), seed=rng.getrandbits(64)) for _ in range(seats)]


@law(40)
def test_from_views_every_choice_is_listed_and_accepted(setup: Setup) -> None:
    rng = random.Random(setup.seed)
    bots, chance = seated(setup.seats, rng), Chance(setup.seed)
    state = new_game(setup.rules, setup.seats, setup.dealer)
    for _ in range(150):
        if state.sheet.winner is not None:
            break
        if state.board is None:
            hand = len(state.sheet.hands) + 1
            verdict = deal(state, chance(setup.rules.edition.deck, hand, 0))
        else:
            seat = state.board.turn
            view = view_of(state, seat)
            action = bots[seat - 1].choose(view)
            assert action in legal_actions(view)
            if isinstance(action, LayPhase):
                event("laid")
            verdict = decide(state, seat, action, chance)
        assert not isinstance(verdict, Refusal), verdict
        state = apply_all(state, verdict)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_every_edition_with_every_number_of_seats(name: str, seats: int) -> None:
    rng = random.Random(f"{name} {seats}")
    for bot in QUICK:
        most = 120 if "@" in bot else 3_000
        game = Game(name, seats, seed=rng.getrandbits(64))
        play_out(game, [make_bot(bot, seed=seat) for seat in range(seats)], most)


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: "+".join(sorted(house)) or "none")
def test_every_combination_of_house_rules_with_every_variation(house: frozenset[str]) -> None:
    rng = random.Random(" ".join(sorted(house)))
    for number, variant in every(6, list(enumerate(VARIANTS)), HOUSES.index(house)):
        name = BOOK_EDITIONS[(number + len(house)) % len(BOOK_EDITIONS)]
        game = Game(Rules(edition(name), variant, house), 2 + number % 5, seed=number)
        play_out(game, seated(game.players, rng), 120)


@pytest.mark.parametrize("part", range(4))
def test_editions_of_anybodys_own(part: int) -> None:
    rng = random.Random(f"own {part}")
    for _ in range(60 if LONG else 10):
        table = twins.random_table(rng)
        game = Game(table.rules, table.seats, seed=table.seed)
        play_out(game, seated(game.players, rng), 150)


def test_everything_rare() -> None:
    """Nothing to draw, tie-break hands without some seats, runs of pairs, tangled Phases."""
    rng = random.Random("rare")
    notes: Counter[str] = Counter()
    for table in twins.RARE:
        game = Game(table.rules, table.seats, seed=table.seed)
        bots = seated(game.players, rng)
        for _ in range(150):
            if game.turn is None:
                break
            notes.update(_notes_on(game))
            assert play_out(game, bots, 1) == 1
    assert set(notes) == {"nothing to draw", "tie-break", "tie-break of some", "pairs", "tangled"}


def _notes_on(game: Game) -> list[str]:
    state = game.state_now()
    board = state.board
    assert board is not None
    phase = state.rules.by_number[_phase(game)]
    found = {
        "nothing to draw": game.legal() == [2],
        "tie-break": bool(state.sheet.tied),
        "tie-break of some": bool(state.sheet.tied) and len(board.players) < game.players,
        "pairs": any(meld.group.kind.copies == 2 for row in board.melds for meld in row),
        "tangled": len(phase.groups) == 2 and plan_for(phase, state.rules.edition).tangled,
    }
    return [note for note, there in found.items() if there]


def _phase(game: Game) -> int:
    """The Phase that the seat on turn works on first."""
    sheet = game.state_now().sheet
    assert game.turn is not None
    return game.rules.phases[-1].number if sheet.tied else sheet.left[game.turn - 1][0]
