"""Whether cards make a Phase, how best, and how much is missing.

>>> solve("classic", 4, "R3 B4 W G6 Y7 R8 G9 R12 S")
Solution(missing=0, melds=((R3, B4, W=5, G6, Y7, R8, G9),), left_points=25)
>>> solve("classic", 4, "r3 b4, g6 y7, r8 g9, r12 s").missing
1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from phaseten.rules.cards import (
    WILD,
    WILD_POINTS,
    Card,
    by_order,
    parse_cards,
    total_points,
    wild_as,
)
from phaseten.rules.editions import Edition, Phase
from phaseten.rules.melds import shows
from phaseten.rules.options import Rules
from phaseten.rules.shapes import (
    Cell,
    Plan,
    Shape,
    lack_of,
    match,
    plan_for,
    shapes_lacking,
    supply,
)


class Solution(NamedTuple):
    """The solver's answer."""

    missing: int
    """The least number of further cards, each free to be any card, that complete the Phase."""
    melds: tuple[tuple[Card, ...], ...] | None
    """The way to lay it that spends the fewest Wilds, then leaves the fewest points."""
    left_points: int
    """The points of all cards that are not laid."""

    @property
    def possible(self) -> bool:
        """Whether the Phase can be laid now."""
        return self.melds is not None


class _Candidate(NamedTuple):
    """Shapes for all groups of the Phase, and what the held cards lack for them."""

    shapes: tuple[Shape, ...]
    missing: int
    wilds: int
    """The Wilds spent when nothing is missing."""


def missing_cards(phase: Phase, held: Sequence[Card], rules: Rules) -> int:
    """The least number of further cards that would complete the Phase."""
    return min(candidate.missing for candidate in _candidates(phase, held, rules))


def solve(
    rules: str | Path | Edition | Rules, phase: int | Phase, cards: str | Iterable[str | Card]
) -> Solution:
    """Whether the cards make a Phase of that edition or those rules, and how best.

    >>> solve("express", 5, ["r1", "r2", "r3", "r4"]).possible
    False
    """
    law = Rules.of(rules)
    return solve_phase(law.phase(phase), _could_be_held(law.edition, parse_cards(cards)), law)


