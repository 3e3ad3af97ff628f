# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Many tables side by side, on all cores and without the interpreter lock. See tables.pyx."""

from cython.parallel cimport prange
from phaseten.kernel.chance cimport stream
from phaseten.kernel.knowledge cimport resample
from phaseten.kernel.layout cimport CHANCE_BYTES, Layout
from phaseten.kernel.players.network.actions cimport FACES, count_actions
from phaseten.kernel.players.network.features cimport count_features

from training.secrets cimport UNKNOWN, count_secrets
from training.tables cimport (
    SHARP,
    Tables,
    choose_one,
    observe,
    play_some,
    record_one,
    start_game,
    step_one,
)

import numpy as np




cdef class Environment:
    """So many tables of one kind; the rows that it writes are what networks look at and answer."""

    cdef Layout layout
    cdef Tables t
    cdef readonly int slots, players, edition, threads
    cdef readonly object turns, ends, before, after, learners, over
    cdef unsigned char[:, ::1] states, features, secrets, masks, lacks, helps
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
        self.turns, self.ends = np.zeros(slots, np.uint8), np.zeros(slots, np.uint8)
        self.learners, self.over = np.zeros(slots, np.uint8), np.zeros(slots, np.uint8)
        self.before = np.zeros((slots, 2 * self.players + 2), np.int32)
        self.after = np.zeros((slots, 2 * self.players + 2), np.int32)
        self.turn_rows, self.end_rows, self.learner_rows = self.turns, self.ends, self.learners
        self.over_rows = self.over
        self.before_rows, self.after_rows = self.before, self.after
        self.now_rows = np.zeros((slots, 2 * self.players + 2), np.int32)
        self.states = np.zeros((slots, layout.state_size), np.uint8)
        self.lacks = np.full((slots, self.players), UNKNOWN, np.uint8)
        self.helps = np.zeros((slots, self.players * FACES), np.uint8)
        self.chances, self.games = np.zeros(slots, np.uint64), np.zeros(slots, np.uint64)
        self.counts, self.still = np.zeros(slots, np.uint64), np.zeros(slots, np.int32)
        self.t.slots, self.t.players, self.t.edition = slots, self.players, edition
        self.t.opponent = SHARP
        self.t.states, self.t.lacks = &self.states[0, 0], &self.lacks[0, 0]
        self.t.helps, self.t.turns = &self.helps[0, 0], &self.turn_rows[0]
        self.t.ends, self.t.learners = &self.end_rows[0], &self.learner_rows[0]
        self.t.over, self.t.still = &self.over_rows[0], &self.still[0]
        self.t.chances, self.t.games = &self.chances[0], &self.games[0]
        self.t.counts, self.t.now = &self.counts[0], &self.now_rows[0, 0]
        self.t.before, self.t.after = &self.before_rows[0, 0], &self.after_rows[0, 0]

    @property
    def opponent(self) -> int:
        """The number of the built-in player who has the other seats."""
        return self.t.opponent

    @opponent.setter
    def opponent(self, int number) -> None:
        self.t.opponent = number

    @property
    def share(self) -> float:
        """In how many of the games some seats are the opponent's."""
        return self.t.share

    @share.setter
    def share(self, double share) -> None:
        self.t.share = share

    def write_to(
        self,
        unsigned char[:, ::1] features,
        unsigned char[:, ::1] secrets,
        unsigned char[:, ::1] masks,
    ) -> None:
        """Where the rows for the networks are written from now on."""
        cdef tuple found = (
            count_features(self.players),
            count_secrets(self.players),
            count_actions(self.players),
        )
        if (features.shape[1], secrets.shape[1], masks.shape[1]) != found:
            raise ValueError(f"rows must have {found} numbers")
        if min(features.shape[0], secrets.shape[0], masks.shape[0]) < self.slots:
            raise ValueError("there must be a row for each table")
        self.features, self.secrets, self.masks = features, secrets, masks
        self.t.features, self.t.secrets = &features[0, 0], &secrets[0, 0]
        self.t.masks = &masks[0, 0]

    def begin_from(self, int[:, ::1] sheets) -> None:
        """Begin new games with any of these score sheets."""
        if sheets.shape[1] != 2 * self.players + 2:
            raise ValueError(f"a score sheet has {2 * self.players + 2} numbers")
        self.pool = sheets
        self.t.pooled = <int>sheets.shape[0]
        self.t.pool = &sheets[0, 0]

    def start(self, unsigned long long seed) -> None:
        """Begin a game at each table; the seed says which."""
        cdef Py_ssize_t i
        for i in prange(self.slots, nogil=True, num_threads=self.threads):
            start_game(self.layout, &self.t, i, stream(seed, i), 0)

    def start_games(self, unsigned long long[::1] seeds, unsigned char[::1] learners) -> None:
        """Begin a certain game at each table, in which the learners have certain seats (bits).

        The seed decides all that is dealt in a game, whoever plays it: hand by hand.
        """
        cdef Py_ssize_t i
        self.t.once = True
        for i in prange(self.slots, nogil=True, num_threads=self.threads):
            start_game(self.layout, &self.t, i, seeds[i], learners[i])

    def play_on(self, int most, unsigned long long seed) -> None:
        """Let sharp play up to so many actions at each table, so that no two are alike."""
        cdef Py_ssize_t i
        for i in prange(
            self.slots, nogil=True, num_threads=self.threads, schedule="dynamic", chunksize=64
        ):
            play_some(self.layout, &self.t, i, most, stream(seed, i))

    def step(self, int[::1] actions) -> int:
        """Carry out the learners' actions; how many were not legal (sharp's were done instead)."""
        cdef Py_ssize_t i
        cdef int wrong = 0
        for i in prange(
            self.slots, nogil=True, num_threads=self.threads, schedule="dynamic", chunksize=64
        ):
            wrong += step_one(self.layout, &self.t, i, actions[i])
        return wrong

    def choose(self, int[::1] out) -> None:
        """Write what sharp would do at each table."""
        cdef Py_ssize_t i
        for i in prange(
            self.slots, nogil=True, num_threads=self.threads, schedule="dynamic", chunksize=64
        ):
            out[i] = choose_one(self.layout, &self.t, i)

    def record_games(
        self, unsigned long long seed, int[:, :, ::1] sheets, int[::1] hands, int[::1] winners
    ) -> None:
        """Let sharp play a game at each table, and write the score sheet before each hand.

        ``winners`` are bits: of a game that takes more hands than there is room for, none.
        """
        cdef Py_ssize_t i
        cdef int most = <int>sheets.shape[1]
        if sheets.shape[2] != 2 * self.players + 2 or sheets.shape[0] != self.slots:
            raise ValueError("there must be room for the score sheets of each table")
        for i in prange(
            self.slots, nogil=True, num_threads=self.threads, schedule="dynamic", chunksize=4
        ):
            winners[i] = record_one(
                self.layout, &self.t, i, stream(seed, i), &sheets[i, 0, 0], most, &hands[i]
            )

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
            observe(self.layout, &self.t, i)
