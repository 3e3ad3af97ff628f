# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What sharp does, as an action of a network: the labels of imitation."""

from phaseten.kernel.engine cimport turn_of
from phaseten.kernel.layout cimport MELDS, Layout
from phaseten.kernel.players.network.actions cimport COMMON, LAY, MELD_HITS, SEAT_ACTIONS
from phaseten.kernel.players.sharp cimport choose_sharp


cdef int action_of(Layout g, unsigned char* p, int choice) noexcept nogil:
    """Our action for one of the kernel's; a way to lay is -1 there."""
    cdef int seat = turn_of(p)
    cdef int meld, how, at
    if choice < 0:
        return LAY
    if choice <= g.a_skip:
        return choice
    if choice < g.a_hit:
        at = (choice - g.a_skip_at - seat + g.players) % g.players
        return COMMON + SEAT_ACTIONS * at
    meld = (choice - g.a_hit) // g.hits
    how = (choice - g.a_hit) % g.hits
    if how < g.naturals:
        how = g.number_of[how] - 1
    elif how < g.h_pairs:
        how += 12 - g.h_wild_low
    else:
        how = 14 + (how - g.h_pairs) // g.pair_kinds
    at = (meld // MELDS - seat + g.players) % g.players
    return COMMON + SEAT_ACTIONS * at + 1 + MELD_HITS * (meld % MELDS) + how


cdef int choose_as_sharp(Layout g, unsigned char* p, unsigned long long* rng) noexcept nogil:
    """What sharp would do."""
    cdef unsigned char[32] way
    return action_of(g, p, choose_sharp(g, p, rng, way))
