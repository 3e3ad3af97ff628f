# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What the seat on turn knows, and what only a critic may see, as small numbers for a network."""

from libc.string cimport memcpy, memset
from phaseten.kernel.engine cimport get3, open_phases, turn_of
from phaseten.kernel.layout cimport (
    DEALER,
    DISCARDS,
    DRAW_STEP,
    DRAWS,
    MELD_BYTES,
    MELDS,
    NUMBERS,
    RESHUFFLES,
    STEP,
    Layout,
)
from phaseten.kernel.legality cimport can_take, fits
from phaseten.kernel.players.casual cimport phase_to_make
from phaseten.kernel.players.prospects cimport count_unseen, weigh_cards
from phaseten.kernel.players.sharp cimport next_player
from phaseten.kernel.shortage cimport aim, lack_of_group, overlap, supply

from training.actions cimport FACES, LAY

cdef double[8] PROMISES  # of a hand that waits so long, as sharp weighs it: 1 / (1 + draws) ** 8
cdef int[8] DRAWS_AWAITED = [1, 2, 3, 4, 6, 8, 12, 16]
cdef int[8] COSTS = [10, 20, 30, 45, 60, 75, 90, 120]
cdef int[6] SECRET_COSTS = [5, 15, 30, 45, 65, 90]
cdef int[18] LEADS = [-150, -100, -75, -50, -35, -25, -15, -10, -5, 1, 6, 11, 16, 26, 36, 51, 76, 101]

for _i in range(8):
    PROMISES[_i] = 1 / (1.0 + DRAWS_AWAITED[_i]) ** 8


cdef int count_features(int players) noexcept nogil:
    """How many numbers the seat on turn sees."""
    return COMMON_FEATURES + SEAT_FEATURES * players


cdef int count_secrets(int players) noexcept nogil:
    """How many more numbers a critic sees."""
    return COMMON_SECRETS + SEAT_SECRETS * (players - 1)


cdef inline void count_up(unsigned char* out, int count, int most) noexcept nogil:
    """Mark the first ``count`` of ``most`` places."""
    cdef int i
    for i in range(min(count, most)):
        out[i] = 1


cdef int last_phases(int left) noexcept nogil:
    """How many Phases are left."""
    cdef int count = 0
    while left:
        left &= left - 1
        count += 1
    return count


cdef int phase_of(Layout g, unsigned char* p, int seat) noexcept nogil:
    """The Phase that a seat has laid, or must make first, from 0; at most 9."""
    cdef int left = open_phases(g, p, seat)
    cdef int phase = 0
    if p[g.o_made + seat]:
        return min(p[g.o_made + seat] - 1, 9)
    while phase < 9 and not (left >> phase) & 1:
        phase += 1
    return phase


cdef int cost_of(Layout g, unsigned char* p, int seat) noexcept nogil:
    """What the seat's cards cost."""
    cdef int face
    cdef int total = 0
    for face in range(g.faces):
        total += p[g.o_held + seat * g.faces + face] * g.points_of[face]
    return total


cdef void write_hand(Layout g, unsigned char* p, int seat, unsigned char* out) noexcept nogil:
    """The own cards."""
    cdef int held = g.o_held + seat * g.faces
    cdef int i, cost
    for i in range(g.naturals):
        if p[held + i]:
            out[HELD_ONE + i] = 1
            out[HELD_TWO + i] = p[held + i] > 1
    for i in range(g.highest):
        count_up(out + HELD_NUMBER + 4 * i, p[g.o_numbers + seat * NUMBERS + i + 1], 4)
    for i in range(g.colors):
        count_up(out + HELD_COLOR + 8 * i, p[g.o_colors + seat * g.colors + i], 8)
    count_up(out + HELD_WILDS, p[held + g.wild], 4)
    count_up(out + HELD_SKIPS, p[held + g.skip], 3)
    count_up(out + CARDS, p[g.o_size + seat], 11)
    cost = cost_of(g, p, seat)
    for i in range(8):
        out[POINTS + i] = cost >= COSTS[i]


cdef void mark_cells(
    Layout g, unsigned char* p, int seat, int shape, int other, unsigned char* helps
) noexcept nogil:
    """Mark the faces that a shape is short of; ``other`` wants some of the same (-1: none)."""
    cdef int cell, twin, have, i
    for cell in range(g.shape_cell[shape], g.shape_cell[shape] + g.shape_cells[shape]):
        have = supply(g, p, seat, cell) - g.cell_size[cell]
        if other >= 0:
            for twin in range(g.shape_cell[other], g.shape_cell[other] + g.shape_cells[other]):
                if g.cell_key[twin] == g.cell_key[cell]:
                    have -= g.cell_size[twin]
        if have < 0:
            for i in range(g.cell_faces[cell]):
                helps[g.face_list[g.cell_face[cell] + i]] = 1


