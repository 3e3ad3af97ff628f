"""A slow, plain oracle for the Phase solver and the lay-down enumeration.

It is written from RULES.md (1-3, 9) and NOTATION.md (Cards, The solver) alone and shares no code
with the product.  Cards are plain strings: "R7", "W", "S"; a laid Wild is "W=5" (sets and runs of
numbers), "W=R" (colour melds), "W=R5" (colour runs) or "W" (parity melds).

Two separate routes are kept on purpose:

* ``minimal_lays`` / ``lays`` / ``solve`` try, for each meld, everything it could be declared as
  (each number, start, colour) and every choice of held cards and Wilds for its places;
* ``naive_lays`` tries every split of the cards over the melds and every meaning of every Wild, and
  keeps what ``is_meld`` (a plain reading of M-SET … M-STEPRUN) accepts.  Only for small hands.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

Meld = tuple[str, ...]
Lay = tuple[Meld, ...]


class Answer(TypedDict):
    possible: bool
    missing: int | None  # None: no number of further cards makes this (custom) Phase
    wilds_spent: int | None
    left_points: int


class Query(TypedDict):
    edition: str
    phase: int
    cards: list[str]


class Example(Answer):
    """A line of solve.jsonl."""

    query: Query


@dataclass(frozen=True)
class Phase:
    """``groups``: e.g. ["set 3", "run 4"].  ``must_show``: e.g. ["8", "W"] (P-CHAVO)."""

    groups: Sequence[str]
    must_show: Sequence[str] = ()
    natural_per_meld: bool = False
    colors: str = "RBYG"
    highest: int = 12


_TABLE_A: list[list[str]] = [
    ["set 3", "set 3"], ["set 3", "run 4"], ["set 4", "run 4"], ["run 7"], ["run 8"], ["run 9"],
    ["set 4", "set 4"], ["color 7"], ["set 5", "set 2"], ["set 5", "set 3"],
]  # fmt: skip
_TABLE_B: list[list[str]] = [
    ["odd 4"], ["set 2", "set 2"], ["even 4"], ["pairrun 2"], ["set 3"], ["run 4"],
    ["colorrun 3"], ["oddrun 4"], ["evenrun 4"], ["color 4"],
]  # fmt: skip


def phase_of(edition: str, number: int, natural_per_meld: bool = False) -> Phase:
    """The Phase ``number`` (from 1) of an edition of RULES.md."""
    table = {"classic": _TABLE_A, "deluxe": _TABLE_A, "elchavo": _TABLE_A,
             "anniversary": _TABLE_A, "express": _TABLE_B}[edition]  # fmt: skip
    return Phase(
        groups=table[number - 1],
        must_show=["8", "W"] if edition == "elchavo" and number == 10 else [],
        natural_per_meld=natural_per_meld,
        colors="ROYG" if edition == "anniversary" else "RBYG",
    )


# ---------------------------------------------------------------------------------------- cards


def is_wild(card: str) -> bool:
    return card.startswith("W")


def is_natural(card: str) -> bool:
    return card != "S" and not is_wild(card)


def points(card: str) -> int:
    """G-POINTS."""
    if card == "S":
        return 15
    if is_wild(card):
        return 25
    return 10 if int(card[1:]) >= 10 else 5


def _group(text: str) -> tuple[str, int]:
    kind, size = text.split()
    if kind not in (
        "set",
        "run",
        "color",
        "odd",
        "even",
        "pairrun",
        "colorrun",
        "oddrun",
        "evenrun",
    ):
        raise ValueError(f"unknown group {text!r}")
    return kind, int(size)


def _cards_in(kind: str, size: int) -> int:
    return 2 * size if kind == "pairrun" else size


# ----------------------------------------------------------------- what holds for a whole Phase


def phase_rules_hold(melds: Sequence[Meld], phase: Phase) -> bool:
    """W-NATURAL (over the whole Phase, or per meld with the house rule) and P-CHAVO."""
    if phase.natural_per_meld:
        if not all(any(is_natural(card) for card in meld) for meld in melds):
            return False
    elif not any(is_natural(card) for meld in melds for card in meld):
        return False
    if not phase.must_show:
        return True
    for meld in melds:
        for card in meld:
            if is_wild(card) and "W" in phase.must_show:
                return True
            if is_natural(card) and card[1:] in phase.must_show:
                return True
    return False


def _normal(melds: Sequence[Meld], phase: Phase) -> Lay:
    """Melds of groups with the same text are unordered: sort them among their own places."""
    result = list(melds)
    for text in set(phase.groups):
        places = [i for i, other in enumerate(phase.groups) if other == text]
        for place, meld in zip(places, sorted(melds[i] for i in places), strict=True):
            result[place] = meld
    return tuple(result)


# --------------------------------------------- route 1: declare a meld, then fill its places


def _declarations(kind: str, size: int, phase: Phase) -> Iterator[list[tuple[str, int]]]:
    """All that a meld could be: its places, low to high, each with how many cards go there.

    A place is "5" (a number), "R" (a colour), "R5" (both), "odd" or "even".
    """
    numbers = range(1, phase.highest + 1)

    def runs(step: int, first: int) -> Iterator[list[int]]:
        for start in numbers:
            run = [start + step * i for i in range(size)]
            if run[-1] in numbers and (step == 1 or start % 2 == first):
                yield run

    if kind == "set":
        for number in numbers:
            yield [(str(number), size)]
    elif kind == "run":
        for run in runs(1, 0):
            yield [(str(number), 1) for number in run]
    elif kind == "pairrun":
        for run in runs(1, 0):
            yield [(str(number), 2) for number in run]
    elif kind == "oddrun":
        for run in runs(2, 1):
            yield [(str(number), 1) for number in run]
    elif kind == "evenrun":
        for run in runs(2, 0):
            yield [(str(number), 1) for number in run]
    elif kind == "colorrun":
        for color in phase.colors:
            for run in runs(1, 0):
                yield [(f"{color}{number}", 1) for number in run]
    elif kind == "color":
        for color in phase.colors:
            yield [(color, size)]
    else:
        yield [(kind, size)]  # odd, even


def _fits(card: str, place: str) -> bool:
    """Whether a held card may lie at a place."""
    if card == "S":
        return False  # W-SKIP
    if card == "W":
        return True  # W-ANY
    if place == "odd":
        return int(card[1:]) % 2 == 1
    if place == "even":
        return int(card[1:]) % 2 == 0
    if place.isdigit():
        return card[1:] == place
    if place.isalpha():
        return card[0] == place
    return card == place


def _written(card: str, place: str) -> str:
    return f"W={place}" if card == "W" and place not in ("odd", "even") else card


def _choices(faces: list[tuple[str, int]], count: int) -> Iterator[tuple[str, ...]]:
    """All different ways to take ``count`` cards out of ``faces`` (a face, how many are held)."""
    if sum(held for _, held in faces) < count:
        return
    if not faces:
        yield ()
        return
    face, held = faces[0]
    for taken in range(min(held, count) + 1):
        for others in _choices(faces[1:], count - taken):
            yield (face,) * taken + others


def _fill(places: list[tuple[str, int]], held: Counter[str]) -> Iterator[tuple[Meld, Counter[str]]]:
    """All ways to fill the places in turn from the held cards, with what is then still held."""
    if not places:
        yield (), held
        return
    place, count = places[0]
    for cards in _choices([(c, n) for c, n in sorted(held.items()) if _fits(c, place)], count):
        here = tuple(sorted(_written(card, place) for card in cards))
        for others, rest in _fill(places[1:], held - Counter(cards)):
            yield here + others, rest


def _all_melds(
    sizes: Sequence[tuple[str, int]], held: Counter[str], phase: Phase
) -> Iterator[tuple[Meld, ...]]:
    if not sizes:
        yield ()
        return
    kind, size = sizes[0]
    for places in _declarations(kind, size, phase):
        for meld, rest in _fill(places, held):
            for others in _all_melds(sizes[1:], rest, phase):
                yield (meld, *others)


def _each_lay(cards: Sequence[str], phase: Phase, larger: bool) -> Iterator[tuple[Meld, ...]]:
    """Every legal lay, in the Phase's order of melds; with ``larger`` also above minimum size."""
    held = Counter(cards)
    usable = sum(n for card, n in held.items() if card != "S")
    groups = [_group(text) for text in phase.groups]
    ranges = [range(size, (usable if larger else size) + 1) for _, size in groups]
    for chosen in itertools.product(*ranges):
        sizes = [(kind, size) for (kind, _), size in zip(groups, chosen, strict=True)]
        if sum(_cards_in(kind, size) for kind, size in sizes) > usable:
            continue
        for melds in _all_melds(sizes, held, phase):
            if phase_rules_hold(melds, phase):
                yield melds


