# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Looking ahead while a Phase is laid: whether what is left of the shapes can still be filled."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import Layout
else:
    from phaseten.kernel.layout import Layout


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leads_on(
    g: Layout,
    p: cython.p_uchar,
    held: cython.int,
    way: cython.p_uchar,
    at: cython.int,
    slots: cython.int,
    slot_cell: cython.p_int,
    choice: cython.int,
) -> cython.bint:
    """Whether the slots behind this one can be filled from what is still held.

    Two shapes that want the same cards can have millions of beginnings and no end. To look ahead
    takes longer than to try, so it is done only where trying has been in vain for a while.
    """
    takers: cython.int[24]
    tried: cython.uchar[80]
    if not cython.compiled:
        takers, tried = [0] * 24, bytearray(80)
    wilds: cython.int = p[held + g.wild]
    show: cython.int = g.phase_show[way[0]]
    shown: cython.bint = not show
    i: cython.int
    face: cython.int
    for i in range(at + 1):
        shown = shown or way[4 + i] == g.wild or g.number_of[way[4 + i]] == show
    for i in range(at + 1, slots):
        takers[i] = -1
        shown = shown or can_show(g, p, held, slot_cell[i], show)
    if not shown:
        return False
    for i in range(at + 1, slots):
        for face in range(g.naturals):
            tried[face] = 0
        if not take(g, p, held, i, at, slots, slot_cell, choice, takers, tried):
            wilds -= 1
            if wilds < 0:
                return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_show(
    g: Layout, p: cython.p_uchar, held: cython.int, cell: cython.int, show: cython.int
) -> cython.bint:
    """Whether a cell can take a Wild, or a card of that number (P-CHAVO)."""
    i: cython.int
    face: cython.int
    if p[held + g.wild]:
        return True
    for i in range(g.cell_faces[cell]):
        face = g.face_list[g.cell_face[cell] + i]
        if p[held + face] and g.number_of[face] == show:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take(
    g: Layout,
    p: cython.p_uchar,
    held: cython.int,
    slot: cython.int,
    at: cython.int,
    slots: cython.int,
    slot_cell: cython.p_int,
    choice: cython.int,
    takers: cython.p_int,
    tried: cython.p_uchar,
) -> cython.bint:
    """Give a slot a numbered card, where need be one that another slot can replace.

    Behind slot ``at``, slots of the same cell go on from its ``choice``: no two ways differ by order alone.
    """
    cell: cython.int = slot_cell[slot]
    first: cython.int = choice if cell == slot_cell[at] else 0
    i: cython.int
    j: cython.int
    face: cython.int
    left: cython.int
    for i in range(first, g.cell_faces[cell]):
        face = g.face_list[g.cell_face[cell] + i]
        if tried[face] or not p[held + face]:
            continue
        tried[face] = 1
        left = p[held + face]
        for j in range(at + 1, slots):
            left -= takers[j] == face
        if left > 0:
            takers[slot] = face
            return True
        for j in range(at + 1, slots):
            if takers[j] == face and take(
                g, p, held, j, at, slots, slot_cell, choice, takers, tried
            ):
                takers[slot] = face
                return True
    return False
