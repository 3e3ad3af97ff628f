# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What a position holds for everybody at the table: the coach's trials.

As in ``search.py`` sharp players play the hand out, but every seat's chance is noted, and what the end
of a hand is worth is handed in. Besides worlds that one seat cannot tell apart there is the true one, of
which only the order of the draw pile is open.
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import exp
    from cython.cimports.phaseten.kernel.layout import (
        CHANCE_BYTES,
        DRAWS,
        GOES_ON,
        LAY_THIS,
        NO_STEP,
        STEP,
        TIED,
        WINNER,
        Layout,
    )
    from cython.cimports.phaseten.kernel.chance import shuffle, stream
    from cython.cimports.phaseten.kernel.engine import get3, turn_of
    from cython.cimports.phaseten.kernel.knowledge import digest, resample
    from cython.cimports.phaseten.kernel.laying import number_of_way
    from cython.cimports.phaseten.kernel.players.candidates import list_candidates
    from cython.cimports.phaseten.kernel.players.playouts import (
        carry_out,
        own_card_on_top,
        play_out,
        share_out,
    )
    from cython.cimports.phaseten.kernel.players.worlds import copy_state, make_hands_likely
else:
    from math import exp
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import shuffle, stream
    from phaseten.kernel.engine import get3, turn_of
    from phaseten.kernel.knowledge import digest, resample
    from phaseten.kernel.laying import number_of_way
    from phaseten.kernel.players.candidates import list_candidates
    from phaseten.kernel.players.playouts import (
        carry_out,
        own_card_on_top,
        play_out,
        share_out,
    )
    from phaseten.kernel.players.worlds import copy_state, make_hands_likely


