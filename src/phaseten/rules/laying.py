"""Every way to lay a Phase from held cards, at its least size.

>>> from phaseten.rules.cards import parse_cards
>>> from phaseten.rules.editions import edition
>>> rules = Rules(edition("express"))
>>> for melds in ways_to_lay(rules.by_number[6], parse_cards("R3 G3 B4 Y5 R6 S"), rules):
...     print([meld.cards for meld in melds])
[(R3, B4, Y5, R6)]
[(G3, B4, Y5, R6)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf
from typing import Final

from phaseten.rules.cards import WILD, Card, by_order
from phaseten.rules.editions import Phase
from phaseten.rules.melds import Meld, check_phase
from phaseten.rules.options import Rules
from phaseten.rules.shapes import Cell, Plan, Shape, lack_of, plan_for, shapes_lacking, supply
from phaseten.rules.solver import solve_phase

TRIES_OF_A_CHECK: Final = 20
"""To judge a whole way takes about as long as to try so many cards."""


def ways_to_lay(
    phase: Phase, held: Sequence[Card], rules: Rules, most_tries: float = inf
) -> Iterator[tuple[Meld, ...]]:
    """Every distinct way to lay the Phase at its least size, always in the same order.

    Two groups that ask for the same thing are told apart by nothing: of two ways that differ only
    in which meld comes first, one is listed. With many cards and two groups that want the same ones
    there can be millions of cards to try in vain: after so many no more ways are looked for, and where
    none was found by then the solver's is the only one.
    """
    plan = plan_for(phase, rules.edition)
    wilds = held.count(WILD)
    tries = _Tries(most_tries)
    found = False
    for shapes in _makeable(plan, held, wilds):
        for melds in _fill(shapes, Counter(held), tries):
            if len(melds) == 2 and _swapped(melds):
                continue
            if check_phase(phase, melds, rules) is None:
                found = True
                yield melds
            else:
                tries.left -= TRIES_OF_A_CHECK
    if tries.left < 0 and not found:
        best = solve_phase(phase, held, rules).melds or ()
        if best:
            yield tuple([Meld(*each) for each in zip(phase.groups, best, strict=True)])


def _makeable(plan: Plan, held: Sequence[Card], wilds: int) -> Iterator[tuple[Shape, ...]]:
    """The shapes, or pairs of shapes, that the held cards can make."""
    have = supply(plan, held)
    ones = shapes_lacking(plan.groups[0], have, wilds)
    if len(plan.groups) == 1:
        for _, one in ones:
            yield (one,)
        return
    others = shapes_lacking(plan.groups[1], have, wilds) if ones else []
    naturals = [card for card in held if card.is_natural] if others else []
    for lack, one in ones:
        for more, other in others:
            if lack + more > wilds:
                continue
            if one.touched & other.keys:
                cells = (*one.cells, *other.cells)
                if lack_of(plan, cells, have, naturals) > wilds:
                    continue
            yield one, other


class _Tries:
    """How many cards may still be tried, and what must be left for the second of two shapes."""

    def __init__(self, left: float) -> None:
        self.left = left
        self.later: Sequence[Cell] = ()

    def allow(self, held: Counter[Card]) -> bool:
        """Whether to go on when just these are left."""
        self.left -= 1
        if not self.later:
            return self.left >= 0
        wilds = held[WILD]
        for cell in self.later:
            have = sum([held[face] for face in cell.faces])
            if have < cell.size:
                wilds -= cell.size - have
        return self.left >= 0 and wilds >= 0


def _fill(
    shapes: Sequence[Shape], held: Counter[Card], tries: _Tries
) -> Iterator[tuple[Meld, ...]]:
    """Every way to make these shapes of these cards."""
    if not shapes:
        yield ()
        return
    shape, *others = shapes
    later = others[0].cells if others and shape.touched & others[0].keys else ()
    tries.later = later
    for cards in _fill_cells(shape.cells, held, tries):
        for melds in _fill(others, held, tries):
            yield (Meld(shape.group, cards), *melds)
        tries.later = later


def _fill_cells(
    cells: Sequence[Cell], held: Counter[Card], tries: _Tries
) -> Iterator[tuple[Card, ...]]:
    """Every way to fill the cells; while one is looked at, its cards are taken out of ``held``."""
    if not cells:
        yield ()
        return
    cell = cells[0]
    choices = [(face, face) for face in cell.faces if held[face]]
    for first in _pick(cell.size, [*choices, (WILD, cell.stand)], held, tries):
        for rest in _fill_cells(cells[1:], held, tries):
            yield first + rest


def _pick(
    count: int, choices: Sequence[tuple[Card, Card]], held: Counter[Card], tries: _Tries
) -> Iterator[tuple[Card, ...]]:
    """Every choice of so many cards, given as (held card, card as laid)."""
    if not count:
        yield ()
        return
    for index, (card, laid) in enumerate(choices):
        if not held[card]:
            continue
        held[card] -= 1
        if tries.allow(held):
            for rest in _pick(count - 1, choices[index:], held, tries):
                yield (laid, *rest)
        held[card] += 1


def _swapped(melds: Sequence[Meld]) -> bool:
    """Two melds for the same request in the order that is not listed."""
    one, other = melds
    return one.group == other.group and _order(one) > _order(other)


def _order(meld: Meld) -> tuple[int, ...]:
    return tuple(map(by_order, meld.cards))
