# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Trying out actions: in many worlds that a seat cannot tell apart, played to the end of the hand.

Every action is tried in the same worlds with the same chance, so that what differs is the action.
In these worlds everybody plays as the sharp player does.
"""

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp, sqrt
    from cython.cimports.phaseten.kernel.layout import (
        DISCARD,
        DRAW_STEP,
        DRAWS,
        GOES_ON,
        HAND,
        NO_STEP,
        ORDER,
        PLACE,
        PLAYING,
        RESHUFFLES,
        STEP,
        TIED,
        WINNER,
        Layout,
    )
    from cython.cimports.phaseten.kernel.engine import (
        act,
        end_hand,
        get3,
        lay,
        random_below,
        stream,
        turn_of,
    )
    from cython.cimports.phaseten.kernel.players.sharp import (
        best_face,
        choose_sharp,
        next_player,
        score_discards,
    )
    from cython.cimports.phaseten.kernel.knowledge import digest, resample
    from cython.cimports.phaseten.kernel.laying import aim, find_lay, number_of_way
    from cython.cimports.phaseten.kernel.legality import is_legal, list_simple
    from cython.cimports.phaseten.kernel.players.choice import play_one
    from cython.cimports.phaseten.kernel.players.casual import hold, phase_to_make, wanted
else:
    from math import exp, sqrt

    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.engine import (
        act,
        end_hand,
        get3,
        lay,
        random_below,
        stream,
        turn_of,
    )
    from phaseten.kernel.players.sharp import best_face, choose_sharp, next_player, score_discards
    from phaseten.kernel.knowledge import digest, resample
    from phaseten.kernel.laying import aim, find_lay, number_of_way
    from phaseten.kernel.legality import is_legal, list_simple
    from phaseten.kernel.players.choice import play_one
    from phaseten.kernel.players.casual import hold, phase_to_make, wanted

SHARP = cython.declare(cython.int, 2)
MOST_ACTIONS = cython.declare(cython.int, 400)  # a hand that takes longer is thought stuck
STUCK = cython.declare(cython.int, 3)  # so is one after so many reshuffles: no use in trying
HANDS_TRIED = cython.declare(cython.int, 12)  # until one agrees with what its seat passed over
LONGEST_PAST = cython.declare(cython.int, 12)
MOST_HITS = cython.declare(cython.int, 5)
MOST_LAYS = cython.declare(cython.int, 4)
NOBODY = cython.declare(cython.int, 255)
DISCARDS_INSTEAD = cython.declare(cython.int, 2)  # of laying or hitting
NO_SCORE = cython.declare(cython.double, -1e9)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_hands_likely(
    g: Layout, p: cython.p_uchar, seat: cython.int, rng: cython.p_ulonglong
) -> cython.void:
    """Let the others have lived through the hand.

    Who has drawn and discarded for some turns holds better cards than those of a deal: as many
    times as there were turns, a card is exchanged for one of the draw pile if that helps.
    """
    way: cython.uchar[32]
    if not cython.compiled:
        way = bytearray(32)
    i: cython.int
    who: cython.int
    next_one: cython.int = next_player(g, p)
    turns: cython.int = (g.deck_size - g.deal * p[PLAYING] - 1 - p[DRAWS]) // p[PLAYING]
    if p[RESHUFFLES] or p[RESHUFFLES + 1] or turns > LONGEST_PAST:
        turns = LONGEST_PAST
    if p[DRAWS] == 0:
        return
    for i in range(p[PLAYING]):
        who = p[ORDER + i]
        if who == seat or p[g.o_made + who]:
            continue
        # Only who is next can take a discard, so it is worth knowing what they do not want.
        make_hand_likely(g, p, who, turns, HANDS_TRIED if who == next_one else 1, rng, way)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_hand_likely(
    g: Layout,
    p: cython.p_uchar,
    who: cython.int,
    turns: cython.int,
    tries: cython.int,
    rng: cython.p_ulonglong,
    way: cython.p_uchar,
) -> cython.void:
    """Give a hand so many turns; of some such hands take one that agrees with what its seat passed over."""
    likely: cython.uchar[1536]
    if not cython.compiled:
        likely = bytearray(1536)
    i: cython.int
    j: cython.int
    wrong: cython.int = 0
    fewest: cython.int = 1000
    phase: cython.int = phase_to_make(g, p, who, way)
    for i in range(tries):
        if i:
            redeal(g, p, who, rng)
        for j in range(turns):
            exchange(g, p, who, phase, rng, way)
        wrong = count_passed_over(g, p, who, phase, way) if tries > 1 else 0
        if wrong == 0:
            return
        if wrong < fewest:
            fewest = wrong
            copy_state(g, p, likely)
    if wrong > fewest:
        copy_state(g, likely, p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_passed_over(
    g: Layout, p: cython.p_uchar, who: cython.int, phase: cython.int, way: cython.p_uchar
) -> cython.int:
    """How many of the cards that the seat did not want would bring this hand nearer to its Phase."""
    face: cython.int
    count: cython.int = 0
    lack: cython.int = aim(g, p, who, phase, way)
    for face in range(g.naturals):
        if (p[g.o_passed_over + who * g.passed_over_bytes + face // 8] >> face % 8) & 1:
            hold(g, p, who, face, 1)
            if aim(g, p, who, phase, way) < lack:
                count += 1
            hold(g, p, who, face, -1)
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def redeal(g: Layout, p: cython.p_uchar, who: cython.int, rng: cython.p_ulonglong) -> cython.void:
    """Exchange the cards of a hand that are not known for any of the draw pile."""
    hidden: cython.uchar[256]
    if not cython.compiled:
        hidden = bytearray(256)
    i: cython.int
    at: cython.int
    face: cython.int
    count: cython.int = 0
    for face in range(g.faces):
        for i in range(p[g.o_held + who * g.faces + face] - known_of(g, p, who, face)):
            hidden[count] = face
            count += 1
    for i in range(count):
        if could_be_drawn(g, p, hidden[i]):
            at = g.o_pile + g.deck_size - 1 - random_below(rng, p[DRAWS])
            hold(g, p, who, hidden[i], -1)
            hold(g, p, who, p[at], 1)
            p[at] = hidden[i]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def known_of(g: Layout, p: cython.p_uchar, who: cython.int, face: cython.int) -> cython.int:
    """How many cards of a face the seat is known to hold."""
    i: cython.int
    count: cython.int = 0
    for i in range(p[g.o_known_size + who]):
        if p[g.o_known + who * g.known_most + i] == face:
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exchange(
    g: Layout,
    p: cython.p_uchar,
    who: cython.int,
    phase: cython.int,
    rng: cython.p_ulonglong,
    way: cython.p_uchar,
) -> cython.void:
    """Exchange a card that is of no use for one of the draw pile, unless that completes a Phase."""
    at: cython.int = g.o_pile + g.deck_size - 1 - random_below(rng, p[DRAWS])
    new: cython.int = p[at]
    held: cython.int = g.o_held + who * g.faces
    face: cython.int
    spare: cython.int
    worst: cython.int = -1
    least: cython.int = 100
    if new == g.skip:
        return
    hold(g, p, who, new, 1)
    if aim(g, p, who, phase, way) <= p[held + g.wild]:
        hold(g, p, who, new, -1)
        return
    for face in range(g.naturals - 1, -1, -1):
        if not p[held + face]:
            continue
        if p[held + face] <= known_of(g, p, who, face) or not could_be_drawn(g, p, face):
            continue
        spare = wanted(g, p, who, way, face)
        if spare < least:
            least = spare
            worst = face
    if worst < 0:
        worst = new
    hold(g, p, who, worst, -1)
    p[at] = worst


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def could_be_drawn(g: Layout, p: cython.p_uchar, face: cython.int) -> cython.bint:
    """Whether a card more of that face can be in the draw pile, by what was last shuffled into it."""
    i: cython.int
    left: cython.int
    if not p[RESHUFFLES] and not p[RESHUFFLES + 1]:
        return True
    left = p[g.o_recycled + face]
    for i in range(g.deck_size - p[DRAWS], g.deck_size):
        if p[g.o_pile + i] == face:
            left -= 1
    return left > 0


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
    g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong, action: cython.int
) -> cython.int:
    """Carry out a legal action of any kind."""
    way: cython.uchar[32]
    if not cython.compiled:
        way = bytearray(32)
    if action < g.a_lay:
        return act(g, p, rng, action)
    find_lay(g, p, action - g.a_lay, way)
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
def play_out(
    g: Layout,
    p: cython.p_uchar,
    rng: cython.p_ulonglong,
    seat: cython.int,
    result: cython.int,
    owners: cython.p_uchar,
) -> cython.double:
    """Play the hand out, and say what the seat's chance to win is then."""
    count: cython.int = 0
    while result == GOES_ON and count < MOST_ACTIONS:
        if p[STEP] == DRAW_STEP:
            own_card_on_top(g, p, owners)
        result = play_one(g, p, rng, SHARP)
        count += 1
    if result == GOES_ON and not p[TIED]:  # who goes out of a tie-break wins, and nobody did
        end_hand(g, p, seat)
    return chance_to_win(g, p, seat)


