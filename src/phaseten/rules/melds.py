"""What a meld is, and what may be added to it.

Cards of a meld are kept in one normal form: chains low to high, Wilds with what they stand for
(in a parity meld a Wild stands for nothing in particular and stays a plain W).

>>> from phaseten.rules.cards import parse_cards
>>> from phaseten.rules.editions import edition, parse_group
>>> classic = edition("classic")
>>> read_meld(parse_group("run 4"), parse_cards("R3 W G5 B6"), classic)
Meld(group=run 4, cards=(R3, W=4, G5, B6))
>>> print(read_meld(parse_group("run 4"), parse_cards("R10 G11 B12 W"), classic))
Numbers go from 1 to 12: this run does not fit in. (M-RUN)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from phaseten.rules.cards import SKIP, WILD, Card, sort_cards, wild_as
from phaseten.rules.editions import Edition, Group, Kind, Phase
from phaseten.rules.options import Rules
from phaseten.rules.refusals import Refusal, Takes, refuse

PARITY_NAMES = ("even", "odd")


class Meld(NamedTuple):
    """The cards on the table that answer a group."""

    group: Group
    cards: tuple[Card, ...]


def held_form(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The same cards as they were held: Wilds without what they stand for."""
    return tuple([card.held for card in cards])


def read_meld(group: Group, cards: Sequence[Card], edition: Edition) -> Meld | Refusal:
    """These cards as a meld for the group, in normal form, or why they are none."""
    kind = group.kind
    if SKIP in cards:
        return refuse("W-SKIP", "skip-in-meld")
    if len(cards) < group.cards:
        return refuse(kind.rule, "too-few", group=group, wanted=group.cards, given=len(cards))
    if kind.chain:
        return _read_chain(group, cards, edition)
    if kind.parity is not None:
        return _read_parity(group, cards, kind.parity)
    return (
        _read_color(group, cards, edition) if kind.one_color else _read_set(group, cards, edition)
    )


def _read_set(group: Group, cards: Sequence[Card], edition: Edition) -> Meld | Refusal:
    number = next((card.number for card in _naturals_first(cards) if card.number), 0)
    if not number:
        return refuse("W-NATURAL", "undeclared")
    for card in cards:
        if (card.number or number) != number or number > edition.highest:
            return refuse(group.kind.rule, "not-one-number", card=card)
    stand = wild_as(number=number)
    return Meld(group, tuple([stand if card.is_wild else card for card in cards]))


def _read_color(group: Group, cards: Sequence[Card], edition: Edition) -> Meld | Refusal:
    color = _one_color(group.kind, cards, edition)
    if isinstance(color, Refusal):
        return color
    stand = wild_as(color=color)
    return Meld(group, tuple([stand if card.is_wild else card for card in cards]))


def _read_parity(group: Group, cards: Sequence[Card], parity: int) -> Meld | Refusal:
    for card in cards:
        if card.number and card.number % 2 != parity:
            return refuse(group.kind.rule, "not-one-parity", card=card, parity=PARITY_NAMES[parity])
    return Meld(group, held_form(cards))


