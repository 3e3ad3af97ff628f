# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Many games side by side in flat arrays, without the interpreter lock.

What is dealt follows from a game's seed and the number of the hand, whoever plays and however. ``rng``
is the chance of reshuffles and of built-in players, and begins anew with every hand.
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        DEALER,
        GAME_OVER,
        GOES_ON,
        HAND,
        HAND_OVER,
        LAY_THIS,
        Layout,
    )
    from cython.cimports.phaseten.kernel.chance import mix, random_below, stream
    from cython.cimports.phaseten.kernel.dealing import begin, deal_shuffled
    from cython.cimports.phaseten.kernel.engine import act, get3, lay, set3, turn_of
    from cython.cimports.phaseten.kernel.knowledge import observation_size, observe
    from cython.cimports.phaseten.kernel.legality import is_legal
    from cython.cimports.phaseten.kernel.players.choice import choose_by, play_one
    from cython.cimports.phaseten.kernel.players.playouts import chance_to_win
    from cython.cimports.phaseten.kernel.relative import (
        absolute_of,
        find_best_lay,
        mark_legal,
        relative_of,
    )
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout
    from phaseten.kernel.chance import mix, random_below, stream
    from phaseten.kernel.dealing import begin, deal_shuffled
    from phaseten.kernel.engine import act, get3, lay, set3, turn_of
    from phaseten.kernel.knowledge import observation_size, observe
    from phaseten.kernel.legality import is_legal
    from phaseten.kernel.players.choice import choose_by, play_one
    from phaseten.kernel.players.playouts import chance_to_win
    from phaseten.kernel.relative import absolute_of, find_best_lay, mark_legal, relative_of

WIN = cython.declare(cython.int, 0)
CHANCE = cython.declare(cython.int, 1)
LEARNER = cython.declare(cython.int, 255)  # in the place of a built-in player's number
NOTHING = cython.declare(cython.int, -1)
PLAYED = cython.declare(cython.int, 0)  # what happens now is a learner's doing
BEGUN = cython.declare(
    cython.int, 1
)  # or nobody's, since an episode has begun after its last action


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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose(g: Layout, p: cython.p_uchar, rng: cython.p_ulonglong, policy: cython.int) -> cython.int:
    """What a built-in player would do, as a learner's action."""
    way: cython.uchar[32]
    mask: cython.uchar[1536]
    if not cython.compiled:
        way, mask = bytearray(32), bytearray(1536)
    action: cython.int
    count: cython.int = 0
    if policy:
        action = choose_by(g, p, rng, policy, way)
        return g.a_lay if action == LAY_THIS else relative_of(g, turn_of(p), action)
    mark_legal(g, p, mask)
    for action in range(g.a_lay + 1):
        count += mask[action]
    count = random_below(rng, count) + 1
    action = -1
    while count:
        action += 1
        count -= mask[action]
    return action


