# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Many tables side by side, on all cores and without the interpreter lock.

Games are played hand after hand; a hand is an episode. At every step each table waits for a
learner's decision: built-in opponents play by themselves, and so does who has no choice. A hand
that stands still (H-DEAD) is over, and so is a game that is tied: there each gets a share.

A score sheet is a row of numbers: the Phases left of each seat as bits, their totals, who deals
next, and who has won, as bits (0: nobody yet; several: they are tied).
"""

from cython.parallel cimport prange
from libc.string cimport memcpy, memset
from phaseten.kernel.chance cimport random_below, stream
from phaseten.kernel.dealing cimport begin, deal_shuffled
from phaseten.kernel.engine cimport act, end_hand, get3, lay, set3, turn_of
from phaseten.kernel.knowledge cimport resample
from phaseten.kernel.layout cimport (
    CHANCE_BYTES,
    DEALER,
    DRAW_STEP,
    GOES_ON,
    HAND,
    LAID,
    LAY_THIS,
    PLAY_STEP,
    PLAYING,
    STEP,
    TIED,
    WINNER,
    Layout,
)
from phaseten.kernel.players.choice cimport play_one
from phaseten.kernel.players.network.actions cimport (
    FACES,
    NOT_LEGAL,
    count_actions,
    mark_legal,
    number_of,
)
from phaseten.kernel.players.network.features cimport count_features, find_helping, write_features

from training.imitation cimport choose_as_sharp
from training.secrets cimport UNKNOWN, count_secrets, write_secrets

import numpy as np

cdef enum:
    STILL = 50  # turns of each player without a card laid, after which a hand is over (H-DEAD)
    SHARP = 2


def sizes(int players) -> tuple:
    """How many features, secrets and actions there are for so many players."""
    return count_features(players), count_secrets(players), count_actions(players)


cdef int carry_out(Layout g, unsigned char* p, unsigned long long* rng, int action) noexcept nogil:
    """Carry out a legal action, as the kernel's ``act`` and ``lay``; -1: it is not legal."""
    cdef unsigned char[32] way
    cdef int number = number_of(g, p, action, way)
    if number == NOT_LEGAL:
        return -1
    if number == LAY_THIS:
        return lay(g, p, way)
    return act(g, p, rng, number)