def minimal_lays(cards: Sequence[str], phase: Phase) -> set[Lay]:
    """Every distinct way to lay the Phase at exactly its minimum size from these held cards."""
    return {_normal(melds, phase) for melds in _each_lay(cards, phase, larger=False)}


def lays(cards: Sequence[str], phase: Phase) -> set[Lay]:
    """The same at any size from the minimum on (M-MORE).  Only for small hands."""
    return {_normal(melds, phase) for melds in _each_lay(cards, phase, larger=True)}


# ------------------------------------------------------------------------------------ the solver


def can_lay(cards: Sequence[str], phase: Phase) -> bool:
    """Whether the Phase can be laid at all.

    Minimum size is enough to look at: a larger run, set, … can be cut down to its minimum around
    the natural (and the card that shows, P-CHAVO) it needs, unless its minimum is a single card.
    """
    single = any(_cards_in(*_group(text)) == 1 for text in phase.groups)
    return any(True for _ in _each_lay(cards, phase, larger=single))


def missing(cards: Sequence[str], phase: Phase) -> int | None:
    """The least number of further cards, each free to be any card, with which it can be laid.

    Further cards are tried as 0, 1, 2, … at a time.  An added natural may be an added Wild
    instead, standing for just that card, save where a natural is asked for: one in the Phase (or
    one in each meld), which may be the very one that shows for P-CHAVO.  So no more added naturals
    than that are tried, of every face; all other added cards are Wilds.
    """
    in_color = any(_group(text)[0] in ("color", "colorrun") for text in phase.groups)
    colors = phase.colors if in_color else phase.colors[0]  # no meld asks for the colour
    faces = [f"{color}{number}" for color in colors for number in range(1, phase.highest + 1)]
    most_naturals = len(phase.groups) if phase.natural_per_meld else 1
    most = sum(_cards_in(*_group(text)) for text in phase.groups) + 1
    for count in range(most + 1):
        for naturals in range(min(count, most_naturals) + 1):
            for added in itertools.combinations_with_replacement(faces, naturals):
                if can_lay([*cards, *added, *["W"] * (count - naturals)], phase):
                    return count
    return None


