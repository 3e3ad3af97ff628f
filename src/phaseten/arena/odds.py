"""The exact chance that the cards a player is dealt already make a Phase.

Deals are counted, not sampled: every way to choose the dealt cards from the deck is one deal.

>>> odds("express", 5)
Odds(deals=3162510, layable=349368)

How: the numbered cards are gone through sort by sort, a *sort* being all cards that belong in the
same cells (the eight fives, where colours do not matter). After each sort, hands that need the same
of the sorts still to come are counted together.

What hands need is kept for every *candidate*, a choice of shapes such as threes with the run from
4. By Hall's theorem the cards it lacks are the most, over all sets of its cells, that these cells
ask for beyond the held cards that belong in any of them. So a candidate has a *row* of numbers, one
for each set of the cells that are *open*: some of their sorts are past and some to come. With
nothing open that is one number. Candidates that ask the same of the sorts to come share a *slot*,
where only the best rows stay. A candidate with no sort to come is done, and the best of those says
how many Wilds the hand needs.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from math import comb
from operator import le
from pathlib import Path
from typing import NamedTuple

from phaseten.rules.cards import Card, natural
from phaseten.rules.editions import Edition, Phase
from phaseten.rules.melds import shows
from phaseten.rules.options import Rules
from phaseten.rules.shapes import Plan, Shape, plan_for

MOST_WORK = 5_000_000
"""How often a kind of hand is looked at before counting is given up: a minute or two."""


class OddsError(ValueError):
    """A Phase whose odds would take too long to count."""


class Odds(NamedTuple):
    """Of so many equally likely deals, so many hold the Phase."""

    deals: int
    layable: int

    @property
    def probability(self) -> float:
        """The chance of being dealt the Phase."""
        return self.layable / self.deals


def odds(rules: str | Path | Edition | Rules, phase: int | Phase) -> Odds:
    """How many of all deals hold the Phase, by the edition and the house rules of ``rules``."""
    rules = Rules.of(rules)
    phase, edition = rules.phase(phase), rules.edition
    most = min(edition.wilds, edition.deal)
    if phase.must_show:  # P-CHAVO: a held Wild can always be laid; without one a card must show
        layable = _layable(rules, phase, range(1, most + 1), showing=False)
        layable += _layable(rules, phase, range(1), showing=True)
    else:
        layable = _layable(rules, phase, range(most + 1), showing=False)
    return Odds(comb(len(edition.deck), edition.deal), layable)


def _layable(rules: Rules, phase: Phase, wilds: range, *, showing: bool) -> int:
    """How many deals with so many Wilds hold the Phase; ``showing``: with a card that shows."""
    edition = rules.edition
    plan = plan_for(phase, edition)
    sorts = _sorts(plan, edition, showing=showing)
    futures = _futures(plan, rules, sorts, showing=showing)
    if not futures or not wilds:
        return 0
    cards = sum(group.cards for group in phase.groups)
    most = min(wilds[-1], cards - 1)  # W-NATURAL: not all of them can be Wilds
    tally = _tally(_steps(plan, sorts, futures), edition.deal, most, phase.text)
    idle = len(edition.deck) - edition.wilds - sum(sort.size for sort in sorts)
    return sum(
        hands * comb(edition.wilds, spare) * comb(idle, edition.deal - held - spare)
        for (held, need), hands in tally.items()
        for spare in wilds
        if need <= spare <= edition.deal - held
    )


# -- what there is to go through ---------------------------------------------------------------


class _Sort(NamedTuple):
    """Cards that no cell of the Phase tells apart."""

    faces: tuple[Card, ...]
    keys: tuple[int, ...]
    """The keys of the cells that they belong in."""
    size: int
    """How many the deck has."""
    shows: bool


def _sorts(plan: Plan, edition: Edition, *, showing: bool) -> list[_Sort]:
    """The sorts of cards that belong anywhere, in the order that leaves few cells open."""
    together: dict[tuple[tuple[int, ...], bool], list[Card]] = {}
    for face, keys in plan.keys_of.items():
        if keys:
            shown = showing and shows(plan.phase, face)
            together.setdefault((keys, shown), []).append(face)
    by_number = any(
        len({face.number for face in faces}) == 1 < len({face.color for face in faces})
        for faces in _faces_of(plan).values()
    )

    def place(face: Card) -> tuple[int, int]:
        color = edition.colors.index(face.color)
        return (face.number, color) if by_number else (color, face.number)

    sorts = [
        _Sort(tuple(faces), keys, len(faces) * edition.copies, shown)
        for (keys, shown), faces in together.items()
    ]
    return sorted(sorts, key=lambda sort: min(map(place, sort.faces)))


def _faces_of(plan: Plan) -> dict[int, tuple[Card, ...]]:
    """For each key of the plan the cards that belong there."""
    return {cell.key: cell.faces for row in plan.groups for line in row for cell in line.cells}


class _Ask(NamedTuple):
    """So many numbered cards of these sorts, for which no Wild will do."""

    name: int
    cards: int
    """0 when the ask is open: the row says how many are still asked for."""
    sorts: frozenset[int]
    """The sorts to come."""


class _Future(NamedTuple):
    """What a candidate asks of the sorts to come."""

    cells: tuple[tuple[int, int], ...]
    """Key and size, 0 when the cell is open: the row says what it still asks for."""
    asks: tuple[_Ask, ...]


_DONE = _Future((), ())


def _futures(plan: Plan, rules: Rules, sorts: Sequence[_Sort], *, showing: bool) -> set[_Future]:
    """What the candidates ask for, before any card is looked at."""
    futures: set[_Future] = set()
    groups = [[shape for line in lines for shape in line.shapes] for lines in plan.groups]
    for shapes in product(*groups):
        sizes: dict[int, int] = {}
        for shape in shapes:
            for cell in shape.cells:
                sizes[cell.key] = sizes.get(cell.key, 0) + cell.size
        asks = _asks(shapes, sorts, rules, showing=showing)
        if all(ask.sorts for ask in asks):
            futures.add(_Future(tuple(sorted(sizes.items())), asks))
    return futures


def _asks(
    shapes: Sequence[Shape], sorts: Sequence[_Sort], rules: Rules, *, showing: bool
) -> tuple[_Ask, ...]:
    """What the shapes ask for beyond numbers of cards: W-NATURAL per meld, and P-CHAVO."""
    fitting = [
        frozenset(i for i, sort in enumerate(sorts) if shape.keys & sum(1 << k for k in sort.keys))
        for shape in shapes
    ]
    either = frozenset[int]().union(*fitting)
    wanted: list[tuple[int, frozenset[int]]] = []
    if rules.natural_per_meld and len(shapes) > 1:
        # One for each meld, and not the same one twice.
        wanted += [(1, one) for one in fitting] + [(len(shapes), either)]
    if showing:
        wanted.append((1, frozenset(i for i in either if sorts[i].shows)))
    return tuple(_Ask(name, count, fits) for name, (count, fits) in enumerate(wanted))


# -- going on by one sort ----------------------------------------------------------------------

Row = tuple[int, ...]
"""What a candidate lacks for each set of its open cells, then what its open asks still want.

