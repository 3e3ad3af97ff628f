"""The shapes a Phase can take: which numbers its sets have, where its runs start, which colour.

A *cell* wants so many cards of one sort. What a Wild would stand for there names it: ``W=5``,
``W=R``, ``W=R5``. Cells lie in *lines*: the twelve numbers, say, or the four colours. A *shape* of
a group, at the group's least size, is a window on such a line: one cell for a set, a colour or a
parity meld, and so many neighbours for a chain, which can grow along its line.

A :class:`Plan` holds all shapes of a Phase, ready to be counted against held cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from phaseten.rules.cards import WILD, Card, natural, wild_as
from phaseten.rules.editions import Edition, Group, Phase


class Cell(NamedTuple):
    """So many cards of one sort; a Wild among them stands for ``stand``."""

    stand: Card
    size: int
    faces: tuple[Card, ...]
    """The numbered cards that belong here."""
    key: int
    """Cells of one plan with the same faces have the same key."""


class Shape(NamedTuple):
    """A group with its numbers or colour chosen, at its least size."""

    group: Group
    line: tuple[Cell, ...]
    first: int
    """Where on the line the shape begins."""
    cells: tuple[Cell, ...]
    keys: int
    """The keys of the cells, as bits."""
    touched: int
    """The keys of the plan that share a face with one of the cells, as bits."""


class Line(NamedTuple):
    """Neighbouring cells, and the shapes along them."""

    cells: tuple[Cell, ...]
    width: int
    shapes: tuple[Shape, ...]


class Plan(NamedTuple):
    """All shapes of a Phase."""

    phase: Phase
    groups: tuple[tuple[Line, ...], ...]
    """For each group of the Phase its lines, low numbers first."""
    keys_of: dict[Card, tuple[int, ...]]
    """For each numbered card the keys of the cells it belongs in."""
    keys: int
    """How many keys there are."""
    tangled: bool
    """Some cells overlap without being the same (a colour and a number, say)."""
    grows_simply: bool
    """At most one chain and nothing tangled, so that its two ends grow independently."""


def plan_for(phase: Phase, edition: Edition) -> Plan:
    """The plan of that Phase with that edition's cards."""
    return _plan(phase, edition.colors, edition.highest)


@lru_cache(maxsize=1024)
def _plan(phase: Phase, colors: str, highest: int) -> Plan:
    faces = tuple(natural(color, number) for color in colors for number in range(1, highest + 1))
    key_numbers: dict[tuple[Card, ...], int] = {}
    lines = [_group_lines(group, faces, colors, highest, key_numbers) for group in phase.groups]
    keys_of = {
        face: tuple(key for admitted, key in key_numbers.items() if face in admitted)
        for face in faces
    }
    together = [0] * len(key_numbers)
    for keys in keys_of.values():
        for key in keys:
            together[key] |= bits(keys)
    tangled = any(len(keys) > 1 for keys in keys_of.values())
    chains = sum(group.kind.chain for group in phase.groups)
    return Plan(
        phase,
        tuple(
            tuple(_line(group, cells, together) for cells in rows)
            for group, rows in zip(phase.groups, lines, strict=True)
        ),
        keys_of,
        len(key_numbers),
        tangled,
        not tangled and chains < 2,
    )


def _group_lines(
    group: Group,
    faces: Sequence[Card],
    colors: str,
    highest: int,
    key_numbers: dict[tuple[Card, ...], int],
) -> list[tuple[Cell, ...]]:
    """The lines of cells on which the group's shapes lie."""
    kind = group.kind
    count = kind.copies if kind.chain else group.size

    def cell(stand: Card) -> Cell:
        admitted = tuple(face for face in faces if _belongs(face, stand, kind.parity))
        return Cell(stand, count, admitted, key_numbers.setdefault(admitted, len(key_numbers)))

    numbers = [n for n in range(1, highest + 1) if kind.parity is None or n % 2 == kind.parity]
    if kind.chain:
        return [
            tuple(cell(wild_as(color, number)) for number in numbers)
            for color in (colors if kind.one_color else ("",))
        ]
    if kind.parity is not None:
        return [(cell(WILD),)]
    if kind.one_color:
        return [tuple(cell(wild_as(color=color)) for color in colors)]
    return [tuple(cell(wild_as(number=number)) for number in numbers)]