def solve(cards: Sequence[str], phase: Phase) -> Answer:
    """What `phaseten solve` must answer, but for the melds themselves (see ``check_melds``)."""
    whole = sum(points(card) for card in cards)
    others = [card for card in cards if card != "W"]
    for wilds in range(len(cards) - len(others) + 1):
        # With fewer Wilds nothing could be laid, so each of these lays spends exactly `wilds`.
        laid = [
            sum(points(card) for meld in melds for card in meld)
            for melds in _each_lay([*others, *["W"] * wilds], phase, larger=True)
        ]
        if laid:
            return {"possible": True, "missing": 0, "wilds_spent": wilds,
                    "left_points": whole - max(laid)}  # fmt: skip
    return {"possible": False, "missing": missing(cards, phase), "wilds_spent": None,
            "left_points": whole}  # fmt: skip


# -------------------------------------------------- route 2: the meld rules, read one by one


def is_meld(meld: Sequence[str], text: str, phase: Phase) -> bool:
    """Whether the cards, Wilds with what they stand for, are such a meld (in any order)."""
    kind, least = _group(text)
    if len(meld) < _cards_in(kind, least) or "S" in meld:
        return False
    said = [card.removeprefix("W=") if is_wild(card) else card for card in meld]
    if kind in ("odd", "even"):
        wanted = 1 if kind == "odd" else 0
        return all(c == "W" or ("=" not in c and int(c[1:]) % 2 == wanted) for c in meld)
    if kind == "color":
        if any(is_wild(c) and (len(s) != 1 or s == "W") for c, s in zip(meld, said, strict=True)):
            return False
        return len({s[0] for s in said}) == 1 and said[0][0] in phase.colors
    if kind == "colorrun":
        if any(len(s) < 2 for s in said):
            return False
        if len({s[0] for s in said}) != 1 or said[0][0] not in phase.colors:
            return False
        values = sorted(int(s[1:]) for s in said)
    else:
        if any(is_wild(c) and not s.isdigit() for c, s in zip(meld, said, strict=True)):
            return False
        values = sorted(int(s) if s.isdigit() else int(s[1:]) for s in said)
    if values[0] < 1 or values[-1] > phase.highest:
        return False
    if kind == "set":
        return len(set(values)) == 1
    if kind == "pairrun":
        if len(values) % 2 == 1 or values[0::2] != values[1::2]:
            return False
        values = values[0::2]
    step = 2 if kind in ("oddrun", "evenrun") else 1
    if (kind == "oddrun" and values[0] % 2 == 0) or (kind == "evenrun" and values[0] % 2 == 1):
        return False
    return all(high - low == step for low, high in itertools.pairwise(values))


