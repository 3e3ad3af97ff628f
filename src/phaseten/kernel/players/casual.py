# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The casual player: sensible and greedy. Others take their draws, hits and lay-downs from here."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        BY_COLOR,
        BY_FACE,
        BY_NUMBER,
        DISCARD,
        DISCARDS,
        DRAW_DECK,
        DRAW_NOTHING,
        DRAW_STEP,
        LAY_THIS,
        MELDS,
        MELD_BYTES,
        NUMBERS,
        RESHUFFLES,
        STEP,
        TAKE_DISCARD,
        Layout,
    )
    from cython.cimports.phaseten.kernel.chance import random_below
    from cython.cimports.phaseten.kernel.engine import open_phases, turn_of
    from cython.cimports.phaseten.kernel.laying import fill, find_way
    from cython.cimports.phaseten.kernel.legality import (
        can_discard,
        can_draw,
        can_hit,
        can_skip,
        can_take,
        fits,
        list_simple,
    )
    from cython.cimports.phaseten.kernel.shortage import aim, supply
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import random_below
    from phaseten.kernel.engine import open_phases, turn_of
    from phaseten.kernel.laying import fill, find_way
    from phaseten.kernel.legality import (
        can_discard,
        can_draw,
        can_hit,
        can_skip,
        can_take,
        fits,
        list_simple,
    )
    from phaseten.kernel.shortage import aim, supply

