"""What a guest may do is what the law allows, and nothing else."""

import random
from collections import Counter

import pytest

from phaseten.arena.faults import ILLEGAL, FaultError
from phaseten.arena.kernel_steps import find_steps
from phaseten.kernel import Game
from phaseten.notation.moves import parse_action
from phaseten.rules.actions import Action, Discard, LayPhase
from phaseten.rules.cards import SKIP, WILD, Card, parse_card, parse_cards
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules
from phaseten.rules.referee import apply_all, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.shuffle import seeded
from phaseten.rules.state import Board
from phaseten.rules.views import legal_actions
from tests.effort import LONG

SHUFFLE = seeded(bytes(32), "")


@pytest.mark.parametrize("name", ["classic", "deluxe", "elchavo", "anniversary", "express"])
@pytest.mark.parametrize("house", [(), ("choose_phase", "discard_to_go_out")])
def test_every_legal_action_is_carried_out(name: str, house: tuple[str, ...]) -> None:
    """The numbers are those by which the kernel itself names the actions."""
    game = Game(name, 3, seed=4, house=house)
    kinds: Counter[str] = Counter()
    for _ in range(250):
        seat = game.turn
        if seat is None:
            break
        for action in legal_actions(game.view(seat)):
            assert find_steps(game, game.state_now(), seat, action, SHUFFLE) == [
                game.number(action)
            ]
            kinds[type(action).__name__] += 1
        game.step(game.pick("sharp"))
    assert len(kinds) >= 5


def dealt(cards: str, phase: int, house: tuple[str, ...] = (), box: str = "classic") -> Game:
    """A game in which seat 1 holds these cards and has drawn, in its first hand."""
    rules = Rules(edition(box), house=frozenset(house))
    mine = list(parse_cards(cards))
    rest = list(rules.edition.deck)
    for card in mine:
        rest.remove(card)
    others = [card for card in rest if card not in (SKIP, WILD)]
    deck: list[Card] = []
    for card in mine[:10]:
        deck += [card, others.pop(0)]
    deck += [others.pop(0), *mine[10:]]
    left = Counter(rules.edition.deck)
    left.subtract(deck)
    deck += left.elements()
    game = Game(rules, 2, dealer=2, deck=deck)
    if phase > 1:
        raw = bytearray(game.save())
        at = game.setup.layout.o_left
        raw[at : at + 3] = (0x3FF & ~((1 << phase - 1) - 1)).to_bytes(3, "little")
        game.restore(bytes(raw))
    assert game.turn == 1
    game.step(0)
    return game


@pytest.mark.parametrize(
    ("cards", "phase", "text", "steps"),
    [
        ("R3 B3 G3 Y3 R7 B7 G7 R1 R2 B1 W", 1, "L R3 B3 G3 Y3 / R7 B7 G7 W", 3),
        ("R3 B3 G3 Y3 R7 B7 G7 R1 R2 B1 W", 1, "L Y3 B3 G3 / G7 W=7 R7", 1),
        ("R2 B3 G4 Y5 W R7 B8 Y8 Y3 G3 R3", 2, "L Y3 G3 R3 / R2 B3 G4 Y5 W R7 B8", 4),
        ("R2 B3 G4 W W R7 B8 R9 R11 B11 B12", 4, "L R2 B3 G4 W=5 W=6 R7 B8 R9", 2),
        ("W W R5 R6 R9 B1 B1 B2 B3 B5 G5", 8, "L R5 R6 R9 W=R W=R", None),
        ("R1 R5 R6 R9 R11 R12 R2 R7 W B5 G5", 8, "L R1 R5 R6 R9 R11 R12 R2 R7 W", 3),
    ],
)
def test_a_phase_larger_than_it_must_be(
    cards: str, phase: int, text: str, steps: int | None
) -> None:
    game = dealt(cards, phase)
    action = parse_action(text)
    state = game.state_now()
    events = decide(state, 1, action, SHUFFLE)
    if steps is None:
        assert isinstance(events, Refusal)
        with pytest.raises(FaultError, match=r"M-COLOR|M-EXACT"):
            find_steps(game, game.state_now(), 1, action, SHUFFLE)
        return
    assert not isinstance(events, Refusal)
    numbers = find_steps(game, game.state_now(), 1, action, SHUFFLE)
    assert len(numbers) == steps
    for number in numbers:
        game.step(number)
    _assert_same(game.state_now().board, apply_all(state, events).board)


def _assert_same(one: Board | None, other: Board | None) -> None:
    assert one is not None
    assert other is not None
    assert _melds(one) == _melds(other)  # two melds for the same group in either order
    assert one._replace(melds=(), seen=()) == other._replace(melds=(), seen=())


