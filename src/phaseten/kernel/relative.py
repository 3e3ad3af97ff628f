# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""A learner's actions: the kernel's numbers, but seats are counted from the one on turn.

The own seat comes first, then clockwise, in the targets of a Skip and in the melds that are hit. To
lay is one action, the last: which way is laid follows from the cards, by the order of ``find_best_lay``.
So what an action is depends neither on where one sits nor on where something stands in a list.
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.string import memset
    from cython.cimports.phaseten.kernel.layout import (
        DISCARD,
        DRAW_DECK,
        DRAW_NOTHING,
        DRAW_STEP,
        MELDS,
        MELD_BYTES,
        PLAY_STEP,
        STEP,
        TAKEN,
        TAKE_DISCARD,
        Layout,
    )
    from cython.cimports.phaseten.kernel.engine import turn_of
    from cython.cimports.phaseten.kernel.laying import find_lay
    from cython.cimports.phaseten.kernel.legality import (
        can_discard,
        can_draw,
        can_hit,
        can_take,
        is_legal,
    )
    from cython.cimports.phaseten.kernel.players.casual import can_lay, phase_to_make
    from cython.cimports.phaseten.kernel.shortage import aim_within
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.engine import turn_of
    from phaseten.kernel.laying import find_lay
    from phaseten.kernel.legality import can_discard, can_draw, can_hit, can_take, is_legal
    from phaseten.kernel.players.casual import can_lay, phase_to_make
    from phaseten.kernel.shortage import aim_within


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_laying(g: Layout, p: cython.p_uchar, seat: cython.int, way: cython.p_uchar) -> cython.bint:
    """Whether sharp would lay if the seat were on turn and could play; the way is written then."""
    phase: cython.int
    wilds: cython.int = p[g.o_held + seat * g.faces + g.wild]
    if p[g.o_made + seat]:
        return False
    phase = phase_to_make(g, p, seat, way)
    if phase < 0 or aim_within(g, p, seat, phase, wilds, way) > wilds:
        return False
    return can_lay(g, p, seat, way)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_best_lay(g: Layout, p: cython.p_uchar, way: cython.p_uchar) -> cython.bint:
    """Whether the player on turn can lay; the best way is written then.

    It is of the Phase that lacks the least, Wilds not counted, where one may choose; of its shapes, those
    that need the fewest Wilds; in them, numbered cards before Wilds. The first of equals, by the order of
    ``rules.laying.ways_to_lay``, and where that is not legal, the first way that is.
    """
    if p[STEP] != PLAY_STEP:
        return False
    if find_laying(g, p, turn_of(p), way):
        return True
    return g.choose_phase and find_lay(g, p, 0, way) < 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def relative_of(g: Layout, seat: cython.int, action: cython.int) -> cython.int:
    """What one of the kernel's actions is for a seat; of a way to lay, the last."""
    at: cython.int
    block: cython.int = MELDS * g.hits
    if action >= g.a_lay:
        return g.a_lay
    if action < g.a_skip_at:
        return action
    if action < g.a_hit:
        return g.a_skip_at + (action - g.a_skip_at - seat + g.players) % g.players
    at = action - g.a_hit
    return g.a_hit + (at // block - seat + g.players) % g.players * block + at % block


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def absolute_of(g: Layout, seat: cython.int, action: cython.int) -> cython.int:
    """What a seat's action other than laying is for the kernel."""
    at: cython.int
    block: cython.int = MELDS * g.hits
    if action < g.a_skip_at:
        return action
    if action < g.a_hit:
        return g.a_skip_at + (action - g.a_skip_at + seat) % g.players
    at = action - g.a_hit
    return g.a_hit + (at // block + seat) % g.players * block + at % block


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_legal(g: Layout, p: cython.p_uchar, mask: cython.p_uchar) -> cython.void:
    """Write 1 for each legal action of the player on turn, and 0 for the others."""
    way: cython.uchar[32]
    faces: cython.int[80]
    if not cython.compiled:
        way, faces = bytearray(32), [0] * 80
    seat: cython.int = turn_of(p)
    held: cython.Py_ssize_t = g.o_held + seat * g.faces
    last: cython.Py_ssize_t = g.naturals + 1
    count: cython.int = 0
    i: cython.Py_ssize_t
    clear(mask, g.a_lay + 1)
    if p[STEP] == DRAW_STEP:
        mask[DRAW_DECK] = can_draw(p)
        mask[TAKE_DISCARD] = can_take(g, p)
        mask[DRAW_NOTHING] = not mask[DRAW_DECK] and not mask[TAKE_DISCARD]
    if p[STEP] != PLAY_STEP:
        return
    for i in range(last):  # so plain that several are done at once
        mask[DISCARD + i] = p[held + i] != 0
    if p[TAKEN]:
        mask[DISCARD + p[TAKEN] - 1] = can_discard(g, p, p[TAKEN] - 1)
    if p[held + g.skip]:
        mask[g.a_skip] = is_legal(g, p, g.a_skip)
        for i in range(1, g.players):
            mask[g.a_skip_at + i] = is_legal(g, p, g.a_skip_at + (seat + i) % g.players)
    if not p[g.o_made + seat]:
        mask[g.a_lay] = find_best_lay(g, p, way)
        return
    for i in range(last):
        if p[held + i]:
            faces[count] = i
            count += 1
    mark_hits(g, p, faces, count, mask)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def clear(mask: cython.p_uchar, count: cython.int) -> cython.void:
    """Write so many zeros."""
    i: cython.int
    if cython.compiled:
        memset(mask, 0, count)
    else:
        for i in range(count):
            mask[i] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_hits(
    g: Layout, p: cython.p_uchar, faces: cython.p_int, count: cython.int, mask: cython.p_uchar
) -> cython.void:
    """Mark the hits of the player on turn, who holds these faces besides Skips."""
    melds: cython.int = MELDS * g.players
    first: cython.int = MELDS * turn_of(p)
    i: cython.int
    j: cython.int
    at: cython.int
    to: cython.int
    group: cython.int
    meld: cython.int
    low: cython.int
    high: cython.int
    for i in range(melds):
        meld = (first + i) % melds
        at = g.o_melds + meld * MELD_BYTES
        group = p[at] - 1
        if group < 0:
            continue
        to = g.a_hit + i * g.hits
        if g.group_copies[group] == 2:
            for j in range(g.h_pairs, g.hits):
                mask[to + j] = can_hit(g, p, meld, j)
            continue
        # Most cards can be seen not to fit by their numbers, without asking; 0: any number may fit.
        low = p[at + 1]
        high = p[at + 2]
        if g.group_chain[group]:
            low -= g.group_step[group]
            high += g.group_step[group]
        for j in range(count):
            if faces[j] == g.wild:
                mask[to + g.h_wild_low] = can_hit(g, p, meld, g.h_wild_low)
                mask[to + g.h_wild_high] = can_hit(g, p, meld, g.h_wild_high)
            elif p[at + 1] == 0 or g.number_of[faces[j]] == low or g.number_of[faces[j]] == high:
                mask[to + faces[j]] = can_hit(g, p, meld, faces[j])