cdef int find_in_pairs(
    Layout g, unsigned char* p, int seat, int phase, unsigned char* helps
) noexcept nogil:
    """As ``find_helping``, for a Phase of two groups."""
    cdef unsigned char[64] ones
    cdef unsigned char[64] others
    cdef unsigned char[64] firsts
    cdef unsigned char[64] seconds
    cdef int group = 2 * phase
    cdef int best = 255
    cdef int count = 0
    cdef int i, j, one, other, lack, least
    lack_of_group(g, p, seat, group, ones)
    least = lack_of_group(g, p, seat, group + 1, others)
    for i in range(g.group_shapes[group]):
        if ones[i] + least > best:
            continue
        one = g.group_shape[group] + i
        for j in range(i if g.phase_same[phase] else 0, g.group_shapes[group + 1]):
            lack = ones[i] + others[j]
            if lack > best:
                continue
            lack += overlap(g, p, seat, one, g.group_shape[group + 1] + j)
            if lack < best:
                best = lack
                count = 0
            if lack == best and count < 64:
                firsts[count] = i
                seconds[count] = j
                count += 1
    if best:
        for i in range(count):
            one = g.group_shape[group] + firsts[i]
            other = g.group_shape[group + 1] + seconds[i]
            mark_cells(g, p, seat, one, other, helps)
            mark_cells(g, p, seat, other, one, helps)
    return best


cdef int find_helping(Layout g, unsigned char* p, unsigned char* helps) noexcept nogil:
    """How many cards the seat on turn lacks of its Phase, Wilds not counted; 0 if it has laid.

    Marks the faces that would bring nearer one of the ways that lack the least.
    """
    cdef unsigned char[64] lacks
    cdef int seat = turn_of(p)
    cdef int phase, group, best, i
    memset(helps, 0, FACES)
    if p[g.o_made + seat]:
        return 0
    phase = phase_to_make(g, p, seat, lacks)
    if g.phase_groups[phase] == 2:
        return find_in_pairs(g, p, seat, phase, helps)
    group = 2 * phase
    best = lack_of_group(g, p, seat, group, lacks)
    if best:
        for i in range(g.group_shapes[group]):
            if lacks[i] == best:
                mark_cells(g, p, seat, g.group_shape[group] + i, -1, helps)
    return best


cdef void write_needs(
    Layout g, unsigned char* p, int seat, int* unseen, int total, unsigned char* out
) noexcept nogil:
    """How long sharp thinks it will take to the Phase, and which held cards matter for it."""
    cdef unsigned char[32] way
    cdef double[64] needs
    cdef int held = g.o_held + seat * g.faces
    cdef int phase = phase_to_make(g, p, seat, way)
    cdef double promise = weigh_cards(g, p, seat, phase, unseen, total, needs)
    cdef int face, i
    for i in range(8):
        out[WAITS + i] = promise <= PROMISES[i]
    if promise > 0:
        promise = 8 / promise
        for face in range(g.naturals):
            if p[held + face]:
                out[NEEDED + face] = <unsigned char>(needs[face] * promise + 0.5)


cdef void mark_fitting(Layout g, unsigned char* p, unsigned char* out) noexcept nogil:
    """Mark the faces that fit a meld on the table, the Wild after the last of them."""
    cdef int i, at, group, number, color
    for i in range(MELDS * g.players):
        at = g.o_melds + i * MELD_BYTES
        group = p[at] - 1
        if group < 0:
            continue
        if not g.group_chain[group] or p[at + 1] > g.group_step[group]:
            out[FACES] = 1
        elif p[at + 2] + g.group_step[group] <= g.highest:
            out[FACES] = 1
        for number in range(1, g.highest + 1):
            if g.group_chain[group] and not (
                number + g.group_step[group] == p[at + 1]
                or number == p[at + 2] + g.group_step[group]
            ):
                continue
            for color in range(g.colors):
                if fits(g, p, at, group, color * g.highest + number - 1):
                    out[color * g.highest + number - 1] = 1