def _belongs(face: Card, stand: Card, parity: int | None) -> bool:
    """Whether a numbered card belongs where a Wild would stand for ``stand``."""
    return (
        stand.number in (0, face.number)
        and stand.color in ("", face.color)
        and (parity is None or face.number % 2 == parity)
    )


def _line(group: Group, cells: tuple[Cell, ...], together: Sequence[int]) -> Line:
    width = group.size if group.kind.chain else 1
    shapes: list[Shape] = []
    for first in range(len(cells) - width + 1):
        window = cells[first : first + width]
        touched = 0
        for cell in window:
            touched |= together[cell.key]
        shapes.append(
            Shape(group, cells, first, window, bits(cell.key for cell in window), touched)
        )
    return Line(cells, width, tuple(shapes))


def bits(keys: Iterable[int]) -> int:
    """A number with these bits set."""
    result = 0
    for key in keys:
        result |= 1 << key
    return result


# -- counting held cards against shapes --------------------------------------------------------


def supply(plan: Plan, held: Iterable[Card]) -> list[int]:
    """For each key of the plan the number of held cards that belong there."""
    have = [0] * plan.keys
    keys_of = plan.keys_of
    for card in held:
        if card in keys_of:
            for key in keys_of[card]:
                have[key] += 1
    return have


def shapes_lacking(
    lines: Sequence[Line], have: Sequence[int], most: int
) -> list[tuple[int, Shape]]:
    """The shapes that lack no more than so many cards, and what each lacks by itself."""
    found: list[tuple[int, Shape]] = []
    for line in lines:
        short = [count - have[key] if have[key] < count else 0 for _, count, _, key in line.cells]
        width = line.width
        for first, shape in enumerate(line.shapes):
            lack = sum(short[first : first + width]) if width > 1 else short[first]
            if lack <= most:
                found.append((lack, shape))
    return found


def lack_of(
    plan: Plan, cells: Sequence[Cell], have: Sequence[int], naturals: Sequence[Card]
) -> int:
    """How many cards these cells lack when they share the held ones."""
    if plan.tangled:
        return sum(cell.size for cell in cells) - len(match(plan, cells, naturals))
    demand: dict[int, int] = {}
    for cell in cells:
        demand[cell.key] = demand.get(cell.key, 0) + cell.size
    return sum([count - have[key] for key, count in demand.items() if have[key] < count])


def match(plan: Plan, cells: Sequence[Cell], naturals: Sequence[Card]) -> dict[int, int]:
    """Put as many numbered cards as possible into cells: index of the card to index of the cell.

    Earlier cards have precedence: a card once placed stays placed, perhaps elsewhere. (Which cards
    can be placed together is a matroid, so that taking them greedily is best.)
    """
    placed: dict[int, int] = {}
    inside: list[list[int]] = [[] for _ in cells]
    by_key: dict[int, list[int]] = {}
    for index, cell in enumerate(cells):
        by_key.setdefault(cell.key, []).append(index)

    def place(card: int, tried: set[int]) -> bool:
        for key in plan.keys_of.get(naturals[card], ()):
            for index in by_key.get(key, ()):
                if index in tried:
                    continue
                tried.add(index)
                residents = inside[index]
                if len(residents) == cells[index].size:
                    moved = next((other for other in residents if place(other, tried)), None)
                    if moved is None:
                        continue
                    residents.remove(moved)
                residents.append(card)
                placed[card] = index
                return True
        return False

    for card in range(len(naturals)):
        place(card, set())
    return placed
