# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The built-in players by their numbers: 0 random, 1 casual, 2 sharp, 3 rookie."""

import cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import Layout
    from cython.cimports.phaseten.kernel.engine import act, lay
    from cython.cimports.phaseten.kernel.players.sharp import choose_sharp
    from cython.cimports.phaseten.kernel.players.casual import choose_casual, play_random
    from cython.cimports.phaseten.kernel.players.rookie import choose_rookie
else:
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.engine import act, lay
    from phaseten.kernel.players.sharp import choose_sharp
    from phaseten.kernel.players.casual import choose_casual, play_random
    from phaseten.kernel.players.rookie import choose_rookie

LAY_THIS = cython.declare(cython.int, -1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_by(
    g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong, policy: cython.int, way: cython.p_uchar
) -> cython.int:
    """The action of a player other than the random one, or LAY_THIS with the way written."""
    if policy == 2:
        return choose_sharp(g, p, rng, way)
    if policy == 3:
        return choose_rookie(g, p, rng, way)
    return choose_casual(g, p, rng, way)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_one(
    g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong, policy: cython.int
) -> cython.int:
    """Let a built-in player play one action."""
    way: cython.uchar[32]
    action: cython.int
    if policy == 0:
        return play_random(g, p, rng)
    if not cython.compiled:
        way = bytearray(32)
    action = choose_by(g, p, rng, policy, way)
    if action == LAY_THIS:
        return lay(g, p, way)
    return act(g, p, rng, action)
