"""Ways to lay a Phase with exactly the cards that a player has chosen.

The player says which cards; what remains open is which meld each goes to, and where the Wilds go.

>>> from phaseten.rules.cards import parse_cards
>>> from phaseten.rules.editions import edition
>>> rules = Rules(edition("classic"))
>>> for rows in ways_with(rules.by_number[4], parse_cards("R3 B4 W G6 Y7 R8 G9 W"), rules):
...     print(rows)
((W=2, R3, B4, W=5, G6, Y7, R8, G9),)
((R3, B4, W=5, G6, Y7, R8, G9, W=10),)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from phaseten.rules.actions import LayPhase
from phaseten.rules.cards import SKIP, WILD, Card, by_order, sort_cards, wild_as
from phaseten.rules.editions import Edition, Group, Phase
from phaseten.rules.melds import Meld, check_phase, read_meld
from phaseten.rules.options import Rules
from phaseten.rules.refusals import Refusal
from phaseten.rules.solver import solve_phase
from phaseten.rules.state import open_phases
from phaseten.rules.views import View, legal_actions

Rows = tuple[tuple[Card, ...], ...]
"""The cards of each meld of a Phase."""


def ways_to_choose_from(view: View) -> list[LayPhase]:
    """The ways to lay from all held cards, the most sensible first: few Wilds, many points."""
    ways = [action for action in legal_actions(view) if isinstance(action, LayPhase)]
    if not ways:
        return []
    ways.sort(key=_price)
    rules = view.rules
    now = open_phases(rules, view.sheet, view.seat or 0)[0]
    best: list[LayPhase] = []
    for number in dict.fromkeys(way.phase for way in ways):
        melds = solve_phase(rules.by_number[number or now], view.held, rules).melds
        whole = melds is not None and sum(map(len, melds)) == len(view.held)
        if melds is not None and not (whole and rules.discard_to_go_out):
            best.append(LayPhase(melds, number))
    different = {
        (way.phase, _key(rules.by_number[way.phase or now].groups, way.melds)): way
        for way in reversed([*best, *ways])
    }
    return list(reversed(different.values()))


def _price(way: LayPhase) -> tuple[int, int]:
    cards = [card for row in way.melds for card in row]
    return sum(card.is_wild for card in cards), -sum(card.held.points for card in cards)


def ways_with_chosen(view: View, cards: Sequence[Card]) -> list[LayPhase]:
    """The ways to lay exactly these cards; where there is none, one to be refused."""
    rules = view.rules
    numbers = open_phases(rules, view.sheet, view.seat or 0)
    ways = [
        LayPhase(rows, number if rules.choose_phase else None)
        for number in numbers
        for rows in ways_with(rules.by_number[number], cards, rules)
    ]
    if ways:
        return ways
    attempt = _nearest(rules.by_number[numbers[0]], cards, rules.edition)
    return [LayPhase(attempt, numbers[0] if rules.choose_phase else None)]


def ways_with(phase: Phase, cards: Sequence[Card], rules: Rules) -> list[Rows]:
    """Every way to lay the Phase with exactly these cards, each card in one of its melds."""
    if SKIP in cards:
        return []
    found: dict[tuple[tuple[int, ...], ...], Rows] = {}
    for parts in _divisions(phase.groups, cards):
        options = [
            list(_melds(group, part, rules.edition))
            for group, part in zip(phase.groups, parts, strict=True)
        ]
        for melds in product(*options):
            if check_phase(phase, melds, rules) is None:
                rows = tuple(meld.cards for meld in melds)
                found.setdefault(_key(phase.groups, rows), rows)
    return list(found.values())


def _key(groups: Sequence[Group], rows: Rows) -> tuple[tuple[int, ...], ...]:
    """The same for two ways that differ only in which of two equal groups comes first."""
    orders = [tuple(sorted(map(by_order, row))) for row in rows]
    return tuple(sorted(orders) if len(set(groups)) == 1 else orders)


def _divisions(
    groups: Sequence[Group], cards: Sequence[Card]
) -> Iterator[tuple[Sequence[Card], ...]]:
    """Every way to divide the cards among the groups of a Phase."""
    if len(groups) == 1:
        yield (cards,)
        return
    counts = Counter(sort_cards(cards))
    for numbers in product(*[range(count + 1) for count in counts.values()]):
        first = Counter(dict(zip(counts, numbers, strict=True)))
        if first.total() >= groups[0].cards and len(cards) - first.total() >= groups[1].cards:
            yield tuple(first.elements()), tuple((counts - first).elements())


def _melds(group: Group, cards: Sequence[Card], edition: Edition) -> Iterator[Meld]:
    """Every meld for the group that is made of exactly these cards."""
    naturals = [card for card in cards if card.is_natural]
    rows = _chains if group.kind.chain else _loose
    for row in dict.fromkeys(rows(group, naturals, cards.count(WILD), edition)):
        meld = read_meld(group, row, edition)
        if not isinstance(meld, Refusal):
            yield meld


def _loose(
    group: Group, naturals: Sequence[Card], wilds: int, edition: Edition
) -> Iterator[tuple[Card, ...]]:
    """The cards of a set, a colour or a parity; Wilds alone stand for each in turn."""
    stands = [wild_as()]
    if not naturals and group.kind.one_color:
        stands = [wild_as(color=color) for color in edition.colors]
    elif not naturals and group.kind.parity is None:
        stands = [wild_as(number=number) for number in range(1, edition.highest + 1)]
    for stand in stands:
        yield (*naturals, *[stand] * wilds)


def _chains(
    group: Group, naturals: Sequence[Card], wilds: int, edition: Edition
) -> Iterator[tuple[Card, ...]]:
    """The cards of a chain, begun at each number in turn, Wilds in its gaps and at its ends."""
    kind = group.kind
    colors = edition.colors if kind.one_color and not naturals else ("",)
    length = (len(naturals) + wilds) // kind.copies
    for first, color in product(range(1, edition.highest + 1), colors):
        row: list[Card] = []
        for number in range(first, first + length * kind.step, kind.step):
            here = [card for card in naturals if card.number == number][: kind.copies]
            stand = wild_as(color, number) if number <= edition.highest else WILD
            row += here + [stand] * (kind.copies - len(here))
        if sum(card.is_natural for card in row) == len(naturals):
            yield tuple(row)


def _nearest(phase: Phase, cards: Sequence[Card], edition: Edition) -> Rows:
    """The division of the cards in which most melds are right, to be judged by the referee."""
    least = phase.groups[0].cards
    best: Rows = (tuple(cards[:least]), tuple(cards[least:]))[: len(phase.groups)]
    most = -1
    for parts in _divisions(phase.groups, cards):
        melds = [
            next(_melds(group, part, edition), None)
            for group, part in zip(phase.groups, parts, strict=True)
        ]
        right = sum(meld is not None for meld in melds)
        if right > most:
            most = right
            best = tuple(
                meld.cards if meld is not None else tuple(part)
                for meld, part in zip(melds, parts, strict=True)
            )
    return best
