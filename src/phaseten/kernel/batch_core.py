# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Many games: side by side in flat arrays, or played out in bulk. No interpreter lock inside."""

import cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        DEALER,
        DRAW_STEP,
        GAME_OVER,
        HAND_OVER,
        STEP,
        TIED,
        WINNER,
        Layout,
    )
    from cython.cimports.phaseten.kernel.engine import (
        act,
        begin,
        deal_shuffled,
        lay,
        points_held,
        random_below,
        stream,
        turn_of,
    )
    from cython.cimports.phaseten.kernel.legality import is_legal, list_simple
    from cython.cimports.phaseten.kernel.knowledge import observation_size, observe
    from cython.cimports.phaseten.kernel.laying import find_lay
    from cython.cimports.phaseten.kernel.players.choice import play_one
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.engine import (
        act,
        begin,
        deal_shuffled,
        lay,
        points_held,
        random_below,
        stream,
        turn_of,
    )
    from phaseten.kernel.legality import is_legal, list_simple
    from phaseten.kernel.knowledge import observation_size, observe
    from phaseten.kernel.laying import find_lay
    from phaseten.kernel.players.choice import play_one


# -- games in bulk ------------------------------------------------------------------------------


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def play_game(
    g: Layout,
    p: cython.p_uchar,
    rng: cython.p_ulonglong,
    policies: cython.p_int,
    most: cython.longlong,
    stats: cython.p_longlong,
) -> cython.void:
    """Play a game to its end, or until so many actions, and count what happens."""
    seat: cython.int
    phase: cython.int
    result: cython.int = 0
    first: cython.int
    actions: cython.longlong = 0
    turns: cython.longlong = 0
    made: cython.int
    tied: cython.int
    base: cython.int = 8 + g.players
    begin(g, p, random_below(rng, g.players))
    first = (p[DEALER] + 1) % g.players
    while result != GAME_OVER and actions < most:
        deal_shuffled(g, p, rng)
        tied = p[TIED]
        result = 0
        while result == 0 and actions < most:
            if p[STEP] == DRAW_STEP:
                turns += 1
            result = play_one(g, p, rng, policies[turn_of(p)])
            actions += 1
        if result == 0:
            break
        stats[1] += 1
        if tied:
            continue  # what is scored in a tie-break hand changes nothing
        for seat in range(g.players):
            made = p[g.o_made + seat]
            if made:
                stats[base + made - 1] += 1
            stats[5] += points_held(g, p, seat)
    stats[2] += turns
    stats[3] += actions
    if result == GAME_OVER:
        stats[0] += 1
        stats[8 + p[WINNER] - 1] += 1
        if p[WINNER] - 1 == first:
            stats[4] += 1
    else:
        stats[6] += 1


@cython.cclass
class Simulator:
    """Whole games of built-in players, without the interpreter lock."""

    layout: Layout

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def run(
        self,
        first: cython.longlong,
        count: cython.longlong,
        seed: cython.ulonglong,
        policies: cython.int[::1],
        most: cython.longlong,
        stats: cython.longlong[::1],
    ) -> None:
        """Play games number ``first`` to ``first + count - 1``."""
        state: cython.uchar[1536]
        rng: cython.ulonglong[1]
        i: cython.longlong
        if not cython.compiled:
            state, rng = bytearray(1536), [0]
            policies, stats = memoryview(policies), memoryview(stats)
            for i in range(count):
                rng[0] = stream(seed, first + i)
                play_game(self.layout, state, rng, policies, most, stats)
        else:
            with cython.nogil:
                for i in range(count):
                    rng[0] = stream(seed, first + i)
                    play_game(
                        self.layout,
                        state,
                        rng,
                        cython.address(policies[0]),
                        most,
                        cython.address(stats[0]),
                    )


# -- many games ---------------------------------------------------------------------------------


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
        way: cython.uchar[32]
        legal: cython.bint
        if not cython.compiled:
            way = bytearray(32)
        with cython.nogil:
            for i in range(first, last):
                if actions[i] >= self.layout.a_lay:
                    legal = (
                        find_lay(self.layout, self.row(i), actions[i] - self.layout.a_lay, way) < 0
                    )
                else:
                    legal = actions[i] >= 0 and is_legal(self.layout, self.row(i), actions[i])
                if not legal:
                    found = i
                    break
        return found

    def step(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, actions: cython.int[::1]
    ) -> None:
        """Carry out legal actions."""
        i: cython.Py_ssize_t
        result: cython.int
        way: cython.uchar[32]
        if not cython.compiled:
            way = bytearray(32)
        with cython.nogil:
            for i in range(first, last):
                if actions[i] >= self.layout.a_lay:
                    find_lay(self.layout, self.row(i), actions[i] - self.layout.a_lay, way)
                    result = lay(self.layout, self.row(i), way)
                else:
                    result = act(self.layout, self.row(i), self.chance(i), actions[i])
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
        self,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        width: cython.Py_ssize_t,
        mask: cython.uchar[::1],
    ) -> None:
        """Write which actions are legal."""
        i: cython.Py_ssize_t
        j: cython.int
        count: cython.int
        slots: cython.int = width - self.layout.a_lay
        actions: cython.int[1024]
        way: cython.uchar[32]
        if not cython.compiled:
            actions, way, mask = [0] * 1024, bytearray(32), memoryview(mask)
        with cython.nogil:
            for i in range(first, last):
                for j in range(width):
                    mask[i * width + j] = 0
                count = list_simple(self.layout, self.row(i), actions, 1024)
                for j in range(count):
                    mask[i * width + actions[j]] = 1
                count = find_lay(self.layout, self.row(i), slots, way)
                if count < 0 or count > slots:
                    count = slots
                for j in range(count):
                    mask[i * width + self.layout.a_lay + j] = 1

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