A set of cells that lacks less than a subset of it always will; it is given that subset's number.
"""

State = tuple[tuple[Row, ...], ...]
"""For each slot its best rows. The first slot is of the candidates that are done."""


class _Change(NamedTuple):
    """What a sort does to a row."""

    lacks: tuple[frozenset[tuple[int, int, bool]], ...]
    """For each set of the cells then open the numbers of which it gets the greatest: the one at a
    place of the row, plus so much, less the held cards of the sort if they belong there.
    """
    asks: tuple[tuple[int | None, int, bool, bool], ...]
    """For each open ask its place in the row or its count if it opens now, whether the cards of
    the sort count, and whether it ends.
    """


_Mover = Callable[[Row, int], Row | None]


class _Slot(NamedTuple):
    """Candidates with the same rows."""

    sources: tuple[tuple[int, _Mover | None], ...]
    """The slots before, and what happens to their rows (None: nothing)."""
    ahead: int
    """How many cards the cells ask for that are not open yet."""
    full: int
    """Where in a row the set of all open cells is."""


class _Step(NamedTuple):
    """The way from one sort to the next."""

    size: int
    """How many cards of the sort there are."""
    slots: tuple[_Slot, ...]
    turn: Callable[[State], State] | None
    """An exchange of colours, so that hands come together that differ in nothing else."""


def _steps(plan: Plan, sorts: Sequence[_Sort], futures: Iterable[_Future]) -> list[_Step]:
    """All that does not depend on the cards held."""
    last = {key: index for index, sort in enumerate(sorts) for key in sort.keys}
    slot_of = {_DONE: 0} | dict.fromkeys(futures, 1)
    steps: list[_Step] = []
    for index, sort in enumerate(sorts):
        closing = {key for key in sort.keys if last[key] == index}
        sources: dict[_Future, set[tuple[int, _Change | None]]] = {}
        for future, slot in slot_of.items():
            after, change = _go_on(future, index, sort.keys, closing)
            sources.setdefault(after, set()).add((slot, change))
        # Futures whose rows come from the same places have the same rows: they share a slot.
        sharing: dict[frozenset[tuple[int, _Change | None]], list[_Future]] = {}
        for future, origin in sources.items():
            sharing.setdefault(frozenset(origin), []).append(future)
        slot_of = {future: slot for slot, some in enumerate(sharing.values()) for future in some}
        slots = [
            _Slot(
                tuple([(slot, _mover(change) if change else None) for slot, change in origin]),
                sum(size for _, size in some[0].cells),
                (1 << sum(not size for _, size in some[0].cells)) - 1,
            )
            for origin, some in sharing.items()
        ]
        _mover.cache_clear()
        steps.append(_Step(sort.size, tuple(slots), _turn(plan, sorts, index, slot_of)))
    return steps


def _go_on(
    future: _Future, index: int, keys: Sequence[int], closing: Container[int]
) -> tuple[_Future, _Change | None]:
    """What a candidate asks for after this sort, and what the sort does to its row."""
    before = [key for key, size in future.cells if not size]
    opening = {key: size for key, size in future.cells if size and key in keys}
    now = sorted([*before, *opening])
    after = [key for key in now if key not in closing]
    following = _Future(
        tuple([(k, 0 if k in now else size) for k, size in future.cells if k not in closing]),
        tuple(
            [
                _Ask(ask.name, 0 if index in ask.sorts else ask.cards, ask.sorts - {index})
                for ask in future.asks
                if ask.sorts - {index}
            ]
        ),
    )
    if not any(key in keys for key in now):  # then no ask counts these cards either
        return following, None
    lacks: list[set[tuple[int, int, bool]]] = [set() for _ in range(1 << len(after))]
    for some in _subsets(now):
        more = sum(opening.get(key, 0) for key in some)
        source = (_place(some, before), more, any(key in keys for key in some))
        for others in _subsets([key for key in after if key not in some]):
            lacks[_place([*some, *others], after)].add(source)
    asks: list[tuple[int | None, int, bool, bool]] = []
    place = 1 << len(before)
    for ask in future.asks:
        if not ask.cards or index in ask.sorts:
            asks.append(
                (
                    None if ask.cards else place,
                    ask.cards,
                    index in ask.sorts,
                    not ask.sorts - {index},
                )
            )
            place += not ask.cards
    return following, _Change(tuple(map(frozenset, lacks)), tuple(asks))


def _subsets(keys: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for count in range(len(keys) + 1):
        yield from combinations(keys, count)


def _place(some: Iterable[int], keys: Sequence[int]) -> int:
    """Where a row has the number of those of the keys that are among ``some``."""
    return sum(1 << keys.index(key) for key in some if key in keys)


@cache
def _mover(change: _Change) -> _Mover:
    """The change, as a function of a row and the number of held cards; None: an ask is in vain."""

    @cache
    def move(row: Row, held: int) -> Row | None:
        new = [
            max([row[place] + more - (held if belongs else 0) for place, more, belongs in sources])
            for sources in change.lacks
        ]
        for place, count, counts, ends in change.asks:
            wanted = count if place is None else row[place]
            wanted = max(0, wanted - held) if counts else wanted
            if not ends:
                new.append(wanted)
            elif wanted:
                return None
        return tuple(new)

    return move


# -- exchanging colours ------------------------------------------------------------------------


def _turn(
    plan: Plan, sorts: Sequence[_Sort], index: int, slot_of: Mapping[_Future, int]
) -> Callable[[State], State] | None:
    """The exchange of colours after a sort, if all sorts of its number are past."""
    colors = list(dict.fromkeys(face.color for face in plan.keys_of))
    to_come = {face.number for sort in sorts[index + 1 :] for face in sort.faces}
    within = to_come & {face.number for sort in sorts[: index + 1] for face in sort.faces}
    if within or not to_come or any(len(sort.faces) > 1 for sort in sorts):
        return None
    recolored = _Recoloring(plan, sorts)
    same = {color: color for color in colors}
    swaps = [same | {colors[0]: color, color: colors[0]} for color in colors]
    moves = [recolored.slots(slot_of, swap) for swap in swaps]
    if not all(moves):
        return None
    own = sorted({slot for future, slot in slot_of.items() if recolored.only(future, colors[0])})
    owned = [[move[slot] for slot in own] for move in moves]

    @cache
    def origins(order: tuple[int, ...]) -> list[int]:
        swap = {colors[old]: colors[new] for new, old in enumerate(order)}
        move = recolored.slots(slot_of, swap)
        return sorted(move, key=move.__getitem__)

    def turn(state: State) -> State:
        marks = [[state[slot] for slot in slots] for slots in owned]
        order = sorted(range(len(marks)), key=marks.__getitem__)
        return tuple([state[slot] for slot in origins(tuple(order))])

    return turn


class _Recoloring:
    """What becomes of futures when colours are exchanged."""

    def __init__(self, plan: Plan, sorts: Sequence[_Sort]) -> None:
        self._faces = _faces_of(plan)
        self._keys = {frozenset(faces): key for key, faces in self._faces.items()}
        self._sorts = sorts
        self._indices = {sort.faces[0]: index for index, sort in enumerate(sorts)}

    def only(self, future: _Future, color: str) -> bool:
        """Whether of all colours the future asks for this one only."""
        asked = [{face.color for face in self._faces[key]} for key, _ in future.cells]
        return {color} in asked and all(len(some) > 1 or some == {color} for some in asked)

    def slots(self, slot_of: Mapping[_Future, int], swap: Mapping[str, str]) -> dict[int, int]:
        """Which slot each slot becomes; empty if a slot would have to become several."""
        moves: dict[int, int] = {}
        for future, slot in slot_of.items():
            changed = self._future(future, swap)
            if changed is None or moves.setdefault(slot, slot_of[changed]) != slot_of[changed]:
                return {}
        return moves

    def _future(self, future: _Future, swap: Mapping[str, str]) -> _Future | None:
        def changed(faces: Iterable[Card]) -> frozenset[Card]:
            return frozenset([natural(swap[face.color], face.number) for face in faces])

        cells = [(self._keys[changed(self._faces[key])], size) for key, size in future.cells]
        still_open = [key for key, size in cells if not size]
        if still_open != sorted(still_open):
            return None  # the rows would have to be sorted anew
        asks = [
            ask._replace(
                sorts=frozenset(
                    [
                        self._indices[face]
                        for index in ask.sorts
                        for face in changed(self._sorts[index].faces)
                    ]
                )
            )
            for ask in future.asks
        ]
        return _Future(tuple(sorted(cells)), tuple(asks))


# -- counting ----------------------------------------------------------------------------------


def _tally(steps: Sequence[_Step], deal: int, most: int, text: str) -> dict[tuple[int, int], int]:
    """How many sets of numbered cards there are, by their number and the Wilds that they need.

    Left out are those that need more than ``most`` Wilds, or more cards than are dealt.
    """
    states: dict[tuple[int, State], int] = {(0, ((), ((0,),))): 1}
    work = 0
    for step in steps:
        found: dict[tuple[int, State], int] = {}
        ways = [comb(step.size, count) for count in range(min(step.size, deal) + 1)]
        for (held, state), hands in states.items():
            for count in range(min(step.size, deal - held) + 1):
                new = _after(step.slots, state, count, deal - held - count, most)
                if new is not None:
                    key = (held + count, new)
                    found[key] = found.get(key, 0) + hands * ways[count]
                work += 1
            if work > MOST_WORK:
                raise OddsError(
                    f"the odds of {text!r} take too long to count exactly: "
                    "there are too many ways to be dealt parts of it"
                )
        states = _turned(found, step.turn) if step.turn else found
    return {(held, rows[0][0]): hands for (held, (rows,)), hands in states.items()}


def _turned(
    states: Mapping[tuple[int, State], int], turn: Callable[[State], State]
) -> dict[tuple[int, State], int]:
    turned: dict[tuple[int, State], int] = {}
    for (held, state), hands in states.items():
        key = (held, turn(state))
        turned[key] = turned.get(key, 0) + hands
    return turned


def _after(slots: Sequence[_Slot], state: State, count: int, room: int, most: int) -> State | None:
    """The state after a sort of which so many are held, with room for so many more cards.

    None when the Phase is out of reach. Of the rows, those stay that can still turn out best.
    """
    most = min(most, room)
    after: list[tuple[Row, ...]] = []
    for sources, ahead, full in slots:
        rows: list[Row] = []
        for source, mover in sources:
            for row in state[source]:
                new = mover(row, count) if mover else row
                # What lacks now will lack; what all cells still ask for must find room.
                if new and new[0] <= most and new[full] + ahead <= room:
                    rows.append(new)
        if not after and rows:
            rows = [min(rows)]
            most = rows[0][0] - 1  # the others must lack less than the best that is done
        after.append(_least(rows) if len(rows) > 1 else tuple(rows))
    return tuple(after) if any(after) else None


def _least(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows, sorted, without those that another one is nowhere worse than."""
    best: list[Row] = []
    for row in sorted(rows):
        if not any(all(map(le, other, row)) for other in best):
            best.append(row)
    return tuple(best)
