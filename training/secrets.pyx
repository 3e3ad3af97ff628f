# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What only a critic may see, as small numbers for a network."""

from libc.string cimport memcpy, memset
from phaseten.kernel.engine cimport turn_of
from phaseten.kernel.layout cimport DISCARDS, DRAW_STEP, DRAWS, NUMBERS, STEP, Layout
from phaseten.kernel.players.network.actions cimport FACES
from phaseten.kernel.players.network.features cimport (
    FITS,
    cost_of,
    count_up,
    find_helping_of,
)

cdef int[6] SECRET_COSTS = [5, 15, 30, 45, 65, 90]


cdef int count_secrets(int players) noexcept nogil:
    """How many more numbers a critic sees."""
    return COMMON_SECRETS + SEAT_SECRETS * (players - 1)


cdef void write_secrets(
    Layout g,
    unsigned char* p,
    unsigned char* lacks,
    unsigned char* helps,
    int learners,
    unsigned char* features,
    unsigned char* out,
) noexcept nogil:
    """Write what only a critic may see: the others' cards and the next ones of the draw pile.

    ``lacks`` says what each seat lacks, UNKNOWN where its cards have changed since that was counted; ``helps`` which
    faces would bring each seat's Phase nearer. ``learners`` says which seats are no built-in player's
    (bits): that there are half of them or none says the rest of who is who. ``features`` are those of the
    seat on turn.
    """
    cdef int seat = turn_of(p)
    cdef int drawn = p[STEP] != DRAW_STEP
    cdef int top = p[g.o_pile + p[DISCARDS] - 1] if p[DISCARDS] else g.naturals
    cdef int i, j, who, held, cost
    cdef unsigned char* row
    cdef unsigned char* fits = features + FITS
    memset(out, 0, count_secrets(g.players))
    for i in range(min(NEXT_CARDS, p[DRAWS])):
        out[50 * i + p[g.o_pile + g.deck_size - p[DRAWS] + i]] = 1
    write_draws(g, p, seat, (g.players - 1) * drawn, helps + FACES * seat, fits, out + OWN_DRAWS)
    for i in range(1, g.players):
        who = (seat + i) % g.players
        if i <= 4:
            out[BUILT_IN + i - 1] = not (learners >> who) & 1
        row = out + COMMON_SECRETS + SEAT_SECRETS * (i - 1)
        held = g.o_held + who * g.faces
        memcpy(row + SECRET_FACES, p + held, g.naturals)
        memcpy(row + SECRET_NUMBER, p + g.o_numbers + who * NUMBERS + 1, g.highest)
        memcpy(row + SECRET_COLOR, p + g.o_colors + who * g.colors, g.colors)
        row[SECRET_WILDS] = p[held + g.wild]
        row[SECRET_SKIPS] = p[held + g.skip]
        if lacks[who] == UNKNOWN:
            lacks[who] = find_helping_of(g, p, who, helps + FACES * who)
        if not p[g.o_made + who]:
            count_up(row, SECRET_LACKS, lacks[who] - p[held + g.wild], 8)
        cost = cost_of(g, p, who)
        for j in range(6):
            row[SECRET_POINTS + j] = cost >= SECRET_COSTS[j]
        write_draws(g, p, who, i - drawn, helps + FACES * who, fits, row + SEAT_DRAWS)
        if top < g.naturals:
            row[TOP_HELPS_SEAT] = helps[FACES * who + top]
        memcpy(row + SEAT_HELPS, helps + FACES * who, FACES)


cdef void write_draws(
    Layout g,
    unsigned char* p,
    int who,
    int first,
    unsigned char* helps,
    unsigned char* fits,
    unsigned char* out,
) noexcept nogil:
    """Write what a seat's next draws would bring it, of which that card of the draw pile is the first."""
    cdef unsigned char* pile = p + g.o_pile + g.deck_size - p[DRAWS]
    cdef unsigned char* held = p + g.o_held + who * g.faces
    cdef int i, face
    cdef int count = 0
    for i in range(NEXT_DRAWS):
        if first + i * g.players >= p[DRAWS]:
            break
        face = pile[first + i * g.players]
        if face < g.naturals:
            out[i] = helps[face]
            out[DRAW_FITS + i] = fits[face]
        elif face == g.wild:
            out[i] = not p[g.o_made + who]
            out[DRAW_FITS + i] = fits[FACES]
    for face in range(g.naturals):
        if fits[face]:
            count += held[face]
    if fits[FACES]:
        count += held[g.wild]
    count_up(out, HELD_FITS, count, 8)
