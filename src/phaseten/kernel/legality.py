# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Which actions are legal. The ways to lay are in ``laying.py``."""

import cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.book import (
        DISCARD,
        DISCARDS,
        DRAW_DECK,
        DRAW_NOTHING,
        DRAW_STEP,
        DRAWS,
        MELD_BYTES,
        MELDS,
        ORDER,
        PLAY_STEP,
        PLAYERS,
        STEP,
        TAKE_DISCARD,
        TAKEN,
        Book,
    )
    from cython.cimports.phaseten.kernel.engine import face_of, turn_of
else:
    from phaseten.kernel.book import *
    from phaseten.kernel.book import Book
    from phaseten.kernel.engine import face_of, turn_of


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def can_draw(p: cython.p_uchar) -> cython.bint:
    """Whether a card can be drawn from the draw pile."""
    return p[DRAWS] > 0 or p[DISCARDS] > 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def can_take(b: Book, p: cython.p_uchar) -> cython.bint:
    """Whether the top discard can be taken."""
    return p[DISCARDS] > 0 and p[b.o_pile + p[DISCARDS] - 1] != b.skip


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def can_skip(b: Book, p: cython.p_uchar, target: cython.int) -> cython.bint:
    """Whether the player on turn may skip that seat."""
    i: cython.int
    if target == turn_of(p):
        return False
    if p[b.o_waiting + target] if b.in_front else p[b.o_skipped_by + target]:
        return False
    for i in range(p[PLAYERS]):
        if p[ORDER + i] == target:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_discard(b: Book, p: cython.p_uchar, face: cython.int) -> cython.bint:
    """Whether the player on turn may discard that card, which is not a Skip."""
    seat: cython.int = turn_of(p)
    count: cython.int = p[b.o_held + seat * b.faces + face]
    if count == 0:
        return False
    return not (b.no_rediscard and p[TAKEN] == face + 1 and count == 1 and p[b.o_size + seat] > 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_hit(b: Book, p: cython.p_uchar, meld: cython.int, how: cython.int) -> cython.bint:
    """Whether the player on turn, whose Phase is down, may add to that meld in that way."""
    seat: cython.int = turn_of(p)
    at: cython.int = b.o_melds + meld * MELD_BYTES
    group: cython.int = p[at] - 1
    held: cython.int = b.o_held + seat * b.faces
    step: cython.int
    cards: cython.int = 1
    if group < 0:
        return False
    step = b.group_step[group]
    if b.group_copies[group] == 2:
        cards = 2
        if how < b.h_pairs or not can_pair(b, p, at, held, how - b.h_pairs):
            return False
    elif how < b.naturals:
        if p[held + how] == 0 or not fits(b, p, at, group, how):
            return False
    elif how >= b.h_pairs or p[held + b.wild] == 0:
        return False
    elif not b.group_chain[group]:
        if how != b.h_wild_low:
            return False
    elif how == b.h_wild_low:
        if p[at + 1] <= step:
            return False
    elif p[at + 2] + step > b.highest:
        return False
    return not (b.discard_to_go_out and p[b.o_size + seat] == cards)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def fits(
    b: Book, p: cython.p_uchar, at: cython.int, group: cython.int, face: cython.int
) -> cython.bint:
    """Whether a numbered card fits the meld at that place, which takes single cards."""
    number: cython.int = b.number_of[face]
    if b.group_chain[group]:
        if b.group_colored[group] and b.color_of[face] != p[at + 3]:
            return False
        return (
            number + b.group_step[group] == p[at + 1] or number == p[at + 2] + b.group_step[group]
        )
    if b.group_colored[group]:
        return b.color_of[face] == p[at + 3]
    if b.group_parity[group] < 2:
        return number % 2 == b.group_parity[group]
    return number == p[at + 1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_pair(
    b: Book, p: cython.p_uchar, at: cython.int, held: cython.int, pair: cython.int
) -> cython.bint:
    """Whether that pair is held and fits the run of pairs at that place."""
    number: cython.int
    one: cython.int = 0
    face: cython.int
    other: cython.int
    if pair < b.pair_kinds:
        number = p[at + 1] - 1
    else:
        number = p[at + 2] + 1
        pair -= b.pair_kinds
    if number < 1 or number > b.highest:
        return False
    while pair > b.colors - one:
        pair -= b.colors - one + 1
        one += 1
    face = face_of(b, one, number)
    other = face_of(b, one + pair, number)
    if face == other:
        return p[held + face] > 1
    return p[held + face] > 0 and p[held + other] > 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_legal(b: Book, p: cython.p_uchar, action: cython.int) -> cython.bint:
    """Whether an action other than laying is legal."""
    seat: cython.int = turn_of(p)
    i: cython.int
    if p[STEP] == DRAW_STEP:
        if action == DRAW_DECK:
            return can_draw(p)
        if action == TAKE_DISCARD:
            return can_take(b, p)
        return action == DRAW_NOTHING and not can_draw(p) and not can_take(b, p)
    if p[STEP] != PLAY_STEP or action < DISCARD or action >= b.a_lay:
        return False
    if action < b.a_skip:
        return can_discard(b, p, action - DISCARD)
    if action < b.a_hit:
        if p[b.o_held + seat * b.faces + b.skip] == 0:
            return False
        if action > b.a_skip:
            return can_skip(b, p, action - b.a_skip_at)
        if p[b.o_size + seat] == 1 and p[b.o_made + seat]:
            return True
        for i in range(b.seats):
            if can_skip(b, p, i):
                return False
        return True
    if not p[b.o_made + seat]:
        return False
    return can_hit(b, p, (action - b.a_hit) // b.hits, (action - b.a_hit) % b.hits)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_simple(b: Book, p: cython.p_uchar, out: cython.p_int, most: cython.int) -> cython.int:
    """Write the legal actions other than laying; how many there are."""
    seat: cython.int = turn_of(p)
    count: cython.int = 0
    face: cython.int
    held: cython.int = b.o_held + seat * b.faces
    if p[STEP] == DRAW_STEP:
        if can_draw(p):
            out[count] = DRAW_DECK
            count += 1
        if can_take(b, p):
            out[count] = TAKE_DISCARD
            count += 1
        if count == 0:
            out[0] = DRAW_NOTHING
            count = 1
        return count
    if p[STEP] != PLAY_STEP:
        return 0
    if p[b.o_made + seat]:
        count = list_hits(b, p, out, most)
    for face in range(b.naturals + 1):
        if p[held + face] and can_discard(b, p, face) and count < most:
            out[count] = DISCARD + face
            count += 1
    if p[held + b.skip]:
        for face in range(b.a_skip, b.a_hit):
            if count < most and is_legal(b, p, face):
                out[count] = face
                count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_hits(b: Book, p: cython.p_uchar, out: cython.p_int, most: cython.int) -> cython.int:
    """Write the legal hits; how many there are."""
    seat: cython.int = turn_of(p)
    held: cython.int = b.o_held + seat * b.faces
    count: cython.int = 0
    meld: cython.int
    how: cython.int
    first: cython.int
    group: cython.int
    for meld in range(MELDS * b.seats):
        group = p[b.o_melds + meld * MELD_BYTES] - 1
        if group < 0:
            continue
        first = b.h_pairs if b.group_copies[group] == 2 else 0
        for how in range(first, b.hits if first else b.h_pairs):
            if how < b.naturals and p[held + how] == 0:
                continue
            if count < most and can_hit(b, p, meld, how):
                out[count] = b.a_hit + meld * b.hits + how
                count += 1
    return count