# -- what is worth trying -----------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_candidates(
    g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong, most: cython.int, out: cython.p_int
) -> cython.int:
    """Write what is worth trying, the sharp choice first; how many they are.

    All draws and Skips, some hits and ways to lay, and the discards that seem best to the sharp player.
    """
    way: cython.uchar[32]
    if not cython.compiled:
        way = bytearray(32)
    choice: cython.int = choose_sharp(g, p, rng, way)
    count: cython.int
    if choice < 0:
        choice = g.a_lay + number_of_way(g, p, way)
    out[0] = choice
    if p[RESHUFFLES] >= STUCK or p[RESHUFFLES + 1]:
        return 1
    count = add_simple(g, p, choice, out)
    if p[STEP] == DRAW_STEP:
        return count
    if choice >= g.a_lay:
        count = add_lays(g, p, choice, count, out)
    return add_discards(g, p, choice, most if choice < g.a_hit else DISCARDS_INSTEAD, count, out)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_simple(g: Layout, p: cython.p_uchar, choice: cython.int, out: cython.p_int) -> cython.int:
    """Write draws, Skips and hits after the choice; how many there are then."""
    actions: cython.int[1024]
    if not cython.compiled:
        actions = [0] * 1024
    count: cython.int = 1
    hits: cython.int = 0
    action: cython.int
    i: cython.int
    for i in range(list_simple(g, p, actions, 1024)):
        action = actions[i]
        if action == choice or DISCARD <= action < g.a_skip:
            continue
        if action >= g.a_hit:
            hits += 1
            if hits > MOST_HITS:
                continue
        out[count] = action
        count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_lays(
    g: Layout, p: cython.p_uchar, choice: cython.int, count: cython.int, out: cython.p_int
) -> cython.int:
    """Write the first ways to lay behind the others; how many there are then."""
    way: cython.uchar[32]
    if not cython.compiled:
        way = bytearray(32)
    i: cython.int
    for i in range(MOST_LAYS):
        if g.a_lay + i != choice and find_lay(g, p, i, way) < 0:
            out[count] = g.a_lay + i
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_discards(
    g: Layout,
    p: cython.p_uchar,
    choice: cython.int,
    most: cython.int,
    count: cython.int,
    out: cython.p_int,
) -> cython.int:
    """Write the discards that seem best to the sharp player behind the others; how many there are then."""
    scores: cython.double[64]
    way: cython.uchar[32]
    if not cython.compiled:
        scores, way = [0.0] * 64, bytearray(32)
    seat: cython.int = turn_of(p)
    phase: cython.int = -1
    i: cython.int
    best: cython.int
    if not p[g.o_made + seat]:
        phase = phase_to_make(g, p, seat, way)
    score_discards(g, p, seat, phase, scores)
    for i in range(most):
        best = best_face(g, scores)
        if best < 0:
            break
        scores[best] = NO_SCORE
        if DISCARD + best != choice:
            out[count] = DISCARD + best
            count += 1
    return count


