"""How far the held cards go toward a Phase: its slots, filled and empty, and what would help."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from phaseten.rules.cards import WILD, Card, by_order, wild_as
from phaseten.rules.editions import Phase
from phaseten.rules.options import Rules
from phaseten.rules.solver import missing_cards, solve_phase
from phaseten.rules.state import open_phases
from phaseten.rules.views import View

MOST_HELPFUL: Final = 9
"""More kinds of helpful cards than this say nothing."""


class Slot(NamedTuple):
    """A place in a Phase: the card that fills it, or what an empty one waits for."""

    card: Card
    filled: bool


class Need(NamedTuple):
    """How it stands with a Phase."""

    phase: Phase
    missing: int
    rows: tuple[tuple[Slot, ...], ...]
    """The slots of each group."""
    helpful: tuple[Card, ...]
    """What brings it nearer: cards, or Wilds that stand for a number or a colour ("any 7")."""


def needs_of(view: View) -> list[Need]:
    """The Phases that the seat may still lay in this hand, the nearest first."""
    if view.board is None or view.seat is None or view.board.made[view.seat - 1]:
        return []
    numbers = open_phases(view.rules, view.sheet, view.seat)
    held = tuple(sorted(view.held, key=by_order))
    needs = [_need(view.rules.by_number[number], held, view.rules) for number in numbers]
    return sorted(needs, key=lambda need: need.missing)


@lru_cache(maxsize=256)
def _need(phase: Phase, held: tuple[Card, ...], rules: Rules) -> Need:
    missing = missing_cards(phase, held, rules)
    helpful = _helpful(phase, held, rules, missing) if missing else ()
    return Need(phase, missing, _rows(phase, held, rules, missing), helpful)


def _rows(
    phase: Phase, held: tuple[Card, ...], rules: Rules, missing: int
) -> tuple[tuple[Slot, ...], ...]:
    """The slots: with as many Wilds lent as cards are missing, the Phase could be laid."""
    melds = solve_phase(phase, (*held, *[WILD] * missing), rules).melds
    if melds is None:  # only Wilds are held: no lent Wild can be the numbered card it needs
        return tuple((Slot(WILD, filled=False),) * group.cards for group in phase.groups)
    own = held.count(WILD)
    rows: list[tuple[Slot, ...]] = []
    for meld in melds:
        row: list[Slot] = []
        for card in meld:
            row.append(Slot(card, filled=not card.is_wild or own > 0))
            own -= card.is_wild
        rows.append(tuple(row))
    return tuple(rows)


def _helpful(phase: Phase, held: tuple[Card, ...], rules: Rules, missing: int) -> tuple[Card, ...]:
    faces = dict.fromkeys(card for card in rules.edition.deck if card.is_natural)
    rest = {face for face in faces if missing_cards(phase, (*held, face), rules) < missing}
    kinds = [
        wild_as(number=number)
        for number in range(1, rules.edition.highest + 1)
        if _take_all([face for face in faces if face.number == number], rest)
    ]
    for color in rules.edition.colors:
        same = [face for face in rest if face.color == color]
        if len(same) > 2 and _take_all(same, rest):
            kinds.append(wild_as(color=color))
    kinds += sorted(rest, key=by_order)
    return tuple(kinds) if len(kinds) <= MOST_HELPFUL else ()


def _take_all(faces: Sequence[Card], rest: set[Card]) -> bool:
    """Take these faces away if they are all there."""
    if not rest.issuperset(faces):
        return False
    rest.difference_update(faces)
    return True
