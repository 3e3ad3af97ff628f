# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Playing a hand out, and what its end is worth: the chance to win the game."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import exp, sqrt
    from cython.cimports.phaseten.kernel.layout import (
        DRAWS,
        DRAW_STEP,
        GOES_ON,
        HAND,
        LAY_THIS,
        NO_SEAT,
        PLACE,
        PLAYING,
        STEP,
        TIED,
        WINNER,
        Layout,
    )
    from cython.cimports.phaseten.kernel.engine import act, end_hand, get3, lay
    from cython.cimports.phaseten.kernel.laying import find_lay
    from cython.cimports.phaseten.kernel.players.choice import play_one
    from cython.cimports.phaseten.kernel.players.network.actions import NOT_LEGAL
    from cython.cimports.phaseten.kernel.players.network.look import Network
    from cython.cimports.phaseten.kernel.players.network.sheet_chances import SheetChances
else:
    from math import exp, sqrt
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.engine import act, end_hand, get3, lay
    from phaseten.kernel.laying import find_lay
    from phaseten.kernel.players.choice import play_one
    from phaseten.kernel.players.network.actions import NOT_LEGAL
    from phaseten.kernel.players.network.look import Network
    from phaseten.kernel.players.network.sheet_chances import SheetChances

SHARP = cython.declare(cython.int, 2)
MOST_ACTIONS = 400  # a hand that takes longer is thought stuck


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def phases_left(g: Layout, p: cython.p_uchar, seat: cython.int) -> cython.int:
    """How many Phases the seat must still make; where everybody has a hand for each, how many hands."""
    left: cython.int = get3(p, g.o_left + 3 * seat)
    count: cython.int = 0
    if g.ten_hands:
        return g.phases - (p[HAND] + 256 * p[HAND + 1])
    while left:
        left = left & (left - 1)
        count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def chance_to_win(g: Layout, p: cython.p_uchar, seat: cython.int) -> cython.double:
    """The seat's chance to win the game after a hand, by Phases left and points.

    Fitted to games of sharp players: in all editions and numbers of players a Phase not made, with the
    points it costs, weighs about the same.
    """
    other: cython.int
    count: cython.int
    fewest: cython.int = 100
    tied: cython.int = 0
    scale: cython.double
    total: cython.double = 0
    best: cython.double = -1e9
    worth: cython.double[8]
    if not cython.compiled:
        worth = [0.0] * 8
    if p[WINNER]:
        return 1.0 if p[WINNER] == seat + 1 else 0.0
    if p[TIED]:
        for other in range(g.players):
            tied += (p[TIED] >> other) & 1
        return 1.0 / tied if (p[TIED] >> seat) & 1 else 0.0
    for other in range(g.players):
        count = phases_left(g, p, other)
        if count < fewest:
            fewest = count
        worth[other] = -g.phase_worth * count - g.point_worth * get3(p, g.o_totals + 3 * other)
        if worth[other] > best:
            best = worth[other]
    scale = 1 / sqrt(1.0 + fewest)
    for other in range(g.players):
        worth[other] = exp((worth[other] - best) * scale)
        total += worth[other]
    return worth[seat] / total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def carry_out(
    g: Layout,
    p: cython.p_uchar,
    rng: cython.p_ulonglong,
    action: cython.int,
    way: cython.p_uchar,
) -> cython.int:
    """Carry out a legal action of any kind; ``way`` says how, for LAY_THIS."""
    if action >= g.a_lay:
        find_lay(g, p, action - g.a_lay, way)
    elif action != LAY_THIS:
        return act(g, p, rng, action)
    return lay(g, p, way)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def own_card_on_top(g: Layout, p: cython.p_uchar, owners: cython.p_uchar) -> cython.void:
    """Bring the next card meant for the seat on turn to the top of the draw pile.

    Every card of the pile is meant for a seat, whatever card it is. So one player's taking a
    discard does not change what all the others draw, and tries differ by the action tried and
    not by all that chance makes of it.
    """
    top: cython.int = g.deck_size - p[DRAWS]
    i: cython.int = top
    card: cython.int
    place: cython.int = p[PLACE]
    while i < g.deck_size and owners[i] != place:
        i += 1
    if i == top or i == g.deck_size:
        return
    card = p[g.o_pile + i]
    p[g.o_pile + i] = p[g.o_pile + top]
    p[g.o_pile + top] = card
    owners[i] = owners[top]
    owners[top] = place


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share_out(g: Layout, p: cython.p_uchar, owners: cython.p_uchar) -> cython.void:
    """Say for which player each place of the draw pile is meant: one after the other."""
    i: cython.int
    owner: cython.int = 0
    for i in range(g.deck_size):
        owners[i] = owner
        owner = owner + 1 if owner + 1 < p[PLAYING] else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_learned(
    g: Layout,
    p: cython.p_uchar,
    rng: cython.p_ulonglong,
    network: Network,
    edition: cython.int,
) -> cython.int:
    """Let the network play one action, or the sharp player where the network has none."""
    way: cython.uchar[32]
    action: cython.int
    if not cython.compiled:
        way = bytearray(32)
    action = network.choose(g, p, edition, way)
    if action == NOT_LEGAL:
        return play_one(g, p, rng, SHARP)
    return carry_out(g, p, rng, action, way)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_out(
    g: Layout,
    p: cython.p_uchar,
    rng: cython.p_ulonglong,
    seat: cython.int,
    result: cython.int,
    owners: cython.p_uchar,
    network: Network,
    edition: cython.int,
    sheets: SheetChances,
) -> cython.double:
    """Play the hand out, and say what the seat's chance to win is then.

    Everybody plays as the network does, which is told the edition, or as the sharp player where there is None.
    What the score sheet is worth then say those who have seen many, or a rule of thumb where there are None.
    """
    count: cython.int = 0
    while result == GOES_ON and count < MOST_ACTIONS:
        if p[STEP] == DRAW_STEP:
            own_card_on_top(g, p, owners)
        if network is None:
            result = play_one(g, p, rng, SHARP)
        else:
            result = play_learned(g, p, rng, network, edition)
        count += 1
    if result == GOES_ON:
        end_hand(g, p, NO_SEAT)
    if sheets is None or p[WINNER] or p[TIED]:
        return chance_to_win(g, p, seat)
    return sheets.chance(g, p, seat, edition)
