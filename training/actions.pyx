# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Actions of a network: which are legal, and what they are in the kernel.

A hit is named by the meld and the number of the card: which of several colours is hit with hardly
matters, and is the first that can be. To lay is one action, the way in which sharp would.
"""

from libc.string cimport memset
from phaseten.kernel.engine cimport act, lay, turn_of
from phaseten.kernel.layout cimport (
    DISCARD,
    DRAW_DECK,
    DRAW_NOTHING,
    DRAW_STEP,
    MELD_BYTES,
    MELDS,
    NUMBERS,
    STEP,
    TAKE_DISCARD,
    Layout,
)
from phaseten.kernel.legality cimport can_discard, can_draw, can_hit, can_take, is_legal
from phaseten.kernel.players.casual cimport can_lay, phase_to_make
from phaseten.kernel.players.sharp cimport choose_sharp
from phaseten.kernel.shortage cimport aim


cdef int count_actions(int players) noexcept nogil:
    """How many actions there are for so many players."""
    return COMMON + SEAT_ACTIONS * players


cdef bint find_laying(Layout g, unsigned char* p, int seat, unsigned char* way) noexcept nogil:
    """Whether the seat on turn can lay its Phase; the way is written then."""
    cdef int phase
    if p[g.o_made + seat]:
        return False
    phase = phase_to_make(g, p, seat, way)
    if phase < 0 or aim(g, p, seat, phase, way) > p[g.o_held + seat * g.faces + g.wild]:
        return False
    return can_lay(g, p, seat, way)


cdef int mark_legal(Layout g, unsigned char* p, int lack, unsigned char* mask) noexcept nogil:
    """Mark the legal actions of the seat on turn, who lacks so many cards; how many they are."""
    cdef int seat = turn_of(p)
    cdef int held = g.o_held + seat * g.faces
    cdef int count = 0
    cdef int face, i, at
    cdef unsigned char[32] way
    memset(mask, 0, count_actions(g.players))
    if p[STEP] == DRAW_STEP:
        mask[DRAW_DECK] = can_draw(p)
        mask[TAKE_DISCARD] = can_take(g, p)
        mask[DRAW_NOTHING] = not mask[DRAW_DECK] and not mask[TAKE_DISCARD]
        return mask[DRAW_DECK] + mask[TAKE_DISCARD] + mask[DRAW_NOTHING]
    for face in range(g.naturals + 1):
        if p[held + face] and can_discard(g, p, face):
            mask[DISCARD + face] = 1
            count += 1
    if p[held + g.skip]:
        if is_legal(g, p, g.a_skip):
            mask[g.a_skip] = 1
            count += 1
        for i in range(1, g.players):
            if is_legal(g, p, g.a_skip_at + (seat + i) % g.players):
                mask[COMMON + SEAT_ACTIONS * i] = 1
                count += 1
    if not p[g.o_made + seat]:
        if lack <= p[held + g.wild] and find_laying(g, p, seat, way):
            mask[LAY] = 1
            count += 1
        return count
    for i in range(g.players * MELDS):
        at = COMMON + SEAT_ACTIONS * (i // MELDS) + 1 + MELD_HITS * (i % MELDS)
        count += mark_hits(g, p, (seat * MELDS + i) % (g.players * MELDS), mask + at)
    return count


cdef int mark_hits(Layout g, unsigned char* p, int meld, unsigned char* mask) noexcept nogil:
    """Mark the hits on a meld; how many they are."""
    cdef int seat = turn_of(p)
    cdef int count = 0
    cdef int how
    if not p[g.o_melds + meld * MELD_BYTES]:
        return 0
    for how in range(MELD_HITS):
        if how < g.highest and not p[g.o_numbers + seat * NUMBERS + how + 1]:
            continue
        if find_hit(g, p, meld, how) >= 0:
            mask[how] = 1
            count += 1
    return count


cdef int find_hit(Layout g, unsigned char* p, int meld, int how) noexcept nogil:
    """The kernel's hit on a meld for one of ours, or -1; pairs without a Wild come first."""
    cdef int first, i, kind, wilds
    cdef int color
    if how < 12:
        for color in range(g.colors):
            kind = color * g.highest + how
            if how < g.highest and can_hit(g, p, meld, kind):
                return g.a_hit + meld * g.hits + kind
        return -1
    if how < 14:
        kind = g.h_wild_low + how - 12
        return g.a_hit + meld * g.hits + kind if can_hit(g, p, meld, kind) else -1
    if not g.pairs:
        return -1
    first = g.h_pairs + (how - 14) * g.pair_kinds
    for wilds in range(3):
        i = 0
        for color in range(g.colors + 1):
            for kind in range(color, g.colors + 1):
                if (color == g.colors) + (kind == g.colors) == wilds and can_hit(
                    g, p, meld, first + i
                ):
                    return g.a_hit + meld * g.hits + first + i
                i += 1
    return -1


cdef int carry_out(Layout g, unsigned char* p, unsigned long long* rng, int action) noexcept nogil:
    """Carry out a legal action, as the kernel's ``act`` and ``lay``; -1: it is not legal."""
    cdef int seat = turn_of(p)
    cdef int i
    cdef unsigned char[32] way
    if action < 0 or action >= count_actions(g.players):
        return -1
    if action == LAY:
        if p[STEP] == DRAW_STEP or not find_laying(g, p, seat, way):
            return -1
        return lay(g, p, way)
    if action >= COMMON:
        i = (action - COMMON) % SEAT_ACTIONS
        seat = (seat + (action - COMMON) // SEAT_ACTIONS) % g.players
        if i == 0:
            action = g.a_skip_at + seat
        elif i > MELDS * MELD_HITS or p[STEP] == DRAW_STEP or not p[g.o_made + turn_of(p)]:
            return -1
        else:
            i -= 1
            action = find_hit(g, p, seat * MELDS + i // MELD_HITS, i % MELD_HITS)
    elif action > g.a_skip:
        return -1
    if action < 0 or not is_legal(g, p, action):
        return -1
    return act(g, p, rng, action)


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