def _melds(board: Board) -> list[list[list[str]]]:
    return [sorted(sorted(card.text for card in meld.cards) for meld in row) for row in board.melds]


def test_going_out_with_a_large_phase_ends_the_hand() -> None:
    game = dealt("R3 B3 G3 Y3 R7 B7 G7 Y7 W R3 R7", 1)
    game.deals_itself = False
    action = parse_action("L R3 B3 G3 Y3 R3 / R7 B7 G7 Y7 R7 W=7")
    numbers = find_steps(game, game.state_now(), 1, action, SHUFFLE)
    assert [game.step(number) for number in numbers] == [0] * (len(numbers) - 1) + [1]


def test_the_phase_is_chosen_under_the_house_rule() -> None:
    game = dealt("R3 B3 G3 Y3 R7 B7 G7 Y7 W R3 R1", 1, house=("choose_phase",))
    action = parse_action("L7 R3 B3 G3 Y3 R3 / R7 B7 G7 Y7")
    numbers = find_steps(game, game.state_now(), 1, action, SHUFFLE)
    for number in numbers:
        game.step(number)
    board = game.state_now().board
    assert board is not None
    assert board.made[0] == 7
    assert [len(meld.cards) for meld in board.melds[0]] == [5, 4]


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (parse_action("D"), "T-DRAW"),
        (parse_action("-B9"), "T-DISCARD"),
        (parse_action("H R3>2.1"), "T-HIT"),
        (parse_action("L R3 B3 / G3 Y3"), "M-SET"),
        (parse_action("L R3 B3 G3 / R7 B7 W"), "T-LAY"),
        (parse_action("L2 R3 B3 G3 / R7 B7 G7"), "T-LAY-ONE"),
        (Discard(parse_card("R3"), 2), "S-PLAY"),
    ],
)
def test_what_the_law_refuses(action: Action, rule: str) -> None:
    game = dealt("R3 B3 G3 Y3 R7 B7 G7 R1 R2 B1 Y1", 1)
    saved = game.save()
    with pytest.raises(FaultError) as caught:
        find_steps(game, game.state_now(), 1, action, SHUFFLE)
    assert caught.value.kind == ILLEGAL
    assert caught.value.sentence.endswith(f"({rule})")
    assert game.save() == saved


@pytest.mark.parametrize("name", ["classic", "deluxe", "elchavo", "anniversary", "express"])
@pytest.mark.parametrize("house", [(), ("choose_phase", "discard_to_go_out", "natural_per_meld")])
def test_every_larger_phase_is_laid(name: str, house: tuple[str, ...]) -> None:
    """Whatever held card the law lets a seat lay at once with its Phase, it can."""
    larger = sum(
        _lay_large(Game(name, 2, seed=seed, house=house), seed) for seed in range(6 if LONG else 2)
    )
    assert larger > (10 if LONG else 2)


def _lay_large(game: Game, seed: int) -> int:
    """Play a game and try larger Phases wherever one can be laid; how many there were."""
    chance = random.Random(seed)
    larger = 0
    for _ in range(1000):
        seat = game.turn
        if seat is None:
            break
        lays = [a for a in legal_actions(game.view(seat)) if isinstance(a, LayPhase)]
        for lay in chance.sample(lays, min(2, len(lays))):
            grown = _as_large_as_it_gets(game, seat, lay)
            larger += grown != lay
            _assert_laid(game, seat, grown)
        game.step(game.pick("sharp"))
    return larger


def _as_large_as_it_gets(game: Game, seat: int, lay: LayPhase) -> LayPhase:
    state = game.state_now()
    for card in state.held[seat - 1]:
        for i, row in enumerate(lay.melds):
            for more in ((card, *row), (*row, card), (card, card, *row), (*row, card, card)):
                melds = (*lay.melds[:i], more, *lay.melds[i + 1 :])
                bigger = LayPhase(melds, lay.phase)
                if not isinstance(decide(state, seat, bigger, SHUFFLE), Refusal):
                    lay = bigger
                    break
    return lay


def _assert_laid(game: Game, seat: int, lay: LayPhase) -> None:
    state = game.state_now()
    events = decide(state, seat, lay, SHUFFLE)
    assert not isinstance(events, Refusal)
    trial = game.copy()
    trial.deals_itself = False
    for number in find_steps(trial, trial.state_now(), seat, lay, SHUFFLE):
        trial.step(number)
    after, wanted = trial.state_now(), apply_all(state, events)
    assert after.sheet.totals == wanted.sheet.totals
    assert after.sheet.left == wanted.sheet.left
    if wanted.board is None:
        assert after.board is None
    else:
        _assert_same(after.board, wanted.board)