@cython.cclass
class Outlook:
    """Plays on from a position many times. The same seed and knowledge give the same worlds.

    ``worth`` and ``points`` say what the end of the hand is worth, with a row for every set of seats
    that made their Phase: see :class:`phaseten.analysis.stakes.Prices`.
    """

    layout: Layout
    state: cython.uchar[1536]
    seat: cython.int
    start: cython.ulonglong
    worth: cython.double[:, ::1]
    points: cython.double[:, ::1]

    def __init__(
        self,
        layout: Layout,
        state: bytes,
        seed: cython.ulonglong,
        worth: cython.double[:, ::1],
        points: cython.double[:, ::1],
    ) -> None:
        i: cython.int
        self.layout = layout
        if not cython.compiled:
            self.state = bytearray(1536)
        if len(state) != layout.state_size + CHANCE_BYTES or state[STEP] == NO_STEP:
            raise ValueError("this was not saved in a hand of a game by the same rules")
        if (
            worth.shape[0] != 1 << layout.players
            or worth.shape[1] != layout.players
            or points.shape[0] != worth.shape[0]
            or points.shape[1] != worth.shape[1]
        ):
            raise ValueError("every set of seats needs its row, and every seat its column")
        for i in range(layout.state_size):
            self.state[i] = state[i]
        self.seat = turn_of(self.state)
        self.start = stream(seed, digest(layout, self.state, self.seat))
        self.worth = worth
        self.points = points

    def candidates(self, most: cython.int) -> list:
        """The actions worth trying, the sharp choice first; not many more than ``most``."""
        actions: cython.int[64]
        rng: cython.ulonglong[1]
        way: cython.uchar[32]
        i: cython.int
        if not cython.compiled:
            actions, rng, way = [0] * 64, [0], bytearray(32)
        rng[0] = self.start
        i = list_candidates(self.layout, self.state, rng, min(most, 16), actions, way)
        if actions[0] == LAY_THIS:
            actions[0] = self.layout.a_lay + number_of_way(self.layout, self.state, way)
        return [actions[j] for j in range(i)]

    def imagine(
        self, actions: cython.int[:, ::1], first: cython.int, values: cython.double[:, :, ::1]
    ) -> None:
        """Try actions in worlds that the seat on turn cannot tell apart.

        Each row of ``actions`` has one or several that are done one after the other, then -1.
        ``values`` gets, for each world, of which the first has a number, and each row, the chance of
        every seat.
        """
        world: cython.uchar[1536]
        trial: cython.uchar[1536]
        owners: cython.uchar[256]
        rng: cython.ulonglong[1]
        i: cython.int
        j: cython.int
        chance: cython.ulonglong
        if not cython.compiled:
            world, trial, rng = bytearray(1536), bytearray(1536), [0]
            owners = bytearray(256)
        if values.shape[1] != actions.shape[0] or values.shape[2] != self.layout.players:
            raise ValueError("values must have a column for each action and each seat")
        with cython.nogil:
            for i in range(values.shape[0]):
                rng[0] = stream(self.start, first + i)
                copy_state(self.layout, self.state, world)
                resample(self.layout, world, self.seat, rng)
                make_hands_likely(self.layout, world, self.seat, rng)
                chance = rng[0]
                for j in range(actions.shape[0]):
                    copy_state(self.layout, world, trial)
                    rng[0] = chance
                    self.play_on(trial, rng, owners, actions, j)
                    self.note(self.layout, trial, values, i, j)

    def foresee(
        self, actions: cython.int[:, ::1], first: cython.int, values: cython.double[:, :, ::1]
    ) -> None:
        """The same in the true world, of which only the order of the draw pile is not known."""
        trial: cython.uchar[1536]
        owners: cython.uchar[256]
        rng: cython.ulonglong[1]
        i: cython.int
        j: cython.int
        chance: cython.ulonglong
        if not cython.compiled:
            trial, rng = bytearray(1536), [0]
            owners = bytearray(256)
        if values.shape[1] != actions.shape[0] or values.shape[2] != self.layout.players:
            raise ValueError("values must have a column for each action and each seat")
        with cython.nogil:
            for i in range(values.shape[0]):
                chance = stream(self.start, first + i)
                for j in range(actions.shape[0]):
                    rng[0] = chance
                    copy_state(self.layout, self.state, trial)
                    shuffle(
                        trial,
                        self.layout.o_pile + self.layout.deck_size - trial[DRAWS],
                        trial[DRAWS],
                        rng,
                    )
                    self.play_on(trial, rng, owners, actions, j)
                    self.note(self.layout, trial, values, i, j)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play_on(
        self,
        trial: cython.p_uchar,
        rng: cython.p_ulonglong,
        owners: cython.p_uchar,
        actions: cython.int[:, ::1],
        row: cython.int,
    ) -> cython.void:
        """Carry out the actions of a row, and let sharp players play the hand out."""
        way: cython.uchar[32]
        if not cython.compiled:
            way = bytearray(32)
        result: cython.int = GOES_ON
        i: cython.int
        share_out(self.layout, trial, owners)
        own_card_on_top(self.layout, trial, owners)
        for i in range(actions.shape[1]):
            if actions[row, i] < 0 or result != GOES_ON:
                break
            result = carry_out(self.layout, trial, rng, actions[row, i], way)
        play_out(self.layout, trial, rng, self.seat, result, owners, None, 0, None)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note(
        self,
        g: Layout,
        p: cython.p_uchar,
        values: cython.double[:, :, ::1],
        i: cython.int,
        j: cython.int,
    ) -> cython.void:
        """Write everybody's chance to win after a hand."""
        seat: cython.int
        made: cython.int = 0
        tied: cython.int = 0
        mean: cython.double = 0
        best: cython.double = -1e9
        total: cython.double = 0
        if p[WINNER] or p[TIED]:
            for seat in range(g.players):
                tied += (p[TIED] >> seat) & 1
            for seat in range(g.players):
                if p[WINNER]:
                    values[i, j, seat] = 1.0 if p[WINNER] == seat + 1 else 0.0
                else:
                    values[i, j, seat] = 1.0 / tied if (p[TIED] >> seat) & 1 else 0.0
            return
        for seat in range(g.players):
            mean += get3(p, g.o_totals + 3 * seat)
            if p[g.o_made + seat]:
                made += 1 << seat
        mean /= g.players
        for seat in range(g.players):
            values[i, j, seat] = self.worth[made, seat] - self.points[made, seat] * (
                get3(p, g.o_totals + 3 * seat) - mean
            )
            if values[i, j, seat] > best:
                best = values[i, j, seat]
        for seat in range(g.players):
            values[i, j, seat] = exp(values[i, j, seat] - best)
            total += values[i, j, seat]
        for seat in range(g.players):
            values[i, j, seat] /= total
