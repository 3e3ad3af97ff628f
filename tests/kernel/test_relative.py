"""A learner's actions: exactly what the rules allow, and the same from every seat."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from phaseten.kernel import Game
from phaseten.rules.actions import Action, Discard, Hit, LayPhase
from tests.effort import LONG
from tests.kernel.positions import exchange, games_in_the_middle
from tests.kernel.twins import RARE, Table, Twins, play, random_table, shuffled


def marked(game: Game) -> list[int]:
    """The actions in the mask."""
    mask = game.mask()
    assert mask.dtype == np.uint8
    assert mask.shape == (game.actions,)
    assert set(mask.tolist()) <= {0, 1}
    return np.flatnonzero(mask).tolist()


def seen_from(game: Game, number: int, action: Action) -> int:
    """The learner's action for one of the rules, of that number: the other way to work it out."""
    assert game.turn is not None
    layout = game.setup.layout
    match action:
        case Discard(target=target) if target is not None:
            return layout.a_skip_at + (target - game.turn) % game.players
        case Hit(owner=owner):
            turned = (owner - game.turn) % game.players - (owner - 1)
            return number + turned * 2 * layout.hits
        case LayPhase():
            return layout.a_lay
        case _:
            return number


def judge(twins: Twins, seen: Counter[str]) -> None:
    """The mask, and each of its actions, against what the rules say."""
    game = twins.game
    if game.turn is None:
        return
    actions, numbers = twins.choices()
    expected = {seen_from(game, numbers[action], action) for action in actions}
    assert set(marked(game)) == expected
    for action, number in numbers.items():
        mine = game.relative(number)
        assert mine == seen_from(game, number, action)
        seen[type(action).__name__] += 1
        if mine < game.actions - 1:
            assert game.absolute(mine) == number
    judge_laying(game, [n for a, n in numbers.items() if isinstance(a, LayPhase)], seen)


def judge_laying(game: Game, lays: list[int], seen: Counter[str]) -> None:
    """The one way to lay is one of those that the rules list, and takes the fewest Wilds."""
    if not lays:
        with pytest.raises(ValueError, match="not legal here"):
            game.absolute(game.actions - 1)
        return
    layout, rules = game.setup.layout, game.rules
    ways = [game.way(number) for number in lays]
    best = game.way(game.absolute(game.actions - 1))
    assert best in ways
    phase = best[0]
    if not (layout.phase_tangled[phase] or layout.phase_show[phase] or rules.natural_per_meld):
        wilds = {way.count(layout.wild, 4) for way in ways if way[0] == phase}
        assert best.count(layout.wild, 4) == min(wilds)
        seen["best of several"] += len(wilds) > 1


@pytest.mark.parametrize("part", range(4))
def test_the_mask_names_what_the_rules_allow(part: int) -> None:
    rng = random.Random(f"masks {part}")
    seen: Counter[str] = Counter()
    for _ in range(24 if LONG else 5):
        for i, (twins, _) in enumerate(play(random_table(rng), 200)):
            if i % 3 == 0:
                judge(twins, seen)
    assert {"DrawDeck", "TakeDiscard", "Discard", "Hit", "LayPhase"} <= set(seen)


def test_the_mask_names_what_the_rules_allow_in_rare_games() -> None:
    seen: Counter[str] = Counter()
    for table in RARE[:: 1 if LONG else 5]:
        for twins, _ in play(table, 60):
            judge(twins, seen)
    assert seen["DrawNothing"]
    assert seen["best of several"]


def turned(table: Table, by: int) -> Game:
    """The table's game, everybody so many seats further on."""
    rng = random.Random(f"{table.seed}")
    dealer = (rng.randrange(table.seats) + by) % table.seats + 1
    deck = shuffled(table.rules.edition.deck, rng)
    return Game(table.rules, table.seats, dealer=dealer, seed=table.seed, deck=deck)


@pytest.mark.parametrize("part", range(3))
def test_the_same_from_every_seat(part: int) -> None:
    """The same cards and the same actions, one seat further on: nobody notices."""
    rng = random.Random(f"turned {part}")
    steps = 0
    for _ in range(24 if LONG else 8):
        table = random_table(rng)
        by = rng.randrange(1, table.seats)
        here, there = turned(table, 0), turned(table, by)
        for _ in range(150):
            if here.turn is None or there.turn is None:
                break
            assert there.turn == (here.turn - 1 + by) % table.seats + 1
            mask = here.mask()
            assert mask.tolist() == there.mask().tolist()
            assert here.observe(here.turn).tolist() == there.observe(there.turn).tolist()
            actions = np.flatnonzero(mask)
            last = int(actions[-1])
            eager = last >= here.setup.layout.a_hit and rng.random() < 0.8
            action = last if eager else int(rng.choice(actions.tolist()))
            assert here.step(here.absolute(action)) == there.step(there.absolute(action))
            steps += 1
        assert (here.winner is None) == (there.winner is None)
    assert steps > 500


def test_exchanging_hidden_cards_changes_no_mask() -> None:
    rng = random.Random("masks leak")
    for game in games_in_the_middle("masks leak", 30):
        assert game.turn is not None
        mask, lay = game.mask().tolist(), game.actions - 1
        best = game.name(game.absolute(lay)) if mask[lay] else ""
        for _ in range(8):
            exchange(game, game.turn, rng)
            assert game.mask().tolist() == mask
            assert not best or game.name(game.absolute(lay)) == best


@pytest.mark.parametrize(("seats", "actions"), [(2, 256), (3, 357), (4, 458), (6, 660)])
def test_so_many_actions(seats: int, actions: int) -> None:
    assert Game("classic", seats).actions == actions


def test_what_is_no_action_is_refused() -> None:
    game = Game("classic", 2, seed=7)
    for action in (-1, game.actions, 10**6):
        with pytest.raises(ValueError, match=f"action {action} is not legal here"):
            game.absolute(action)
    with pytest.raises(ValueError, match="action -3 is not legal here"):
        game.relative(-3)
    with pytest.raises(ValueError, match="a mask has 256 numbers"):
        game.mask(np.zeros(255, np.uint8))


def test_after_the_game_nothing_is_legal() -> None:
    game = Game("express", 2, seed=1)
    while game.winner is None:
        game.step(game.pick("sharp"))
    assert not game.mask().any()
    with pytest.raises(ValueError, match="not legal here"):
        game.absolute(0)


def test_sharp_lays_the_best_way() -> None:
    """What sharp would lay is what a learner lays."""
    laid = 0
    for seed in range(40):
        game = Game("classic", 3, seed=seed)
        for _ in range(80):
            number = game.pick("sharp")
            if number >= game.setup.layout.a_lay:
                assert game.absolute(game.actions - 1) == number
                laid += 1
            game.step(number)
    assert laid > 20
