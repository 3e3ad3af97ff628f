# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The sharp player's rules of thumb: how long each way to the Phase will take, and what helps others.

Only what the seat knows is looked at: its own cards, what lies open, and by counting, what can
still come.
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        DISCARD,
        DISCARDS,
        DRAW_DECK,
        DRAW_NOTHING,
        DRAW_STEP,
        LAY_THIS,
        MELDS,
        MELD_BYTES,
        ORDER,
        PLACE,
        PLAYING,
        RESHUFFLES,
        STEP,
        TAKE_DISCARD,
        Layout,
    )
    from cython.cimports.phaseten.kernel.chance import random_below
    from cython.cimports.phaseten.kernel.engine import get3, turn_of
    from cython.cimports.phaseten.kernel.legality import (
        can_discard,
        can_draw,
        can_skip,
        can_take,
        fits,
    )
    from cython.cimports.phaseten.kernel.shortage import aim
    from cython.cimports.phaseten.kernel.players.casual import (
        PATIENCE,
        belongs,
        breaks_circle,
        brings_phase,
        can_lay,
        choose_casual,
        choose_hit,
        discard_any,
        fits_table,
        hold,
        phase_to_make,
        will_lay,
    )
    from cython.cimports.phaseten.kernel.players.prospects import count_unseen, weigh_cards
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import random_below
    from phaseten.kernel.engine import get3, turn_of
    from phaseten.kernel.legality import can_discard, can_draw, can_skip, can_take, fits
    from phaseten.kernel.shortage import aim
    from phaseten.kernel.players.casual import (
        PATIENCE,
        belongs,
        breaks_circle,
        brings_phase,
        can_lay,
        choose_casual,
        choose_hit,
        discard_any,
        fits_table,
        hold,
        phase_to_make,
        will_lay,
    )
    from phaseten.kernel.players.prospects import count_unseen, weigh_cards