def _read_chain(group: Group, cards: Sequence[Card], edition: Edition) -> Meld | Refusal:
    kind = group.kind
    if len(cards) % kind.copies:
        return refuse(kind.rule, "odd-number-of-cards")
    color = ""
    if kind.one_color:
        found = _one_color(kind, cards, edition)
        if isinstance(found, Refusal):
            return found
        color = found
    anchor = next((i for i, card in enumerate(cards) if card.is_natural), None)
    if anchor is None:
        anchor = next((i for i, card in enumerate(cards) if card.number), None)
    if anchor is None:
        return refuse("W-NATURAL", "undeclared")
    first = cards[anchor].number - kind.step * (anchor // kind.copies)
    numbers = [first + kind.step * (i // kind.copies) for i in range(len(cards))]
    for card, number in zip(cards, numbers, strict=True):
        if card.number not in (0, number):
            return refuse(kind.rule, "not-in-order", card=card, steps=kind.step)
    if first < 1 or numbers[-1] > edition.highest:
        return refuse(kind.rule, "outside-deck", highest=edition.highest)
    if kind.parity is not None and first % 2 != kind.parity:
        return refuse(kind.rule, "wrong-start", parity=PARITY_NAMES[kind.parity])
    return Meld(
        group,
        tuple(
            [
                wild_as(color, number) if card.is_wild else card
                for card, number in zip(cards, numbers, strict=True)
            ]
        ),
    )


def _one_color(kind: Kind, cards: Sequence[Card], edition: Edition) -> str | Refusal:
    color = next((card.color for card in _naturals_first(cards) if card.color), "")
    if not color:
        return refuse("W-NATURAL", "undeclared")
    for card in cards:
        if (card.color or color) != color or color not in edition.colors:
            return refuse(kind.rule, "not-one-color", card=card)
    return color


def _naturals_first(cards: Sequence[Card]) -> list[Card]:
    """So that a wrong Wild is blamed, and not the numbered cards beside it."""
    return sorted(cards, key=lambda card: card.is_wild)


def check_part(group: Group, cards: Sequence[Card], edition: Edition) -> Refusal | None:
    """Why no meld for the group can have all these cards, in whatever order and with whatever others.

    The Wilds that are still missing are lent; whether that is a meld, the law of melds says.

    >>> from phaseten.rules.cards import parse_cards
    >>> from phaseten.rules.editions import edition, parse_group
    >>> check_part(parse_group("run 4"), parse_cards("G9 R3 W"), edition("classic"))
    >>> print(check_part(parse_group("set 3"), parse_cards("R1 R7"), edition("classic")))
    A set is made of cards of one number: R7 does not fit. (M-SET)
    """
    kind = group.kind
    naturals = [card for card in cards if not card.is_wild]
    if not naturals:
        return None
    if kind.one_color:  # whatever the order of a run, the card that came last is blamed
        color = _one_color(kind, naturals, edition)
        if isinstance(color, Refusal):
            return color
    row = _chain_through(kind, naturals) if kind.chain else naturals
    lent = max(group.cards, len(cards), len(row)) - len(row)
    lent += (len(row) + lent) % kind.copies
    verdict = read_meld(group, (*row, *[WILD] * lent), edition)
    for low in range(1, lent + 1 if kind.chain else 1):
        # What does not fit in above may fit in below.
        if isinstance(verdict, Refusal):
            tried = (*[WILD] * low, *row, *[WILD] * (lent - low))
            again = read_meld(group, tried, edition)
            verdict = again if isinstance(again, Meld) else verdict
    return verdict if isinstance(verdict, Refusal) else None


def _chain_through(kind: Kind, naturals: Sequence[Card]) -> list[Card]:
    """These cards from low to high, with Wilds for the numbers between them."""
    row: list[Card] = []
    for card in sorted(naturals, key=lambda card: card.number):
        last = row[-1].number if row else card.number
        same = sum(one.number == last for one in row)
        if row and card.number > last:
            row += [WILD] * (kind.copies - same)
            row += [WILD] * (kind.copies * ((card.number - last - 1) // kind.step))
        row.append(card)
    return row


def check_phase(phase: Phase, melds: Sequence[Meld], rules: Rules) -> Refusal | None:
    """What is asked of the melds of a Phase together: W-NATURAL and P-CHAVO."""
    naturals = [any(card.is_natural for card in meld.cards) for meld in melds]
    if not any(naturals):
        return refuse("W-NATURAL", "no-natural")
    if rules.natural_per_meld and not all(naturals):
        return refuse("W-NATURAL", "no-natural-in-meld")
    if phase.must_show and not any(shows(phase, card) for meld in melds for card in meld.cards):
        return refuse("P-CHAVO", "must-show", number=phase.must_show)
    return None


def shows(phase: Phase, card: Card) -> bool:
    """Whether the card is what the Phase must show (P-CHAVO)."""
    return card.is_wild or card.number == phase.must_show


# -- adding to a meld -------------------------------------------------------------------------


def open_ends(meld: Meld, edition: Edition) -> tuple[int, ...]:
    """The numbers at which a chain can still grow, the lower one first."""
    step = meld.group.kind.step
    low = meld.cards[0].number - step
    high = meld.cards[-1].number + step
    if low >= 1:
        return (low, high) if high <= edition.highest else (low,)
    return (high,) if high <= edition.highest else ()


def add_to_meld(meld: Meld, cards: Sequence[Card], edition: Edition) -> Meld | Refusal:
    """The meld with these cards added (T-HIT, T-HIT-WILD), or why they do not fit."""
    kind = meld.group.kind
    if SKIP in cards:
        return refuse("W-SKIP", "skip-in-meld")
    if len(cards) != kind.copies:
        return refuse("T-HIT", "pair-needed" if kind.copies == 2 else "one-card-a-hit")
    if kind.chain:
        return _grow_chain(meld, cards, edition)
    added = read_meld(meld.group, (*meld.cards, *cards), edition)
    if isinstance(added, Refusal):
        rule = "T-HIT-WILD" if WILD in held_form(cards) else "T-HIT"
        return refuse(rule, "does-not-fit", card=cards[0], takes=_takes(meld))
    return added


def _grow_chain(meld: Meld, cards: Sequence[Card], edition: Edition) -> Meld | Refusal:
    kind = meld.group.kind
    ends = open_ends(meld, edition)
    rule = "T-HIT-WILD" if all(card.is_wild for card in cards) else "T-HIT"
    if not ends:
        return refuse(rule, "meld-full")
    number = next((card.number for card in _naturals_first(cards) if card.number), 0)
    if not number:
        if len(ends) > 1:
            return refuse("T-HIT-WILD", "which-end", ends=ends)
        number = max(ends)
    color = meld.cards[0].color if kind.one_color else ""
    for card in cards:
        fits = number in ends and card.number in (0, number)
        if color and card.color not in ("", color):
            fits = False
        if not fits:
            return refuse(rule, "does-not-fit", card=card, takes=Takes(ends, color=color))
    new = tuple([wild_as(color, number) if card.is_wild else card for card in cards])
    below = number < meld.cards[0].number
    return Meld(meld.group, new + meld.cards if below else meld.cards + new)


def _takes(meld: Meld) -> Takes:
    """What a meld that is no chain takes."""
    kind, first = meld.group.kind, meld.cards[0]
    if kind.parity is not None:
        return Takes(parity=PARITY_NAMES[kind.parity])
    return Takes(color=first.color) if kind.one_color else Takes(number=first.number)


def hits_on(meld: Meld, held: Counter[Card], edition: Edition) -> list[tuple[Card, ...]]:
    """Every way to add to the meld from these held cards, in normal form."""
    kind = meld.group.kind
    wilds = held[WILD]
    if kind.copies == 2:
        return [pair for end in open_ends(meld, edition) for pair in _pairs(end, held)]
    if kind.chain:
        ends = open_ends(meld, edition)
        color = meld.cards[0].color if kind.one_color else ""
        found = [
            (card,) for card in held if card.number in ends and (not color or card.color == color)
        ]
        return found + [(wild_as(color, end),) for end in ends] if wilds else found
    first = meld.cards[0]
    if kind.parity is not None:
        found = [(card,) for card in held if card.number and card.number % 2 == kind.parity]
        return [*found, (WILD,)] if wilds else found
    if kind.one_color:
        found = [(card,) for card in held if card.color == first.color]
        return [*found, (wild_as(color=first.color),)] if wilds else found
    found = [(card,) for card in held if card.number == first.number]
    return [*found, (wild_as(number=first.number),)] if wilds else found


def _pairs(number: int, held: Counter[Card]) -> list[tuple[Card, ...]]:
    naturals = sort_cards(card for card in held if card.number == number)
    stand = wild_as(number=number)
    pairs = [
        (one, other)
        for i, one in enumerate(naturals)
        for other in naturals[i:]
        if one is not other or held[one] > 1
    ]
    if held[WILD]:
        pairs += [(one, stand) for one in naturals]
    if held[WILD] > 1:
        pairs.append((stand, stand))
    return list(pairs)
