# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The built-in players by their numbers: 0 random, 1 casual, 2 sharp, 3 rookie."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import LAY_THIS, Layout
    from cython.cimports.phaseten.kernel.chance import random_below
    from cython.cimports.phaseten.kernel.engine import act, lay
    from cython.cimports.phaseten.kernel.laying import count_lays, find_lay
    from cython.cimports.phaseten.kernel.legality import list_simple
    from cython.cimports.phaseten.kernel.players.casual import choose_casual
    from cython.cimports.phaseten.kernel.players.rookie import choose_rookie
    from cython.cimports.phaseten.kernel.players.sharp import choose_sharp
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import random_below
    from phaseten.kernel.engine import act, lay
    from phaseten.kernel.laying import count_lays, find_lay
    from phaseten.kernel.legality import list_simple
    from phaseten.kernel.players.casual import choose_casual
    from phaseten.kernel.players.rookie import choose_rookie
    from phaseten.kernel.players.sharp import choose_sharp


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_random(g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong) -> cython.int:
    """Any legal action, all alike."""
    actions: cython.int[1024]
    way: cython.uchar[32]
    if not cython.compiled:
        actions, way = [0] * 1024, bytearray(32)
    count: cython.int = list_simple(g, p, actions, 1024)
    lays: cython.int = count_lays(g, p)
    choice: cython.int = random_below(rng, count + lays)
    if choice < count:
        return act(g, p, rng, actions[choice])
    find_lay(g, p, choice - count, way)
    return lay(g, p, way)


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
