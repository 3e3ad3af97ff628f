# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The built-in players by their numbers: 0 random, 1 greedy, 2 expert, 3 rookie."""

import cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.book import Book
    from cython.cimports.phaseten.kernel.engine import act, lay
    from cython.cimports.phaseten.kernel.expert import choose_expert
    from cython.cimports.phaseten.kernel.policies import choose_greedy, play_random
    from cython.cimports.phaseten.kernel.rookie import choose_rookie
else:
    from phaseten.kernel.book import Book
    from phaseten.kernel.engine import act, lay
    from phaseten.kernel.expert import choose_expert
    from phaseten.kernel.policies import choose_greedy, play_random
    from phaseten.kernel.rookie import choose_rookie

LAY_THIS = cython.declare(cython.int, -1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_by(
    b: Book, p: cython.p_uchar, rng: cython.p_ulonglong, policy: cython.int, way: cython.p_uchar
) -> cython.int:
    """The action of a player other than the random one, or LAY_THIS with the way written."""
    if policy == 2:
        return choose_expert(b, p, rng, way)
    if policy == 3:
        return choose_rookie(b, p, rng, way)
    return choose_greedy(b, p, rng, way)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_one(b: Book, p: cython.p_uchar, rng: cython.p_ulonglong, policy: cython.int) -> cython.int:
    """Let a built-in player play one action."""
    way: cython.uchar[32]
    action: cython.int
    if policy == 0:
        return play_random(b, p, rng)
    if not cython.compiled:
        way = bytearray(32)
    action = choose_by(b, p, rng, policy, way)
    if action == LAY_THIS:
        return lay(b, p, way)
    return act(b, p, rng, action)
