# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Which actions are legal. The ways to lay are in ``laying.py``."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        DISCARD,
        DISCARDS,
        DRAWS,
        DRAW_DECK,
        DRAW_NOTHING,
        DRAW_STEP,
        MELDS,
        MELD_BYTES,
        ORDER,
        PLAYING,
        PLAY_STEP,
        STEP,
        TAKEN,
        TAKE_DISCARD,
        Layout,
    )
    from cython.cimports.phaseten.kernel.engine import face_of, stands_still, turn_of
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.engine import face_of, stands_still, turn_of


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def can_draw(p: cython.p_uchar) -> cython.bint:
    """Whether a card can be drawn from the draw pile."""
    return p[DRAWS] > 0 or p[DISCARDS] > 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def can_take(g: Layout, p: cython.p_uchar) -> cython.bint:
    """Whether the top discard can be taken."""
    return p[DISCARDS] > 0 and p[g.o_pile + p[DISCARDS] - 1] != g.skip


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def can_skip(g: Layout, p: cython.p_uchar, target: cython.int) -> cython.bint:
    """Whether the player on turn may skip that seat."""
    i: cython.int
    if target == turn_of(p):
        return False
    if p[g.o_waiting + target] if g.in_front else p[g.o_skipped_by + target]:
        return False
    for i in range(p[PLAYING]):
        if p[ORDER + i] == target:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_discard(g: Layout, p: cython.p_uchar, face: cython.int) -> cython.bint:
    """Whether the player on turn may discard that card, which is not a Skip."""
    seat: cython.int = turn_of(p)
    count: cython.int = p[g.o_held + seat * g.faces + face]
    if count == 0:
        return False
    return not (g.no_rediscard and p[TAKEN] == face + 1 and count == 1 and p[g.o_size + seat] > 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_hit(g: Layout, p: cython.p_uchar, meld: cython.int, how: cython.int) -> cython.bint:
    """Whether the player on turn, whose Phase is down, may add to that meld in that way."""
    seat: cython.int = turn_of(p)
    at: cython.int = g.o_melds + meld * MELD_BYTES
    group: cython.int = p[at] - 1
    held: cython.int = g.o_held + seat * g.faces
    step: cython.int
    cards: cython.int = 1
    if group < 0:
        return False
    step = g.group_step[group]
    if g.group_copies[group] == 2:
        cards = 2
        if how < g.h_pairs or not can_pair(g, p, at, held, how - g.h_pairs):
            return False
    elif how < g.naturals:
        if p[held + how] == 0 or not fits(g, p, at, group, how):
            return False
    elif how >= g.h_pairs or p[held + g.wild] == 0:
        return False
    elif not g.group_chain[group]:
        if how != g.h_wild_low:
            return False
    elif how == g.h_wild_low:
        if p[at + 1] <= step:
            return False
    elif p[at + 2] + step > g.highest:
        return False
    return not (g.discard_to_go_out and p[g.o_size + seat] == cards)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def fits(
    g: Layout, p: cython.p_uchar, at: cython.int, group: cython.int, face: cython.int
) -> cython.bint:
    """Whether a numbered card fits the meld at that place, which takes single cards."""
    number: cython.int = g.number_of[face]
    if g.group_chain[group]:
        if g.group_colored[group] and g.color_of[face] != p[at + 3]:
            return False
        return (
            number + g.group_step[group] == p[at + 1] or number == p[at + 2] + g.group_step[group]
        )
    if g.group_colored[group]:
        return g.color_of[face] == p[at + 3]
    if g.group_parity[group] < 2:
        return number % 2 == g.group_parity[group]
    return number == p[at + 1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_pair(
    g: Layout, p: cython.p_uchar, at: cython.int, held: cython.int, pair: cython.int
) -> cython.bint:
    """Whether that pair is held and fits the run of pairs at that place."""
    number: cython.int
    one: cython.int = 0
    face: cython.int
    other: cython.int
    if pair < g.pair_kinds:
        number = p[at + 1] - 1
    else:
        number = p[at + 2] + 1
        pair -= g.pair_kinds
    if number < 1 or number > g.highest:
        return False
    while pair > g.colors - one:
        pair -= g.colors - one + 1
        one += 1
    face = face_of(g, one, number)
    other = face_of(g, one + pair, number)
    if face == other:
        return p[held + face] > 1
    return p[held + face] > 0 and p[held + other] > 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_legal(g: Layout, p: cython.p_uchar, action: cython.int) -> cython.bint:
    """Whether an action other than laying is legal."""
    seat: cython.int = turn_of(p)
    i: cython.int
    if p[STEP] == DRAW_STEP:
        if action == DRAW_DECK:
            return can_draw(p)
        if action == TAKE_DISCARD:
            return can_take(g, p)
        return action == DRAW_NOTHING and not can_draw(p) and not can_take(g, p)
    if p[STEP] != PLAY_STEP or action < DISCARD or action >= g.a_lay:
        return False
    if action < g.a_skip:
        return can_discard(g, p, action - DISCARD)
    if action < g.a_hit:
        if p[g.o_held + seat * g.faces + g.skip] == 0:
            return False
        if action > g.a_skip:
            return can_skip(g, p, action - g.a_skip_at)
        if (p[g.o_size + seat] == 1 and p[g.o_made + seat]) or stands_still(g, p):
            return True
        for i in range(g.players):
            if can_skip(g, p, i):
                return False
        return True
    if not p[g.o_made + seat]:
        return False
    return can_hit(g, p, (action - g.a_hit) // g.hits, (action - g.a_hit) % g.hits)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_simple(g: Layout, p: cython.p_uchar, out: cython.p_int, most: cython.int) -> cython.int:
    """Write the legal actions other than laying; how many there are."""
    seat: cython.int = turn_of(p)
    count: cython.int = 0
    face: cython.int
    held: cython.int = g.o_held + seat * g.faces
    if p[STEP] == DRAW_STEP:
        if can_draw(p):
            out[count] = DRAW_DECK
            count += 1
        if can_take(g, p):
            out[count] = TAKE_DISCARD
            count += 1
        if count == 0:
            out[0] = DRAW_NOTHING
            count = 1
        return count
    if p[STEP] != PLAY_STEP:
        return 0
    if p[g.o_made + seat]:
        count = list_hits(g, p, out, most)
    for face in range(g.naturals + 1):
        if p[held + face] and can_discard(g, p, face) and count < most:
            out[count] = DISCARD + face
            count += 1
    if p[held + g.skip]:
        for face in range(g.a_skip, g.a_hit):
            if count < most and is_legal(g, p, face):
                out[count] = face
                count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_hits(g: Layout, p: cython.p_uchar, out: cython.p_int, most: cython.int) -> cython.int:
    """Write the legal hits; how many there are."""
    seat: cython.int = turn_of(p)
    held: cython.int = g.o_held + seat * g.faces
    count: cython.int = 0
    meld: cython.int
    how: cython.int
    first: cython.int
    group: cython.int
    for meld in range(MELDS * g.players):
        group = p[g.o_melds + meld * MELD_BYTES] - 1
        if group < 0:
            continue
        first = g.h_pairs if g.group_copies[group] == 2 else 0
        for how in range(first, g.hits if first else g.h_pairs):
            if how < g.naturals and p[held + how] == 0:
                continue
            if count < most and can_hit(g, p, meld, how):
                out[count] = g.a_hit + meld * g.hits + how
                count += 1
    return count
