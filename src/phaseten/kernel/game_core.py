# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The state of one game, and everything that can be done with it."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        CHANCE_BYTES,
        DRAW_DECK,
        DRAW_STEP,
        DRAWS,
        HAND,
        HAND_OVER,
        NO_STEP,
        RESHUFFLES,
        STEP,
        WAY_BYTES,
        WINNER,
        Layout,
    )
    from cython.cimports.phaseten.kernel.chance import random_below, stream
    from cython.cimports.phaseten.kernel.dealing import begin, deal_pile, gather_deck
    from cython.cimports.phaseten.kernel.engine import act, get3, lay, turn_discards_over, turn_of
    from cython.cimports.phaseten.kernel.knowledge import (
        digest,
        observation_size,
        observe,
        resample,
    )
    from cython.cimports.phaseten.kernel.laying import count_lays, find_lay, number_of_way
    from cython.cimports.phaseten.kernel.legality import is_legal, list_simple
    from cython.cimports.phaseten.kernel.players.choice import choose_by
    from cython.cimports.phaseten.kernel.players.playouts import chance_to_win
    from cython.cimports.phaseten.kernel.relative import (
        absolute_of,
        find_best_lay,
        mark_legal,
        relative_of,
    )
    from cython.cimports.phaseten.kernel.seeded_shuffle import make_keys, shuffle_by_seed
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import random_below, stream
    from phaseten.kernel.dealing import begin, deal_pile, gather_deck
    from phaseten.kernel.engine import act, get3, lay, turn_discards_over, turn_of
    from phaseten.kernel.knowledge import digest, observation_size, observe, resample
    from phaseten.kernel.laying import count_lays, find_lay, number_of_way
    from phaseten.kernel.legality import is_legal, list_simple
    from phaseten.kernel.players.choice import choose_by
    from phaseten.kernel.players.playouts import chance_to_win
    from phaseten.kernel.relative import absolute_of, find_best_lay, mark_legal, relative_of
    from phaseten.kernel.seeded_shuffle import make_keys, shuffle_by_seed


