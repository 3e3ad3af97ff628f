# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Built-in players for playing games out: one plays at random, one sensibly and greedily."""

import cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.book import (
        BY_COLOR,
        BY_FACE,
        BY_NUMBER,
        DISCARD,
        DISCARDS,
        DRAW_DECK,
        DRAW_NOTHING,
        DRAW_STEP,
        MELD_BYTES,
        MELDS,
        NUMBERS,
        RESHUFFLES,
        STEP,
        TAKE_DISCARD,
        Book,
    )
    from cython.cimports.phaseten.kernel.engine import act, lay, open_phases, random_below, turn_of
    from cython.cimports.phaseten.kernel.legality import (
        can_discard,
        can_draw,
        can_hit,
        can_skip,
        can_take,
        fits,
        list_simple,
    )
    from cython.cimports.phaseten.kernel.laying import (
        aim,
        count_lays,
        fill,
        find_lay,
        find_way,
        supply,
    )
else:
    from phaseten.kernel.book import *
    from phaseten.kernel.book import Book
    from phaseten.kernel.engine import act, lay, open_phases, random_below, turn_of
    from phaseten.kernel.legality import (
        can_discard,
        can_draw,
        can_hit,
        can_skip,
        can_take,
        fits,
        list_simple,
    )
    from phaseten.kernel.laying import aim, count_lays, fill, find_lay, find_way, supply