@cython.final
@cython.cclass
class BatchCore:
    """Many games side by side: what :class:`phaseten.kernel.Batch` is built on.

    Every method does its work for the places from ``first`` to ``last``: of all games, or of a list of them.
    """

    layout: Layout
    data: cython.uchar[::1]
    final: cython.uchar[::1]
    rng: cython.ulonglong[::1]
    seeds: cython.ulonglong[::1]
    rewards: cython.float[::1]
    chances: cython.float[::1]
    totals: cython.int[::1]  # when the hand was dealt
    ended: cython.uchar[::1]  # for each game: terminated, truncated
    lengths: cython.int[::1]
    policies: cython.uchar[::1]
    pool: cython.int[:, ::1]
    reward: cython.int
    most: cython.int
    by_hand: cython.bint
    autoreset: cython.bint

    def __init__(self, layout, arrays, pool, reward, most, by_hand, autoreset) -> None:
        if not cython.compiled:
            arrays = [memoryview(array) for array in arrays]
            pool = memoryview(pool)
        self.layout = layout
        self.data, self.final, self.rng, self.seeds, self.rewards = arrays[:5]
        self.chances, self.totals, self.ended, self.lengths, self.policies = arrays[5:]
        self.pool, self.reward, self.most = pool, reward, most
        self.by_hand, self.autoreset = by_hand, autoreset

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def row(self, i: cython.Py_ssize_t) -> cython.p_uchar:
        if cython.compiled:
            return cython.address(self.data[i * self.layout.state_size])
        else:
            return self.data[i * self.layout.state_size :]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def chance(self, i: cython.Py_ssize_t) -> cython.p_ulonglong:
        if cython.compiled:
            return cython.address(self.rng[i])
        else:
            return self.rng[i:]

    # -- episodes ------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_over(self, i: cython.Py_ssize_t) -> cython.bint:
        """Whether a game waits for a reset."""
        return not self.autoreset and (self.ended[2 * i] or self.ended[2 * i + 1])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def deal(self, i: cython.Py_ssize_t) -> cython.void:
        """Deal the next hand of a game."""
        seat: cython.int
        p: cython.p_uchar = self.row(i)
        players: cython.int = self.layout.players
        for seat in range(players):
            self.chances[i * players + seat] = chance_to_win(self.layout, p, seat)
            self.totals[i * players + seat] = get3(p, self.layout.o_totals + 3 * seat)
        self.rng[i] = stream(self.seeds[i], 1 + p[HAND] + 256 * p[HAND + 1])
        deal_shuffled(self.layout, p, self.chance(i))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def new_game(
        self, i: cython.Py_ssize_t, sheets: cython.int[:, ::1], row: cython.Py_ssize_t
    ) -> cython.void:
        """Begin a game, with a score sheet of the list (-1: any), if there are some."""
        p: cython.p_uchar = self.row(i)
        players: cython.int = self.layout.players
        seat: cython.int
        hands: cython.int
        self.rng[i] = stream(self.seeds[i], 0)
        self.lengths[i] = 0
        begin(self.layout, p, random_below(self.chance(i), players))
        if sheets.shape[0]:
            if row < 0:
                row = random_below(self.chance(i), cython.cast(cython.uint, sheets.shape[0]))
            for seat in range(players):
                set3(p, self.layout.o_left + 3 * seat, sheets[row, seat])
                set3(p, self.layout.o_totals + 3 * seat, sheets[row, players + seat])
            if sheets[row, 2 * players]:
                p[DEALER] = sheets[row, 2 * players] - 1
            hands = sheets[row, 2 * players + 1]
            p[HAND] = hands & 255
            p[HAND + 1] = hands >> 8
        self.deal(i)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pay(self, i: cython.Py_ssize_t, result: cython.int) -> cython.void:
        """After a hand: what it has brought everybody."""
        p: cython.p_uchar = self.row(i)
        players: cython.int = self.layout.players
        seat: cython.int
        at: cython.Py_ssize_t
        chance: cython.double
        for seat in range(players):
            at = i * players + seat
            chance = chance_to_win(self.layout, p, seat)
            if self.reward == CHANCE:
                self.rewards[at] += chance - self.chances[at]
            elif self.reward != WIN:
                self.rewards[at] += self.totals[at] - get3(p, self.layout.o_totals + 3 * seat)
            elif result == GAME_OVER:
                self.rewards[at] += 1.0 if chance == 1 else -1.0 / (players - 1)
            self.chances[at] = chance

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep_final(self, i: cython.Py_ssize_t) -> cython.void:
        """Keep a game as it is when its episode ends."""
        j: cython.Py_ssize_t
        first: cython.Py_ssize_t = i * self.layout.state_size
        for j in range(first, first + self.layout.state_size):
            self.final[j] = self.data[j]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_learners(self, i: cython.Py_ssize_t) -> cython.bint:
        """Whether a learner is on turn; where no seat is a learner's, all are."""
        players: cython.int = self.layout.players
        seat: cython.int
        if self.policies[i * players + turn_of(self.row(i))] == LEARNER:
            return True
        for seat in range(players):
            if self.policies[i * players + seat] == LEARNER:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self, i: cython.Py_ssize_t, result: cython.int, begun: cython.int) -> cython.bint:
        """After an action: pay, end the episode, begin another; whether the game can go on.

        What happens before a learner's first action pays nothing, and an episode that ends then has not been.
        """
        over: cython.bint = result == GAME_OVER or (self.by_hand and result == HAND_OVER)
        if result != GOES_ON and begun == PLAYED:
            self.pay(i, result)
        if not over and (self.most == 0 or self.lengths[i] < self.most):
            if result == HAND_OVER:
                self.deal(i)
            return True
        if begun == PLAYED:
            self.ended[2 * i + (0 if over else 1)] = 1
            self.keep_final(i)
            if not self.autoreset:
                return False
        if over and result == HAND_OVER:
            self.lengths[i] = 0
            self.deal(i)
        else:
            self.seeds[i] = mix(self.seeds[i])
            self.new_game(i, self.pool, -1)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def advance(self, i: cython.Py_ssize_t, result: cython.int, begun: cython.int) -> cython.void:
        """After an action: let built-in players go on until it is a learner's turn."""
        while self.settle(i, result, begun):
            if self.ended[2 * i] or self.ended[2 * i + 1]:
                begun = BEGUN
            if self.is_learners(i):
                return
            result = play_one(
                self.layout,
                self.row(i),
                self.chance(i),
                self.policies[i * self.layout.players + turn_of(self.row(i))],
            )
            self.lengths[i] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def clear(self, i: cython.Py_ssize_t) -> cython.void:
        """Nothing has been paid to anybody, and nothing has ended."""
        seat: cython.int
        self.ended[2 * i] = 0
        self.ended[2 * i + 1] = 0
        for seat in range(self.layout.players):
            self.rewards[i * self.layout.players + seat] = 0

    # -- all games, or some --------------------------------------------------------------------

    def reset(
        self,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        games: cython.Py_ssize_t[::1],
        seeds: cython.ulonglong[::1],
        sheets: cython.int[:, ::1],
    ) -> None:
        """Begin new games with these seeds, and score sheets, if there are some."""
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        if not cython.compiled:
            games, seeds, sheets = memoryview(games), memoryview(seeds), memoryview(sheets)
        with cython.nogil:
            for k in range(first, last):
                i = games[k]
                self.seeds[i] = seeds[k]
                self.clear(i)
                if sheets.shape[0]:
                    self.new_game(i, sheets, k)
                else:
                    self.new_game(i, self.pool, -1)
                self.advance(i, GOES_ON, BEGUN)

    def first_illegal(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, actions: cython.int[::1]
    ) -> cython.Py_ssize_t:
        """The first game whose action is not legal, or -1."""
        i: cython.Py_ssize_t
        found: cython.Py_ssize_t = -1
        with cython.nogil:
            for i in range(first, last):
                if not self.is_over(i) and not may(self.layout, self.row(i), actions[i]):
                    found = i
                    break
        return found

    def step(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, actions: cython.int[::1]
    ) -> None:
        """Carry out legal actions."""
        i: cython.Py_ssize_t
        seat: cython.int
        result: cython.int
        if not cython.compiled:
            actions = memoryview(actions)
        with cython.nogil:
            for i in range(first, last):
                if self.is_over(i):
                    for seat in range(self.layout.players):
                        self.rewards[i * self.layout.players + seat] = 0
                    continue
                self.clear(i)
                result = carry_out(self.layout, self.row(i), self.chance(i), actions[i])
                self.lengths[i] += 1
                self.advance(i, result, PLAYED)

    def play(
        self,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        games: cython.Py_ssize_t[::1],
        policy: cython.int,
        count: cython.int,
    ) -> None:
        """Let a built-in player play so many actions in these games."""
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        j: cython.int
        result: cython.int
        if not cython.compiled:
            games = memoryview(games)
        with cython.nogil:
            for k in range(first, last):
                i = games[k]
                for j in range(count):
                    if self.is_over(i):
                        break
                    self.clear(i)
                    result = play_one(self.layout, self.row(i), self.chance(i), policy)
                    self.lengths[i] += 1
                    self.advance(i, result, PLAYED)

    def pick(
        self,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        games: cython.Py_ssize_t[::1],
        policy: cython.int,
        out: cython.int[::1],
    ) -> None:
        """Write what a built-in player would do in these games, or -1 where one is over."""
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        rng: cython.ulonglong[1]
        if not cython.compiled:
            rng, games, out = [0], memoryview(games), memoryview(out)
        with cython.nogil:
            for k in range(first, last):
                i = games[k]
                out[k] = NOTHING
                if not self.is_over(i):
                    rng[0] = stream(self.rng[i], self.lengths[i])
                    out[k] = choose(self.layout, self.row(i), rng, policy)

    def masks(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, mask: cython.uchar[::1]
    ) -> None:
        """Write which actions are legal, in every game."""
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        width: cython.Py_ssize_t = self.layout.a_lay + 1
        if not cython.compiled:
            mask = memoryview(mask)
        with cython.nogil:
            for i in range(first, last):
                if self.is_over(i):
                    for j in range(width):
                        mask[i * width + j] = 0
                elif cython.compiled:
                    mark_legal(self.layout, self.row(i), cython.address(mask[i * width]))
                else:
                    mark_legal(self.layout, self.row(i), mask[i * width :])

    def observe(
        self,
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
        states: cython.uchar[:, ::1],
        games: cython.Py_ssize_t[::1],
        seats: cython.uchar[::1],
        out: cython.short[::1],
    ) -> None:
        """Write what a seat of each of these games (none: the seat on turn) knows in such a state."""
        k: cython.Py_ssize_t
        seat: cython.int
        size: cython.Py_ssize_t = observation_size(self.layout)
        p: cython.p_uchar
        if not cython.compiled:
            games, seats, out = memoryview(games), memoryview(seats), memoryview(out)
        with cython.nogil:
            for k in range(first, last):
                if cython.compiled:
                    p = cython.address(states[games[k], 0])
                else:
                    p = memoryview(states[games[k]])
                seat = turn_of(p)
                if seats.shape[0]:
                    seat = seats[k]
                    seat -= 1
                if cython.compiled:
                    observe(self.layout, p, seat, cython.address(out[k * size]))
                else:
                    observe(self.layout, p, seat, out[k * size :])

    def turns(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, out: cython.uchar[::1]
    ) -> None:
        """Write whose turn it is, in every game, counted from 1."""
        i: cython.Py_ssize_t
        with cython.nogil:
            for i in range(first, last):
                out[i] = turn_of(self.row(i)) + 1


def observation_length(layout: Layout) -> int:
    """How many numbers an observation has."""
    return observation_size(layout)


def seeds_from(seed: cython.ulonglong, numbers: object) -> object:
    """A seed for each of these numbers, which does not look like it."""
    out = numbers.astype("uint64")
    i: cython.Py_ssize_t
    for i in range(len(out)):
        out[i] = mix(stream(seed, int(numbers[i])))
    return out