cdef void write_table(
    Layout g, unsigned char* p, int* unseen, unsigned char* out
) noexcept nogil:
    """The top discard, what fits the table, and the cards that were not seen."""
    cdef int i, top
    mark_fitting(g, p, out + FITS)
    if p[DISCARDS]:
        top = p[g.o_pile + p[DISCARDS] - 1]
        out[TOP + top] = 1
        out[CAN_TAKE] = can_take(g, p)
        if top < g.naturals:
            out[TOP_HELPS] = out[HELPS + top]
            out[TOP_FITS] = out[FITS + top]
    for i in range(g.naturals):
        if unseen[i] > 0:
            out[UNSEEN_ONE + i] = 1
            out[UNSEEN_TWO + i] = unseen[i] > 1
            out[UNSEEN_NUMBER + g.number_of[i] - 1] += unseen[i]
            out[UNSEEN_COLOR + g.color_of[i]] += unseen[i]
    out[UNSEEN_WILDS] = max(unseen[g.wild], 0)
    out[UNSEEN_SKIPS] = max(unseen[g.skip], 0)
    count_up(out + DRAW_PILE, 10 * p[DRAWS] // g.deck_size, 8)
    count_up(out + RESHUFFLED, p[RESHUFFLES] + 256 * p[RESHUFFLES + 1], 3)


cdef void write_meld(Layout g, unsigned char* p, int meld, unsigned char* out) noexcept nogil:
    """What a meld is: set, run, colour, run of a colour, run of odd or even, odd, even, pairs."""
    cdef int at = g.o_melds + meld * MELD_BYTES
    cdef int group = p[at] - 1
    cdef int kind
    if group < 0:
        return
    if g.group_copies[group] == 2:
        kind = 7
    elif g.group_chain[group]:
        kind = 3 if g.group_colored[group] else (4 if g.group_step[group] > 1 else 1)
    elif g.group_colored[group]:
        kind = 2
    else:
        kind = 0 if g.group_parity[group] == 2 else 5 + g.group_parity[group] % 2
    out[kind] = 1
    if p[at + 1]:
        out[8 + p[at + 1] - 1] = 1
    if p[at + 2]:
        out[20 + p[at + 2] - 1] = 1
    if p[at + 3] < g.colors:
        out[32 + p[at + 3]] = 1


cdef void write_seat(
    Layout g, unsigned char* p, int seat, int who, unsigned char* out
) noexcept nogil:
    """What ``seat`` knows of ``who``."""
    cdef int i, face
    cdef int lead = get3(p, g.o_totals + 3 * seat) - get3(p, g.o_totals + 3 * who)
    cdef int passed = g.o_passed_over + who * g.passed_over_bytes
    out[DEALS] = p[DEALER] == who
    out[LAID_PHASE] = p[g.o_made + who] > 0
    out[LOSES_TURN] = p[g.o_waiting + who] > 0
    out[PROTECTED] = p[g.o_skipped_by + who] > 0
    count_up(out + SEAT_CARDS, p[g.o_size + who], 11)
    out[SEAT_PHASE + phase_of(g, p, who)] = 1
    for i in range(p[g.o_known_size + who]):
        face = p[g.o_known + who * g.known_most + i]
        if face < g.naturals:
            out[KNOWN_NUMBER + g.number_of[face] - 1] += 1
            out[KNOWN_COLOR + g.color_of[face]] += 1
        elif face == g.wild:
            out[KNOWN_WILDS] += 1
    for i in range(g.passed_over_bytes):
        if p[passed + i]:
            for face in range(8 * i, 8 * i + 8):
                if (p[passed + i] >> face % 8) & 1:
                    out[PASSED_NUMBER + g.number_of[face] - 1] += 1
                    out[PASSED_COLOR + g.color_of[face]] += 1
    for i in range(18):
        out[AHEAD_POINTS + i] = lead >= LEADS[i]
    lead = last_phases(get3(p, g.o_left + 3 * seat)) - last_phases(get3(p, g.o_left + 3 * who))
    for i in range(6):
        out[AHEAD_PHASES + i] = lead >= i - 2
    write_meld(g, p, MELDS * who, out + MELD)
    write_meld(g, p, MELDS * who + 1, out + MELD + MELD_FEATURES)


cdef void write_features(
    Layout g,
    unsigned char* p,
    int edition,
    int lack,
    unsigned char* helps,
    unsigned char* mask,
    unsigned char* out,
) noexcept nogil:
    """Write all that the seat on turn sees. Only what it knows is looked at.

    ``lack`` and ``helps`` are what ``find_helping`` says.
    """
    cdef int[64] unseen
    cdef int seat = turn_of(p)
    cdef int total, i, next_one
    memset(out, 0, count_features(g.players))
    write_hand(g, p, seat, out)
    total = count_unseen(g, p, seat, unseen)
    out[PLAYS] = p[STEP] != DRAW_STEP
    out[HAS_LAID] = p[g.o_made + seat] > 0
    out[PHASE + phase_of(g, p, seat)] = 1
    out[EDITION + edition] = 1
    out[COUNT + g.players - 2] = 1
    out[CAN_LAY] = mask[LAY]
    if not out[HAS_LAID]:
        count_up(out + LACKS, lack - p[g.o_held + seat * g.faces + g.wild], 8)
        memcpy(out + HELPS, helps, FACES)
        if out[PLAYS]:
            write_needs(g, p, seat, unseen, total, out)
    write_table(g, p, unseen, out)
    next_one = next_player(g, p)
    for i in range(g.players):
        write_seat(g, p, seat, (seat + i) % g.players, out + COMMON_FEATURES + SEAT_FEATURES * i)
    i = (next_one - seat + g.players) % g.players
    out[COMMON_FEATURES + SEAT_FEATURES * i + PLAYS_NEXT] = 1


cdef void write_secrets(
    Layout g, unsigned char* p, unsigned char* lacks, unsigned char* out
) noexcept nogil:
    """Write what only a critic may see: the others' cards and the next ones of the draw pile.

    ``lacks`` says what each seat lacked when that was last counted.
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
            count_up(row + SECRET_LACKS, lacks[who] - p[held + g.wild], 8)
        cost = cost_of(g, p, who)
        for j in range(6):
            row[SECRET_POINTS + j] = cost >= SECRET_COSTS[j]


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
