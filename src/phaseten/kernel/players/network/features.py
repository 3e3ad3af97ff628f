# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What the seat on turn knows, as small numbers for a network."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
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
    from cython.cimports.phaseten.kernel.engine import get3, open_phases, turn_of
    from cython.cimports.phaseten.kernel.legality import can_take, fits
    from cython.cimports.phaseten.kernel.shortage import lack_of_group, overlap, supply
    from cython.cimports.phaseten.kernel.players.casual import phase_to_make
    from cython.cimports.phaseten.kernel.players.network.actions import FACES, LAY
    from cython.cimports.phaseten.kernel.players.prospects import count_unseen, weigh_cards
    from cython.cimports.phaseten.kernel.players.sharp import next_player
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout, constants_beside
    from phaseten.kernel.engine import get3, open_phases, turn_of
    from phaseten.kernel.legality import can_take, fits
    from phaseten.kernel.shortage import lack_of_group, overlap, supply
    from phaseten.kernel.players.casual import phase_to_make
    from phaseten.kernel.players.network.actions import FACES, LAY
    from phaseten.kernel.players.prospects import count_unseen, weigh_cards
    from phaseten.kernel.players.sharp import next_player

    globals().update(constants_beside(__file__))

PROMISES = cython.declare(cython.double[8])
"""Of a hand that waits for so many draws, as sharp weighs it: 1 / (1 + draws) ** 8."""
COSTS = cython.declare(cython.int[8])
LEADS = cython.declare(cython.int[18])
if not cython.compiled:
    PROMISES, COSTS, LEADS = [0.0] * 8, [0] * 8, [0] * 18

for _place, _value in enumerate((1, 2, 3, 4, 6, 8, 12, 16)):
    PROMISES[_place] = 1 / (1.0 + _value) ** 8
for _place, _value in enumerate((10, 20, 30, 45, 60, 75, 90, 120)):
    COSTS[_place] = _value
