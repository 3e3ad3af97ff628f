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
table            seats x 2 x F   how many of each face lie on each meld
melds            seats x 2 x 4   each meld's group + 1 (a Phase has two), lowest and highest number
                                 (0 where it has none), colour (after the last: none); else 0
known            seats x F       cards each took from the discard pile and still holds
recycled         F               what the draw pile was made of when last shuffled again
discards         deck            the discard pile from its top: face + 1, then 0
players          seats x 7       cards held, Phase laid + 1, loses the next turn, protected from a
                                 Skip by (seat + 1), total points (32767 at most), plays this
                                 hand, deals
left             seats x Phases  Phases still to make
now              6               it is the seat's turn, drawing (0) or playing (1), cards in the
                                 draw pile, card just taken + 1, hand, tie-break hand
===============  ==============  ==============================================================
"""

import cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.book import (
        DEALER,
        DISCARDS,
        DRAWS,
        HAND,
        LAID,
        MELD_BYTES,
        MELDS,
        ORDER,
        NUMBERS,
        PLAYERS,
        RESHUFFLES,
        STEP,
        TAKEN,
        TIED,
        Book,
    )
    from cython.cimports.phaseten.kernel.engine import gain, get3, shuffle, turn_of
else:
    from phaseten.kernel.book import *
    from phaseten.kernel.book import Book
    from phaseten.kernel.engine import gain, get3, shuffle, turn_of

# Of the hash FNV-1a. C's arithmetic drops what the mask cuts off uncompiled.
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def observation_size(b: Book) -> cython.int:
    """How many numbers an observation has."""
    return (
        2 * b.faces
        + b.seats * (MELDS * (b.faces + MELD_BYTES) + b.faces + 7 + b.phases)
        + b.deck_size
        + 6
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def observe(b: Book, p: cython.p_uchar, seat: cython.int, out: cython.p_short) -> cython.void:
    """Write what the seat knows. Only what lies open and the seat's own cards are looked at."""
    table: cython.int = b.faces
    melds: cython.int = table + b.seats * MELDS * b.faces
    known: cython.int = melds + b.seats * MELDS * MELD_BYTES
    recycled: cython.int = known + b.seats * b.faces
    discards: cython.int = recycled + b.faces
    players: cython.int = discards + b.deck_size
    left: cython.int = players + b.seats * 7
    now: cython.int = left + b.seats * b.phases
    i: cython.int
    j: cython.int
    who: cython.int
    owner: cython.int
    phases: cython.int
    total: cython.int
    for i in range(now + 6):
        out[i] = 0
    for i in range(b.faces):
        out[i] = p[b.o_held + seat * b.faces + i]
        out[recycled + i] = p[b.o_recycled + i]
    for i in range(p[LAID]):
        owner = (p[b.o_laid_on + i] // MELDS - seat + b.seats) % b.seats
        j = MELDS * owner + p[b.o_laid_on + i] % MELDS
        out[table + j * b.faces + p[b.o_laid + i]] += 1
    for i in range(p[DISCARDS]):
        out[discards + i] = p[b.o_pile + p[DISCARDS] - 1 - i] + 1
    for i in range(b.seats):
        who = (seat + i) % b.seats
        for j in range(MELDS * MELD_BYTES):
            out[melds + i * MELDS * MELD_BYTES + j] = p[b.o_melds + who * MELDS * MELD_BYTES + j]
        for j in range(p[b.o_known_size + who]):
            out[known + i * b.faces + p[b.o_known + who * b.known_most + j]] += 1
        out[players + 7 * i] = p[b.o_size + who]
        out[players + 7 * i + 1] = p[b.o_made + who]
        out[players + 7 * i + 2] = p[b.o_waiting + who]
        if p[b.o_skipped_by + who]:
            out[players + 7 * i + 3] = (p[b.o_skipped_by + who] - 1 - seat + b.seats) % b.seats + 1
        total = get3(p, b.o_totals + 3 * who)
        out[players + 7 * i + 4] = total if total < 32767 else 32767
        out[players + 7 * i + 6] = p[DEALER] == who
        phases = get3(p, b.o_left + 3 * who)
        for j in range(b.phases):
            out[left + i * b.phases + j] = (phases >> j) & 1
    for i in range(p[PLAYERS]):
        out[players + 7 * ((p[ORDER + i] - seat + b.seats) % b.seats) + 5] = 1
    out[now] = turn_of(p) == seat
    out[now + 1] = p[STEP]
    out[now + 2] = p[DRAWS]
    out[now + 3] = p[TAKEN]
    out[now + 4] = p[HAND] + 256 * p[HAND + 1]
    out[now + 5] = p[TIED] != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def digest(b: Book, p: cython.p_uchar, seat: cython.int) -> cython.ulonglong:
    """A number made of all that the seat knows and of nothing else."""
    seen: cython.short[4096]
    if not cython.compiled:
        seen = [0] * 4096
    i: cython.int
    number: cython.ulonglong = 0
    observe(b, p, seat, seen)
    for i in range(observation_size(b)):
        number = ((number ^ cython.cast(cython.ulonglong, seen[i])) * PRIME) & MASK
    return number


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def resample(b: Book, p: cython.p_uchar, seat: cython.int, rng: cython.p_ulonglong) -> cython.void:
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
    first: cython.int = b.o_pile + b.deck_size - p[DRAWS]
    i: cython.int
    j: cython.int
    k: cython.int
    who: cython.int
    face: cython.int
    spare: cython.int
    for face in range(b.faces):
        hidden[face] = 0
    for i in range(p[DRAWS]):
        hidden[p[first + i]] += 1
    for i in range(p[PLAYERS]):
        who = p[ORDER + i]
        if who == seat:
            continue
        for j in range(p[b.o_known_size + who]):
            p[b.o_held + who * b.faces + p[b.o_known + who * b.known_most + j]] -= 1
        for face in range(b.faces):
            hidden[face] += p[b.o_held + who * b.faces + face]
    for face in range(b.faces):  # by face: where they were before must not matter
        for j in range(hidden[face]):
            pool[count] = face
            count += 1
    shuffle(pool, 0, count, rng)
    if p[RESHUFFLES] or p[RESHUFFLES + 1]:
        keep_recycled(b, p, pool, count, rng)
    k = 0
    for i in range(p[DRAWS]):
        p[first + i] = pool[k]
        k += 1
    for i in range(p[PLAYERS]):
        who = p[ORDER + i]
        if who == seat:
            continue
        spare = p[b.o_size + who] - p[b.o_known_size + who]
        clear_hand(b, p, who)
        for j in range(p[b.o_known_size + who]):
            gain(b, p, who, p[b.o_known + who * b.known_most + j])
        for j in range(spare):
            gain(b, p, who, pool[k])
            k += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_hand(b: Book, p: cython.p_uchar, who: cython.int) -> cython.void:
    """Take all cards out of a hand."""
    i: cython.int
    for i in range(b.faces):
        p[b.o_held + who * b.faces + i] = 0
    for i in range(NUMBERS):
        p[b.o_numbers + who * NUMBERS + i] = 0
    for i in range(b.colors):
        p[b.o_colors + who * b.colors + i] = 0
    p[b.o_size + who] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def keep_recycled(
    b: Book, p: cython.p_uchar, pool: cython.p_uchar, count: cython.int, rng: cython.p_ulonglong
) -> cython.void:
    """After a reshuffle: the draw pile's cards, which come first, are some that were in it then."""
    room: cython.uchar[80]
    if not cython.compiled:
        room = bytearray(80)
    i: cython.int
    j: cython.int = 0
    face: cython.int
    for i in range(b.faces):
        room[i] = p[b.o_recycled + i]
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