# -- trying -------------------------------------------------------------------------------------


@cython.cclass
class Search:
    """Tries the actions of the seat on turn. The same seed and knowledge give the same worlds."""

    layout: Layout
    state: cython.uchar[1536]
    seat: cython.int
    start: cython.ulonglong

    def __init__(self, layout: Layout, state: bytes, seed: cython.ulonglong) -> None:
        i: cython.int
        self.layout = layout
        if not cython.compiled:
            self.state = bytearray(1536)
        if len(state) != layout.state_size + 8 or state[STEP] == NO_STEP:
            raise ValueError("this was not saved in a hand of a game by the same rules")
        for i in range(layout.state_size):
            self.state[i] = state[i]
        self.seat = turn_of(self.state)
        self.start = stream(seed, digest(layout, self.state, self.seat))

    def candidates(self, most: cython.int) -> list:
        """The actions worth trying, the sharp choice first; not many more than ``most``."""
        actions: cython.int[64]
        rng: cython.ulonglong[1]
        i: cython.int
        if not cython.compiled:
            actions, rng = [0] * 64, [0]
        rng[0] = self.start
        i = list_candidates(self.layout, self.state, rng, min(most, 16), actions)
        return [actions[j] for j in range(i)]

    def run(
        self, actions: cython.int[::1], first: cython.int, values: cython.double[:, ::1]
    ) -> None:
        """Try the actions in a world for each row of ``values``, of which the first has a number."""
        world: cython.uchar[1536]
        trial: cython.uchar[1536]
        owners: cython.uchar[256]
        rng: cython.ulonglong[1]
        i: cython.int
        j: cython.int
        result: cython.int
        chance: cython.ulonglong
        if not cython.compiled:
            world, trial, rng = bytearray(1536), bytearray(1536), [0]
            owners = bytearray(256)
        if values.shape[1] != actions.shape[0]:
            raise ValueError("values must have a column for each action")
        for j in range(actions.shape[0]):
            self._check_legal(actions[j])
        with cython.nogil:
            for i in range(values.shape[0]):
                self.imagine(first + i, world, rng)
                chance = rng[0]
                for j in range(actions.shape[0]):
                    copy_state(self.layout, world, trial)
                    rng[0] = chance
                    share_out(self.layout, trial, owners)
                    own_card_on_top(self.layout, trial, owners)
                    result = carry_out(self.layout, trial, rng, actions[j])
                    values[i, j] = play_out(self.layout, trial, rng, self.seat, result, owners)

    def _check_legal(self, action: cython.int) -> None:
        """Raise a ValueError unless the action is legal."""
        way: cython.uchar[32]
        legal: cython.bint
        if not cython.compiled:
            way = bytearray(32)
        if action >= self.layout.a_lay:
            legal = find_lay(self.layout, self.state, action - self.layout.a_lay, way) < 0
        else:
            legal = is_legal(self.layout, self.state, action)
        if not legal:
            raise ValueError(f"action {action} is not legal here")

    def world(self, number: cython.int) -> bytes:
        """The world of that number, as a game that can be restored."""
        world: cython.uchar[1536]
        rng: cython.ulonglong[1]
        if not cython.compiled:
            world, rng = bytearray(1536), [0]
        self.imagine(number, world, rng)
        return bytes(world[: self.layout.state_size]) + int(rng[0]).to_bytes(8, "little")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def imagine(
        self, number: cython.int, world: cython.p_uchar, rng: cython.p_ulonglong
    ) -> cython.void:
        """Write the world of that number, and the chance of what happens in it."""
        rng[0] = stream(self.start, number)
        copy_state(self.layout, self.state, world)
        resample(self.layout, world, self.seat, rng)
        make_hands_likely(self.layout, world, self.seat, rng)

    def peek(self, tries: cython.int, most: cython.int) -> cython.int:
        """The first action of the best of some ways to play on, in the true world.

        This looks at all cards: it says what knowing them is worth.
        """
        trial: cython.uchar[1536]
        actions: cython.int[64]
        owners: cython.uchar[256]
        rng: cython.ulonglong[1]
        if not cython.compiled:
            trial, actions, owners, rng = bytearray(1536), [0] * 64, bytearray(256), [0]
        i: cython.int
        count: cython.int
        result: cython.int
        action: cython.int
        first: cython.int
        best: cython.int = -1
        value: cython.double
        highest: cython.double = -1
        for i in range(self.layout.deck_size):
            owners[i] = NOBODY  # the cards stay in their true order
        with cython.nogil:
            for i in range(tries):
                rng[0] = stream(self.start, i)
                copy_state(self.layout, self.state, trial)
                result = GOES_ON
                first = -1
                count = 0
                while result == GOES_ON and trial[RESHUFFLES] < STUCK and count < MOST_ACTIONS:
                    count += 1
                    action = self.stray(trial, rng, i, most, actions)
                    if first < 0:
                        first = action
                    result = carry_out(self.layout, trial, rng, action)
                value = play_out(self.layout, trial, rng, self.seat, result, owners)
                if value > highest:
                    highest = value
                    best = first
                if first < 0:
                    break
        if best < 0:
            best = self.candidates(1)[0]
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def stray(
        self,
        p: cython.p_uchar,
        rng: cython.p_ulonglong,
        number: cython.int,
        most: cython.int,
        actions: cython.p_int,
    ) -> cython.int:
        """The sharp choice; but for this seat, in all tries but the first, not always."""
        count: cython.int = list_candidates(self.layout, p, rng, most, actions)
        if number and turn_of(p) == self.seat and random_below(rng, 4) == 0:
            return actions[random_below(rng, count)]
        return actions[0]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def copy_state(g: Layout, source: cython.p_uchar, target: cython.p_uchar) -> cython.void:
    """Copy a state."""
    i: cython.int
    for i in range(g.state_size):
        target[i] = source[i]
