# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What one seat knows: its observation as numbers, and worlds that agree with what it has seen.

The planes of an observation, one after the other, all small integers. Seats are counted from the
one who looks (0), clockwise; F faces are the numbered cards by colour and number, then the Wild
and the Skip.

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
now              7               it is the seat's turn, drawing (0) or playing (1), cards in the
                                 draw pile, card just taken + 1, hand, tie-break hand, turns begun
                                 since a Phase was laid or a card hit
===============  ==============  ==============================================================
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def observation_size(g: Layout) -> cython.int:
    """How many numbers an observation has."""
    return (
        2 * g.faces
        + g.players * (MELDS * (g.faces + MELD_BYTES) + g.faces + 7 + g.phases)
        + g.deck_size
        + 7
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def observe(g: Layout, p: cython.p_uchar, seat: cython.int, out: cython.p_short) -> cython.void:
    """Write what the seat knows. Only what lies open and the seat's own cards are looked at."""
    table: cython.int = g.faces
    melds: cython.int = table + g.players * MELDS * g.faces
    known: cython.int = melds + g.players * MELDS * MELD_BYTES
    recycled: cython.int = known + g.players * g.faces
    discards: cython.int = recycled + g.faces
    players: cython.int = discards + g.deck_size
    left: cython.int = players + g.players * 7
    now: cython.int = left + g.players * g.phases
    i: cython.int
    j: cython.int
    who: cython.int
    owner: cython.int
    phases: cython.int
    total: cython.int
    for i in range(now + 7):
        out[i] = 0
    for i in range(g.faces):
        out[i] = p[g.o_held + seat * g.faces + i]
        out[recycled + i] = p[g.o_recycled + i]
    for i in range(p[LAID]):
        owner = (p[g.o_laid_on + i] // MELDS - seat + g.players) % g.players
        j = MELDS * owner + p[g.o_laid_on + i] % MELDS
        out[table + j * g.faces + p[g.o_laid + i]] += 1
    for i in range(p[DISCARDS]):
        out[discards + i] = p[g.o_pile + p[DISCARDS] - 1 - i] + 1
    for i in range(g.players):
        who = (seat + i) % g.players
        for j in range(MELDS * MELD_BYTES):
            out[melds + i * MELDS * MELD_BYTES + j] = p[g.o_melds + who * MELDS * MELD_BYTES + j]
        for j in range(p[g.o_known_size + who]):
            out[known + i * g.faces + p[g.o_known + who * g.known_most + j]] += 1
        out[players + 7 * i] = p[g.o_size + who]
        out[players + 7 * i + 1] = p[g.o_made + who]
        out[players + 7 * i + 2] = p[g.o_waiting + who]
        if p[g.o_skipped_by + who]:
            out[players + 7 * i + 3] = (
                p[g.o_skipped_by + who] - 1 - seat + g.players
            ) % g.players + 1
        total = get3(p, g.o_totals + 3 * who)
        out[players + 7 * i + 4] = total if total < 32767 else 32767
        out[players + 7 * i + 6] = p[DEALER] == who
        phases = get3(p, g.o_left + 3 * who)
        for j in range(g.phases):
            out[left + i * g.phases + j] = (phases >> j) & 1
    for i in range(p[PLAYING]):
        out[players + 7 * ((p[ORDER + i] - seat + g.players) % g.players) + 5] = 1
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
    """A number made of all that the seat knows and of nothing else."""
    seen: cython.short[4096]
    if not cython.compiled:
        seen = [0] * 4096
    i: cython.int
    number: cython.ulonglong = 0
    observe(g, p, seat, seen)
    for i in range(observation_size(g)):
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
