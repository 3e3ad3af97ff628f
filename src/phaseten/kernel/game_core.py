# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The state of one game, and everything that can be done with it."""

import cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        DRAW_STEP,
        HAND_OVER,
        NO_STEP,
        STEP,
        WINNER,
        Layout,
    )
    from cython.cimports.phaseten.kernel.engine import (
        act,
        begin,
        deal_pile,
        deal_shuffled,
        get3,
        lay,
        random_below,
        stream,
        turn_of,
    )
    from cython.cimports.phaseten.kernel.legality import is_legal, list_simple
    from cython.cimports.phaseten.kernel.players.choice import choose_by
    from cython.cimports.phaseten.kernel.knowledge import (
        digest,
        observation_size,
        observe,
        resample,
    )
    from cython.cimports.phaseten.kernel.laying import count_lays, find_lay, number_of_way
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.engine import (
        act,
        begin,
        deal_pile,
        deal_shuffled,
        get3,
        lay,
        random_below,
        stream,
        turn_of,
    )
    from phaseten.kernel.legality import is_legal, list_simple
    from phaseten.kernel.players.choice import choose_by
    from phaseten.kernel.knowledge import digest, observation_size, observe, resample
    from phaseten.kernel.laying import count_lays, find_lay, number_of_way


@cython.cclass
class GameCore:
    """The state of one game: what :class:`phaseten.kernel.Game` is built on. Seats count from 0."""

    layout: Layout
    state: cython.uchar[1536]
    rng: cython.ulonglong[1]
    setup = cython.declare(object, visibility="public")
    """What belongs to all games by the same rules; copies share it."""
    deals_itself = cython.declare(cython.bint, visibility="public")
    """A new hand is dealt as soon as one is over."""

    def __cinit__(self, layout: Layout) -> None:
        if layout is None:
            raise TypeError("a game needs a layout")
        self.layout = layout
        self.deals_itself = True
        if not cython.compiled:
            self.state = bytearray(1536)
            self.rng = [0]

    if not cython.compiled:

        def __new__(cls, layout):
            self = object.__new__(cls)
            self.__cinit__(layout)
            return self

    def begin(self, dealer: cython.int, seed: cython.ulonglong) -> None:
        """Start a game; deal with :meth:`deal` or :meth:`deal_order`."""
        if not 0 <= dealer < self.layout.players:
            raise ValueError(f"seat {dealer} cannot deal")
        self.rng[0] = stream(seed, 0)
        begin(self.layout, self.state, dealer)

    def deal(self) -> None:
        """Shuffle and deal the next hand."""
        self._check_between_hands()
        deal_shuffled(self.layout, self.state, self.rng)

    def deal_order(self, order: bytes) -> None:
        """Deal the next hand from a deck in this order."""
        i: cython.int
        self._check_between_hands()
        if sorted(order) != sorted(self.layout.deck):
            raise ValueError("these are not the cards of the deck")
        for i in range(self.layout.deck_size):
            self.state[self.layout.o_pile + i] = order[i]
        deal_pile(self.layout, self.state)

    def _check_between_hands(self) -> None:
        if self.state[STEP] != NO_STEP or self.state[WINNER]:
            raise ValueError("a hand is going on, or the game is over")

    def legal(self) -> list:
        """The legal actions; ways to lay last."""
        actions: cython.int[1024]
        if not cython.compiled:
            actions = [0] * 1024
        i: cython.int
        count: cython.int = list_simple(self.layout, self.state, actions, 1024)
        result: list = [actions[i] for i in range(count)]
        if self.state[STEP] != DRAW_STEP:
            count = count_lays(self.layout, self.state)
            for i in range(count):
                result.append(self.layout.a_lay + i)
        return result

    def step(self, action: cython.int) -> cython.int:
        """Carry out an action: 0 the hand goes on, 1 it is over, 2 the game is over."""
        result: cython.int
        way: cython.uchar[32]
        if not cython.compiled:
            way = bytearray(32)
        if action >= self.layout.a_lay:
            if find_lay(self.layout, self.state, action - self.layout.a_lay, way) >= 0:
                raise ValueError(f"action {action} is not legal here")
            result = lay(self.layout, self.state, way)
        elif self.state[STEP] == NO_STEP or not is_legal(self.layout, self.state, action):
            raise ValueError(f"action {action} is not legal here")
        else:
            result = act(self.layout, self.state, self.rng, action)
        if result == HAND_OVER and self.deals_itself:
            deal_shuffled(self.layout, self.state, self.rng)
        return result

    def way(self, action: cython.int) -> bytes:
        """A way to lay: Phase, number of cards, shapes, then faces."""
        way: cython.uchar[32]
        if not cython.compiled:
            way = bytearray(32)
        i: cython.int
        if (
            action < self.layout.a_lay
            or find_lay(self.layout, self.state, action - self.layout.a_lay, way) >= 0
        ):
            raise ValueError(f"action {action} is not a way to lay here")
        return bytes([way[i] for i in range(4 + way[1])])

    def choose(self, policy: cython.int) -> cython.int:
        """The action that a built-in policy chooses, by the game's own chance."""
        return self._choose(policy, self.rng)

    def choose_seeded(self, policy: cython.int, seed: cython.ulonglong) -> cython.int:
        """The action that a built-in policy chooses: a function of the seed and what it knows."""
        rng: cython.ulonglong[1]
        if not cython.compiled:
            rng = [0]
        if self.state[STEP] != NO_STEP:
            rng[0] = stream(seed, digest(self.layout, self.state, turn_of(self.state)))
        return self._choose(policy, rng)

    @cython.cfunc
    @cython.exceptval(-1)
    def _choose(self, policy: cython.int, rng: cython.p_ulonglong) -> cython.int:
        way: cython.uchar[32]
        if not cython.compiled:
            way = bytearray(32)
        number: cython.int
        action: cython.int
        legal: list
        if self.state[STEP] == NO_STEP:
            raise ValueError("no hand is going on")
        if policy == 0:
            legal = self.legal()
            return legal[random_below(rng, len(legal))]
        action = choose_by(self.layout, self.state, rng, policy, way)
        if action >= 0:
            return action
        number = number_of_way(self.layout, self.state, way)
        if number < 0:
            raise AssertionError("a policy lays what cannot be laid")
        return self.layout.a_lay + number

    def save(self) -> bytes:
        """The whole state, to be restored later."""
        return bytes(self.state[: self.layout.state_size]) + int(self.rng[0]).to_bytes(8, "little")

    def restore(self, saved: bytes) -> None:
        """Go back to a saved state."""
        i: cython.int
        size: cython.int = self.layout.state_size
        if len(saved) != size + 8:
            raise ValueError("this was not saved from a game by the same rules")
        for i in range(size):
            self.state[i] = saved[i]
        self.rng[0] = int.from_bytes(saved[size:], "little")

    def resample_for(self, seat: cython.int) -> None:
        """Deal anew what the seat does not know."""
        self._check_seat(seat)
        if self.state[STEP] != NO_STEP:
            resample(self.layout, self.state, seat, self.rng)

    def observe_for(self, seat: cython.int, out: cython.short[::1]) -> None:
        """Write the seat's observation."""
        self._check_seat(seat)
        if len(out) != observation_size(self.layout):
            raise ValueError(f"an observation has {observation_size(self.layout)} numbers")
        if cython.compiled:
            observe(self.layout, self.state, seat, cython.address(out[0]))
        else:
            observe(self.layout, self.state, seat, memoryview(out))

    def observation_size(self) -> cython.int:
        """How many numbers an observation has."""
        return observation_size(self.layout)

    def _check_seat(self, seat: cython.int) -> None:
        if not 0 <= seat < self.layout.players:
            raise ValueError(f"there is no seat {seat + 1}")

    def at(self, place: cython.int) -> cython.int:
        """A byte of the state."""
        if not 0 <= place < self.layout.state_size:
            raise IndexError(place)
        return self.state[place]

    def total_of(self, seat: cython.int) -> cython.int:
        """The points of a seat."""
        self._check_seat(seat)
        return get3(self.state, self.layout.o_totals + 3 * seat)

    def copy(self):
        """A game of its own that is what this one is now, its chance included."""
        i: cython.int
        size: cython.int = self.layout.state_size
        other: GameCore = GameCore.__new__(type(self), self.layout)
        for i in range(size):
            other.state[i] = self.state[i]
        other.rng[0] = self.rng[0]
        other.setup = self.setup
        other.deals_itself = self.deals_itself
        return other
