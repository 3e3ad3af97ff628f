# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""A beginner: means to play sensibly, but overlooks and forgets."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        DISCARD,
        DRAW_DECK,
        DRAW_STEP,
        LAY_THIS,
        STEP,
        TAKEN,
        Layout,
    )
    from cython.cimports.phaseten.kernel.chance import random_below
    from cython.cimports.phaseten.kernel.engine import turn_of
    from cython.cimports.phaseten.kernel.legality import can_discard, can_draw
    from cython.cimports.phaseten.kernel.players.casual import choose_casual, discard_any
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import random_below
    from phaseten.kernel.engine import turn_of
    from phaseten.kernel.legality import can_discard, can_draw
    from phaseten.kernel.players.casual import choose_casual, discard_any


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_rookie(
    g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong, way: cython.p_uchar
) -> cython.int:
    """The number of the beginner's action, or LAY_THIS with the way written.

    Half of the time the discard pile is not looked at; one lay-down in five and every third hit
    are overlooked; a fifth of the discards are any card that is not a Wild.
    """
    seat: cython.int = turn_of(p)
    action: cython.int = choose_casual(g, p, rng, way)
    if p[STEP] == DRAW_STEP:
        return DRAW_DECK if can_draw(p) and random_below(rng, 2) == 0 else action
    if action == LAY_THIS:
        return discard_number(g, p, seat, rng) if random_below(rng, 5) == 0 else LAY_THIS
    if action >= g.a_hit:
        return discard_number(g, p, seat, rng) if random_below(rng, 3) == 0 else action
    return discard_number(g, p, seat, rng) if random_below(rng, 5) == 0 else action


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def discard_number(
    g: Layout, p: cython.p_uchar, seat: cython.int, rng: cython.p_ulonglong
) -> cython.int:
    """Any numbered card that may go, but not the one just taken."""
    faces: cython.int[80]
    if not cython.compiled:
        faces = [0] * 80
    count: cython.int = 0
    face: cython.int
    for face in range(g.naturals):
        if p[TAKEN] == face + 1:
            continue
        if p[g.o_held + seat * g.faces + face] and can_discard(g, p, face):
            faces[count] = face
            count += 1
    if count == 0:
        return discard_any(g, p, seat, rng)
    return DISCARD + faces[random_below(rng, count)]
