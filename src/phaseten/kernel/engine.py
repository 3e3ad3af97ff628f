# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The law over flat bytes: every action, the end of a hand and of a game. ``dealing.py`` begins them.

This is ``rules/referee.py`` and ``rules/folding.py`` once more, written to be fast. A differential
test plays the same games through both and compares every state.
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        DEALER,
        DISCARD,
        DISCARDS,
        DRAWS,
        DRAW_DECK,
        DRAW_NOTHING,
        DRAW_STEP,
        GAME_OVER,
        GOES_ON,
        HAND,
        HAND_OVER,
        LAID,
        MELDS,
        MELD_BYTES,
        NO_SEAT,
        NO_STEP,
        NUMBERS,
        ORDER,
        OUT,
        PLACE,
        PLAYING,
        QUIET,
        PLAY_STEP,
        RESHUFFLES,
        STEP,
        TAKEN,
        TAKE_DISCARD,
        TIED,
        WINNER,
        Layout,
    )
    from cython.cimports.phaseten.kernel.chance import shuffle
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import shuffle


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def get3(p: cython.p_uchar, at: cython.int) -> cython.int:
    """A number of three bytes."""
    return p[at] + 256 * p[at + 1] + 65536 * p[at + 2]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def set3(p: cython.p_uchar, at: cython.int, value: cython.int) -> cython.void:
    """Write a number of three bytes."""
    p[at] = value & 255
    p[at + 1] = (value >> 8) & 255
    p[at + 2] = (value >> 16) & 255


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def turn_of(p: cython.p_uchar) -> cython.int:
    """The seat whose turn it is."""
    return p[ORDER + p[PLACE]]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def gain(g: Layout, p: cython.p_uchar, seat: cython.int, face: cython.int) -> cython.void:
    """A card comes into a hand."""
    p[g.o_held + seat * g.faces + face] += 1
    p[g.o_size + seat] += 1
    if face < g.naturals:
        p[g.o_numbers + seat * NUMBERS + g.number_of[face]] += 1
        p[g.o_colors + seat * g.colors + g.color_of[face]] += 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def lose(g: Layout, p: cython.p_uchar, seat: cython.int, face: cython.int) -> cython.void:
    """A card leaves a hand before everybody's eyes."""
    i: cython.int
    known: cython.int = g.o_known + seat * g.known_most
    last: cython.int = p[g.o_known_size + seat] - 1
    p[g.o_held + seat * g.faces + face] -= 1
    p[g.o_size + seat] -= 1
    if face < g.naturals:
        p[g.o_numbers + seat * NUMBERS + g.number_of[face]] -= 1
        p[g.o_colors + seat * g.colors + g.color_of[face]] -= 1
    for i in range(last + 1):
        if p[known + i] == face:
            p[known + i] = p[known + last]
            p[known + last] = 0
            p[g.o_known_size + seat] = last
            break


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def open_phases(g: Layout, p: cython.p_uchar, seat: cython.int) -> cython.int:
    """The Phases the seat may lay, as bits."""
    left: cython.int
    if p[TIED]:
        return 1 << (g.phases - 1)
    left = get3(p, g.o_left + 3 * seat)
    if g.choose_phase:
        return left
    return left & -left


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pass_turn(g: Layout, p: cython.p_uchar) -> cython.void:
    """The turn goes on to the next player who does not lose it."""
    seat: cython.int
    i: cython.int
    p[TAKEN] = 0
    p[STEP] = DRAW_STEP
    while True:
        p[PLACE] += 1
        if p[PLACE] == p[PLAYING]:
            p[PLACE] = 0
        seat = p[ORDER + p[PLACE]]
        for i in range(g.players):
            if p[g.o_skipped_by + i] == seat + 1:
                p[g.o_skipped_by + i] = 0
        if not p[g.o_waiting + seat]:
            return
        p[g.o_waiting + seat] = 0
        if g.in_front:
            p[g.o_pile + p[DISCARDS]] = g.skip
            p[DISCARDS] += 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def mark_passed_over(
    g: Layout, p: cython.p_uchar, seat: cython.int, face: cython.int
) -> cython.void:
    """Remember that a seat did not want a card, if that has a number."""
    if face < g.naturals:
        p[g.o_passed_over + seat * g.passed_over_bytes + face // 8] |= 1 << face % 8


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def unmark_passed_over(
    g: Layout, p: cython.p_uchar, seat: cython.int, face: cython.int
) -> cython.void:
    """Forget that a seat did not want a card."""
    if face < g.naturals:
        p[g.o_passed_over + seat * g.passed_over_bytes + face // 8] &= 255 - (1 << face % 8)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def begin_to_play(p: cython.p_uchar) -> cython.void:
    """The draw of a turn is over; one turn more has begun in which nothing has moved so far."""
    p[STEP] = PLAY_STEP
    p[QUIET] = (p[QUIET] + 1) & 255
    if p[QUIET] == 0:
        p[QUIET + 1] = (p[QUIET + 1] + 1) & 255


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def stands_still(g: Layout, p: cython.p_uchar) -> cython.bint:
    """Whether any discard of the player on turn ends the hand, for nothing moves in it (H-DEAD)."""
    return p[QUIET] + 256 * p[QUIET + 1] >= g.quiet_turns * p[PLAYING]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def turn_discards_over(g: Layout, p: cython.p_uchar) -> cython.void:
    """Make all discards but the top one the new draw pile, which is then to be shuffled."""
    i: cython.int
    count: cython.int = p[DISCARDS] - 1
    top: cython.int = p[g.o_pile + count]
    for i in range(g.faces):
        p[g.o_recycled + i] = 0
    for i in range(count - 1, -1, -1):
        p[g.o_recycled + p[g.o_pile + i]] += 1
        p[g.o_pile + g.deck_size - count + i] = p[g.o_pile + i]
    p[g.o_pile] = top
    p[DISCARDS] = 1
    p[DRAWS] = count
    i = p[RESHUFFLES] + 256 * p[RESHUFFLES + 1] + 1
    p[RESHUFFLES] = i & 255
    p[RESHUFFLES + 1] = (i >> 8) & 255


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def draw_from_deck(g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong) -> cython.void:
    """Draw the top card, after a reshuffle where the draw pile is empty."""
    if p[DISCARDS]:
        mark_passed_over(g, p, turn_of(p), p[g.o_pile + p[DISCARDS] - 1])
    if p[DRAWS] == 0:
        turn_discards_over(g, p)
        shuffle(p, g.o_pile + g.deck_size - p[DRAWS], p[DRAWS], rng)
    gain(g, p, turn_of(p), p[g.o_pile + g.deck_size - p[DRAWS]])
    p[DRAWS] -= 1
    begin_to_play(p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_discard(g: Layout, p: cython.p_uchar) -> cython.void:
    """Take the top discard."""
    seat: cython.int = turn_of(p)
    face: cython.int
    p[DISCARDS] -= 1
    face = p[g.o_pile + p[DISCARDS]]
    gain(g, p, seat, face)
    p[g.o_known + seat * g.known_most + p[g.o_known_size + seat]] = face
    p[g.o_known_size + seat] += 1
    unmark_passed_over(g, p, seat, face)
    p[TAKEN] = face + 1
    begin_to_play(p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def discard(g: Layout, p: cython.p_uchar, face: cython.int, target: cython.int) -> cython.int:
    """Discard a card; a Skip can have a target (-1: none)."""
    seat: cython.int = turn_of(p)
    lose(g, p, seat, face)
    if p[g.o_size + seat] == 0 and p[g.o_made + seat]:
        return end_hand(g, p, seat)
    if stands_still(g, p):
        return end_hand(g, p, NO_SEAT)
    mark_passed_over(g, p, seat, face)
    if target >= 0:
        p[g.o_waiting + target] = 1
        if not g.in_front:
            p[g.o_skipped_by + target] = seat + 1
    if target < 0 or not g.in_front:
        p[g.o_pile + p[DISCARDS]] = face
        p[DISCARDS] += 1
    pass_turn(g, p)
    return GOES_ON


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def put_on(
    g: Layout, p: cython.p_uchar, seat: cython.int, face: cython.int, meld: cython.int
) -> cython.void:
    """Move a card from a hand onto a meld."""
    lose(g, p, seat, face)
    p[g.o_laid + p[LAID]] = face
    p[g.o_laid_on + p[LAID]] = meld
    p[LAID] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def lay(g: Layout, p: cython.p_uchar, way: cython.p_uchar) -> cython.int:
    """Lay a Phase. A way is: Phase, number of cards, shape in each group, then the held faces."""
    seat: cython.int = turn_of(p)
    phase: cython.int = way[0]
    group: cython.int
    shape: cython.int
    cell: cython.int
    at: cython.int = 4
    meld: cython.int
    i: cython.int
    j: cython.int
    for i in range(g.phase_groups[phase]):
        group = 2 * phase + i
        shape = g.group_shape[group] + way[2 + i]
        meld = g.o_melds + (MELDS * seat + i) * MELD_BYTES
        p[meld] = group + 1
        p[meld + 1] = g.shape_low[shape]
        p[meld + 2] = g.shape_low[shape]
        if g.group_chain[group]:
            p[meld + 2] += g.group_step[group] * (g.shape_cells[shape] - 1)
        p[meld + 3] = g.shape_color[shape]
        for cell in range(g.shape_cell[shape], g.shape_cell[shape] + g.shape_cells[shape]):
            for j in range(g.cell_size[cell]):
                put_on(g, p, seat, way[at], MELDS * seat + i)
                at += 1
    p[g.o_made + seat] = phase + 1
    p[QUIET] = 0
    p[QUIET + 1] = 0
    if p[g.o_size + seat] == 0:
        return end_hand(g, p, seat)
    return GOES_ON


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def hit(g: Layout, p: cython.p_uchar, meld: cython.int, how: cython.int) -> cython.int:
    """Add to a meld in one of the ways that hits are numbered."""
    seat: cython.int = turn_of(p)
    at: cython.int = g.o_melds + meld * MELD_BYTES
    group: cython.int = p[at] - 1
    step: cython.int = g.group_step[group]
    one: cython.int
    other: cython.int
    number: cython.int
    pair: cython.int
    if how < g.naturals:
        put_on(g, p, seat, how, meld)
        if g.group_chain[group]:
            if g.number_of[how] < p[at + 1]:
                p[at + 1] -= step
            else:
                p[at + 2] += step
    elif how < g.h_pairs:
        put_on(g, p, seat, g.wild, meld)
        if g.group_chain[group]:
            if how == g.h_wild_low:
                p[at + 1] -= step
            else:
                p[at + 2] += step
    else:
        pair = how - g.h_pairs
        if pair < g.pair_kinds:
            number = p[at + 1] - step
            p[at + 1] -= step
        else:
            number = p[at + 2] + step
            p[at + 2] += step
            pair -= g.pair_kinds
        one = 0
        while pair > g.colors - one:
            pair -= g.colors - one + 1
            one += 1
        other = one + pair
        put_on(g, p, seat, face_of(g, one, number), meld)
        put_on(g, p, seat, face_of(g, other, number), meld)
    p[QUIET] = 0
    p[QUIET + 1] = 0
    if p[g.o_size + seat] == 0:
        return end_hand(g, p, seat)
    return GOES_ON


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def face_of(g: Layout, color: cython.int, number: cython.int) -> cython.int:
    """The face of that colour and number; a Wild for the colour after the last."""
    if color == g.colors:
        return g.wild
    return color * g.highest + number - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def points_held(g: Layout, p: cython.p_uchar, seat: cython.int) -> cython.int:
    """What the seat's cards cost."""
    total: cython.int = 0
    face: cython.int
    for face in range(g.faces):
        total += p[g.o_held + seat * g.faces + face] * g.points_of[face]
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_hand(g: Layout, p: cython.p_uchar, out: cython.int) -> cython.int:
    """Score the hand, of which that seat, or NO_SEAT, has gone out; is the game over?"""
    seat: cython.int
    left: cython.int
    made: cython.int
    p[OUT] = out + 1
    p[STEP] = NO_STEP
    p[DEALER] = (p[DEALER] + 1) % g.players
    if p[TIED]:
        if out == NO_SEAT:
            return HAND_OVER  # it decides nothing, and the same players play another
        p[TIED] = 0
        p[WINNER] = out + 1
        return GAME_OVER
    for seat in range(g.players):
        set3(p, g.o_totals + 3 * seat, get3(p, g.o_totals + 3 * seat) + points_held(g, p, seat))
        left = get3(p, g.o_left + 3 * seat)
        made = p[g.o_made + seat]
        if g.ten_hands and not g.choose_phase:
            left = left & (left - 1)
        elif made:
            left = left & ~(1 << (made - 1))
        set3(p, g.o_left + 3 * seat, left)
    return end_game(g, p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_game(g: Layout, p: cython.p_uchar) -> cython.int:
    """Who has won, or is tied, or whether another hand is dealt."""
    seat: cython.int
    total: cython.int
    fewest: cython.int = 1 << 30
    best: cython.int = 0
    count: cython.int = 0
    if g.ten_hands and p[HAND] + 256 * p[HAND + 1] < g.phases:
        return HAND_OVER
    for seat in range(g.players):
        if not g.ten_hands and get3(p, g.o_left + 3 * seat):
            continue
        total = get3(p, g.o_totals + 3 * seat)
        if total < fewest:
            fewest = total
            best = 0
            count = 0
        if total == fewest:
            best = best | (1 << seat)
            count += 1
    if count == 0:
        return HAND_OVER
    if count > 1:
        p[TIED] = best
        return HAND_OVER
    seat = 0
    while not (best >> seat) & 1:
        seat += 1
    p[WINNER] = seat + 1
    return GAME_OVER


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def act(g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong, action: cython.int) -> cython.int:
    """Carry out a legal action other than laying."""
    if action == DRAW_DECK:
        draw_from_deck(g, p, rng)
        return GOES_ON
    if action == TAKE_DISCARD:
        take_discard(g, p)
        return GOES_ON
    if action == DRAW_NOTHING:
        begin_to_play(p)
        if p[g.o_size + turn_of(p)] == 0:
            pass_turn(g, p)
        return GOES_ON
    if action < g.a_skip:
        return discard(g, p, action - DISCARD, -1)
    if action == g.a_skip:
        return discard(g, p, g.skip, -1)
    if action < g.a_hit:
        return discard(g, p, g.skip, action - g.a_skip_at)
    return hit(g, p, (action - g.a_hit) // g.hits, (action - g.a_hit) % g.hits)
