# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The ways to lay a Phase, counted, listed in the order of ``rules/laying.py``, or filled directly.

A *way* is a row of bytes: the Phase, the number of its cards, the shape in each group (counted
within the group), and then the held faces, cell by cell.
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import PLAY_STEP, STEP, Layout
    from cython.cimports.phaseten.kernel.engine import open_phases, turn_of
    from cython.cimports.phaseten.kernel.foresight import leads_on
    from cython.cimports.phaseten.kernel.shortage import lack_of_group, overlap, supply
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.engine import open_phases, turn_of
    from phaseten.kernel.foresight import leads_on
    from phaseten.kernel.shortage import lack_of_group, overlap, supply

MOST_VAIN = cython.declare(cython.int, 256)  # steps without a way before one looks ahead


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def legal_way(g: Layout, way: cython.p_uchar, split: cython.int) -> cython.bint:
    """W-NATURAL and P-CHAVO; ``split`` is how many cards the first meld has."""
    i: cython.int
    first: cython.int = 0
    second: cython.int = 0
    shown: cython.bint = False
    show: cython.int = g.phase_show[way[0]]
    for i in range(way[1]):
        if way[4 + i] == g.wild:
            shown = True
        else:
            if g.number_of[way[4 + i]] == show:
                shown = True
            if i < split:
                first += 1
            else:
                second += 1
    if first + second == 0 or (show and not shown):
        return False
    return not (g.natural_per_meld and (first == 0 or (split < way[1] and second == 0)))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def swapped(g: Layout, way: cython.p_uchar, one: cython.int, other: cython.int) -> cython.bint:
    """Two melds for the same request in the order that is not listed."""
    half: cython.int = way[1] // 2
    i: cython.int
    left: cython.int
    right: cython.int
    for i in range(half):
        left = laid_order(g, one, i, way[4 + i])
        right = laid_order(g, other, i, way[4 + half + i])
        if left != right:
            return left > right
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def laid_order(g: Layout, shape: cython.int, at: cython.int, face: cython.int) -> cython.int:
    """Where the card at that place of a shape stands in the order of cards."""
    cell: cython.int = g.shape_cell[shape]
    if face != g.wild:
        return g.order_of[face]
    while at >= g.cell_size[cell]:
        at -= g.cell_size[cell]
        cell += 1
    return g.cell_order[cell]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def list_slots(
    g: Layout,
    shape: cython.int,
    slots: cython.int,
    slot_cell: cython.p_int,
    slot_first: cython.p_int,
) -> cython.int:
    """Write the cell of each card of a shape, and whether it is the cell's first; how many then."""
    cell: cython.int
    i: cython.int
    for cell in range(g.shape_cell[shape], g.shape_cell[shape] + g.shape_cells[shape]):
        for i in range(g.cell_size[cell]):
            slot_cell[slots] = cell
            slot_first[slots] = i == 0
            slots += 1
    return slots


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def list_wilds_needed(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    slots: cython.int,
    slot_cell: cython.p_int,
    slot_first: cython.p_int,
    after: cython.p_int,
) -> cython.void:
    """Write how many Wilds the cells after each slot need at least."""
    i: cython.int
    wilds: cython.int = 0
    for i in range(slots - 1, -1, -1):
        after[i] = wilds
        if slot_first[i]:
            wilds += max(0, g.cell_size[slot_cell[i]] - supply(g, p, seat, slot_cell[i]))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def next_choice(
    g: Layout, p: cython.p_uchar, held: cython.int, cell: cython.int, choice: cython.int
) -> cython.int:
    """The next face of a cell, from the ``choice``-th on, that is held; after the last: none."""
    while choice < g.cell_faces[cell] and not p[held + g.face_list[g.cell_face[cell] + choice]]:
        choice += 1
    return choice


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def face_of(g: Layout, cell: cython.int, choice: cython.int) -> cython.int:
    """The ``choice``-th face of a cell; after the last: the Wild."""
    if choice < g.cell_faces[cell]:
        return g.face_list[g.cell_face[cell] + choice]
    return g.wild


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_in_shapes(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    one: cython.int,
    other: cython.int,
    want: cython.int,
    way: cython.p_uchar,
) -> cython.int:
    """Go through the ways to make these shapes (``other`` -1: none) up to the ``want``-th.

    How many were passed, or -1 with the way written. The hand is counted with, and is left as it was.
    """
    held: cython.int = g.o_held + seat * g.faces
    found: cython.int = 0
    at: cython.int = 0
    cell: cython.int
    choice: cython.int
    face: cython.int
    vain: cython.int = 0  # steps since a way was last found
    slot_cell: cython.int[24]
    slot_first: cython.int[24]
    after: cython.int[24]
    chosen: cython.int[24]
    if not cython.compiled:
        slot_cell, slot_first, after, chosen = [0] * 24, [0] * 24, [0] * 24, [0] * 24
    split: cython.int = list_slots(g, one, 0, slot_cell, slot_first)
    slots: cython.int = split if other < 0 else list_slots(g, other, split, slot_cell, slot_first)
    way[1] = slots
    list_wilds_needed(g, p, seat, slots, slot_cell, slot_first, after)
    chosen[0] = -1
    while at >= 0:
        cell = slot_cell[at]
        choice = chosen[at]
        if choice >= 0:  # give back what lies here
            p[held + way[4 + at]] += 1
            choice += 1
        else:
            choice = 0 if slot_first[at] else chosen[at - 1]
        choice = next_choice(g, p, held, cell, choice)
        face = face_of(g, cell, choice)
        if p[held + g.wild] < after[at] + (face == g.wild) or choice > g.cell_faces[cell]:
            at -= 1
            continue
        chosen[at] = choice
        way[4 + at] = face
        p[held + face] -= 1
        vain += 1
        if vain > MOST_VAIN and not leads_on(g, p, held, way, at, slots, slot_cell, choice):
            continue
        if at + 1 < slots:
            at += 1
            chosen[at] = -1
        elif is_listed(g, way, split, one, other):
            if found == want:
                for at in range(slots):
                    p[held + way[4 + at]] += 1
                return -1
            found += 1
            vain = 0
    return found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_listed(
    g: Layout, way: cython.p_uchar, split: cython.int, one: cython.int, other: cython.int
) -> cython.bint:
    """Whether a complete way is legal, and not the same as another that is listed."""
    return legal_way(g, way, split) and not (
        other >= 0 and g.phase_same[way[0]] and swapped(g, way, one, other)
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_way(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    phase: cython.int,
    want: cython.int,
    way: cython.p_uchar,
) -> cython.int:
    """Go through the ways to lay the Phase up to the ``want``-th; as ``find_in_shapes``."""
    wilds: cython.int = p[g.o_held + seat * g.faces + g.wild]
    group: cython.int = 2 * phase
    found: cython.int = 0
    got: cython.int
    i: cython.int
    j: cython.int
    extra: cython.int
    ones: cython.uchar[64]
    others: cython.uchar[64]
    if not cython.compiled:
        ones, others = bytearray(64), bytearray(64)
    way[0] = phase
    way[3] = 0
    if lack_of_group(g, p, seat, group, ones) > wilds:
        return 0
    if g.phase_groups[phase] == 2 and lack_of_group(g, p, seat, group + 1, others) > wilds:
        return 0
    for i in range(g.group_shapes[group]):
        if ones[i] > wilds:
            continue
        way[2] = i
        if g.phase_groups[phase] == 1:
            got = find_in_shapes(g, p, seat, g.group_shape[group] + i, -1, want - found, way)
            if got < 0:
                return -1
            found += got
            continue
        for j in range(g.group_shapes[group + 1]):
            if ones[i] + others[j] > wilds:
                continue
            if not g.phase_tangled[phase]:
                extra = overlap(g, p, seat, g.group_shape[group] + i, g.group_shape[group + 1] + j)
                if ones[i] + others[j] + extra > wilds:
                    continue
            way[3] = j
            got = find_in_shapes(
                g,
                p,
                seat,
                g.group_shape[group] + i,
                g.group_shape[group + 1] + j,
                want - found,
                way,
            )
            if got < 0:
                return -1
            found += got
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_lay(g: Layout, p: cython.p_uchar, want: cython.int, way: cython.p_uchar) -> cython.int:
    """Go through all ways to lay that the player on turn has, as ``find_in_shapes``."""
    seat: cython.int = turn_of(p)
    left: cython.int
    phase: cython.int
    found: cython.int = 0
    got: cython.int
    if p[STEP] != PLAY_STEP or p[g.o_made + seat]:
        return 0
    left = open_phases(g, p, seat)
    for phase in range(g.phases):
        if not (left >> phase) & 1:
            continue
        if g.discard_to_go_out and g.phase_cards[phase] >= p[g.o_size + seat]:
            continue
        got = find_way(g, p, seat, phase, want - found, way)
        if got < 0:
            return -1
        found += got
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_lays(g: Layout, p: cython.p_uchar) -> cython.int:
    """How many ways to lay the player on turn has."""
    way: cython.uchar[32]
    if not cython.compiled:
        way = bytearray(32)
    return find_lay(g, p, 1 << 30, way)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def is_before(one: cython.p_uchar, other: cython.p_uchar) -> cython.bint:
    """Whether one way stands before another in the list by its Phase and shapes."""
    if one[0] != other[0]:
        return one[0] < other[0]
    if one[2] != other[2]:
        return one[2] < other[2]
    return one[3] < other[3]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def same_way(one: cython.p_uchar, other: cython.p_uchar) -> cython.bint:
    """Whether two ways are the same."""
    i: cython.int
    for i in range(4 + one[1]):
        if one[i] != other[i]:
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number_of_way(g: Layout, p: cython.p_uchar, way: cython.p_uchar) -> cython.int:
    """The number of a way to lay, or -1.

    Each step through the list begins at its front: so its Phase and shapes are found by doubling
    and halving, and only the ways to fill these one after the other.
    """
    other: cython.uchar[32]
    if not cython.compiled:
        other = bytearray(32)
    low: cython.int = 0
    high: cython.int = 1
    middle: cython.int
    while find_lay(g, p, high, other) < 0 and is_before(other, way):
        low = high + 1
        high = 2 * high
    while low < high:
        middle = (low + high) // 2
        if find_lay(g, p, middle, other) < 0 and is_before(other, way):
            low = middle + 1
        else:
            high = middle
    while find_lay(g, p, low, other) < 0:
        if same_way(way, other):
            return low
        low += 1
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill(g: Layout, p: cython.p_uchar, seat: cython.int, way: cython.p_uchar) -> cython.bint:
    """Fill the shapes of a way with numbered cards first, then Wilds; whether that is legal."""
    held: cython.int = g.o_held + seat * g.faces
    at: cython.int = 4
    split: cython.int = 0
    i: cython.int
    j: cython.int
    k: cython.int
    shape: cython.int
    cell: cython.int
    face: cython.int
    enough: cython.bint = True
    for i in range(g.phase_groups[way[0]]):
        shape = g.group_shape[2 * way[0] + i] + way[2 + i]
        for cell in range(g.shape_cell[shape], g.shape_cell[shape] + g.shape_cells[shape]):
            j = 0
            for k in range(g.cell_faces[cell]):
                face = g.face_list[g.cell_face[cell] + k]
                while j < g.cell_size[cell] and p[held + face]:
                    way[at] = face
                    p[held + face] -= 1
                    at += 1
                    j += 1
            while j < g.cell_size[cell]:
                way[at] = g.wild
                at += 1
                j += 1
                if p[held + g.wild]:
                    p[held + g.wild] -= 1
                else:
                    enough = False
                    way[at - 1] = g.skip  # nothing to give back
        if i == 0:
            split = at - 4
    way[1] = at - 4
    for i in range(way[1]):
        if way[4 + i] != g.skip:
            p[held + way[4 + i]] += 1
    if enough and g.phase_same[way[0]]:
        put_in_order(g, way)
    return enough and legal_way(g, way, split)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put_in_order(g: Layout, way: cython.p_uchar) -> cython.void:
    """Exchange two melds for the same request that stand in the order that is not listed."""
    first: cython.int = g.group_shape[2 * way[0]]
    half: cython.int = way[1] // 2
    i: cython.int
    keep: cython.uchar
    if not swapped(g, way, first + way[2], first + way[3]):
        return
    keep = way[2]
    way[2] = way[3]
    way[3] = keep
    for i in range(half):
        keep = way[4 + i]
        way[4 + i] = way[4 + half + i]
        way[4 + half + i] = keep
