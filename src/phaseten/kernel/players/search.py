# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Trying out actions: in many worlds that a seat cannot tell apart, played to the end of the hand.

Every action is tried in the same worlds with the same chance, so that what differs is the action.
In these worlds everybody plays as the sharp player does, or as a network.
"""

from time import monotonic

from phaseten.kernel.players.network.look import check_edition

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        CHANCE_BYTES,
        GOES_ON,
        LAY_THIS,
        NO_STEP,
        RESHUFFLES,
        STEP,
        WAY_BYTES,
        Layout,
    )
    from cython.cimports.phaseten.kernel.chance import random_below, stream
    from cython.cimports.phaseten.kernel.engine import turn_of
    from cython.cimports.phaseten.kernel.knowledge import digest, resample
    from cython.cimports.phaseten.kernel.laying import find_lay, number_of_way
    from cython.cimports.phaseten.kernel.legality import is_legal
    from cython.cimports.phaseten.kernel.players.candidates import STUCK, list_candidates
    from cython.cimports.phaseten.kernel.players.network.look import Network, fits_network
    from cython.cimports.phaseten.kernel.players.network.sheet_chances import SheetChances
    from cython.cimports.phaseten.kernel.players.playouts import (
        MOST_ACTIONS,
        carry_out,
        own_card_on_top,
        play_out,
        share_out,
    )
    from cython.cimports.phaseten.kernel.players.worlds import copy_state, make_hands_likely
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import random_below, stream
    from phaseten.kernel.engine import turn_of
    from phaseten.kernel.knowledge import digest, resample
    from phaseten.kernel.laying import find_lay, number_of_way
    from phaseten.kernel.legality import is_legal
    from phaseten.kernel.players.candidates import STUCK, list_candidates
    from phaseten.kernel.players.network.look import Network, fits_network
    from phaseten.kernel.players.network.sheet_chances import SheetChances
    from phaseten.kernel.players.playouts import (
        MOST_ACTIONS,
        carry_out,
        own_card_on_top,
        play_out,
        share_out,
    )
    from phaseten.kernel.players.worlds import copy_state, make_hands_likely

NOBODY = cython.declare(cython.int, 255)
FOR_EVER = float("inf")


@cython.cclass
class Search:
    """Tries the actions of the seat on turn. The same seed and knowledge give the same worlds."""

    layout: Layout
    state: cython.uchar[1536]
    way: cython.uchar[32]
    has_way: cython.bint
    seat: cython.int
    start: cython.ulonglong

    def __init__(self, layout: Layout, state: bytes, seed: cython.ulonglong) -> None:
        i: cython.int
        self.layout = layout
        if not cython.compiled:
            self.state, self.way = bytearray(1536), bytearray(32)
        self.has_way = False
        if len(state) != layout.state_size + CHANCE_BYTES or state[STEP] == NO_STEP:
            raise ValueError("this was not saved in a hand of a game by the same rules")
        for i in range(layout.state_size):
            self.state[i] = state[i]
        self.seat = turn_of(self.state)
        self.start = stream(seed, digest(layout, self.state, self.seat))

    def candidates(self, most: cython.int) -> list:
        """The actions worth trying, the sharp choice first; not many more than ``most``.

        LAY_THIS stands for the way to lay that the sharp player has chosen: see :meth:`chosen_way`.
        """
        actions: cython.int[64]
        rng: cython.ulonglong[1]
        i: cython.int
        if not cython.compiled:
            actions, rng = [0] * 64, [0]
        rng[0] = self.start
        i = list_candidates(self.layout, self.state, rng, min(most, 16), actions, self.way)
        self.has_way = actions[0] == LAY_THIS
        return [actions[j] for j in range(i)]

    def chosen_way(self) -> bytes:
        """The way to lay that LAY_THIS stands for."""
        i: cython.int
        if not self.has_way:
            raise ValueError("no way to lay was chosen")
        return bytes([self.way[i] for i in range(4 + self.way[1])])

    def run(
        self,
        actions: cython.int[::1],
        first: cython.int,
        values: cython.double[:, ::1],
        seconds: cython.double = FOR_EVER,
        network: Network = None,
        edition: cython.int = 0,
        sheets: SheetChances = None,
    ) -> cython.int:
        """Try the actions in a world for each row of ``values``, of which the first has a number.

        The hands are played out by the network, if one is given, and what their ends are worth is what ``sheets``
        say, both with that input for the edition.
        After so many seconds no further world is begun; how many there were.
        """
        world: cython.uchar[1536]
        trial: cython.uchar[1536]
        way: cython.uchar[32]
        owners: cython.uchar[256]
        rng: cython.ulonglong[1]
        i: cython.int
        j: cython.int
        k: cython.int
        result: cython.int
        chance: cython.ulonglong
        if not cython.compiled:
            world, trial, rng = bytearray(1536), bytearray(1536), [0]
            owners, way = bytearray(256), bytearray(32)
        if values.shape[1] != actions.shape[0]:
            raise ValueError("values must have a column for each action")
        if network is not None or sheets is not None:
            check_edition(edition)
            if not fits_network(self.layout):
                raise ValueError("networks do not play such games")
        end: cython.double = monotonic() + seconds
        ways: cython.uchar[::1] = self._ways(actions)
        for i in range(values.shape[0]):
            if i and monotonic() >= end:
                return i
            with cython.nogil:
                self.imagine(first + i, world, rng)
                chance = rng[0]
                for j in range(actions.shape[0]):
                    copy_state(self.layout, world, trial)
                    rng[0] = chance
                    share_out(self.layout, trial, owners)
                    own_card_on_top(self.layout, trial, owners)
                    result = actions[j]
                    if result < 0 or result >= self.layout.a_lay:
                        result = LAY_THIS
                        for k in range(WAY_BYTES):
                            way[k] = ways[j * WAY_BYTES + k]
                    result = carry_out(self.layout, trial, rng, result, way)
                    values[i, j] = play_out(
                        self.layout, trial, rng, self.seat, result, owners, network, edition, sheets
                    )
        return values.shape[0]

    def _ways(self, actions: cython.int[::1]) -> bytearray:
        """The way of each action that lays; a ValueError where an action is not legal."""
        way: cython.uchar[32]
        legal: cython.bint
        j: cython.int
        k: cython.int
        if not cython.compiled:
            way = bytearray(32)
        ways: bytearray = bytearray(WAY_BYTES * actions.shape[0])
        for j in range(actions.shape[0]):
            if actions[j] >= self.layout.a_lay:
                legal = find_lay(self.layout, self.state, actions[j] - self.layout.a_lay, way) < 0
            elif actions[j] == LAY_THIS:
                legal = self.has_way
                for k in range(WAY_BYTES):
                    way[k] = self.way[k]
            else:
                legal = is_legal(self.layout, self.state, actions[j])
            if not legal:
                raise ValueError(f"action {actions[j]} is not legal here")
            for k in range(WAY_BYTES):
                ways[j * WAY_BYTES + k] = way[k]  # of no use where nothing is laid
        return ways

    def world(self, number: cython.int) -> bytes:
        """The world of that number, as a game that can be restored."""
        world: cython.uchar[1536]
        rng: cython.ulonglong[1]
        if not cython.compiled:
            world, rng = bytearray(1536), [0]
        self.imagine(number, world, rng)
        chance = int(rng[0]).to_bytes(8, "little")
        # Its later hands follow from its own chance: those of the true game are not for the seat.
        return bytes(world[: self.layout.state_size]) + chance + chance.ljust(32, b"\0")

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
        way: cython.uchar[32]
        owners: cython.uchar[256]
        rng: cython.ulonglong[1]
        if not cython.compiled:
            trial, actions, owners, rng = bytearray(1536), [0] * 64, bytearray(256), [0]
            way = bytearray(32)
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
                    action = self.stray(trial, rng, i, most, actions, way)
                    if first < 0 and action == LAY_THIS:
                        first = self.layout.a_lay + number_of_way(self.layout, trial, way)
                    elif first < 0:
                        first = action
                    result = carry_out(self.layout, trial, rng, action, way)
                value = play_out(self.layout, trial, rng, self.seat, result, owners, None, 0, None)
                if value > highest:
                    highest = value
                    best = first
                if first < 0:
                    break
        if best < 0:
            best = self.candidates(1)[0]
            if best == LAY_THIS:
                best = self.layout.a_lay + number_of_way(self.layout, self.state, self.way)
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
        way: cython.p_uchar,
    ) -> cython.int:
        """The sharp choice; but for this seat, in all tries but the first, not always."""
        count: cython.int = list_candidates(self.layout, p, rng, most, actions, way)
        if number and turn_of(p) == self.seat and random_below(rng, 4) == 0:
            return actions[random_below(rng, count)]
        return actions[0]
