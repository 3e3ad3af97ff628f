# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The actions worth trying."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        DISCARD,
        DRAW_STEP,
        LAY_THIS,
        RESHUFFLES,
        STEP,
        Layout,
    )
    from cython.cimports.phaseten.kernel.engine import turn_of
    from cython.cimports.phaseten.kernel.laying import find_lay, same_way
    from cython.cimports.phaseten.kernel.legality import list_simple
    from cython.cimports.phaseten.kernel.players.casual import phase_to_make
    from cython.cimports.phaseten.kernel.players.sharp import (
        NO_SCORE,
        best_face,
        choose_sharp,
        score_discards,
    )
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.engine import turn_of
    from phaseten.kernel.laying import find_lay, same_way
    from phaseten.kernel.legality import list_simple
    from phaseten.kernel.players.casual import phase_to_make
    from phaseten.kernel.players.sharp import NO_SCORE, best_face, choose_sharp, score_discards

STUCK = 3  # so is one after so many reshuffles: no use in trying
MOST_HITS = cython.declare(cython.int, 5)
MOST_LAYS = cython.declare(cython.int, 4)
DISCARDS_INSTEAD = cython.declare(cython.int, 2)  # of laying or hitting


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_candidates(
    g: Layout,
    p: cython.p_uchar,
    rng: cython.p_ulonglong,
    most: cython.int,
    out: cython.p_int,
    way: cython.p_uchar,
) -> cython.int:
    """Write what is worth trying, the sharp choice first; how many they are.

    All draws and Skips, some hits and ways to lay, and the discards that seem best to the sharp player.
    The sharp player's way to lay is LAY_THIS with the way written: to count which one it is can take for ever.
    """
    choice: cython.int = choose_sharp(g, p, rng, way)
    count: cython.int
    out[0] = choice
    if p[RESHUFFLES] >= STUCK or p[RESHUFFLES + 1]:
        return 1
    count = add_simple(g, p, choice, out)
    if p[STEP] == DRAW_STEP:
        return count
    if choice == LAY_THIS:
        count = add_lays(g, p, way, count, out)
    elif choice < g.a_hit:
        return add_discards(g, p, choice, most, count, out)
    return add_discards(g, p, choice, DISCARDS_INSTEAD, count, out)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_simple(g: Layout, p: cython.p_uchar, choice: cython.int, out: cython.p_int) -> cython.int:
    """Write draws, Skips and hits after the choice; how many there are then."""
    actions: cython.int[1024]
    if not cython.compiled:
        actions = [0] * 1024
    count: cython.int = 1
    hits: cython.int = 0
    action: cython.int
    i: cython.int
    for i in range(list_simple(g, p, actions, 1024)):
        action = actions[i]
        if action == choice or DISCARD <= action < g.a_skip:
            continue
        if action >= g.a_hit:
            hits += 1
            if hits > MOST_HITS:
                continue
        out[count] = action
        count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_lays(
    g: Layout, p: cython.p_uchar, way: cython.p_uchar, count: cython.int, out: cython.p_int
) -> cython.int:
    """Write the first ways to lay, but that one, behind the others; how many there are then."""
    other: cython.uchar[32]
    if not cython.compiled:
        other = bytearray(32)
    i: cython.int
    for i in range(MOST_LAYS):
        if find_lay(g, p, i, other) >= 0:
            break
        if not same_way(way, other):
            out[count] = g.a_lay + i
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_discards(
    g: Layout,
    p: cython.p_uchar,
    choice: cython.int,
    most: cython.int,
    count: cython.int,
    out: cython.p_int,
) -> cython.int:
    """Write the discards that seem best to the sharp player behind the others; how many there are then."""
    scores: cython.double[64]
    way: cython.uchar[32]
    if not cython.compiled:
        scores, way = [0.0] * 64, bytearray(32)
    seat: cython.int = turn_of(p)
    phase: cython.int = -1
    i: cython.int
    best: cython.int
    if not p[g.o_made + seat]:
        phase = phase_to_make(g, p, seat, way)
    score_discards(g, p, seat, phase, scores)
    for i in range(most):
        best = best_face(g, scores)
        if best < 0:
            break
        scores[best] = NO_SCORE
        if DISCARD + best != choice:
            out[count] = DISCARD + best
            count += 1
    return count
