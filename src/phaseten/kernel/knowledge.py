# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What one seat knows: its observation as numbers, and worlds that agree with what it has seen.

The planes of an observation, one after the other, all small integers. Seats are counted from the
one who looks (0), clockwise; F faces are the numbered cards by colour and number, then the Wild
and the Skip; N are the numbered ones alone. :func:`phaseten.kernel.planes.planes` says where each
plane begins and ends.

===============  ==============  ==============================================================
plane            size            what
===============  ==============  ==============================================================
held             F               how many of each face the seat holds
table            players x 2 x F   how many of each face lie on each meld
melds            players x 2 x 4   each meld's group + 1 (a Phase has two), lowest and highest number
                                 (0 where it has none), colour (after the last: none); else 0
known            players x F       cards each took from the discard pile and still holds
recycled         F               what the draw pile was made of when last shuffled again
discards         deck            the discard pile from its top: face + 1, then 0
players          players x 7       cards held, Phase laid + 1, loses the next turn, protected from a
                                 Skip by (seat + 1), total points (32767 at most), plays this
                                 hand, deals
left             players x Phases  Phases still to make
now              7               it is the seat's turn, drawing (0) or playing (1; 2: the hand is
                                 over), cards in the draw pile, card just taken + 1, hand, tie-break
                                 hand, turns begun since a Phase was laid or a card hit
passed           players x N       1 for each face that the seat discarded or left lying in this hand,
                                 and did not take since
===============  ==============  ==============================================================
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.string import memcpy, memset
    from cython.cimports.phaseten.kernel.layout import (
        DEALER,
        DISCARDS,
        DRAWS,
        HAND,
        LAID,
        MELDS,
        MELD_BYTES,
        NUMBERS,
        ORDER,
        PLAYING,
        QUIET,
        RESHUFFLES,
        STEP,
        TAKEN,
        TIED,
        Layout,
    )
    from cython.cimports.phaseten.kernel.chance import shuffle
    from cython.cimports.phaseten.kernel.engine import gain, get3, turn_of
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import shuffle
    from phaseten.kernel.engine import gain, get3, turn_of

PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
SPREAD = cython.declare(cython.short[2048])
"""The bits of each byte, one after the other."""
if cython.compiled:
    for _place in range(2048):
        SPREAD[_place] = (_place // 8 >> _place % 8) & 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def observation_size(g: Layout) -> cython.int:
    """How many numbers an observation has."""
    return size_without_passed(g) + g.players * g.naturals


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def size_without_passed(g: Layout) -> cython.int:
    """How many numbers the planes before the last have."""
    return (
        2 * g.faces
        + g.players * (MELDS * (g.faces + MELD_BYTES) + g.faces + 7 + g.phases)
        + g.deck_size
        + 7
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def spread(out: cython.p_short, at: cython.Py_ssize_t, byte: cython.int) -> cython.void:
    """Write the bits of a byte, each as a number, the lowest first."""
    i: cython.int
    if cython.compiled:
        memcpy(cython.address(out[at]), cython.address(SPREAD[8 * byte]), 16)
    else:
        for i in range(8):
            out[at + i] = (byte >> i) & 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def observe(g: Layout, p: cython.p_uchar, seat: cython.int, out: cython.p_short) -> cython.void:
    """Write what the seat knows. Only what lies open and the seat's own cards are looked at."""
    at: cython.Py_ssize_t = size_without_passed(g)
    players: cython.Py_ssize_t = g.players
    width: cython.Py_ssize_t = g.passed_over_bytes
    whole: cython.Py_ssize_t = g.naturals // 8
    rest: cython.Py_ssize_t = g.naturals % 8
    place: cython.Py_ssize_t = g.o_passed_over
    who: cython.Py_ssize_t = seat
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    start: cython.Py_ssize_t
    observe_planes(g, p, seat, out)
    for i in range(players):
        start = place + who * width
        for j in range(whole):
            spread(out, at + 8 * j, p[start + j])
        at += 8 * whole
        for j in range(rest):
            out[at + j] = (p[start + whole] >> j) & 1
        at += rest
        who = who + 1 if who + 1 < players else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def observe_planes(
    g: Layout, p: cython.p_uchar, seat: cython.int, out: cython.p_short
) -> cython.void:
    """Write all planes but the last."""
    # In names of its own, what is read of the layout is not read again after each number written;
    # and places as wide as an address let the compiler write several numbers at once.
    faces: cython.Py_ssize_t = g.faces
    melds: cython.Py_ssize_t = faces + g.players * MELDS * faces
    known: cython.Py_ssize_t = melds + g.players * MELDS * MELD_BYTES
    recycled: cython.Py_ssize_t = known + g.players * faces
    discards: cython.Py_ssize_t = recycled + faces
    players: cython.Py_ssize_t = discards + g.deck_size
    count: cython.Py_ssize_t = p[LAID]
    own: cython.Py_ssize_t = g.o_held + seat * faces
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    clear(out, players + g.players * (7 + g.phases) + 7)
    for i in range(faces):
        out[i] = p[own + i]
    if p[RESHUFFLES] or p[RESHUFFLES + 1]:
        own = g.o_recycled
        for i in range(faces):
            out[recycled + i] = p[own + i]
    if count:
        own = g.o_laid
        k = g.o_laid_on
        for i in range(count):
            j = p[k + i] - MELDS * seat
            if j < 0:
                j += MELDS * g.players
            out[faces + j * faces + p[own + i]] += 1
        for i in range(g.players):
            k = g.o_melds + (seat + i) % g.players * MELDS * MELD_BYTES
            for j in range(MELDS * MELD_BYTES):
                out[melds + i * MELDS * MELD_BYTES + j] = p[k + j]
    count = p[DISCARDS]
    own = g.o_pile
    k = discards + count - 1
    for i in range(count):
        out[k - i] = p[own + i] + 1
    observe_players(g, p, seat, known, players, out)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def clear(out: cython.p_short, count: cython.Py_ssize_t) -> cython.void:
    """Write so many zeros."""
    i: cython.Py_ssize_t
    if cython.compiled:
        memset(out, 0, count * cython.sizeof(cython.short))
    else:
        for i in range(count):
            out[i] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def observe_players(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    known: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
    out: cython.p_short,
) -> cython.void:
    """Write what is known of each seat, and what is so now; the planes begin at these places."""
    first: cython.Py_ssize_t = at
    faces: cython.Py_ssize_t = g.faces
    phases: cython.Py_ssize_t = g.phases
    players: cython.Py_ssize_t = g.players
    left: cython.Py_ssize_t = at + players * 7
    now: cython.Py_ssize_t = left + players * phases
    who: cython.Py_ssize_t = seat
    size: cython.Py_ssize_t = g.o_size
    bits: cython.Py_ssize_t = g.o_left
    totals: cython.Py_ssize_t = g.o_totals
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    total: cython.Py_ssize_t
    for i in range(players):
        for j in range(p[g.o_known_size + who]):
            out[known + p[g.o_known + who * g.known_most + j]] += 1
        # Cards held, the Phase laid, who waits and who has skipped stand one after the other.
        out[at] = p[size + who]
        out[at + 1] = p[size + players + who]
        out[at + 2] = p[size + 2 * players + who]
        j = p[size + 3 * players + who]
        if j:
            out[at + 3] = (j - 1 - seat + players) % players + 1
        total = get3(p, totals + 3 * who)
        out[at + 4] = total if total < 32767 else 32767
        out[at + 6] = p[DEALER] == who
        # What is written beyond the Phases that there are is written over again.
        for j in range((phases + 7) // 8):
            spread(out, left + 8 * j, p[bits + 3 * who + j])
        known += faces
        at += 7
        left += phases
        who = who + 1 if who + 1 < players else 0
    for i in range(p[PLAYING]):
        j = p[ORDER + i] - seat
        out[first + 7 * (j if j >= 0 else j + players) + 5] = 1
    out[now] = turn_of(p) == seat
    out[now + 1] = p[STEP]
    out[now + 2] = p[DRAWS]
    out[now + 3] = p[TAKEN]
    out[now + 4] = p[HAND] + 256 * p[HAND + 1]
    out[now + 5] = p[TIED] != 0
    out[now + 6] = p[QUIET] + 256 * (p[QUIET + 1] & 127)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def digest(g: Layout, p: cython.p_uchar, seat: cython.int) -> cython.ulonglong:
    """A number made of what the seat knows and of nothing else.

    What was passed over is left out: the number, and with it what built-in players choose by a seed,
    is older than that plane.
    """
    seen: cython.short[4096]
    if not cython.compiled:
        seen = [0] * 4096
    i: cython.int
    number: cython.ulonglong = 0
    observe_planes(g, p, seat, seen)
    for i in range(size_without_passed(g)):
        number = ((number ^ cython.cast(cython.ulonglong, seen[i])) * PRIME) & MASK
    return number


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def resample(
    g: Layout, p: cython.p_uchar, seat: cython.int, rng: cython.p_ulonglong
) -> cython.void:
    """Deal anew all cards whose place the seat does not know.

    Every card not seen is equally likely to be in every unknown place, wherever it was before. After a reshuffle the draw
    pile is dealt first, all cards that were in it then being equally likely; then the hands.
    """
    pool: cython.uchar[256]
    if not cython.compiled:
        pool = bytearray(256)
    hidden: cython.uchar[80]
    if not cython.compiled:
        hidden = bytearray(80)
    count: cython.int = 0
    first: cython.int = g.o_pile + g.deck_size - p[DRAWS]
    i: cython.int
    j: cython.int
    k: cython.int
    who: cython.int
    face: cython.int
    spare: cython.int
    for face in range(g.faces):
        hidden[face] = 0
    for i in range(p[DRAWS]):
        hidden[p[first + i]] += 1
    for i in range(p[PLAYING]):
        who = p[ORDER + i]
        if who == seat:
            continue
        for j in range(p[g.o_known_size + who]):
            p[g.o_held + who * g.faces + p[g.o_known + who * g.known_most + j]] -= 1
        for face in range(g.faces):
            hidden[face] += p[g.o_held + who * g.faces + face]
    for face in range(g.faces):  # by face: where they were before must not matter
        for j in range(hidden[face]):
            pool[count] = face
            count += 1
    shuffle(pool, 0, count, rng)
    if p[RESHUFFLES] or p[RESHUFFLES + 1]:
        keep_recycled(g, p, pool, count, rng)
    k = 0
    for i in range(p[DRAWS]):
        p[first + i] = pool[k]
        k += 1
    for i in range(p[PLAYING]):
        who = p[ORDER + i]
        if who == seat:
            continue
        spare = p[g.o_size + who] - p[g.o_known_size + who]
        clear_hand(g, p, who)
        for j in range(p[g.o_known_size + who]):
            gain(g, p, who, p[g.o_known + who * g.known_most + j])
        for j in range(spare):
            gain(g, p, who, pool[k])
            k += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_hand(g: Layout, p: cython.p_uchar, who: cython.int) -> cython.void:
    """Take all cards out of a hand."""
    i: cython.int
    for i in range(g.faces):
        p[g.o_held + who * g.faces + i] = 0
    for i in range(NUMBERS):
        p[g.o_numbers + who * NUMBERS + i] = 0
    for i in range(g.colors):
        p[g.o_colors + who * g.colors + i] = 0
    p[g.o_size + who] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def keep_recycled(
    g: Layout, p: cython.p_uchar, pool: cython.p_uchar, count: cython.int, rng: cython.p_ulonglong
) -> cython.void:
    """After a reshuffle: the draw pile's cards, which come first, are some that were in it then."""
    room: cython.uchar[80]
    if not cython.compiled:
        room = bytearray(80)
    i: cython.int
    j: cython.int = 0
    face: cython.int
    for i in range(g.faces):
        room[i] = p[g.o_recycled + i]
    for i in range(count):
        face = pool[i]
        if room[face]:
            room[face] -= 1
            pool[i] = pool[j]
            pool[j] = face
            j += 1
    # Each part anew: what has come to its end first would stand there more often.
    shuffle(pool, 0, j, rng)
    shuffle(pool, p[DRAWS], count - p[DRAWS], rng)
