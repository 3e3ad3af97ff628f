# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Whole games of built-in players, without the interpreter lock."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        DEALER,
        DRAW_STEP,
        GAME_OVER,
        STEP,
        TIED,
        WINNER,
        Layout,
    )
    from cython.cimports.phaseten.kernel.chance import random_below, stream
    from cython.cimports.phaseten.kernel.dealing import begin, deal_shuffled
    from cython.cimports.phaseten.kernel.engine import points_held, turn_of
    from cython.cimports.phaseten.kernel.players.choice import play_one
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import random_below, stream
    from phaseten.kernel.dealing import begin, deal_shuffled
    from phaseten.kernel.engine import points_held, turn_of
    from phaseten.kernel.players.choice import play_one


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_game(
    g: Layout,
    p: cython.p_uchar,
    rng: cython.p_ulonglong,
    policies: cython.p_int,
    most: cython.longlong,
    stats: cython.p_longlong,
) -> cython.void:
    """Play a game to its end, or until so many actions, and count what happens."""
    seat: cython.int
    phase: cython.int
    result: cython.int = 0
    first: cython.int
    actions: cython.longlong = 0
    turns: cython.longlong = 0
    made: cython.int
    tied: cython.int
    base: cython.int = 8 + g.players
    begin(g, p, random_below(rng, g.players))
    first = (p[DEALER] + 1) % g.players
    while result != GAME_OVER and actions < most:
        deal_shuffled(g, p, rng)
        tied = p[TIED]
        result = 0
        while result == 0 and actions < most:
            if p[STEP] == DRAW_STEP:
                turns += 1
            result = play_one(g, p, rng, policies[turn_of(p)])
            actions += 1
        if result == 0:
            break
        stats[1] += 1
        if tied:
            continue  # what is scored in a tie-break hand changes nothing
        for seat in range(g.players):
            made = p[g.o_made + seat]
            if made:
                stats[base + made - 1] += 1
            stats[5] += points_held(g, p, seat)
    stats[2] += turns
    stats[3] += actions
    if result == GAME_OVER:
        stats[0] += 1
        stats[8 + p[WINNER] - 1] += 1
        if p[WINNER] - 1 == first:
            stats[4] += 1
    else:
        stats[6] += 1


@cython.cclass
class Simulator:
    """Whole games of built-in players, without the interpreter lock."""

    layout: Layout

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def run(
        self,
        first: cython.longlong,
        count: cython.longlong,
        seed: cython.ulonglong,
        policies: cython.int[::1],
        most: cython.longlong,
        stats: cython.longlong[::1],
    ) -> None:
        """Play games number ``first`` to ``first + count - 1``."""
        state: cython.uchar[1536]
        rng: cython.ulonglong[1]
        i: cython.longlong
        if not cython.compiled:
            state, rng = bytearray(1536), [0]
            policies, stats = memoryview(policies), memoryview(stats)
            for i in range(count):
                rng[0] = stream(seed, first + i)
                play_game(self.layout, state, rng, policies, most, stats)
        else:
            with cython.nogil:
                for i in range(count):
                    rng[0] = stream(seed, first + i)
                    play_game(
                        self.layout,
                        state,
                        rng,
                        cython.address(policies[0]),
                        most,
                        cython.address(stats[0]),
                    )