def _could_be_held(edition: Edition, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards, if a player of that edition could hold each of them."""
    for card in cards:
        if card.held is not card:
            raise ValueError(f"{card} is a Wild on the table: one you hold is just W")
        if card.is_natural and (card.color not in edition.colors or card.number > edition.highest):
            raise ValueError(f"the deck of {edition.title} has no {card}")
    return cards


def solve_phase(phase: Phase, held: Sequence[Card], rules: Rules) -> Solution:
    """The best way to lay the Phase from these cards, or what is missing."""
    candidates = list(_candidates(phase, held, rules))
    missing = min(candidate.missing for candidate in candidates)
    total = total_points(held)
    if missing:
        return Solution(missing, None, total)
    plan = plan_for(phase, rules.edition)
    fewest = min(candidate.wilds for candidate in candidates if not candidate.missing)
    best: tuple[int, tuple[tuple[Card, ...], ...]] | None = None
    for candidate in candidates:
        if candidate.missing or candidate.wilds > fewest:
            continue
        laid, melds = _lay_out(plan, candidate, held, rules)
        if best is None or laid > best[0]:
            best = (laid, melds)
    assert best is not None  # nothing is missing, so some candidate can be laid
    return Solution(0, best[1], total - best[0] - fewest * WILD_POINTS)


# -- which shapes ------------------------------------------------------------------------------


_ANY = 99


def _candidates(phase: Phase, held: Sequence[Card], rules: Rules) -> Iterator[_Candidate]:
    """The choices of shapes that can matter: each at least as good as those before it."""
    plan = plan_for(phase, rules.edition)
    have = supply(plan, held)
    wilds = held.count(WILD)
    demands = _Demands(plan, held, rules)
    ones, *more = [
        sorted(shapes_lacking(lines, have, _ANY), key=itemgetter(0)) for lines in plan.groups
    ]
    others = more[0] if more else [(0, None)]
    best = (_ANY, _ANY)
    for lack, one in ones:
        if _at_best(lack + others[0][0], wilds) > best:
            return
        for extra, other in others:
            if _at_best(lack + extra, wilds) > best:
                break
            shapes, together = (one,), lack
            if other is not None:
                shapes, together = (one, other), lack + extra
                if one.touched & other.keys:
                    cells = (*one.cells, *other.cells)
                    together = lack_of(plan, cells, have, demands.naturals)
            candidate = demands.judge(shapes, together, wilds)
            if (candidate.missing, candidate.wilds) <= best:
                best = (candidate.missing, candidate.wilds)
                yield candidate


def _at_best(lack: int, wilds: int) -> tuple[int, int]:
    """What is missing and which Wilds are spent at the least, where so many cards lack."""
    return (lack - wilds if lack > wilds else 0, lack)


class _Demands:
    """What the Phase asks beyond numbers of cards: naturals (W-NATURAL) and a show (P-CHAVO)."""

    def __init__(self, plan: Plan, held: Sequence[Card], rules: Rules) -> None:
        self._phase = plan.phase
        self._natural_per_meld = rules.natural_per_meld
        self.naturals = [card for card in held if card.is_natural]
        self._shown = [card for card in self.naturals if shows(plan.phase, card)]

    def judge(self, shapes: tuple[Shape, ...], lack: int, wilds: int) -> _Candidate:
        """The shapes as a candidate."""
        missing = max(0, lack - wilds, self._naturals_missing(shapes, lack))
        spent = lack
        if self._phase.must_show and lack == 0 and not self._shows(shapes):
            spent = 1
            missing = max(missing, 0 if wilds else 1)
        return _Candidate(shapes, missing, spent)

    def _naturals_missing(self, shapes: tuple[Shape, ...], lack: int) -> int:
        if not self._natural_per_meld:
            return int(lack == sum(shape.group.cards for shape in shapes))
        fitting = [
            [card for card in self.naturals if any(card in cell.faces for cell in shape.cells)]
            for shape in shapes
        ]
        bare = sum(not cards for cards in fitting)
        # Two melds that both can use one and the same card only: one of them stays bare.
        either = sum(any(card in cards for cards in fitting) for card in self.naturals)
        return max(bare, len(shapes) - either)

    def _shows(self, shapes: tuple[Shape, ...]) -> bool:
        return any(card in cell.faces for card in self._shown for s in shapes for cell in s.cells)


# -- which cards -------------------------------------------------------------------------------


class _Span(NamedTuple):
    """A shape and how far it reaches on its line; a chain can have grown."""

    shape: Shape
    first: int
    last: int

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self.shape.line[self.first : self.last + 1]


def _all_cells(spans: Sequence[_Span]) -> list[Cell]:
    return [cell for span in spans for cell in span.cells]


def _lay_out(
    plan: Plan, candidate: _Candidate, held: Sequence[Card], rules: Rules
) -> tuple[int, tuple[tuple[Card, ...], ...]]:
    """The points of the numbered cards laid, and the melds, for these shapes."""
    spans = tuple(
        _Span(shape, shape.first, shape.first + len(shape.cells) - 1) for shape in candidate.shapes
    )
    loose = {
        face
        for shape in candidate.shapes
        if not shape.group.kind.chain
        for face in shape.cells[0].faces
    }
    # Cards that no loose meld would take as an extra come first, the dearest ahead: they are
    # the ones that stay in the hand when a chain does not use them.
    naturals = sorted(
        [card for card in held if card.is_natural],
        key=lambda card: (card in loose, -card.number),
    )
    have = supply(plan, naturals)
    lack = lack_of(plan, _all_cells(spans), have, naturals)
    most = -1
    best, where = spans, dict[int, int]()
    for grown in _grow(plan, spans, have, naturals):
        placed = match(plan, _all_cells(grown), naturals)
        points = sum(
            [card.points for i, card in enumerate(naturals) if i in placed or card in loose]
        )
        if points > most:
            most, best, where = points, grown, placed
    if rules.natural_per_meld:
        _spread_naturals(best, where, naturals)
    melds = _deal_into(best, where, naturals)
    if candidate.wilds > lack:
        most -= _show_a_wild(best, melds)
    return most, tuple([tuple(meld) for meld in melds])


def _grow(
    plan: Plan, spans: tuple[_Span, ...], have: Sequence[int], naturals: Sequence[Card]
) -> Iterator[tuple[_Span, ...]]:
    """Every way to make the chains longer with numbered cards alone.

    Where the ends grow independently, only the longest way.
    """
    lack = lack_of(plan, _all_cells(spans), have, naturals)
    stack, seen = [spans], {spans}
    while stack:
        current = stack.pop()
        longer = [
            wider
            for wider in _one_longer(current)
            if wider not in seen and lack_of(plan, _all_cells(wider), have, naturals) == lack
        ]
        if plan.grows_simply:
            longer = longer[:1]
        seen.update(longer)
        stack += longer
        if not longer or not plan.grows_simply:
            yield current


def _one_longer(spans: tuple[_Span, ...]) -> Iterator[tuple[_Span, ...]]:
    for index, span in enumerate(spans):
        if not span.shape.group.kind.chain:
            continue
        wider = [span._replace(first=span.first - 1)] if span.first > 0 else []
        if span.last + 1 < len(span.shape.line):
            wider.append(span._replace(last=span.last + 1))
        for one in wider:
            yield (*spans[:index], one, *spans[index + 1 :])


def _deal_into(
    spans: Sequence[_Span], placed: Mapping[int, int], naturals: Sequence[Card]
) -> list[list[Card]]:
    """The melds: numbered cards where they go, Wilds in the gaps, extras on the loose melds."""
    inside: dict[int, list[Card]] = {}
    for card, where in placed.items():
        inside.setdefault(where, []).append(naturals[card])
    extras = [card for i, card in enumerate(naturals) if i not in placed]
    melds: list[list[Card]] = []
    number = 0
    for span in spans:
        meld: list[Card] = []
        for cell in span.cells:
            cards = inside.get(number, [])
            meld += cards + [cell.stand] * (cell.size - len(cards))
            number += 1
        if not span.shape.group.kind.chain:
            taken = [card for card in extras if card in span.shape.cells[0].faces]
            extras = [card for card in extras if card not in span.shape.cells[0].faces]
            meld = sorted(meld + taken, key=by_order)
        melds.append(meld)
    return melds


def _spread_naturals(
    spans: Sequence[_Span], placed: dict[int, int], naturals: Sequence[Card]
) -> None:
    """Give a meld of Wilds alone a numbered card of the other meld (natural_per_meld)."""
    cells = [(index, cell) for index, span in enumerate(spans) for cell in span.cells]
    for bare in set(range(len(spans))) - {cells[where][0] for where in placed.values()}:
        for card in placed:
            for number, (index, cell) in enumerate(cells):
                if index == bare and naturals[card] in cell.faces:
                    placed[card] = number
                    return


def _show_a_wild(spans: Sequence[_Span], melds: list[list[Card]]) -> int:
    """Lay one Wild more, because the Phase must show one; the points that stay in hand for it.

    A loose meld takes it as an extra. In a chain it replaces the cheapest card: where it could
    make the chain longer instead, the shape with that gap is a candidate of its own.
    """
    for span, meld in zip(spans, melds, strict=True):
        if not span.shape.group.kind.chain:
            meld.append(span.shape.cells[0].stand)
            return 0
    points, i, j = min(
        (card.points, i, j) for i, meld in enumerate(melds) for j, card in enumerate(meld)
    )
    color = melds[i][j].color if spans[i].shape.group.kind.one_color else ""
    melds[i][j] = wild_as(color, melds[i][j].number)
    return points
