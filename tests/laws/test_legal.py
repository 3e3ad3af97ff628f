"""Exactly the listed actions are accepted."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement

from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import SKIP, WILD, Card, natural, parse_card, wild_as
from phaseten.rules.editions import Edition, Group
from phaseten.rules.events import CardDiscarded, Event, MeldHit, PhaseLaid, PileReshuffled
from phaseten.rules.options import Rules
from phaseten.rules.referee import decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.state import State
from phaseten.rules.views import legal_actions, view_of
from tests import oracle
from tests.laws.games import Chance, Setup, law, play
from tests.laws.judging import may, open_numbers, oracle_phase
from tests.laws.turns import Turns

# -- what could be tried ------------------------------------------------------------------------


@cache
def faces(edition: Edition) -> list[Card]:
    """Every card of the edition, and two that it may not have."""
    return list(dict.fromkeys([*edition.deck, WILD, SKIP, parse_card("O12"), parse_card("R7")]))


@cache
def declared(edition: Edition) -> list[Card]:
    """Every Wild with what it may stand for, and some with what it may not."""
    numbers = range(1, min(12, edition.highest + 1) + 1)
    colors = edition.colors + "O" * ("O" not in edition.colors)
    wilds = [wild_as(number=number) for number in numbers]
    wilds += [wild_as(color=color) for color in colors]
    return wilds + [wild_as(color, number) for color in colors for number in numbers]


def draws() -> list[Action]:
    return [DrawDeck(), TakeDiscard(), DrawNothing()]


def discards(edition: Edition) -> Iterator[Action]:
    for card in [*faces(edition), *declared(edition)[:3]]:
        for target in (None, *range(8)):
            yield Discard(card, target)


def hits(state: State, rng: random.Random) -> Iterator[Action]:
    """Every single card on every meld; pairs of held cards and others."""
    assert state.board is not None
    edition = state.rules.edition
    singles = [*faces(edition), *declared(edition)]
    held = list(dict.fromkeys(state.held[state.board.turn - 1]))
    others = rng.sample(faces(edition), min(3, len(faces(edition))))
    wilds = [WILD, *(wild_as(number=number) for number in range(1, edition.highest + 1))]
    pairs = list(combinations_with_replacement([*held, *others, *wilds], 2))
    for owner in range(state.sheet.seats + 2):
        rows = state.board.melds[owner - 1] if 1 <= owner <= state.sheet.seats else ()
        for number in range(len(rows) + 2):
            inside = 1 <= number <= len(rows)
            for card in singles if inside else singles[:3]:
                yield Hit((card,), owner, number)
            pairing = inside and rows[number - 1].group.kind.name == "pairrun"
            for pair in pairs if pairing else rng.sample(pairs, min(12, len(pairs))):
                yield Hit(pair if rng.random() < 0.5 else pair[::-1], owner, number)
            yield Hit((), owner, number)
            yield Hit((rng.choice(singles),) * 3, owner, number)


def lays(state: State, listed: Sequence[LayPhase], rng: random.Random) -> Iterator[LayPhase]:
    """Listed ones changed in many ways, larger ones, splits of the held cards, Wilds alone."""
    assert state.board is not None
    held = state.held[state.board.turn - 1]
    numbers = open_numbers(state, state.board.turn)
    for lay in rng.sample(listed, min(12, len(listed))):
        for _ in range(14):
            yield changed(lay, held, state.rules, rng)
        yield from larger(lay, held, rng)
    for _ in range(40):
        number = rng.choice(numbers) if numbers else None
        yield LayPhase(split(held, state.rules, rng), rng.choice([None, number, 1, 20]))
    for number in rng.sample(numbers, min(2, len(numbers))):  # what the oracle would lay
        wanted = oracle_phase(state.rules.by_number[number], state.rules)
        found = sorted(oracle.minimal_lays([card.text for card in held], wanted))
        for rows in rng.sample(found, min(8, len(found))):
            cards = tuple(tuple(map(parse_card, row)) for row in rows)
            yield LayPhase(cards, number if state.rules.choose_phase else None)
    for number in numbers:
        for _ in range(6):
            groups = state.rules.by_number[number].groups
            rows = tuple(all_wild(group, state.rules.edition, rng) for group in groups)
            yield LayPhase(rows, rng.choice([None, number]))
    yield LayPhase(())
    yield LayPhase(((),))


def changed(lay: LayPhase, held: Sequence[Card], rules: Rules, rng: random.Random) -> LayPhase:
    """The lay-down with one or two things different."""
    rows = [list(row) for row in lay.melds]
    number = lay.phase
    for _ in range(rng.choice([1, 1, 2])):
        row = rng.choice(rows)
        at = rng.randrange(len(row)) if row else 0
        match rng.randrange(11):
            case 0 if row:
                del row[at]
            case 1:
                row.insert(rng.randrange(len(row) + 1), rng.choice(held))
            case 2 if row:
                row[at] = rng.choice(held)
            case 3 if row:
                row[at] = WILD
            case 4:
                rng.shuffle(row)
            case 5:
                rows.reverse()
            case 6 if row:
                rng.choice(rows).append(row.pop(at))
            case 7 if row:
                row[at] = rng.choice(declared(rules.edition))
            case 8:
                number = rng.choice([None, *(phase.number for phase in rules.phases), 0, 99])
            case 9:
                rows.append([rng.choice(held) for _ in range(3)])
            case 10:  # Wilds as they are held, where the neighbours say what they are
                rows = [[card.held for card in cards] for cards in rows]
            case _:
                row.append(rng.choice(faces(rules.edition)))
    return LayPhase(tuple(tuple(row) for row in rows), number)


def larger(lay: LayPhase, held: Sequence[Card], rng: random.Random) -> Iterator[LayPhase]:
    """M-MORE: further held cards at the ends of melds, some of which fit."""
    spent = Counter(card.held for row in lay.melds for card in row)
    rest = list((Counter(held) - spent).elements())
    if not rest:
        return
    for _ in range(10):
        rows = [list(row) for row in lay.melds]
        for card in rng.sample(rest, rng.randint(1, min(3, len(rest)))):
            row = rng.choice(rows)
            row.insert(rng.choice([0, len(row)]), card)
        yield LayPhase(tuple(tuple(row) for row in rows), lay.phase)
    for row_number, row in enumerate(lay.melds):  # what fits best: the same number, or neighbours
        fitting = [
            card
            for card in rest
            if card.is_wild or any(abs(card.number - other.number) <= 2 for other in row)
        ]
        for card in fitting:
            for where in (0, len(row)):
                rows = [list(cards) for cards in lay.melds]
                rows[row_number].insert(where, card)
                yield LayPhase(tuple(tuple(cards) for cards in rows), lay.phase)


def split(held: Sequence[Card], rules: Rules, rng: random.Random) -> tuple[tuple[Card, ...], ...]:
    """Some of the held cards in one to three rows, Wilds with or without a meaning."""
    rows: list[list[Card]] = [[] for _ in range(rng.choice([1, 1, 2, 2, 2, 3]))]
    for card in rng.sample(held, rng.randint(0, len(held))):
        wild = card.is_wild and rng.random() < 0.7
        rng.choice(rows).append(rng.choice(declared(rules.edition)) if wild else card)
    for row in rows:
        if rng.random() < 0.7:
            row.sort(key=lambda card: card.number)
    return tuple(tuple(row) for row in rows)


def all_wild(group: Group, edition: Edition, rng: random.Random) -> tuple[Card, ...]:
    """Wilds alone for the group; now and then with a numbered card among them, or outside."""
    kind = group.kind
    color = rng.choice(edition.colors) if kind.one_color else ""
    first = rng.randint(0, edition.highest)
    cards: list[Card] = []
    for i in range(group.cards):
        number = first + kind.step * (i // kind.copies) if kind.chain else first
        if kind.chain is False and (kind.one_color or kind.parity is not None):
            number = 0
        cards.append(wild_as(color, number) if 0 <= number <= 12 else WILD)
    if rng.random() < 0.3:
        at = rng.randrange(len(cards))
        stands = cards[at]
        if stands.number:
            cards[at] = natural(stands.color or rng.choice(edition.colors), stands.number)
    return tuple(cards)


# -- the law ------------------------------------------------------------------------------------


def normal(events: Sequence[Event]) -> object:
    """The normal form of what was accepted: cards in any order where order does not matter."""
    match events[0]:
        case PhaseLaid(_, phase, melds):
            return phase, normal_melds([(meld.group, meld.cards) for meld in melds])
        case MeldHit(_, cards, owner, meld):
            return sorted(card.text for card in cards), owner, meld
        case CardDiscarded(_, card, target):
            return card, target
        case PileReshuffled():
            return "draw"
        case event:
            return type(event).__name__


def normal_melds(melds: Sequence[tuple[Group, Sequence[Card]]]) -> list[tuple[str, list[str]]]:
    rows = [(group.text, sorted(card.text for card in cards)) for group, cards in melds]
    return sorted(rows) if len({group for group, _ in melds}) == 1 else rows


def contains(large: PhaseLaid, small: LayPhase) -> bool:
    """Whether a lay-down is a larger form of another: each of its melds holds one of the other's."""
    groups = [meld.group for meld in large.melds]
    orders = [small.melds]
    if len(groups) == 2 and groups[0] == groups[1]:
        orders.append(small.melds[::-1])
    return any(
        all(
            not Counter(row) - Counter(meld.cards)
            for row, meld in zip(rows, large.melds, strict=True)
        )
        for rows in orders
    )