NO_SCORE = -1e9


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def next_player(g: Layout, p: cython.p_uchar) -> cython.int:
    """Who plays next, and can take what is discarded now."""
    place: cython.int = p[PLACE]
    who: cython.int = p[ORDER + place]
    i: cython.int
    for i in range(p[PLAYING]):
        place = (place + 1) % p[PLAYING]
        who = p[ORDER + place]
        if not p[g.o_waiting + who]:
            break
    return who


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def danger(g: Layout, p: cython.p_uchar, seat: cython.int, face: cython.int) -> cython.double:
    """How much a discard helps the next player, as far as one can see."""
    who: cython.int = next_player(g, p)
    i: cython.int
    at: cython.int
    gap: cython.int
    worst: cython.double = 0
    if who == seat:
        return 0
    if p[g.o_made + who]:
        for i in range(MELDS * g.players):
            at = g.o_melds + i * MELD_BYTES
            if p[at] and g.group_copies[p[at] - 1] == 1 and fits(g, p, at, p[at] - 1, face):
                return 1 if p[g.o_size + who] > 2 else 3
        return 0
    for i in range(p[g.o_known_size + who]):
        at = p[g.o_known + who * g.known_most + i]
        if at >= g.naturals:
            continue
        gap = g.number_of[at] - g.number_of[face]
        if gap == 0:
            worst = max(worst, 0.6)
        elif -2 <= gap <= 2 or g.color_of[at] == g.color_of[face]:
            worst = max(worst, 0.2)
    return worst


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_sharp(
    g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong, way: cython.p_uchar
) -> cython.int:
    """The number of the sharp player's action, or LAY_THIS with the way written."""
    seat: cython.int = turn_of(p)
    phase: cython.int = -1
    action: cython.int
    if not p[g.o_made + seat]:
        phase = phase_to_make(g, p, seat, way)
        if g.phase_tangled[phase]:
            return choose_casual(g, p, rng, way)
    if p[STEP] == DRAW_STEP:
        return sharp_draw(g, p, seat, phase, rng, way)
    if phase >= 0:
        if aim(g, p, seat, phase, way) <= p[g.o_held + seat * g.faces + g.wild] and can_lay(
            g, p, seat, way
        ):
            return LAY_THIS
    else:
        action = choose_hit(g, p, seat)
        if action >= 0:
            return action
    if p[g.o_held + seat * g.faces + g.skip]:
        return sharp_skip(g, p, seat)
    if (p[RESHUFFLES] >= PATIENCE or p[RESHUFFLES + 1]) and random_below(rng, 4) == 0:
        return discard_any(g, p, seat, rng)
    return sharp_discard(g, p, seat, phase)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sharp_draw(
    g: Layout,
    p: cython.p_uchar,
    seat: cython.int,
    phase: cython.int,
    rng: cython.p_ulonglong,
    way: cython.p_uchar,
) -> cython.int:
    """Take the top discard when it brings the Phase, or the end, closer."""
    top: cython.int
    before: cython.int
    after: cython.int
    i: cython.int
    cell: cython.int
    shape: cython.int
    if not can_take(g, p):
        return DRAW_DECK if can_draw(p) else DRAW_NOTHING
    top = p[g.o_pile + p[DISCARDS] - 1]
    if not can_draw(p):
        return TAKE_DISCARD
    if phase >= 0:
        if breaks_circle(g, phase, rng):
            return DRAW_DECK
        before = aim(g, p, seat, phase, way)
        if before > p[g.o_held + seat * g.faces + g.wild]:
            if top == g.wild:
                return TAKE_DISCARD
            hold(g, p, seat, top, 1)
            after = aim(g, p, seat, phase, way)
            hold(g, p, seat, top, -1)
            return TAKE_DISCARD if after < before else DRAW_DECK
        if not will_lay(g, p, seat, way):
            return TAKE_DISCARD if brings_phase(g, p, seat, phase, top, way) else DRAW_DECK
        # The Phase will be laid in this turn: a card that can lie with it leaves the hand at once.
        if top == g.wild:
            return TAKE_DISCARD
        for i in range(g.phase_groups[phase]):
            shape = g.group_shape[2 * phase + i] + way[2 + i]
            for cell in range(g.shape_cell[shape], g.shape_cell[shape] + g.shape_cells[shape]):
                if belongs(g, cell, top):
                    return TAKE_DISCARD
    return TAKE_DISCARD if fits_table(g, p, top) else DRAW_DECK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sharp_discard(g: Layout, p: cython.p_uchar, seat: cython.int, phase: cython.int) -> cython.int:
    """The numbered card that is missed least and helps the next player least."""
    scores: cython.double[64]
    if not cython.compiled:
        scores = [0.0] * 64
    best: cython.int
    score_discards(g, p, seat, phase, scores)
    best = best_face(g, scores)
    return DISCARD + (best if best >= 0 else g.wild)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def best_face(g: Layout, scores: cython.p_double) -> cython.int:
    """The numbered face of the best score, or -1."""
    face: cython.int
    best: cython.int = -1
    for face in range(g.naturals):
        if scores[face] > NO_SCORE and (best < 0 or scores[face] > scores[best]):
            best = face
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def score_discards(
    g: Layout, p: cython.p_uchar, seat: cython.int, phase: cython.int, scores: cython.p_double
) -> cython.void:
    """Write how good it is to discard each numbered face, NO_SCORE where that cannot be done."""
    unseen: cython.int[64]
    needs: cython.double[64]
    if not cython.compiled:
        unseen, needs = [0] * 64, [0.0] * 64
    held: cython.int = g.o_held + seat * g.faces
    face: cython.int
    total: cython.int
    promise: cython.double = 0
    dear: cython.double = 0.02 if g.ten_hands else 0.004
    if phase >= 0:
        total = count_unseen(g, p, seat, unseen)
        promise = weigh_cards(g, p, seat, phase, unseen, total, needs)
    for face in range(g.naturals):
        if not p[held + face] or not can_discard(g, p, face):
            scores[face] = NO_SCORE
        elif phase >= 0:
            # The last term: when no way is in sight, points and danger still count.
            scores[face] = (
                (promise - needs[face] + 1e-12)
                * (1 + dear * g.points_of[face])
                * (1 - 0.12 * danger(g, p, seat, face))
            )
        else:
            scores[face] = g.points_of[face] - 6 * danger(g, p, seat, face)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sharp_skip(g: Layout, p: cython.p_uchar, seat: cython.int) -> cython.int:
    """A Skip on the player who is closest to ending the hand, or else to winning the game."""
    target: cython.int = -1
    i: cython.int
    who: cython.int
    threat: cython.int
    most: cython.int = -1000
    left: cython.int
    if p[g.o_size + seat] == 1 and p[g.o_made + seat]:
        return g.a_skip
    for i in range(1, g.players):
        who = (seat + i) % g.players
        if not can_skip(g, p, who):
            continue
        left = get3(p, g.o_left + 3 * who)
        threat = -p[g.o_size + who]
        if p[g.o_made + who]:
            threat += 100
        while left:
            left = left & (left - 1)
            threat -= 3
        if threat > most:
            most = threat
            target = who
    if target < 0:
        return g.a_skip
    return g.a_skip_at + target