@cython.cclass
class GameCore:
    """The state of one game: what :class:`phaseten.kernel.Game` is built on. Seats count from 0."""

    layout: Layout
    state: cython.uchar[1536]
    rng: cython.ulonglong[1]
    seed: cython.ulonglong[4]
    keys: cython.uint[16]
    has_keys: cython.bint  # those that belong to the seed
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
            self.seed, self.keys, self.has_keys = [0] * 4, [0] * 16, False

    if not cython.compiled:

        def __new__(cls, layout):
            self = object.__new__(cls)
            self.__cinit__(layout)
            return self

    def begin(self, dealer: cython.int, chance: cython.ulonglong, seed: bytes) -> None:
        """Start a game; deal with :meth:`deal` or :meth:`deal_order`.

        ``chance`` is for the choices of players and for worlds; ``seed``, 32 bytes, for the deck.
        """
        if not 0 <= dealer < self.layout.players:
            raise ValueError(f"seat {dealer} cannot deal")
        self.rng[0] = stream(chance, 0)
        self._take_seed(seed)
        begin(self.layout, self.state, dealer)

    def _take_seed(self, seed: bytes) -> None:
        i: cython.int
        if len(seed) != 32:
            raise ValueError(f"a seed in bytes has 32 of them, not {len(seed)}")
        for i in range(4):
            self.seed[i] = int.from_bytes(seed[8 * i : 8 * i + 8], "little")
        self.has_keys = False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _shuffle(self, number: cython.int, first: cython.int, count: cython.int) -> cython.void:
        """The shuffle of that number in a hand, of so many cards of the pile."""
        if not self.has_keys:
            make_keys(self.seed, self.keys)
            self.has_keys = True
        hand: cython.int = self.state[HAND] + 256 * self.state[HAND + 1]
        if number == 0:
            hand += 1  # which is about to be dealt
        shuffle_by_seed(self.keys, hand, number, self.state, self.layout.o_pile + first, count)

    def deal(self) -> None:
        """Shuffle and deal the next hand."""
        self._check_between_hands()
        gather_deck(self.layout, self.state)
        self._shuffle(0, 0, self.layout.deck_size)
        deal_pile(self.layout, self.state)

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

    def mark(self, mask: cython.uchar[::1]) -> None:
        """Write which of a learner's actions are legal."""
        if len(mask) != self.layout.a_lay + 1:
            raise ValueError(f"a mask has {self.layout.a_lay + 1} numbers")
        if cython.compiled:
            mark_legal(self.layout, self.state, cython.address(mask[0]))
        else:
            mark_legal(self.layout, self.state, memoryview(mask))

    def absolute(self, action: cython.int) -> cython.int:
        """The number of a learner's action, whose seats are counted from the one on turn."""
        way: cython.uchar[32]
        if not cython.compiled:
            way = bytearray(32)
        if self.state[STEP] == NO_STEP or not 0 <= action <= self.layout.a_lay:
            raise ValueError(f"action {action} is not legal here")
        if action < self.layout.a_lay:
            return absolute_of(self.layout, turn_of(self.state), action)
        if not find_best_lay(self.layout, self.state, way):
            raise ValueError(f"action {action} is not legal here")
        return self._number_of(way)

    def relative(self, number: cython.int) -> cython.int:
        """The learner's action for a number: seats counted from the one on turn, one way to lay."""
        if self.state[STEP] == NO_STEP or number < 0:
            raise ValueError(f"action {number} is not legal here")
        return relative_of(self.layout, turn_of(self.state), number)

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
            if action == DRAW_DECK and self.state[DRAWS] == 0:
                self._reshuffle()
            result = act(self.layout, self.state, self.rng, action)
        if result == HAND_OVER and self.deals_itself:
            self.deal()
        return result

    @cython.cfunc
    @cython.exceptval(check=False)
    def _reshuffle(self) -> cython.void:
        """Make the discards a new draw pile."""
        turn_discards_over(self.layout, self.state)
        self._shuffle(
            self.state[RESHUFFLES] + 256 * self.state[RESHUFFLES + 1],
            self.layout.deck_size - self.state[DRAWS],
            self.state[DRAWS],
        )

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

    def decide(self, policy: cython.int, seed: cython.ulonglong) -> tuple:
        """As ``choose_seeded``; but a way to lay is LAY_THIS and the way, which is not counted."""
        rng: cython.ulonglong[1]
        way: cython.uchar[32]
        i: cython.int
        if not cython.compiled:
            rng, way = [0], bytearray(32)
        if self.state[STEP] != NO_STEP:
            rng[0] = stream(seed, digest(self.layout, self.state, turn_of(self.state)))
        action: cython.int = self._pick(policy, rng, way)
        if action >= 0:
            return action, b""
        return action, bytes([way[i] for i in range(4 + way[1])])

    @cython.cfunc
    @cython.exceptval(-1)
    def _choose(self, policy: cython.int, rng: cython.p_ulonglong) -> cython.int:
        way: cython.uchar[32]
        if not cython.compiled:
            way = bytearray(32)
        action: cython.int = self._pick(policy, rng, way)
        return action if action >= 0 else self._number_of(way)

    @cython.cfunc
    @cython.exceptval(-2)
    def _pick(self, policy: cython.int, rng: cython.p_ulonglong, way: cython.p_uchar) -> cython.int:
        legal: list
        if self.state[STEP] == NO_STEP:
            raise ValueError("no hand is going on")
        if policy == 0:
            legal = self.legal()
            return legal[random_below(rng, len(legal))]
        return choose_by(self.layout, self.state, rng, policy, way)

    def number_of(self, way: bytes) -> cython.int:
        """The number of a way to lay, as :meth:`way` gives it."""
        found: cython.uchar[32]
        i: cython.int
        if not cython.compiled:
            found = bytearray(32)
        for i in range(min(len(way), WAY_BYTES)):
            found[i] = way[i]
        return self._number_of(found)

    @cython.cfunc
    @cython.exceptval(-1)
    def _number_of(self, way: cython.p_uchar) -> cython.int:
        number: cython.int = number_of_way(self.layout, self.state, way)
        if number < 0:
            raise ValueError("this cannot be laid here")
        return self.layout.a_lay + number

    def save(self) -> bytes:
        """The whole state, to be restored later."""
        return (
            bytes(self.state[: self.layout.state_size])
            + int(self.rng[0]).to_bytes(8, "little")
            + b"".join([int(self.seed[i]).to_bytes(8, "little") for i in range(4)])
        )

    def restore(self, saved: bytes) -> None:
        """Go back to a saved state."""
        i: cython.int
        size: cython.int = self.layout.state_size
        if len(saved) != size + CHANCE_BYTES:
            raise ValueError("this was not saved from a game by the same rules")
        for i in range(size):
            self.state[i] = saved[i]
        self.rng[0] = int.from_bytes(saved[size : size + 8], "little")
        self._take_seed(saved[size + 8 :])

    def resample_for(self, seat: cython.int) -> None:
        """Deal anew what the seat does not know; later hands are others too."""
        self._check_seat(seat)
        if self.state[STEP] != NO_STEP:
            resample(self.layout, self.state, seat, self.rng)
        random_below(self.rng, 2)
        self.seed[0] = self.rng[0]
        self.seed[1] = self.seed[2] = self.seed[3] = 0
        self.has_keys = False

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

    def chance_of(self, seat: cython.int) -> cython.double:
        """A seat's chance to win, by the score sheet."""
        self._check_seat(seat)
        return chance_to_win(self.layout, self.state, seat)

    def copy(self):
        """A game of its own that is what this one is now, its chance included."""
        i: cython.int
        size: cython.int = self.layout.state_size
        other: GameCore = GameCore.__new__(type(self), self.layout)
        for i in range(size):
            other.state[i] = self.state[i]
        other.rng[0] = self.rng[0]
        for i in range(4):
            other.seed[i] = self.seed[i]
        if self.has_keys:
            for i in range(16):
                other.keys[i] = self.keys[i]
        other.has_keys = self.has_keys
        other.setup = self.setup
        other.deals_itself = self.deals_itself
        return other