for _place, _value in enumerate(
    (-150, -100, -75, -50, -35, -25, -15, -10, -5, 1, 6, 11, 16, 26, 36, 51, 76, 101)
):
    LEADS[_place] = _value


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_features(players: cython.int) -> cython.int:
    """How many numbers the seat on turn sees."""
    return COMMON_FEATURES + SEAT_FEATURES * players


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_up(
    out: cython.p_uchar, at: cython.int, count: cython.int, most: cython.int
) -> cython.void:
    """Mark the first ``count`` of ``most`` places, from that one on."""
    i: cython.int
    for i in range(min(count, most)):
        out[at + i] = 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def last_phases(left: cython.int) -> cython.int:
    """How many Phases are left."""
    count: cython.int = 0
    while left:
        left &= left - 1
        count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def phase_of(g: Layout, p: cython.p_uchar, seat: cython.int) -> cython.int:
    """The Phase that a seat has laid, or must make first, from 0; at most 9."""
    left: cython.int = open_phases(g, p, seat)
    phase: cython.int = 0
    if p[g.o_made + seat]:
        return min(p[g.o_made + seat] - 1, 9)
    while phase < 9 and not (left >> phase) & 1:
        phase += 1
    return phase


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cost_of(g: Layout, p: cython.p_uchar, seat: cython.int) -> cython.int:
    """What the seat's cards cost."""
    face: cython.int
    total: cython.int = 0
    for face in range(g.faces):
        total += p[g.o_held + seat * g.faces + face] * g.points_of[face]
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_hand(g: Layout, p: cython.p_uchar, seat: cython.int, out: cython.p_uchar) -> cython.void:
    """The own cards."""
    held: cython.int = g.o_held + seat * g.faces
    i: cython.int
    cost: cython.int
    for i in range(g.naturals):
        if p[held + i]:
            out[HELD_ONE + i] = 1
            out[HELD_TWO + i] = p[held + i] > 1
    for i in range(g.highest):
        count_up(out, HELD_NUMBER + 4 * i, p[g.o_numbers + seat * NUMBERS + i + 1], 4)
    for i in range(g.colors):
        count_up(out, HELD_COLOR + 8 * i, p[g.o_colors + seat * g.colors + i], 8)
    count_up(out, HELD_WILDS, p[held + g.wild], 4)
    count_up(out, HELD_SKIPS, p[held + g.skip], 3)
    count_up(out, CARDS, p[g.o_size + seat], 11)
    cost = cost_of(g, p, seat)
    for i in range(8):
        out[POINTS + i] = cost >= COSTS[i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_cells(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    shape: cython.int,
    other: cython.int,
    helps: cython.p_uchar,
) -> cython.void:
    """Mark the faces that a shape is short of; ``other`` wants some of the same (-1: none)."""
    cell: cython.int
    twin: cython.int
    have: cython.int
    i: cython.int
    for cell in range(g.shape_cell[shape], g.shape_cell[shape] + g.shape_cells[shape]):
        have = supply(g, p, seat, cell) - g.cell_size[cell]
        if other >= 0:
            for twin in range(g.shape_cell[other], g.shape_cell[other] + g.shape_cells[other]):
                if g.cell_key[twin] == g.cell_key[cell]:
                    have -= g.cell_size[twin]
        if have < 0:
            for i in range(g.cell_faces[cell]):
                helps[g.face_list[g.cell_face[cell] + i]] = 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_in_pairs(
    g: Layout, p: cython.p_uchar, seat: cython.int, phase: cython.int, helps: cython.p_uchar
) -> cython.int:
    """As ``find_helping``, for a Phase of two groups."""
    ones: cython.uchar[64]
    others: cython.uchar[64]
    firsts: cython.uchar[64]
    seconds: cython.uchar[64]
    if not cython.compiled:
        ones, others = bytearray(64), bytearray(64)
        firsts, seconds = bytearray(64), bytearray(64)
    group: cython.int = 2 * phase
    best: cython.int = 255
    count: cython.int = 0
    i: cython.int
    j: cython.int
    one: cython.int
    other: cython.int
    lack: cython.int
    least: cython.int
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_helping(g: Layout, p: cython.p_uchar, helps: cython.p_uchar) -> cython.int:
    """As ``find_helping_of``, for the seat on turn."""
    return find_helping_of(g, p, turn_of(p), helps)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_helping_of(
    g: Layout, p: cython.p_uchar, seat: cython.int, helps: cython.p_uchar
) -> cython.int:
    """How many cards a seat lacks of its Phase, Wilds not counted; 0 if it has laid.

    Marks the faces that would bring nearer one of the ways that lack the least.
    """
    lacks: cython.uchar[64]
    if not cython.compiled:
        lacks = bytearray(64)
    phase: cython.int
    group: cython.int
    best: cython.int
    i: cython.int
    for i in range(FACES):
        helps[i] = 0
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_needs(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    unseen: cython.p_int,
    total: cython.int,
    out: cython.p_uchar,
) -> cython.void:
    """How long sharp thinks it will take to the Phase, and which held cards matter for it."""
    way: cython.uchar[32]
    needs: cython.double[64]
    if not cython.compiled:
        way, needs = bytearray(32), [0.0] * 64
    held: cython.int = g.o_held + seat * g.faces
    phase: cython.int = phase_to_make(g, p, seat, way)
    promise: cython.double = weigh_cards(g, p, seat, phase, unseen, total, needs)
    face: cython.int
    i: cython.int
    for i in range(8):
        out[WAITS + i] = promise <= PROMISES[i]
    if promise > 0:
        promise = 8 / promise
        for face in range(g.naturals):
            if p[held + face]:
                out[NEEDED + face] = cython.cast(cython.uchar, needs[face] * promise + 0.5)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_fitting(g: Layout, p: cython.p_uchar, out: cython.p_uchar) -> cython.void:
    """Mark the faces that fit a meld on the table, the Wild after the last of them."""
    i: cython.int
    at: cython.int
    group: cython.int
    number: cython.int
    color: cython.int
    for i in range(MELDS * g.players):
        at = g.o_melds + i * MELD_BYTES
        group = p[at] - 1
        if group < 0:
            continue
        if (
            not g.group_chain[group]
            or p[at + 1] > g.group_step[group]
            or p[at + 2] + g.group_step[group] <= g.highest
        ):
            out[FITS + FACES] = 1
        for number in range(1, g.highest + 1):
            if g.group_chain[group] and not (
                number + g.group_step[group] == p[at + 1]
                or number == p[at + 2] + g.group_step[group]
            ):
                continue
            for color in range(g.colors):
                if fits(g, p, at, group, color * g.highest + number - 1):
                    out[FITS + color * g.highest + number - 1] = 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_table(
    g: Layout, p: cython.p_uchar, unseen: cython.p_int, out: cython.p_uchar
) -> cython.void:
    """The top discard, what fits the table, and the cards that were not seen."""
    i: cython.int
    top: cython.int
    mark_fitting(g, p, out)
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
    count_up(out, DRAW_PILE, 10 * p[DRAWS] // g.deck_size, 8)
    count_up(out, RESHUFFLED, p[RESHUFFLES] + 256 * p[RESHUFFLES + 1], 3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_meld(
    g: Layout, p: cython.p_uchar, meld: cython.int, out: cython.p_uchar, to: cython.int
) -> cython.void:
    """What a meld is: set, run, colour, run of a colour, run of odd or even, odd, even, pairs."""
    at: cython.int = g.o_melds + meld * MELD_BYTES
    group: cython.int = p[at] - 1
    kind: cython.int
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
    out[to + kind] = 1
    if p[at + 1]:
        out[to + 8 + p[at + 1] - 1] = 1
    if p[at + 2]:
        out[to + 20 + p[at + 2] - 1] = 1
    if p[at + 3] < g.colors:
        out[to + 32 + p[at + 3]] = 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_seat(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    who: cython.int,
    out: cython.p_uchar,
    to: cython.int,
) -> cython.void:
    """What ``seat`` knows of ``who``."""
    i: cython.int
    face: cython.int
    lead: cython.int = get3(p, g.o_totals + 3 * seat) - get3(p, g.o_totals + 3 * who)
    passed: cython.int = g.o_passed_over + who * g.passed_over_bytes
    out[to + DEALS] = p[DEALER] == who
    out[to + LAID_PHASE] = p[g.o_made + who] > 0
    out[to + LOSES_TURN] = p[g.o_waiting + who] > 0
    out[to + PROTECTED] = p[g.o_skipped_by + who] > 0
    count_up(out, to + SEAT_CARDS, p[g.o_size + who], 11)
    out[to + SEAT_PHASE + phase_of(g, p, who)] = 1
    for i in range(p[g.o_known_size + who]):
        face = p[g.o_known + who * g.known_most + i]
        if face < g.naturals:
            out[to + KNOWN_NUMBER + g.number_of[face] - 1] += 1
            out[to + KNOWN_COLOR + g.color_of[face]] += 1
        elif face == g.wild:
            out[to + KNOWN_WILDS] += 1
    for i in range(g.passed_over_bytes):
        if p[passed + i]:
            for face in range(8 * i, 8 * i + 8):
                if (p[passed + i] >> face % 8) & 1:
                    out[to + PASSED_NUMBER + g.number_of[face] - 1] += 1
                    out[to + PASSED_COLOR + g.color_of[face]] += 1
    for i in range(18):
        out[to + AHEAD_POINTS + i] = lead >= LEADS[i]
    lead = last_phases(get3(p, g.o_left + 3 * seat)) - last_phases(get3(p, g.o_left + 3 * who))
    for i in range(6):
        out[to + AHEAD_PHASES + i] = lead >= i - 2
    write_meld(g, p, MELDS * who, out, to + MELD)
    write_meld(g, p, MELDS * who + 1, out, to + MELD + MELD_FEATURES)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_features(
    g: Layout,
    p: cython.p_uchar,
    edition: cython.int,
    lack: cython.int,
    helps: cython.p_uchar,
    mask: cython.p_uchar,
    out: cython.p_uchar,
) -> cython.void:
    """Write all that the seat on turn sees. Only what it knows is looked at.

    ``lack`` and ``helps`` are what ``find_helping`` says.
    """
    unseen: cython.int[64]
    if not cython.compiled:
        unseen = [0] * 64
    seat: cython.int = turn_of(p)
    total: cython.int
    i: cython.int
    next_one: cython.int
    for i in range(count_features(g.players)):
        out[i] = 0
    write_hand(g, p, seat, out)
    total = count_unseen(g, p, seat, unseen)
    out[PLAYS] = p[STEP] != DRAW_STEP
    out[HAS_LAID] = p[g.o_made + seat] > 0
    out[PHASE + phase_of(g, p, seat)] = 1
    out[EDITION + edition] = 1
    out[COUNT + g.players - 2] = 1
    out[CAN_LAY] = mask[LAY]
    if not out[HAS_LAID]:
        count_up(out, LACKS, lack - p[g.o_held + seat * g.faces + g.wild], 8)
        for i in range(FACES):
            out[HELPS + i] = helps[i]
        if out[PLAYS]:
            write_needs(g, p, seat, unseen, total, out)
    write_table(g, p, unseen, out)
    next_one = next_player(g, p)
    for i in range(g.players):
        write_seat(g, p, seat, (seat + i) % g.players, out, COMMON_FEATURES + SEAT_FEATURES * i)
    i = (next_one - seat + g.players) % g.players
    out[COMMON_FEATURES + SEAT_FEATURES * i + PLAYS_NEXT] = 1
