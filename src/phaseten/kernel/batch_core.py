# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Many games side by side in flat arrays, without the interpreter lock."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import GAME_OVER, HAND_OVER, WINNER, Layout
    from cython.cimports.phaseten.kernel.chance import random_below, stream
    from cython.cimports.phaseten.kernel.dealing import begin, deal_shuffled
    from cython.cimports.phaseten.kernel.engine import act, lay, turn_of
    from cython.cimports.phaseten.kernel.knowledge import observation_size, observe
    from cython.cimports.phaseten.kernel.legality import is_legal
    from cython.cimports.phaseten.kernel.players.choice import play_one
    from cython.cimports.phaseten.kernel.relative import absolute_of, find_best_lay, mark_legal
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import random_below, stream
    from phaseten.kernel.dealing import begin, deal_shuffled
    from phaseten.kernel.engine import act, lay, turn_of
    from phaseten.kernel.knowledge import observation_size, observe
    from phaseten.kernel.legality import is_legal
    from phaseten.kernel.players.choice import play_one
    from phaseten.kernel.relative import absolute_of, find_best_lay, mark_legal


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def restart(g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong) -> cython.void:
    """A new game with its first hand dealt."""
    begin(g, p, random_below(rng, g.players))
    deal_shuffled(g, p, rng)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def settle(
    g: Layout,
    p: cython.p_uchar,
    rng: cython.p_ulonglong,
    result: cython.int,
    rewards: cython.p_float,
) -> cython.bint:
    """After an action: pay out a finished game and start another, or deal; was it finished?"""
    seat: cython.int
    for seat in range(g.players):
        rewards[seat] = 0
    if result == HAND_OVER:
        deal_shuffled(g, p, rng)
    if result != GAME_OVER:
        return False
    for seat in range(g.players):
        rewards[seat] = -1.0 / (g.players - 1)
    rewards[p[WINNER] - 1] = 1
    restart(g, p, rng)
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def may(g: Layout, p: cython.p_uchar, action: cython.int) -> cython.bint:
    """Whether a learner's action is legal."""
    way: cython.uchar[32]
    if not cython.compiled:
        way = bytearray(32)
    if action == g.a_lay:
        return find_best_lay(g, p, way)
    if action < 0 or action > g.a_lay:
        return False
    return is_legal(g, p, absolute_of(g, turn_of(p), action))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def carry_out(
    g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong, action: cython.int
) -> cython.int:
    """Carry out a learner's legal action."""
    way: cython.uchar[32]
    if not cython.compiled:
        way = bytearray(32)
    if action == g.a_lay:
        find_best_lay(g, p, way)
        return lay(g, p, way)
    return act(g, p, rng, absolute_of(g, turn_of(p), action))


@cython.cclass
class BatchCore:
    """Many games side by side: what :class:`phaseten.kernel.Batch` is built on."""

    layout: Layout
    data: cython.uchar[::1]
    rng: cython.ulonglong[::1]
    rewards: cython.float[::1]
    done: cython.uchar[::1]

    def __init__(self, layout, data, rng, rewards, done) -> None:
        self.layout = layout
        if cython.compiled:
            self.data, self.rng, self.rewards, self.done = data, rng, rewards, done
        else:
            self.data, self.rng = memoryview(data), memoryview(rng)
            self.rewards, self.done = memoryview(rewards), memoryview(done)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def row(self, i: cython.Py_ssize_t) -> cython.p_uchar:
        if cython.compiled:
            return cython.address(self.data[i * self.layout.state_size])
        else:
            return self.data[i * self.layout.state_size :]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def chance(self, i: cython.Py_ssize_t) -> cython.p_ulonglong:
        if cython.compiled:
            return cython.address(self.rng[i])
        else:
            return self.rng[i:]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reward(self, i: cython.Py_ssize_t) -> cython.p_float:
        if cython.compiled:
            return cython.address(self.rewards[i * self.layout.players])
        else:
            return self.rewards[i * self.layout.players :]

    def reset(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, seed: cython.ulonglong
    ) -> None:
        """Start all games anew."""
        i: cython.Py_ssize_t
        for i in range(first, last):
            self.rng[i] = stream(seed, i)
            restart(self.layout, self.row(i), self.chance(i))

    def first_illegal(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, actions: cython.int[::1]
    ) -> cython.Py_ssize_t:
        """The first game whose action is not legal, or -1."""
        i: cython.Py_ssize_t
        found: cython.Py_ssize_t = -1
        with cython.nogil:
            for i in range(first, last):
                if not may(self.layout, self.row(i), actions[i]):
                    found = i
                    break
        return found

    def step(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, actions: cython.int[::1]
    ) -> None:
        """Carry out legal actions."""
        i: cython.Py_ssize_t
        result: cython.int
        with cython.nogil:
            for i in range(first, last):
                result = carry_out(self.layout, self.row(i), self.chance(i), actions[i])
                self.done[i] = settle(
                    self.layout, self.row(i), self.chance(i), result, self.reward(i)
                )

    def play(
        self,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        policy: cython.int,
        count: cython.int,
    ) -> None:
        """Let a built-in policy play so many actions in every game."""
        i: cython.Py_ssize_t
        j: cython.int
        result: cython.int
        with cython.nogil:
            for i in range(first, last):
                for j in range(count):
                    result = play_one(self.layout, self.row(i), self.chance(i), policy)
                    self.done[i] = settle(
                        self.layout, self.row(i), self.chance(i), result, self.reward(i)
                    )

    def masks(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, mask: cython.uchar[::1]
    ) -> None:
        """Write which actions are legal, in every game."""
        i: cython.Py_ssize_t
        width: cython.Py_ssize_t = self.layout.a_lay + 1
        if cython.compiled:
            with cython.nogil:
                for i in range(first, last):
                    mark_legal(self.layout, self.row(i), cython.address(mask[i * width]))
        else:
            mask = memoryview(mask)
            for i in range(first, last):
                mark_legal(self.layout, self.row(i), mask[i * width :])

    def observe(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, out: cython.short[::1]
    ) -> None:
        """Write what the seat on turn knows, in every game."""
        i: cython.Py_ssize_t
        size: cython.Py_ssize_t = observation_size(self.layout)
        if cython.compiled:
            with cython.nogil:
                for i in range(first, last):
                    observe(
                        self.layout,
                        self.row(i),
                        turn_of(self.row(i)),
                        cython.address(out[i * size]),
                    )
        else:
            out = memoryview(out)
            for i in range(first, last):
                observe(self.layout, self.row(i), turn_of(self.row(i)), out[i * size :])

    def turns(self, out: cython.uchar[::1]) -> None:
        """Write whose turn it is, in every game."""
        i: cython.Py_ssize_t
        for i in range(len(out)):
            out[i] = turn_of(self.row(i))


def observation_length(layout: Layout) -> int:
    """How many numbers an observation has."""
    return observation_size(layout)