PATIENCE = 2  # reshuffles after which a hand is thought stuck


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_casual(
    g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong, way: cython.p_uchar
) -> cython.int:
    """The number of the sensible action, or LAY_THIS with the way written."""
    seat: cython.int = turn_of(p)
    phase: cython.int = -1
    lack: cython.int = 0
    action: cython.int
    if not p[g.o_made + seat]:
        phase = phase_to_make(g, p, seat, way)
        lack = aim(g, p, seat, phase, way)
    if p[STEP] == DRAW_STEP:
        return choose_draw(g, p, seat, phase, lack, rng, way)
    if phase >= 0:
        if lack <= p[g.o_held + seat * g.faces + g.wild] and can_lay(g, p, seat, way):
            return LAY_THIS
    else:
        action = choose_hit(g, p, seat)
        if action >= 0:
            return action
    if (p[RESHUFFLES] >= PATIENCE or p[RESHUFFLES + 1]) and random_below(rng, 4) == 0:
        return discard_any(g, p, seat, rng)
    return choose_discard(g, p, seat, phase, way)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def discard_any(
    g: Layout, p: cython.p_uchar, seat: cython.int, rng: cython.p_ulonglong
) -> cython.int:
    """Any discard. Two players who hold what the other waits for would wait for ever."""
    actions: cython.int[1024]
    if not cython.compiled:
        actions = [0] * 1024
    count: cython.int = list_simple(g, p, actions, 1024)
    hits: cython.int = 0
    while hits < count and actions[hits] >= g.a_hit:
        hits += 1
    return actions[hits + random_below(rng, count - hits)]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def phase_to_make(
    g: Layout, p: cython.p_uchar, seat: cython.int, way: cython.p_uchar
) -> cython.int:
    """The current Phase; where it may be chosen, the one that lacks the least."""
    left: cython.int = open_phases(g, p, seat)
    phase: cython.int
    best: cython.int = -1
    least: cython.int = 255
    lack: cython.int
    for phase in range(g.phases):
        if (left >> phase) & 1:
            if not g.choose_phase:
                return phase
            lack = aim(g, p, seat, phase, way)
            if lack < least:
                best = phase
                least = lack
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_lay(g: Layout, p: cython.p_uchar, seat: cython.int, way: cython.p_uchar) -> cython.bint:
    """Whether the way aimed at, or else any other way, can be laid; it is written then."""
    if g.discard_to_go_out and g.phase_cards[way[0]] >= p[g.o_size + seat]:
        return False
    if not g.phase_tangled[way[0]] and fill(g, p, seat, way):
        return True
    one: cython.int = way[2]
    other: cython.int = way[3]
    if find_way(g, p, seat, way[0], 0, way) < 0:
        return True
    way[2] = one  # what was aimed at is still what is kept
    way[3] = other
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def hold(
    g: Layout, p: cython.p_uchar, seat: cython.int, face: cython.int, change: cython.int
) -> cython.void:
    """Suppose a card more, or less, among those held; how many they are is not counted."""
    p[g.o_held + seat * g.faces + face] += change
    if face < g.naturals:
        p[g.o_numbers + seat * NUMBERS + g.number_of[face]] += change
        p[g.o_colors + seat * g.colors + g.color_of[face]] += change


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def will_lay(g: Layout, p: cython.p_uchar, seat: cython.int, way: cython.p_uchar) -> cython.bint:
    """Whether the Phase can be laid after the draw, whatever is drawn."""
    can: cython.bint
    p[g.o_size + seat] += 1
    can = can_lay(g, p, seat, way)
    p[g.o_size + seat] -= 1
    return can


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def brings_phase(
    g: Layout,
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
    hold(g, p, seat, face, 1)
    aim(g, p, seat, phase, way)
    can = will_lay(g, p, seat, way)
    hold(g, p, seat, face, -1)
    return can


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def breaks_circle(g: Layout, phase: cython.int, rng: cython.p_ulonglong) -> cython.bint:
    """Now and then, for a Phase that leaves no card to spare, whether to draw come what may.

    Players who give up what they need could hand each other the same cards for ever.
    """
    return g.phase_cards[phase] >= g.deal and random_below(rng, 8) == 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fits_table(g: Layout, p: cython.p_uchar, face: cython.int) -> cython.bint:
    """Whether a card, numbered or Wild, fits a meld on the table; a Wild, with another, a run of pairs."""
    i: cython.int
    at: cython.int
    group: cython.int
    for i in range(MELDS * g.players):
        at = g.o_melds + i * MELD_BYTES
        group = p[at] - 1
        if group < 0:
            continue
        if face == g.wild:
            if not g.group_chain[group] or p[at + 1] > g.group_step[group]:
                return True
            if p[at + 2] + g.group_step[group] <= g.highest:
                return True
        elif g.group_copies[group] == 1 and fits(g, p, at, group, face):
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_draw(
    g: Layout,
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
    if not can_take(g, p):
        return DRAW_DECK if can_draw(p) else DRAW_NOTHING
    if not can_draw(p):
        return TAKE_DISCARD
    top = p[g.o_pile + p[DISCARDS] - 1]
    if phase < 0:
        helps = fits_table(g, p, top)
    elif breaks_circle(g, phase, rng):
        helps = False
    elif top != g.wild:
        helps = wanted(g, p, seat, way, top) > 0
    else:
        helps = lack > p[g.o_held + seat * g.faces + g.wild] or brings_phase(
            g, p, seat, phase, top, way
        )
    return TAKE_DISCARD if helps else DRAW_DECK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def wanted(
    g: Layout, p: cython.p_uchar, seat: cython.int, way: cython.p_uchar, face: cython.int
) -> cython.int:
    """How many more cards like this one the shapes aimed at could use."""
    i: cython.int
    cell: cython.int
    shape: cython.int
    need: cython.int = 0
    have: cython.int = -1
    for i in range(g.phase_groups[way[0]]):
        shape = g.group_shape[2 * way[0] + i] + way[2 + i]
        for cell in range(g.shape_cell[shape], g.shape_cell[shape] + g.shape_cells[shape]):
            if belongs(g, cell, face):
                need += g.cell_size[cell]
                if have < 0:
                    have = supply(g, p, seat, cell)
    return need - have if have >= 0 else -99


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def belongs(g: Layout, cell: cython.int, face: cython.int) -> cython.bint:
    """Whether a numbered card belongs in a cell."""
    kind: cython.int = g.cell_kind[cell]
    what: cython.int = g.cell_what[cell]
    if kind == BY_NUMBER:
        return g.number_of[face] == what
    if kind == BY_COLOR:
        return g.color_of[face] == what
    if kind == BY_FACE:
        return face == what
    return g.number_of[face] % 2 == what


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_hit(g: Layout, p: cython.p_uchar, seat: cython.int) -> cython.int:
    """Any hit, numbered cards first; -1: none."""
    meld: cython.int
    at: cython.int
    how: cython.int
    action: cython.int
    for meld in range(MELDS * g.players):
        at = g.o_melds + meld * MELD_BYTES
        if p[at]:
            action = hit_with_numbers(g, p, seat, meld, at, p[at] - 1)
            if action >= 0:
                return action
    if p[g.o_held + seat * g.faces + g.wild]:
        for meld in range(MELDS * g.players):
            for how in range(g.h_wild_low, g.h_wild_high + 1):
                if can_hit(g, p, meld, how):
                    return g.a_hit + meld * g.hits + how
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hit_with_numbers(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    meld: cython.int,
    at: cython.int,
    group: cython.int,
) -> cython.int:
    """A hit on that meld with numbered cards, or with a pair; -1: none."""
    first: cython.int = 0
    last: cython.int = g.naturals
    how: cython.int
    action: cython.int
    if g.group_copies[group] == 2:
        first = g.h_pairs
        last = g.hits
    elif g.group_chain[group]:
        action = hit_with_number(g, p, seat, meld, p[at + 1] - g.group_step[group])
        if action >= 0:
            return action
        return hit_with_number(g, p, seat, meld, p[at + 2] + g.group_step[group])
    elif not g.group_colored[group] and g.group_parity[group] == 2:
        return hit_with_number(g, p, seat, meld, p[at + 1])
    for how in range(first, last):
        if how < g.naturals and not p[g.o_held + seat * g.faces + how]:
            continue
        if can_hit(g, p, meld, how):
            return g.a_hit + meld * g.hits + how
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hit_with_number(
    g: Layout, p: cython.p_uchar, seat: cython.int, meld: cython.int, number: cython.int
) -> cython.int:
    """A hit on that meld with a card of that number; -1: none."""
    color: cython.int
    how: cython.int
    if number < 1 or number > g.highest or not p[g.o_numbers + seat * NUMBERS + number]:
        return -1
    for color in range(g.colors):
        how = color * g.highest + number - 1
        if p[g.o_held + seat * g.faces + how] and can_hit(g, p, meld, how):
            return g.a_hit + meld * g.hits + how
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_discard(
    g: Layout, p: cython.p_uchar, seat: cython.int, phase: cython.int, way: cython.p_uchar
) -> cython.int:
    """A Skip on whoever is closest to going out; else the dearest card that is of no use."""
    held: cython.int = g.o_held + seat * g.faces
    number: cython.int
    color: cython.int
    face: cython.int
    spare: cython.int = -1
    best: cython.int = -1
    most: cython.int = 100
    if p[held + g.skip]:
        return choose_skip(g, p, seat)
    for number in range(g.highest, 0, -1):
        if not p[g.o_numbers + seat * NUMBERS + number]:
            continue
        for color in range(g.colors):
            face = color * g.highest + number - 1
            if not p[held + face] or not can_discard(g, p, face):
                continue
            if phase < 0:
                return DISCARD + face
            spare = wanted(g, p, seat, way, face)
            if spare == -99:
                return DISCARD + face
            if spare < most:
                most = spare
                best = face
    if best >= 0:
        return DISCARD + best
    return DISCARD + g.wild


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_skip(g: Layout, p: cython.p_uchar, seat: cython.int) -> cython.int:
    """A Skip on the player with the fewest cards who may be skipped."""
    target: cython.int = -1
    i: cython.int
    who: cython.int
    for i in range(1, g.players):
        who = (seat + i) % g.players
        if can_skip(g, p, who) and (target < 0 or p[g.o_size + who] < p[g.o_size + target]):
            target = who
    if target < 0 or (p[g.o_size + seat] == 1 and p[g.o_made + seat]):
        return g.a_skip
    return g.a_skip_at + target