def check_exactly_the_listed(
    state: State, turns: Turns, chance: Chance, rng: random.Random
) -> Counter[str]:
    board = state.board
    assert board is not None
    seat = board.turn
    listed = legal_actions(view_of(state, seat))
    assert len(set(listed)) == len(listed)
    photograph = repr(state)
    forms: list[object] = []
    for action in listed if len(listed) < 300 else rng.sample(listed, 300):
        verdict = decide(state, seat, action, chance)
        assert not isinstance(verdict, Refusal), (action, verdict)
        assert may(state, turns, action) is True, action
        forms.append(normal(verdict))
        assert_normal_already(action, verdict[0])
    assert all(forms.count(form) == 1 for form in forms[:20]), "listed twice"
    listed_forms = {repr(listed_form(state, action)) for action in listed}
    listed_lays = [action for action in listed if isinstance(action, LayPhase)]
    tally: Counter[str] = Counter(listed=len(listed))
    for action in candidates(state, listed_lays, rng):
        verdict = decide(state, seat, action, chance)
        accepted = not isinstance(verdict, Refusal)
        kind = type(action).__name__
        allowed = may(state, turns, action)
        assert allowed is None or allowed == accepted, (action, verdict)
        if isinstance(verdict, Refusal):
            tally[f"{kind} refused"] += 1
            assert verdict.sentence
            continue
        tally[f"{kind} accepted"] += 1
        first = verdict[0]
        if isinstance(first, PhaseLaid) and is_larger(first):
            tally["larger"] += 1
            numbered = [lay for lay in listed_lays if lay.phase in (None, first.phase)]
            assert any(contains(first, lay) for lay in numbered), action
        else:
            assert repr(normal(verdict)) in listed_forms, action
    for other in range(state.sheet.seats + 2):  # T-TURN
        if other != seat:
            for action in rng.sample(listed, min(3, len(listed))):
                verdict = decide(state, other, action, chance)
                assert isinstance(verdict, Refusal)
                assert verdict.rule == "T-TURN"
    assert repr(state) == photograph
    return tally


