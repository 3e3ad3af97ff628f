# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""A beginner: means to play sensibly, but overlooks and forgets."""

import cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.book import (
        DISCARD,
        DRAW_DECK,
        DRAW_STEP,
        STEP,
        TAKEN,
        Book,
    )
    from cython.cimports.phaseten.kernel.engine import random_below, turn_of
    from cython.cimports.phaseten.kernel.legality import can_discard, can_draw
    from cython.cimports.phaseten.kernel.policies import choose_greedy, discard_any
else:
    from phaseten.kernel.book import *
    from phaseten.kernel.book import Book
    from phaseten.kernel.engine import random_below, turn_of
    from phaseten.kernel.legality import can_discard, can_draw
    from phaseten.kernel.policies import choose_greedy, discard_any

LAY_THIS = cython.declare(cython.int, -1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_rookie(
    b: Book, p: cython.p_uchar, rng: cython.p_ulonglong, way: cython.p_uchar
) -> cython.int:
    """The number of the beginner's action, or LAY_THIS with the way written.

    Half of the time the discard pile is not looked at; one lay-down in five and every third hit
    are overlooked; a fifth of the discards are any card that is not a Wild.
    """
    seat: cython.int = turn_of(p)
    action: cython.int = choose_greedy(b, p, rng, way)
    if p[STEP] == DRAW_STEP:
        return DRAW_DECK if can_draw(p) and random_below(rng, 2) == 0 else action
    if action == LAY_THIS:
        return discard_number(b, p, seat, rng) if random_below(rng, 5) == 0 else LAY_THIS
    if action >= b.a_hit:
        return discard_number(b, p, seat, rng) if random_below(rng, 3) == 0 else action
    return discard_number(b, p, seat, rng) if random_below(rng, 5) == 0 else action


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def discard_number(
    b: Book, p: cython.p_uchar, seat: cython.int, rng: cython.p_ulonglong
) -> cython.int:
    """Any numbered card that may go, but not the one just taken."""
    faces: cython.int[80]
    if not cython.compiled:
        faces = [0] * 80
    count: cython.int = 0
    face: cython.int
    for face in range(b.naturals):
        if p[TAKEN] == face + 1:
            continue
        if p[b.o_held + seat * b.faces + face] and can_discard(b, p, face):
            faces[count] = face
            count += 1
    if count == 0:
        return discard_any(b, p, seat, rng)
    return DISCARD + faces[random_below(rng, count)]