cdef class Environment:
    """So many tables of one kind; ``rows`` of them are what a network looks at and answers."""

    cdef Layout layout
    cdef readonly int slots, players, edition, threads
    cdef public int opponent
    """The number of the built-in player who has the other seats."""
    cdef public double share
    """In how many of the games some seats are the opponent's."""
    cdef public bint once
    """Whether a table whose game is over stays empty."""
    cdef readonly object turns, ends, before, after, learners, over
    cdef unsigned char[:, ::1] states, features, secrets, masks, lacks
    cdef unsigned char[::1] turn_rows, end_rows, learner_rows, over_rows
    cdef unsigned long long[::1] chances, games, counts
    cdef int[::1] still
    cdef int[:, ::1] before_rows, after_rows, now_rows
    cdef int[:, ::1] pool

    def __init__(self, Layout layout, int edition, int slots, int threads):
        if layout.naturals != FACES or layout.phases > 16 or not 2 <= layout.players <= 6:
            raise ValueError("networks are made for 48 numbered cards and two to six players")
        self.layout, self.edition, self.slots, self.threads = layout, edition, slots, threads
        self.players = layout.players
        self.opponent = SHARP
        self.turns, self.ends = np.zeros(slots, np.uint8), np.zeros(slots, np.uint8)
        self.learners, self.over = np.zeros(slots, np.uint8), np.zeros(slots, np.uint8)
        self.before = np.zeros((slots, 2 * self.players + 2), np.int32)
        self.after = np.zeros((slots, 2 * self.players + 2), np.int32)
        self.turn_rows, self.end_rows, self.learner_rows = self.turns, self.ends, self.learners
        self.over_rows = self.over
        self.before_rows, self.after_rows = self.before, self.after
        self.now_rows = np.zeros((slots, 2 * self.players + 2), np.int32)
        self.states = np.zeros((slots, layout.state_size), np.uint8)
        self.lacks = np.zeros((slots, self.players), np.uint8)
        self.chances, self.games = np.zeros(slots, np.uint64), np.zeros(slots, np.uint64)
        self.counts, self.still = np.zeros(slots, np.uint64), np.zeros(slots, np.int32)
        self.pool = np.zeros((0, 2 * self.players + 2), np.int32)

    def write_to(
        self,
        unsigned char[:, ::1] features,
        unsigned char[:, ::1] secrets,
        unsigned char[:, ::1] masks,
    ) -> None:
        """Where the rows for the networks are written from now on."""
        cdef tuple found = sizes(self.players)
        if (features.shape[1], secrets.shape[1], masks.shape[1]) != found:
            raise ValueError(f"rows must have {found} numbers")
        if min(features.shape[0], secrets.shape[0], masks.shape[0]) < self.slots:
            raise ValueError("there must be a row for each table")
        self.features, self.secrets, self.masks = features, secrets, masks

    def begin_from(self, int[:, ::1] sheets) -> None:
        """Begin new games with any of these score sheets."""
        if sheets.shape[1] != 2 * self.players + 2:
            raise ValueError(f"a score sheet has {2 * self.players + 2} numbers")
        self.pool = sheets

    def start(self, unsigned long long seed) -> None:
        """Begin a game at each table; the seed says which."""
        cdef Py_ssize_t i
        for i in prange(self.slots, nogil=True, num_threads=self.threads):
            self.games[i] = stream(seed, i)
            self.counts[i] = 0
            self.over_rows[i] = 0
            self.new_game(i)
            self.advance(i, GOES_ON)

    def start_games(self, unsigned long long[::1] seeds, unsigned char[::1] learners) -> None:
        """Begin a certain game at each table, in which the learners have certain seats (bits).

        The seed decides all that is dealt in a game, whoever plays it: hand by hand.
        """
        cdef Py_ssize_t i
        self.once = True
        for i in prange(self.slots, nogil=True, num_threads=self.threads):
            self.games[i] = seeds[i]
            self.counts[i] = 0
            self.over_rows[i] = 0
            self.new_game(i)
            self.learner_rows[i] = learners[i]
            self.advance(i, GOES_ON)

    def play_on(self, int most, unsigned long long seed) -> None:
        """Let sharp play up to so many actions at each table, so that no two are alike."""
        cdef Py_ssize_t i
        for i in prange(
            self.slots, nogil=True, num_threads=self.threads, schedule="dynamic", chunksize=64
        ):
            self.play_some(i, most, stream(seed, i))

    def step(self, int[::1] actions) -> int:
        """Carry out the learners' actions; how many were not legal (sharp's were done instead)."""
        cdef Py_ssize_t i
        cdef int wrong = 0
        for i in prange(
            self.slots, nogil=True, num_threads=self.threads, schedule="dynamic", chunksize=64
        ):
            wrong += self.step_one(i, actions[i])
        return wrong

    def choose(self, int[::1] out) -> None:
        """Write what sharp would do at each table."""
        cdef Py_ssize_t i
        for i in prange(
            self.slots, nogil=True, num_threads=self.threads, schedule="dynamic", chunksize=64
        ):
            out[i] = self.choose_one(i)

    def record_games(
        self, unsigned long long seed, int[:, :, ::1] sheets, int[::1] hands, int[::1] winners
    ) -> None:
        """Let sharp play a game at each table, and write the score sheet before each hand.

        ``winners`` are bits: of a game that takes more hands than there is room for, none.
        """
        cdef Py_ssize_t i
        if sheets.shape[2] != 2 * self.players + 2 or sheets.shape[0] != self.slots:
            raise ValueError("there must be room for the score sheets of each table")
        for i in prange(
            self.slots, nogil=True, num_threads=self.threads, schedule="dynamic", chunksize=4
        ):
            self.games[i] = stream(seed, i)
            self.counts[i] = 0
            self.new_game(i)
            winners[i] = self.record_one(i, &sheets[i, 0, 0], <int>sheets.shape[1], &hands[i])

    def saved(self, Py_ssize_t i) -> bytes:
        """A table's game, as the kernel saves it."""
        return bytes(self.states[i]) + int(self.chances[i]).to_bytes(CHANCE_BYTES, "little")

    def exchange_unseen(self, unsigned long long seed) -> None:
        """Deal anew whatever the seats on turn do not know, and look again."""
        cdef Py_ssize_t i
        cdef unsigned long long chance
        for i in range(self.slots):
            chance = stream(seed, i)
            resample(self.layout, &self.states[i, 0], self.turn_rows[i], &chance)
            self.observe(i)

    # -- one table ------------------------------------------------------------------------------

    cdef void new_game(self, Py_ssize_t i) noexcept nogil:
        """Begin the next game of a table."""
        cdef unsigned char* p = &self.states[i, 0]
        cdef unsigned long long* rng = &self.chances[i]
        cdef int seat, half, row
        if self.counts[i]:
            self.games[i] = stream(self.games[i], self.counts[i])
        self.counts[i] += 1
        rng[0] = stream(self.games[i], 0)
        begin(self.layout, p, random_below(rng, self.players))
        if self.pool.shape[0]:
            row = random_below(rng, <unsigned int>self.pool.shape[0])
            for seat in range(self.players):
                set3(p, self.layout.o_left + 3 * seat, self.pool[row, seat])
                set3(p, self.layout.o_totals + 3 * seat, self.pool[row, self.players + seat])
        self.learner_rows[i] = (1 << self.players) - 1
        if random_below(rng, 1000) < 1000 * self.share:
            half = self.players // 2  # the opponent has so many seats, any of them
            while half:
                seat = random_below(rng, self.players)
                if (self.learner_rows[i] >> seat) & 1:
                    self.learner_rows[i] ^= 1 << seat
                    half -= 1
        self.deal(i)

    cdef void deal(self, Py_ssize_t i) noexcept nogil:
        """Deal a table's next hand: the game and the number of the hand decide the cards."""
        cdef unsigned char* p = &self.states[i, 0]
        self.still[i] = 0
        memset(&self.lacks[i, 0], UNKNOWN, self.players)
        self.chances[i] = stream(self.games[i], 1 + p[HAND] + 256 * p[HAND + 1])
        self.write_sheet(p, &self.now_rows[i, 0])
        deal_shuffled(self.layout, p, &self.chances[i])

    cdef void write_sheet(self, unsigned char* p, int* row) noexcept nogil:
        """The score sheet as it is now."""
        cdef int seat
        for seat in range(self.players):
            row[seat] = get3(p, self.layout.o_left + 3 * seat)
            row[self.players + seat] = get3(p, self.layout.o_totals + 3 * seat)
        row[2 * self.players] = p[DEALER]
        row[2 * self.players + 1] = 1 << (p[WINNER] - 1) if p[WINNER] else p[TIED]

    cdef int settle(self, Py_ssize_t i, int result, int laid, int step) noexcept nogil:
        """After an action: whether the hand is over, because it stands still or otherwise."""
        cdef unsigned char* p = &self.states[i, 0]
        if result != GOES_ON:
            return True
        if p[LAID] != laid:
            self.still[i] = 0
        elif step == PLAY_STEP and p[STEP] == DRAW_STEP:
            self.still[i] += 1
            if self.still[i] >= STILL * p[PLAYING]:
                end_hand(self.layout, p, 0)
                return True
        return False

    cdef int step_one(self, Py_ssize_t i, int action) noexcept nogil:
        """Carry out an action at a table; 1 if it was not legal."""
        cdef unsigned char* p = &self.states[i, 0]
        cdef int laid = p[LAID]
        cdef int step = p[STEP]
        cdef int wrong = 0
        cdef int result
        self.end_rows[i] = 0
        if self.over_rows[i]:
            return 0
        result = carry_out(self.layout, p, &self.chances[i], action)
        if result < 0:
            wrong = 1
            result = play_one(self.layout, p, &self.chances[i], SHARP)
        self.advance(i, self.settle(i, result, laid, step))
        return wrong

    cdef void advance(self, Py_ssize_t i, int ended) noexcept nogil:
        """Go on until a learner has a choice."""
        cdef unsigned char* p = &self.states[i, 0]
        cdef unsigned char* mask = &self.masks[i, 0]
        cdef unsigned char[FACES] helps
        cdef int laid, step, action, count, result, seat, lack
        while True:
            if ended:
                self.end(i)
                if self.over_rows[i]:
                    return
            laid = p[LAID]
            step = p[STEP]
            seat = turn_of(p)
            if not (self.learner_rows[i] >> seat) & 1:
                self.lacks[i, seat] = UNKNOWN
                result = play_one(self.layout, p, &self.chances[i], self.opponent)
            else:
                lack = find_helping(self.layout, p, helps)
                count = mark_legal(self.layout, p, lack, mask)
                if count > 1:
                    break
                action = 0
                while count and not mask[action]:
                    action += 1
                result = carry_out(self.layout, p, &self.chances[i], action)
                if result < 0:
                    result = play_one(self.layout, p, &self.chances[i], SHARP)
            ended = self.settle(i, result, laid, step)
        self.turn_rows[i] = seat
        self.lacks[i, seat] = lack
        write_features(self.layout, p, self.edition, lack, helps, mask, &self.features[i, 0])
        write_secrets(
            self.layout, p, &self.lacks[i, 0], self.learner_rows[i], &self.secrets[i, 0]
        )

    cdef void observe(self, Py_ssize_t i) noexcept nogil:
        """Write the rows of a table once more."""
        cdef unsigned char* p = &self.states[i, 0]
        cdef unsigned char* mask = &self.masks[i, 0]
        cdef unsigned char[FACES] helps
        cdef int lack = find_helping(self.layout, p, helps)
        memset(&self.lacks[i, 0], UNKNOWN, self.players)
        mark_legal(self.layout, p, lack, mask)
        write_features(self.layout, p, self.edition, lack, helps, mask, &self.features[i, 0])
        write_secrets(
            self.layout, p, &self.lacks[i, 0], self.learner_rows[i], &self.secrets[i, 0]
        )

    cdef void end(self, Py_ssize_t i) noexcept nogil:
        """A hand is over: note the score sheet, and deal the next hand or begin a new game.

        If the learners had no choice in a whole hand, only the first of two ends is noted.
        """
        cdef unsigned char* p = &self.states[i, 0]
        cdef bint decided = p[WINNER] or p[TIED]
        if not self.end_rows[i] or self.once:
            self.end_rows[i] = 1
            self.write_sheet(p, &self.after_rows[i, 0])
            memcpy(
                &self.before_rows[i, 0], &self.now_rows[i, 0], (2 * self.players + 2) * sizeof(int)
            )
        if decided and self.once:
            self.over_rows[i] = 1
        elif decided:
            self.new_game(i)
        else:
            self.deal(i)

    cdef void play_some(self, Py_ssize_t i, int most, unsigned long long chance) noexcept nogil:
        """Let sharp play some actions at a table."""
        cdef unsigned char* p = &self.states[i, 0]
        cdef int laid, step, result
        cdef int count = random_below(&chance, most)
        for _ in range(count):
            laid = p[LAID]
            step = p[STEP]
            result = play_one(self.layout, p, &self.chances[i], SHARP)
            if self.settle(i, result, laid, step):
                self.end_rows[i] = 1  # the hand that a learner sees is dealt by `end`
                self.end(i)
        self.end_rows[i] = 0
        self.advance(i, GOES_ON)

    cdef int record_one(
        self, Py_ssize_t i, int* sheets, int most, int* hands
    ) noexcept nogil:
        """Let sharp play a game to its end; who has won, as bits."""
        cdef unsigned char* p = &self.states[i, 0]
        cdef int width = 2 * self.players + 2
        cdef int hand, laid, step, result
        hands[0] = 0
        for hand in range(most):
            memcpy(sheets + hand * width, &self.now_rows[i, 0], width * sizeof(int))
            hands[0] = hand + 1
            while True:
                laid = p[LAID]
                step = p[STEP]
                result = play_one(self.layout, p, &self.chances[i], SHARP)
                if self.settle(i, result, laid, step):
                    break
            if p[WINNER] or p[TIED]:
                return 1 << (p[WINNER] - 1) if p[WINNER] else p[TIED]
            self.deal(i)
        return 0

    cdef int choose_one(self, Py_ssize_t i) noexcept nogil:
        """What sharp would do at a table; its chance is not used up."""
        cdef unsigned long long chance = self.chances[i]
        if self.over_rows[i]:
            return 0
        return choose_as_sharp(self.layout, &self.states[i, 0], &chance)
