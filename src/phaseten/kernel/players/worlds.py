# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Worlds that a seat cannot tell apart, with hands for the others that agree with what they did."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import DRAWS, ORDER, PLAYING, RESHUFFLES, Layout
    from cython.cimports.phaseten.kernel.chance import random_below
    from cython.cimports.phaseten.kernel.shortage import aim
    from cython.cimports.phaseten.kernel.players.casual import hold, phase_to_make, wanted
    from cython.cimports.phaseten.kernel.players.sharp import next_player
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import random_below
    from phaseten.kernel.shortage import aim
    from phaseten.kernel.players.casual import hold, phase_to_make, wanted
    from phaseten.kernel.players.sharp import next_player

HANDS_TRIED = cython.declare(cython.int, 12)  # until one agrees with what its seat passed over
LONGEST_PAST = cython.declare(cython.int, 12)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_hands_likely(
    g: Layout, p: cython.p_uchar, seat: cython.int, rng: cython.p_ulonglong
) -> cython.void:
    """Let the others have lived through the hand.

    Who has drawn and discarded for some turns holds better cards than those of a deal: as many
    times as there were turns, a card is exchanged for one of the draw pile if that helps.
    """
    way: cython.uchar[32]
    if not cython.compiled:
        way = bytearray(32)
    i: cython.int
    who: cython.int
    next_one: cython.int = next_player(g, p)
    turns: cython.int = (g.deck_size - g.deal * p[PLAYING] - 1 - p[DRAWS]) // p[PLAYING]
    if p[RESHUFFLES] or p[RESHUFFLES + 1] or turns > LONGEST_PAST:
        turns = LONGEST_PAST
    if p[DRAWS] == 0:
        return
    for i in range(p[PLAYING]):
        who = p[ORDER + i]
        if who == seat or p[g.o_made + who]:
            continue
        # Only who is next can take a discard, so it is worth knowing what they do not want.
        make_hand_likely(g, p, who, turns, HANDS_TRIED if who == next_one else 1, rng, way)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_hand_likely(
    g: Layout,
    p: cython.p_uchar,
    who: cython.int,
    turns: cython.int,
    tries: cython.int,
    rng: cython.p_ulonglong,
    way: cython.p_uchar,
) -> cython.void:
    """Give a hand so many turns; of some such hands take one that agrees with what its seat passed over."""
    likely: cython.uchar[1536]
    if not cython.compiled:
        likely = bytearray(1536)
    i: cython.int
    j: cython.int
    wrong: cython.int = 0
    fewest: cython.int = 1000
    phase: cython.int = phase_to_make(g, p, who, way)
    for i in range(tries):
        if i:
            redeal(g, p, who, rng)
        for j in range(turns):
            exchange(g, p, who, phase, rng, way)
        wrong = count_passed_over(g, p, who, phase, way) if tries > 1 else 0
        if wrong == 0:
            return
        if wrong < fewest:
            fewest = wrong
            copy_state(g, p, likely)
    if wrong > fewest:
        copy_state(g, likely, p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_passed_over(
    g: Layout, p: cython.p_uchar, who: cython.int, phase: cython.int, way: cython.p_uchar
) -> cython.int:
    """How many of the cards that the seat did not want would bring this hand nearer to its Phase."""
    face: cython.int
    count: cython.int = 0
    lack: cython.int = aim(g, p, who, phase, way)
    for face in range(g.naturals):
        if (p[g.o_passed_over + who * g.passed_over_bytes + face // 8] >> face % 8) & 1:
            hold(g, p, who, face, 1)
            if aim(g, p, who, phase, way) < lack:
                count += 1
            hold(g, p, who, face, -1)
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def redeal(g: Layout, p: cython.p_uchar, who: cython.int, rng: cython.p_ulonglong) -> cython.void:
    """Exchange the cards of a hand that are not known for any of the draw pile."""
    hidden: cython.uchar[256]
    if not cython.compiled:
        hidden = bytearray(256)
    i: cython.int
    at: cython.int
    face: cython.int
    count: cython.int = 0
    for face in range(g.faces):
        for i in range(p[g.o_held + who * g.faces + face] - known_of(g, p, who, face)):
            hidden[count] = face
            count += 1
    for i in range(count):
        if could_be_drawn(g, p, hidden[i]):
            at = g.o_pile + g.deck_size - 1 - random_below(rng, p[DRAWS])
            hold(g, p, who, hidden[i], -1)
            hold(g, p, who, p[at], 1)
            p[at] = hidden[i]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def known_of(g: Layout, p: cython.p_uchar, who: cython.int, face: cython.int) -> cython.int:
    """How many cards of a face the seat is known to hold."""
    i: cython.int
    count: cython.int = 0
    for i in range(p[g.o_known_size + who]):
        if p[g.o_known + who * g.known_most + i] == face:
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exchange(
    g: Layout,
    p: cython.p_uchar,
    who: cython.int,
    phase: cython.int,
    rng: cython.p_ulonglong,
    way: cython.p_uchar,
) -> cython.void:
    """Exchange a card that is of no use for one of the draw pile, unless that completes a Phase."""
    at: cython.int = g.o_pile + g.deck_size - 1 - random_below(rng, p[DRAWS])
    new: cython.int = p[at]
    held: cython.int = g.o_held + who * g.faces
    face: cython.int
    spare: cython.int
    worst: cython.int = -1
    least: cython.int = 100
    if new == g.skip:
        return
    hold(g, p, who, new, 1)
    if aim(g, p, who, phase, way) <= p[held + g.wild]:
        hold(g, p, who, new, -1)
        return
    for face in range(g.naturals - 1, -1, -1):
        if not p[held + face]:
            continue
        if p[held + face] <= known_of(g, p, who, face) or not could_be_drawn(g, p, face):
            continue
        spare = wanted(g, p, who, way, face)
        if spare < least:
            least = spare
            worst = face
    if worst < 0:
        worst = new
    hold(g, p, who, worst, -1)
    p[at] = worst


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def could_be_drawn(g: Layout, p: cython.p_uchar, face: cython.int) -> cython.bint:
    """Whether a card more of that face can be in the draw pile, by what was last shuffled into it."""
    i: cython.int
    left: cython.int
    if not p[RESHUFFLES] and not p[RESHUFFLES + 1]:
        return True
    left = p[g.o_recycled + face]
    for i in range(g.deck_size - p[DRAWS], g.deck_size):
        if p[g.o_pile + i] == face:
            left -= 1
    return left > 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def copy_state(g: Layout, source: cython.p_uchar, target: cython.p_uchar) -> cython.void:
    """Copy a state."""
    i: cython.int
    for i in range(g.state_size):
        target[i] = source[i]
