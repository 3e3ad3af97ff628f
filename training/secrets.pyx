# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What only a critic may see, as small numbers for a network; and what all inputs are scaled by."""

from libc.string cimport memcpy, memset
from phaseten.kernel.engine cimport turn_of
from phaseten.kernel.layout cimport DRAWS, NUMBERS, Layout
from phaseten.kernel.players.casual cimport phase_to_make
from phaseten.kernel.players.network.features cimport (
    COMMON_FEATURES,
    FITS,
    HELD_COLOR,
    HELD_NUMBER,
    HELD_TWO,
    HELPS,
    KNOWN_COLOR,
    KNOWN_NUMBER,
    KNOWN_WILDS,
    NEEDED,
    PASSED_COLOR,
    PASSED_NUMBER,
    SEAT_FEATURES,
    UNSEEN_COLOR,
    UNSEEN_NUMBER,
    UNSEEN_ONE,
    UNSEEN_SKIPS,
    UNSEEN_TWO,
    UNSEEN_WILDS,
    cost_of,
    count_features,
    count_up,
)
from phaseten.kernel.shortage cimport aim

cdef int[6] SECRET_COSTS = [5, 15, 30, 45, 65, 90]


cdef int count_secrets(int players) noexcept nogil:
    """How many more numbers a critic sees."""
    return COMMON_SECRETS + SEAT_SECRETS * (players - 1)


cdef void write_secrets(
    Layout g, unsigned char* p, unsigned char* lacks, int learners, unsigned char* out
) noexcept nogil:
    """Write what only a critic may see: the others' cards and the next ones of the draw pile.

    ``lacks`` says what each seat lacked when that was last counted, ``learners`` which seats are no
    built-in player's (bits). That there are half of them or none says the rest of who is who.
    """
    cdef unsigned char[32] way
    cdef int seat = turn_of(p)
    cdef int i, j, who, held, cost
    cdef unsigned char* row
    memset(out, 0, count_secrets(g.players))
    for i in range(min(NEXT_CARDS, p[DRAWS])):
        out[50 * i + p[g.o_pile + g.deck_size - p[DRAWS] + i]] = 1
    for i in range(1, g.players):
        who = (seat + i) % g.players
        if i <= 4:
            out[BUILT_IN + i - 1] = not (learners >> who) & 1
        row = out + COMMON_SECRETS + SEAT_SECRETS * (i - 1)
        held = g.o_held + who * g.faces
        memcpy(row, p + held, g.naturals)
        memcpy(row + SECRET_NUMBER, p + g.o_numbers + who * NUMBERS + 1, g.highest)
        memcpy(row + SECRET_COLOR, p + g.o_colors + who * g.colors, g.colors)
        row[SECRET_WILDS] = p[held + g.wild]
        row[SECRET_SKIPS] = p[held + g.skip]
        if not p[g.o_made + who]:
            if lacks[who] == UNKNOWN:
                lacks[who] = aim(g, p, who, phase_to_make(g, p, who, way), way)
            count_up(row, SECRET_LACKS, lacks[who] - p[held + g.wild], 8)
        cost = cost_of(g, p, who)
        for j in range(6):
            row[SECRET_POINTS + j] = cost >= SECRET_COSTS[j]


def places() -> dict:
    """Where what is known of each card stands among the features."""
    return {
        "HELD_TWO": HELD_TWO,
        "HELPS": HELPS,
        "NEEDED": NEEDED,
        "UNSEEN_ONE": UNSEEN_ONE,
        "UNSEEN_TWO": UNSEEN_TWO,
        "FITS": FITS,
        "HELD_NUMBER": HELD_NUMBER,
        "UNSEEN_NUMBER": UNSEEN_NUMBER,
        "HELD_COLOR": HELD_COLOR,
        "UNSEEN_COLOR": UNSEEN_COLOR,
        "COMMON_FEATURES": COMMON_FEATURES,
        "SEAT_FEATURES": SEAT_FEATURES,
        "KNOWN_NUMBER": KNOWN_NUMBER,
        "KNOWN_COLOR": KNOWN_COLOR,
        "PASSED_NUMBER": PASSED_NUMBER,
        "PASSED_COLOR": PASSED_COLOR,
    }


def scales(int players):
    """What each feature, and each secret, is multiplied by to be about one at most."""
    cdef list seen = [1.0] * count_features(players)
    cdef list secret = [1.0] * count_secrets(players)
    cdef int i, at
    cdef tuple common = (
        (NEEDED, 48, 8),
        (UNSEEN_NUMBER, 12, 8),
        (UNSEEN_COLOR, 4, 24),
        (UNSEEN_WILDS, 1, 8),
        (UNSEEN_SKIPS, 1, 4),
    )
    cdef tuple each = (
        (KNOWN_NUMBER, 12, 4),
        (KNOWN_COLOR, 4, 8),
        (KNOWN_WILDS, 1, 4),
        (PASSED_NUMBER, 12, 4),
        (PASSED_COLOR, 4, 12),
    )
    cdef tuple hidden = (
        (0, 48, 2),
        (SECRET_NUMBER, 12, 4),
        (SECRET_COLOR, 4, 8),
        (SECRET_WILDS, 1, 4),
        (SECRET_SKIPS, 1, 4),
    )
    for first, count, most in common:
        seen[first : first + count] = [1.0 / most] * count
    for i in range(players):
        at = COMMON_FEATURES + SEAT_FEATURES * i
        for first, count, most in each:
            seen[at + first : at + first + count] = [1.0 / most] * count
    for i in range(players - 1):
        at = COMMON_SECRETS + SEAT_SECRETS * i
        for first, count, most in hidden:
            secret[at + first : at + first + count] = [1.0 / most] * count
    return seen, secret
