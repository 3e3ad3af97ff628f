# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What a hand lacks for a Phase, and the shapes it is best kept for."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import BY_COLOR, BY_FACE, BY_NUMBER, NUMBERS, Layout
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def supply(g: Layout, p: cython.p_uchar, seat: cython.int, cell: cython.int) -> cython.int:
    """How many held cards belong in a cell."""
    kind: cython.int = g.cell_kind[cell]
    what: cython.int = g.cell_what[cell]
    total: cython.int
    number: cython.int
    if kind == BY_NUMBER:
        return p[g.o_numbers + seat * NUMBERS + what]
    if kind == BY_COLOR:
        return p[g.o_colors + seat * g.colors + what]
    if kind == BY_FACE:
        return p[g.o_held + seat * g.faces + what]
    total = 0
    for number in range(2 - what, g.highest + 1, 2):
        total += p[g.o_numbers + seat * NUMBERS + number]
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lack_of_group(
    g: Layout, p: cython.p_uchar, seat: cython.int, group: cython.int, lacks: cython.p_uchar
) -> cython.int:
    """Write what each shape of the group lacks by itself; the least of it."""
    line: cython.Py_ssize_t
    first: cython.Py_ssize_t
    width: cython.Py_ssize_t
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    numbers: cython.Py_ssize_t = g.o_numbers + seat * NUMBERS
    short: cython.int
    least: cython.int = 255
    lack: cython.int
    cells: cython.uchar[16]
    if not cython.compiled:
        cells = bytearray(16)
    for line in range(g.group_line[group], g.group_line[group] + g.group_lines[group]):
        first = g.line_cell[line]
        width = g.line_width[line]
        if width == 1 and g.cell_kind[first] == BY_NUMBER:
            # Each number for itself, as in a set: what is asked for most often, and plainest.
            for i in range(first, first + g.line_cells[line]):
                short = g.cell_size[i] - p[numbers + g.cell_what[i]]
                lack = short if short > 0 else 0
                lacks[at] = lack
                at += 1
                if lack < least:
                    least = lack
            continue
        lack = 0
        for i in range(g.line_cells[line]):
            short = g.cell_size[first + i] - supply(g, p, seat, first + i)
            cells[i] = short if short > 0 else 0
            lack += cells[i]
            if i >= width:
                lack -= cells[i - width]
            if i >= width - 1:
                lacks[at] = lack
                at += 1
                if lack < least:
                    least = lack
    return least


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def overlap(
    g: Layout, p: cython.p_uchar, seat: cython.int, one: cython.int, other: cython.int
) -> cython.int:
    """How much more two shapes lack together than each by itself (nothing tangled)."""
    extra: cython.int = 0
    i: cython.int
    j: cython.int
    have: cython.int
    need: cython.int
    more: cython.int
    for i in range(g.shape_cell[one], g.shape_cell[one] + g.shape_cells[one]):
        for j in range(g.shape_cell[other], g.shape_cell[other] + g.shape_cells[other]):
            if g.cell_key[i] == g.cell_key[j]:
                have = supply(g, p, seat, i)
                need = g.cell_size[i]
                more = g.cell_size[j]
                extra += max(0, need + more - have) - max(0, need - have) - max(0, more - have)
    return extra


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def aim(
    g: Layout, p: cython.p_uchar, seat: cython.int, phase: cython.int, way: cython.p_uchar
) -> cython.int:
    """Choose the shapes that lack the least, and write them into a way; what they lack."""
    return aim_within(g, p, seat, phase, 254, way)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def aim_within(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    phase: cython.int,
    most: cython.int,
    way: cython.p_uchar,
) -> cython.int:
    """As ``aim``, but where more than ``most`` cards are lacking: more than that, and no shapes."""
    group: cython.int = 2 * phase
    best: cython.int = most + 1
    least: cython.int
    lack: cython.int
    i: cython.int
    j: cython.int
    ones: cython.uchar[64]
    others: cython.uchar[64]
    if not cython.compiled:
        ones, others = bytearray(64), bytearray(64)
    way[0] = phase
    way[3] = 0
    least = lack_of_group(g, p, seat, group, ones)
    if least > most:
        return best
    if g.phase_groups[phase] == 1:
        for i in range(g.group_shapes[group]):
            if ones[i] < best:
                best = ones[i]
                way[2] = i
        return best
    if g.phase_same[phase]:
        for i in range(g.group_shapes[group]):
            others[i] = ones[i]
    else:
        least = lack_of_group(g, p, seat, group + 1, others)
    for i in range(g.group_shapes[group]):
        if ones[i] + least >= best:
            continue
        for j in range(g.group_shapes[group + 1]):
            lack = ones[i] + others[j]
            if lack < best:
                lack += overlap(g, p, seat, g.group_shape[group] + i, g.group_shape[group + 1] + j)
                if lack < best:
                    best = lack
                    way[2] = i
                    way[3] = j
    return best