def normal_meld(meld: Sequence[str], text: str) -> Meld:
    """A meld as the enumerations write it: runs low to high, ties and other melds as strings."""
    kind, _ = _group(text)
    if kind in ("run", "pairrun", "oddrun", "evenrun", "colorrun"):
        return tuple(sorted(meld, key=lambda c: (int(c.removeprefix("W=").lstrip("RBYGO")), c)))
    return tuple(sorted(meld))


def check_melds(cards: Sequence[str], melds: Sequence[Sequence[str]], phase: Phase) -> bool:
    """Whether these melds (in the Phase's order, Wilds written out) are a legal lay of the hand."""
    if len(melds) != len(phase.groups):
        return False
    spent = Counter("W" if is_wild(card) else card for meld in melds for card in meld)
    if spent - Counter(cards):
        return False
    if not all(is_meld(m, text, phase) for m, text in zip(melds, phase.groups, strict=True)):
        return False
    return phase_rules_hold([tuple(meld) for meld in melds], phase)


def _meanings(card: str, text: str, phase: Phase) -> list[str]:
    """What a held card could be written as in a meld of this group."""
    kind, _ = _group(text)
    if card != "W" or kind in ("odd", "even"):
        return [card]
    numbers = [str(number) for number in range(1, phase.highest + 1)]
    if kind == "color":
        return [f"W={color}" for color in phase.colors]
    if kind == "colorrun":
        return [f"W={color}{number}" for color in phase.colors for number in numbers]
    return [f"W={number}" for number in numbers]


def naive_lays(cards: Sequence[str], phase: Phase, larger: bool = False) -> set[Lay]:
    """``minimal_lays`` (or ``lays``) by every split of the cards and every meaning of each Wild."""
    found: set[Lay] = set()
    least = [_cards_in(*_group(text)) for text in phase.groups]
    tried: set[tuple[Meld, ...]] = set()
    for split in itertools.product(range(len(phase.groups) + 1), repeat=len(cards)):
        # Card i goes to meld split[i]; the last index means it stays in the hand.
        parts = tuple(
            tuple(sorted(card for card, to in zip(cards, split, strict=True) if to == meld))
            for meld in range(len(phase.groups))
        )
        sizes = [len(part) for part in parts]
        if sizes != least and not (larger and all(map(int.__ge__, sizes, least))):
            continue
        if parts in tried:
            continue
        tried.add(parts)
        per_meld: list[set[Meld]] = []
        for part, text in zip(parts, phase.groups, strict=True):
            ways = itertools.product(*(_meanings(card, text, phase) for card in part))
            per_meld.append({normal_meld(w, text) for w in ways if is_meld(w, text, phase)})
        for melds in itertools.product(*per_meld):
            if check_melds(cards, melds, phase):
                found.add(_normal(melds, phase))
    return found