LAY_THIS = cython.declare(cython.int, -1)
PATIENCE = cython.declare(cython.int, 2)  # reshuffles after which a hand is thought stuck


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_random(b: Book, p: cython.p_uchar, rng: cython.p_ulonglong) -> cython.int:
    """Any legal action, all alike."""
    actions: cython.int[1024]
    way: cython.uchar[32]
    if not cython.compiled:
        actions, way = [0] * 1024, bytearray(32)
    count: cython.int = list_simple(b, p, actions, 1024)
    lays: cython.int = count_lays(b, p)
    choice: cython.int = random_below(rng, count + lays)
    if choice < count:
        return act(b, p, rng, actions[choice])
    find_lay(b, p, choice - count, way)
    return lay(b, p, way)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_greedy(
    b: Book, p: cython.p_uchar, rng: cython.p_ulonglong, way: cython.p_uchar
) -> cython.int:
    """The number of the sensible action, or LAY_THIS with the way written."""
    seat: cython.int = turn_of(p)
    phase: cython.int = -1
    lack: cython.int = 0
    action: cython.int
    if not p[b.o_made + seat]:
        phase = phase_to_make(b, p, seat, way)
        lack = aim(b, p, seat, phase, way)
    if p[STEP] == DRAW_STEP:
        return choose_draw(b, p, seat, phase, lack, rng, way)
    if phase >= 0:
        if lack <= p[b.o_held + seat * b.faces + b.wild] and can_lay(b, p, seat, way):
            return LAY_THIS
    else:
        action = choose_hit(b, p, seat)
        if action >= 0:
            return action
    if (p[RESHUFFLES] >= PATIENCE or p[RESHUFFLES + 1]) and random_below(rng, 4) == 0:
        return discard_any(b, p, seat, rng)
    return choose_discard(b, p, seat, phase, way)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def discard_any(
    b: Book, p: cython.p_uchar, seat: cython.int, rng: cython.p_ulonglong
) -> cython.int:
    """Any discard. Two players who hold what the other waits for would wait for ever."""
    actions: cython.int[1024]
    if not cython.compiled:
        actions = [0] * 1024
    count: cython.int = list_simple(b, p, actions, 1024)
    hits: cython.int = 0
    while hits < count and actions[hits] >= b.a_hit:
        hits += 1
    return actions[hits + random_below(rng, count - hits)]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def phase_to_make(b: Book, p: cython.p_uchar, seat: cython.int, way: cython.p_uchar) -> cython.int:
    """The current Phase; where it may be chosen, the one that lacks the least."""
    left: cython.int = open_phases(b, p, seat)
    phase: cython.int
    best: cython.int = -1
    least: cython.int = 255
    lack: cython.int
    for phase in range(b.phases):
        if (left >> phase) & 1:
            if not b.choose_phase:
                return phase
            lack = aim(b, p, seat, phase, way)
            if lack < least:
                best = phase
                least = lack
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_lay(b: Book, p: cython.p_uchar, seat: cython.int, way: cython.p_uchar) -> cython.bint:
    """Whether the way aimed at, or else any other way, can be laid; it is written then."""
    if b.discard_to_go_out and b.phase_cards[way[0]] >= p[b.o_size + seat]:
        return False
    if not b.phase_tangled[way[0]] and fill(b, p, seat, way):
        return True
    one: cython.int = way[2]
    other: cython.int = way[3]
    if find_way(b, p, seat, way[0], 0, way) < 0:
        return True
    way[2] = one  # what was aimed at is still what is kept
    way[3] = other
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def hold(
    b: Book, p: cython.p_uchar, seat: cython.int, face: cython.int, change: cython.int
) -> cython.void:
    """Suppose a card more, or less, among those held; how many they are is not counted."""
    p[b.o_held + seat * b.faces + face] += change
    if face < b.naturals:
        p[b.o_numbers + seat * NUMBERS + b.number_of[face]] += change
        p[b.o_colors + seat * b.colors + b.color_of[face]] += change


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def will_lay(b: Book, p: cython.p_uchar, seat: cython.int, way: cython.p_uchar) -> cython.bint:
    """Whether the Phase can be laid after the draw, whatever is drawn."""
    can: cython.bint
    p[b.o_size + seat] += 1
    can = can_lay(b, p, seat, way)
    p[b.o_size + seat] -= 1
    return can


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def brings_phase(
    b: Book,
    p: cython.p_uchar,
    seat: cython.int,
    phase: cython.int,
    face: cython.int,
    way: cython.p_uchar,
) -> cython.bint:
    """Whether the Phase can be laid with that card drawn. It may be complete but for that: when it
    consists of Wilds, or shows nothing of what it must show.
    """
    can: cython.bint
    hold(b, p, seat, face, 1)
    aim(b, p, seat, phase, way)
    can = will_lay(b, p, seat, way)
    hold(b, p, seat, face, -1)
    return can


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def breaks_circle(b: Book, phase: cython.int, rng: cython.p_ulonglong) -> cython.bint:
    """Now and then, for a Phase that leaves no card to spare, whether to draw come what may.

    Players who give up what they need could hand each other the same cards for ever.
    """
    return b.phase_cards[phase] >= b.deal and random_below(rng, 8) == 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fits_table(b: Book, p: cython.p_uchar, face: cython.int) -> cython.bint:
    """Whether a card, numbered or Wild, fits a meld on the table; a Wild, with another, a run of pairs."""
    i: cython.int
    at: cython.int
    group: cython.int
    for i in range(MELDS * b.seats):
        at = b.o_melds + i * MELD_BYTES
        group = p[at] - 1
        if group < 0:
            continue
        if face == b.wild:
            if not b.group_chain[group] or p[at + 1] > b.group_step[group]:
                return True
            if p[at + 2] + b.group_step[group] <= b.highest:
                return True
        elif b.group_copies[group] == 1 and fits(b, p, at, group, face):
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_draw(
    b: Book,
    p: cython.p_uchar,
    seat: cython.int,
    phase: cython.int,
    lack: cython.int,
    rng: cython.p_ulonglong,
    way: cython.p_uchar,
) -> cython.int:
    """Take the top discard when it helps."""
    top: cython.int
    helps: cython.bint
    if not can_take(b, p):
        return DRAW_DECK if can_draw(p) else DRAW_NOTHING
    if not can_draw(p):
        return TAKE_DISCARD
    top = p[b.o_pile + p[DISCARDS] - 1]
    if phase < 0:
        helps = fits_table(b, p, top)
    elif breaks_circle(b, phase, rng):
        helps = False
    elif top != b.wild:
        helps = wanted(b, p, seat, way, top) > 0
    else:
        helps = lack > p[b.o_held + seat * b.faces + b.wild] or brings_phase(
            b, p, seat, phase, top, way
        )
    return TAKE_DISCARD if helps else DRAW_DECK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def wanted(
    b: Book, p: cython.p_uchar, seat: cython.int, way: cython.p_uchar, face: cython.int
) -> cython.int:
    """How many more cards like this one the shapes aimed at could use."""
    i: cython.int
    cell: cython.int
    shape: cython.int
    need: cython.int = 0
    have: cython.int = -1
    for i in range(b.phase_groups[way[0]]):
        shape = b.group_shape[2 * way[0] + i] + way[2 + i]
        for cell in range(b.shape_cell[shape], b.shape_cell[shape] + b.shape_cells[shape]):
            if belongs(b, cell, face):
                need += b.cell_size[cell]
                if have < 0:
                    have = supply(b, p, seat, cell)
    return need - have if have >= 0 else -99


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def belongs(b: Book, cell: cython.int, face: cython.int) -> cython.bint:
    """Whether a numbered card belongs in a cell."""
    kind: cython.int = b.cell_kind[cell]
    what: cython.int = b.cell_what[cell]
    if kind == BY_NUMBER:
        return b.number_of[face] == what
    if kind == BY_COLOR:
        return b.color_of[face] == what
    if kind == BY_FACE:
        return face == what
    return b.number_of[face] % 2 == what


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_hit(b: Book, p: cython.p_uchar, seat: cython.int) -> cython.int:
    """Any hit, numbered cards first; -1: none."""
    meld: cython.int
    at: cython.int
    how: cython.int
    action: cython.int
    for meld in range(MELDS * b.seats):
        at = b.o_melds + meld * MELD_BYTES
        if p[at]:
            action = hit_with_numbers(b, p, seat, meld, at, p[at] - 1)
            if action >= 0:
                return action
    if p[b.o_held + seat * b.faces + b.wild]:
        for meld in range(MELDS * b.seats):
            for how in range(b.h_wild_low, b.h_wild_high + 1):
                if can_hit(b, p, meld, how):
                    return b.a_hit + meld * b.hits + how
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hit_with_numbers(
    b: Book,
    p: cython.p_uchar,
    seat: cython.int,
    meld: cython.int,
    at: cython.int,
    group: cython.int,
) -> cython.int:
    """A hit on that meld with numbered cards, or with a pair; -1: none."""
    first: cython.int = 0
    last: cython.int = b.naturals
    how: cython.int
    action: cython.int
    if b.group_copies[group] == 2:
        first = b.h_pairs
        last = b.hits
    elif b.group_chain[group]:
        action = hit_with_number(b, p, seat, meld, p[at + 1] - b.group_step[group])
        if action >= 0:
            return action
        return hit_with_number(b, p, seat, meld, p[at + 2] + b.group_step[group])
    elif not b.group_colored[group] and b.group_parity[group] == 2:
        return hit_with_number(b, p, seat, meld, p[at + 1])
    for how in range(first, last):
        if how < b.naturals and not p[b.o_held + seat * b.faces + how]:
            continue
        if can_hit(b, p, meld, how):
            return b.a_hit + meld * b.hits + how
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hit_with_number(
    b: Book, p: cython.p_uchar, seat: cython.int, meld: cython.int, number: cython.int
) -> cython.int:
    """A hit on that meld with a card of that number; -1: none."""
    color: cython.int
    how: cython.int
    if number < 1 or number > b.highest or not p[b.o_numbers + seat * NUMBERS + number]:
        return -1
    for color in range(b.colors):
        how = color * b.highest + number - 1
        if p[b.o_held + seat * b.faces + how] and can_hit(b, p, meld, how):
            return b.a_hit + meld * b.hits + how
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_discard(
    b: Book, p: cython.p_uchar, seat: cython.int, phase: cython.int, way: cython.p_uchar
) -> cython.int:
    """A Skip on whoever is closest to going out; else the dearest card that is of no use."""
    held: cython.int = b.o_held + seat * b.faces
    number: cython.int
    color: cython.int
    face: cython.int
    spare: cython.int = -1
    best: cython.int = -1
    most: cython.int = 100
    if p[held + b.skip]:
        return choose_skip(b, p, seat)
    for number in range(b.highest, 0, -1):
        if not p[b.o_numbers + seat * NUMBERS + number]:
            continue
        for color in range(b.colors):
            face = color * b.highest + number - 1
            if not p[held + face] or not can_discard(b, p, face):
                continue
            if phase < 0:
                return DISCARD + face
            spare = wanted(b, p, seat, way, face)
            if spare == -99:
                return DISCARD + face
            if spare < most:
                most = spare
                best = face
    if best >= 0:
        return DISCARD + best
    return DISCARD + b.wild


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_skip(b: Book, p: cython.p_uchar, seat: cython.int) -> cython.int:
    """A Skip on the player with the fewest cards who may be skipped."""
    target: cython.int = -1
    i: cython.int
    who: cython.int
    for i in range(1, b.seats):
        who = (seat + i) % b.seats
        if can_skip(b, p, who) and (target < 0 or p[b.o_size + who] < p[b.o_size + target]):
            target = who
    if target < 0 or (p[b.o_size + seat] == 1 and p[b.o_made + seat]):
        return b.a_skip
    return b.a_skip_at + target
