# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Actions of a network: which are legal, and what they are in the kernel.

A hit is named by the meld and the number of the card: which of several colours is hit with hardly
matters, and is the first that can be. To lay is one action, the way in which sharp would.
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        DISCARD,
        DRAW_DECK,
        DRAW_NOTHING,
        DRAW_STEP,
        LAY_THIS,
        MELDS,
        MELD_BYTES,
        NUMBERS,
        STEP,
        TAKE_DISCARD,
        Layout,
    )
    from cython.cimports.phaseten.kernel.engine import turn_of
    from cython.cimports.phaseten.kernel.legality import (
        can_discard,
        can_draw,
        can_hit,
        can_take,
        is_legal,
    )
    from cython.cimports.phaseten.kernel.relative import find_laying
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout, constants_beside
    from phaseten.kernel.engine import turn_of
    from phaseten.kernel.legality import can_discard, can_draw, can_hit, can_take, is_legal
    from phaseten.kernel.relative import find_laying

    globals().update(constants_beside(__file__))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_actions(players: cython.int) -> cython.int:
    """How many actions there are for so many players."""
    return COMMON + SEAT_ACTIONS * players


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_legal(g: Layout, p: cython.p_uchar, lack: cython.int, mask: cython.p_uchar) -> cython.int:
    """Mark the legal actions of the seat on turn, who lacks so many cards; how many they are."""
    seat: cython.int = turn_of(p)
    held: cython.int = g.o_held + seat * g.faces
    count: cython.int = 0
    i: cython.int
    at: cython.int
    way: cython.uchar[32]
    if not cython.compiled:
        way = bytearray(32)
    for i in range(count_actions(g.players)):
        mask[i] = 0
    if p[STEP] == DRAW_STEP:
        mask[DRAW_DECK] = can_draw(p)
        mask[TAKE_DISCARD] = can_take(g, p)
        mask[DRAW_NOTHING] = not mask[DRAW_DECK] and not mask[TAKE_DISCARD]
        return mask[DRAW_DECK] + mask[TAKE_DISCARD] + mask[DRAW_NOTHING]
    for i in range(g.naturals + 1):
        if p[held + i] and can_discard(g, p, i):
            mask[DISCARD + i] = 1
            count += 1
    if p[held + g.skip]:
        if is_legal(g, p, g.a_skip):
            mask[g.a_skip] = 1
            count += 1
        for i in range(1, g.players):
            if is_legal(g, p, g.a_skip_at + (seat + i) % g.players):
                mask[COMMON + SEAT_ACTIONS * i] = 1
                count += 1
    if not p[g.o_made + seat]:
        if lack <= p[held + g.wild] and find_laying(g, p, seat, way):
            mask[LAY] = 1
            count += 1
        return count
    for i in range(g.players * MELDS):
        at = COMMON + SEAT_ACTIONS * (i // MELDS) + 1 + MELD_HITS * (i % MELDS)
        count += mark_hits(g, p, (seat * MELDS + i) % (g.players * MELDS), mask, at)
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_hits(
    g: Layout, p: cython.p_uchar, meld: cython.int, mask: cython.p_uchar, at: cython.int
) -> cython.int:
    """Mark the hits on a meld, from that place on; how many they are."""
    seat: cython.int = turn_of(p)
    count: cython.int = 0
    how: cython.int
    if not p[g.o_melds + meld * MELD_BYTES]:
        return 0
    for how in range(MELD_HITS):
        if how < g.highest and not p[g.o_numbers + seat * NUMBERS + how + 1]:
            continue
        if find_hit(g, p, meld, how) >= 0:
            mask[at + how] = 1
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_hit(g: Layout, p: cython.p_uchar, meld: cython.int, how: cython.int) -> cython.int:
    """The kernel's hit on a meld for one of ours, or -1; pairs without a Wild come first."""
    first: cython.int
    i: cython.int
    kind: cython.int
    wilds: cython.int
    color: cython.int
    if how < 12:
        for color in range(g.colors):
            kind = color * g.highest + how
            if how < g.highest and can_hit(g, p, meld, kind):
                return g.a_hit + meld * g.hits + kind
        return -1
    if how < 14:
        kind = g.h_wild_low + how - 12
        return g.a_hit + meld * g.hits + kind if can_hit(g, p, meld, kind) else -1
    if not g.pairs:
        return -1
    first = g.h_pairs + (how - 14) * g.pair_kinds
    for wilds in range(3):
        i = 0
        for color in range(g.colors + 1):
            for kind in range(color, g.colors + 1):
                if (color == g.colors) + (kind == g.colors) == wilds and can_hit(
                    g, p, meld, first + i
                ):
                    return g.a_hit + meld * g.hits + first + i
                i += 1
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number_of(g: Layout, p: cython.p_uchar, action: cython.int, way: cython.p_uchar) -> cython.int:
    """The kernel's number of a network's action, LAY_THIS with the way written, or NOT_LEGAL."""
    seat: cython.int = turn_of(p)
    i: cython.int
    if action < 0 or action >= count_actions(g.players):
        return NOT_LEGAL
    if action == LAY:
        if p[STEP] == DRAW_STEP or not find_laying(g, p, seat, way):
            return NOT_LEGAL
        return LAY_THIS
    if action >= COMMON:
        i = (action - COMMON) % SEAT_ACTIONS
        if i > MELDS * MELD_HITS:
            return NOT_LEGAL
        if i and (p[STEP] == DRAW_STEP or not p[g.o_made + seat]):
            return NOT_LEGAL
        seat = (seat + (action - COMMON) // SEAT_ACTIONS) % g.players
        if i == 0:
            action = g.a_skip_at + seat
        else:
            action = find_hit(g, p, seat * MELDS + (i - 1) // MELD_HITS, (i - 1) % MELD_HITS)
    elif action > g.a_skip:
        return NOT_LEGAL
    if action < 0 or not is_legal(g, p, action):
        return NOT_LEGAL
    return action
