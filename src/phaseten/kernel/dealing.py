# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""A new game, and a new hand from a shuffled deck."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        DEALER,
        DISCARDS,
        DRAWS,
        DRAW_STEP,
        HAND,
        LAID,
        NO_STEP,
        ORDER,
        PLACE,
        PLAYING,
        QUIET,
        RESHUFFLES,
        STEP,
        TAKEN,
        TIED,
        Layout,
    )
    from cython.cimports.phaseten.kernel.chance import shuffle
    from cython.cimports.phaseten.kernel.engine import gain, pass_turn, set3
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import shuffle
    from phaseten.kernel.engine import gain, pass_turn, set3


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin(g: Layout, p: cython.p_uchar, dealer: cython.int) -> cython.void:
    """A game before its first deal."""
    i: cython.int
    for i in range(g.state_size):
        p[i] = 0
    p[DEALER] = dealer
    p[STEP] = NO_STEP
    for i in range(g.players):
        set3(p, g.o_left + 3 * i, (1 << g.phases) - 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gather_deck(g: Layout, p: cython.p_uchar) -> cython.void:
    """Put all cards into the pile, in the order of the box."""
    i: cython.int
    for i in range(g.deck_size):
        p[g.o_pile + i] = g.deck[i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def deal_shuffled(g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong) -> cython.void:
    """Shuffle the deck and deal the next hand."""
    gather_deck(g, p)
    shuffle(p, g.o_pile, g.deck_size, rng)
    deal_pile(g, p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def deal_pile(g: Layout, p: cython.p_uchar) -> cython.void:
    """Deal the next hand from the deck that lies in the pile, its first card first."""
    i: cython.int
    seat: cython.int
    count: cython.int = 0
    dealt: cython.int
    hand: cython.int = p[HAND] + 256 * p[HAND + 1] + 1
    for i in range(g.o_size, g.o_left):
        p[i] = 0
    for i in range(g.o_numbers, g.o_pile):
        p[i] = 0
    p[HAND] = hand & 255
    p[HAND + 1] = hand >> 8
    for i in range(g.players):
        seat = (p[DEALER] + 1 + i) % g.players
        if p[TIED] == 0 or (p[TIED] >> seat) & 1:
            p[ORDER + count] = seat
            count += 1
    p[PLAYING] = count
    p[PLACE] = 0
    p[STEP] = DRAW_STEP
    p[TAKEN] = 0
    p[RESHUFFLES] = 0
    p[RESHUFFLES + 1] = 0
    p[QUIET] = 0
    p[QUIET + 1] = 0
    p[LAID] = 0
    dealt = count * g.deal
    for i in range(dealt):
        gain(g, p, p[ORDER + i % count], p[g.o_pile + i])
    p[g.o_pile] = p[g.o_pile + dealt]
    p[DISCARDS] = 1
    p[DRAWS] = g.deck_size - dealt - 1
    if p[g.o_pile] == g.skip:
        if not g.in_front:
            p[g.o_skipped_by + p[ORDER]] = p[ORDER + count - 1] + 1
        pass_turn(g, p)