def is_larger(laid: PhaseLaid) -> bool:
    return any(len(meld.cards) > meld.group.cards for meld in laid.melds)


def assert_normal_already(action: Action, event: Event) -> None:
    """What is listed is listed in normal form: the event repeats its cards."""
    match action, event:
        case LayPhase(rows), PhaseLaid(melds=melds):
            assert rows == tuple(meld.cards for meld in melds)
        case Hit(cards, owner, meld), MeldHit(cards=added):
            assert sorted(card.text for card in cards) == sorted(card.text for card in added)
            assert (event.owner, event.meld) == (owner, meld)
        case _:
            pass


def listed_form(state: State, action: Action) -> object:
    """The normal form of a listed action, without asking the referee."""
    match action:
        case LayPhase(rows, number):
            assert state.board is not None
            phase = number or open_numbers(state, state.board.turn)[0]
            groups = state.rules.by_number[phase].groups
            return phase, normal_melds(list(zip(groups, rows, strict=True)))
        case Hit(cards, owner, meld):
            return sorted(card.text for card in cards), owner, meld
        case Discard(card, target):
            return card, target
        case DrawDeck():
            return "CardDrawn" if state.draw_pile else "draw"
        case TakeDiscard():
            return "DiscardTaken"
        case DrawNothing():
            return "NothingDrawn"


def candidates(
    state: State, listed_lays: Sequence[LayPhase], rng: random.Random
) -> Iterator[Action]:
    assert state.board is not None
    yield from draws()
    yield from discards(state.rules.edition)
    yield from hits(state, rng)
    if state.held[state.board.turn - 1]:
        yield from lays(state, listed_lays, rng)


@law(150)
def test_exactly_the_listed_actions_are_accepted(setup: Setup) -> None:
    turns = Turns(setup)
    chance = Chance(setup.seed)
    rng = random.Random(setup.seed + 1)
    looks = 0
    for step in play(setup, 120):
        for event in step.events:
            if isinstance(event, PileReshuffled):
                turns.reshuffle()
            turns.see(event)
        board = step.after.board
        if board is None or looks > 10:
            continue
        # Each look is dear: wherever something can be laid or hit, now and then elsewhere.
        listed = legal_actions(view_of(step.after, board.turn))
        rich = any(isinstance(action, LayPhase | Hit | DrawNothing) for action in listed)
        if rng.random() < (0.8 if rich else 0.05):
            looks += 1
            check_exactly_the_listed(step.after, turns, chance, rng)
