# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""How long each way to a Phase will take with the cards that can still come, and what each card is worth for it."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import DISCARDS, LAID, ORDER, PLAYING, Layout
    from cython.cimports.phaseten.kernel.shortage import lack_of_group, supply
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.shortage import lack_of_group, supply

NEVER = cython.declare(cython.double, 1000)
MARGIN = cython.declare(cython.int, 2)  # how much more than the best a way may lack and count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_unseen(
    g: Layout, p: cython.p_uchar, seat: cython.int, unseen: cython.p_int
) -> cython.int:
    """Of each face, how many cards the seat has not seen; how many they are together."""
    i: cython.int
    j: cython.int
    who: cython.int
    total: cython.int = g.deck_size
    for i in range(g.faces):
        unseen[i] = g.face_count[i] - p[g.o_held + seat * g.faces + i]
    total -= p[g.o_size + seat]
    for i in range(p[LAID]):
        unseen[p[g.o_laid + i]] -= 1
    for i in range(p[DISCARDS]):
        unseen[p[g.o_pile + i]] -= 1
    total -= p[LAID] + p[DISCARDS]
    for i in range(p[PLAYING]):
        who = p[ORDER + i]
        if g.in_front and p[g.o_waiting + who]:
            unseen[g.skip] -= 1
            total -= 1
        if who != seat:
            for j in range(p[g.o_known_size + who]):
                unseen[p[g.o_known + who * g.known_most + j]] -= 1
            total -= p[g.o_known_size + who]
    return total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_shortages(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    shape: cython.int,
    first: cython.int,
    unseen: cython.p_int,
    count: cython.int,
    lacks: cython.p_int,
    outs: cython.p_int,
) -> cython.int:
    """Write what cells of a shape lack, and how many unseen cards would do; how many cells then.

    What shape ``first`` needs of the same cards (-1: there is none) is gone already.
    """
    cell: cython.int
    earlier: cython.int
    have: cython.int
    need: cython.int
    i: cython.int
    for cell in range(g.shape_cell[shape], g.shape_cell[shape] + g.shape_cells[shape]):
        have = supply(g, p, seat, cell)
        if first >= 0:
            for earlier in range(g.shape_cell[first], g.shape_cell[first] + g.shape_cells[first]):
                if g.cell_key[earlier] == g.cell_key[cell]:
                    have -= g.cell_size[earlier]
        need = g.cell_size[cell] - (have if have > 0 else 0)
        if need > 0:
            lacks[count] = need
            outs[count] = 0
            for i in range(g.cell_faces[cell]):
                outs[count] += unseen[g.face_list[g.cell_face[cell] + i]]
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def wait_for(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    one: cython.int,
    other: cython.int,
    unseen: cython.p_int,
    total: cython.int,
    limit: cython.int,
) -> cython.double:
    """About how many draws it takes to complete these shapes (``other`` -1: none)."""
    short: cython.int[24]
    outs: cython.int[24]
    if not cython.compiled:
        short, outs = [0] * 24, [0] * 24
    count: cython.int = add_shortages(g, p, seat, one, -1, unseen, 0, short, outs)
    lack: cython.int = -p[g.o_held + seat * g.faces + g.wild]
    i: cython.int
    best: cython.int
    rate: cython.int
    time: cython.double = 0
    if other >= 0:
        count = add_shortages(g, p, seat, other, one, unseen, count, short, outs)
    for i in range(count):
        lack += short[i]
    if lack > limit:
        return NEVER
    while lack > 0:
        rate = unseen[g.wild]
        best = -1
        for i in range(count):
            if short[i] > 0:
                rate += outs[i]
                if best < 0 or outs[i] > outs[best]:
                    best = i
        if rate <= 0:
            return NEVER
        time += total / cython.cast(cython.double, rate)
        if best < 0:
            break
        short[best] -= 1
        if outs[best] > 0:
            outs[best] -= 1
        lack -= 1
    return time


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weigh_cards(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    phase: cython.int,
    unseen: cython.p_int,
    total: cython.int,
    needs: cython.p_double,
) -> cython.double:
    """Write how much each numbered face is needed for a Phase; the promise of the whole hand.

    Every way to the Phase counts: the quick ones most, but having several counts too. A card is
    needed by the ways that would lose by its going.
    """
    ones: cython.uchar[64]
    others: cython.uchar[64]
    if not cython.compiled:
        ones, others = bytearray(64), bytearray(64)
    group: cython.int = 2 * phase
    wilds: cython.int = p[g.o_held + seat * g.faces + g.wild]
    limit: cython.int = lack_of_group(g, p, seat, group, ones) + MARGIN
    one: cython.int
    i: cython.int
    j: cython.int
    worth: cython.double = 0
    for i in range(g.naturals):
        needs[i] = 0
    if g.phase_groups[phase] == 1:
        for i in range(g.group_shapes[group]):
            if ones[i] <= limit:
                worth += weigh_way(
                    g, p, seat, g.group_shape[group] + i, -1, unseen, total, limit - wilds, needs
                )
        return worth
    least: cython.int = lack_of_group(g, p, seat, group + 1, others)
    limit += least
    for i in range(g.group_shapes[group]):
        one = g.group_shape[group] + i
        if ones[i] + least > limit:
            continue
        for j in range(i if g.phase_same[phase] else 0, g.group_shapes[group + 1]):
            if ones[i] + others[j] <= limit:
                worth += weigh_way(
                    g,
                    p,
                    seat,
                    one,
                    g.group_shape[group + 1] + j,
                    unseen,
                    total,
                    limit - wilds,
                    needs,
                )
    return worth


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weigh_way(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    one: cython.int,
    other: cython.int,
    unseen: cython.p_int,
    total: cython.int,
    limit: cython.int,
    needs: cython.p_double,
) -> cython.double:
    """The worth of one way to a Phase, which is added to the needs for its cards."""
    time: cython.double = wait_for(g, p, seat, one, other, unseen, total, limit)
    near: cython.double
    if time >= NEVER:
        return 0
    near = 1 / ((1 + time) * (1 + time))
    near = near * near * near * near
    need_cards(g, p, seat, one, other, near, needs)
    if other >= 0:
        need_cards(g, p, seat, other, -1, near, needs)
    return near


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def need_cards(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    shape: cython.int,
    other: cython.int,
    worth: cython.double,
    needs: cython.p_double,
) -> cython.void:
    """Add the worth to the needs for the cards of a shape that cannot be spared."""
    cell: cython.int
    twin: cython.int
    size: cython.int
    have: cython.int
    i: cython.int
    for cell in range(g.shape_cell[shape], g.shape_cell[shape] + g.shape_cells[shape]):
        have = supply(g, p, seat, cell)
        if have == 0:
            continue
        size = g.cell_size[cell]
        if other >= 0:  # the same cards can be wanted by both shapes
            for twin in range(g.shape_cell[other], g.shape_cell[other] + g.shape_cells[other]):
                if g.cell_key[twin] == g.cell_key[cell]:
                    size += g.cell_size[twin]
        if have <= size:
            for i in range(g.cell_faces[cell]):
                needs[g.face_list[g.cell_face[cell] + i]] += worth
