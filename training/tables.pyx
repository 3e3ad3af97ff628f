# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What happens at one table of many.

Games are played hand after hand; a hand is an episode. At every step each table waits for a
learner's decision: built-in opponents play by themselves, and so does who has no choice. A hand
that stands still (H-DEAD) is over, and so is a game that is tied: there each gets a share.

A score sheet is a row of numbers: the Phases left of each seat as bits, their totals, who deals
next, and who has won, as bits (0: nobody yet; several: they are tied).
"""

from libc.string cimport memcpy, memset
from phaseten.kernel.chance cimport random_below, stream
from phaseten.kernel.dealing cimport begin, deal_shuffled
from phaseten.kernel.engine cimport act, end_hand, get3, lay, set3, turn_of
from phaseten.kernel.layout cimport (
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

cdef enum:
    STILL = 50  # turns of each player without a card laid, after which a hand is over (H-DEAD)


cdef int sheet_size(Tables* t) noexcept nogil:
    """How many numbers a score sheet has."""
    return 2 * t.players + 2


cdef unsigned char* state_of(Layout g, Tables* t, Py_ssize_t i) noexcept nogil:
    """The state of a table."""
    return t.states + i * g.state_size


cdef unsigned char* mask_of(Tables* t, Py_ssize_t i) noexcept nogil:
    """What is legal at a table."""
    return t.masks + i * count_actions(t.players)


cdef unsigned char* helps_of(Tables* t, Py_ssize_t i, int seat) noexcept nogil:
    """Which faces would bring a seat's Phase nearer."""
    return t.helps + (i * t.players + seat) * FACES


cdef int carry_out(Layout g, unsigned char* p, unsigned long long* rng, int action) noexcept nogil:
    """Carry out a legal action, as the kernel's ``act`` and ``lay``; -1: it is not legal."""
    cdef unsigned char[32] way
    cdef int number = number_of(g, p, action, way)
    if number == NOT_LEGAL:
        return -1
    if number == LAY_THIS:
        return lay(g, p, way)
    return act(g, p, rng, number)


cdef void start_game(
    Layout g, Tables* t, Py_ssize_t i, unsigned long long game, int learners
) noexcept nogil:
    """Begin a certain game at a table, in which the learners have certain seats (bits; 0: by lot)."""
    t.games[i] = game
    t.counts[i] = 0
    t.over[i] = 0
    new_game(g, t, i)
    if learners:
        t.learners[i] = learners
    advance(g, t, i, GOES_ON)


cdef void new_game(Layout g, Tables* t, Py_ssize_t i) noexcept nogil:
    """Begin the next game of a table."""
    cdef unsigned char* p = state_of(g, t, i)
    cdef unsigned long long* rng = t.chances + i
    cdef int seat, half
    cdef int* sheet
    if t.counts[i]:
        t.games[i] = stream(t.games[i], t.counts[i])
    t.counts[i] += 1
    rng[0] = stream(t.games[i], 0)
    begin(g, p, random_below(rng, t.players))
    if t.pooled:
        sheet = t.pool + random_below(rng, t.pooled) * sheet_size(t)
        for seat in range(t.players):
            set3(p, g.o_left + 3 * seat, sheet[seat])
            set3(p, g.o_totals + 3 * seat, sheet[t.players + seat])
    t.learners[i] = (1 << t.players) - 1
    if random_below(rng, 1000) < 1000 * t.share:
        half = t.players // 2  # the opponent has so many seats, any of them
        while half:
            seat = random_below(rng, t.players)
            if (t.learners[i] >> seat) & 1:
                t.learners[i] ^= 1 << seat
                half -= 1
    deal(g, t, i)


cdef void deal(Layout g, Tables* t, Py_ssize_t i) noexcept nogil:
    """Deal a table's next hand: the game and the number of the hand decide the cards."""
    cdef unsigned char* p = state_of(g, t, i)
    t.still[i] = 0
    memset(t.lacks + i * t.players, UNKNOWN, t.players)
    t.chances[i] = stream(t.games[i], 1 + p[HAND] + 256 * p[HAND + 1])
    write_sheet(g, p, t.now + i * sheet_size(t))
    deal_shuffled(g, p, t.chances + i)


cdef void write_sheet(Layout g, unsigned char* p, int* row) noexcept nogil:
    """The score sheet as it is now."""
    cdef int seat
    for seat in range(g.players):
        row[seat] = get3(p, g.o_left + 3 * seat)
        row[g.players + seat] = get3(p, g.o_totals + 3 * seat)
    row[2 * g.players] = p[DEALER]
    row[2 * g.players + 1] = 1 << (p[WINNER] - 1) if p[WINNER] else p[TIED]


cdef int settle(
    Layout g, Tables* t, Py_ssize_t i, int result, int laid, int step
) noexcept nogil:
    """After an action: whether the hand is over, because it stands still or otherwise."""
    cdef unsigned char* p = state_of(g, t, i)
    if result != GOES_ON:
        return True
    if p[LAID] != laid:
        t.still[i] = 0
    elif step == PLAY_STEP and p[STEP] == DRAW_STEP:
        t.still[i] += 1
        if t.still[i] >= STILL * p[PLAYING]:
            end_hand(g, p, 0)
            return True
    return False


cdef int step_one(Layout g, Tables* t, Py_ssize_t i, int action) noexcept nogil:
    """Carry out an action at a table; 1 if it was not legal (sharp's was done instead)."""
    cdef unsigned char* p = state_of(g, t, i)
    cdef int laid = p[LAID]
    cdef int step = p[STEP]
    cdef int wrong = 0
    cdef int result
    t.ends[i] = 0
    if t.over[i]:
        return 0
    t.lacks[i * t.players + t.turns[i]] = UNKNOWN
    result = carry_out(g, p, t.chances + i, action)
    if result < 0:
        wrong = 1
        result = play_one(g, p, t.chances + i, SHARP)
    advance(g, t, i, settle(g, t, i, result, laid, step))
    return wrong


cdef void advance(Layout g, Tables* t, Py_ssize_t i, int ended) noexcept nogil:
    """Go on until a learner has a choice."""
    cdef unsigned char* p = state_of(g, t, i)
    cdef unsigned char* mask = mask_of(t, i)
    cdef unsigned char* lacks = t.lacks + i * t.players
    cdef int laid, step, action, count, result, seat
    while True:
        if ended:
            end(g, t, i)
            if t.over[i]:
                return
        laid = p[LAID]
        step = p[STEP]
        seat = turn_of(p)
        if not (t.learners[i] >> seat) & 1:
            result = play_one(g, p, t.chances + i, t.opponent)
        else:
            if lacks[seat] == UNKNOWN:
                lacks[seat] = find_helping(g, p, helps_of(t, i, seat))
            count = mark_legal(g, p, lacks[seat], mask)
            if count > 1:
                break
            action = 0
            while count and not mask[action]:
                action += 1
            result = carry_out(g, p, t.chances + i, action)
            if result < 0:
                result = play_one(g, p, t.chances + i, SHARP)
        lacks[seat] = UNKNOWN
        ended = settle(g, t, i, result, laid, step)
    t.turns[i] = seat
    write_rows(g, t, i)


cdef void write_rows(Layout g, Tables* t, Py_ssize_t i) noexcept nogil:
    """Write what networks see of a table."""
    cdef unsigned char* p = state_of(g, t, i)
    cdef unsigned char* lacks = t.lacks + i * t.players
    cdef unsigned char* features = t.features + i * count_features(t.players)
    cdef int seat = turn_of(p)
    write_features(
        g, p, t.edition, lacks[seat], helps_of(t, i, seat), mask_of(t, i), features
    )
    write_secrets(
        g,
        p,
        lacks,
        helps_of(t, i, 0),
        t.learners[i],
        features,
        t.secrets + i * count_secrets(t.players),
    )


cdef void observe(Layout g, Tables* t, Py_ssize_t i) noexcept nogil:
    """Write the rows of a table once more."""
    cdef unsigned char* p = state_of(g, t, i)
    cdef int seat = turn_of(p)
    memset(t.lacks + i * t.players, UNKNOWN, t.players)
    t.lacks[i * t.players + seat] = find_helping(g, p, helps_of(t, i, seat))
    mark_legal(g, p, t.lacks[i * t.players + seat], mask_of(t, i))
    write_rows(g, t, i)


cdef void end(Layout g, Tables* t, Py_ssize_t i) noexcept nogil:
    """A hand is over: note the score sheet, and deal the next hand or begin a new game.

    If the learners had no choice in a whole hand, only the first of two ends is noted.
    """
    cdef unsigned char* p = state_of(g, t, i)
    cdef bint decided = p[WINNER] or p[TIED]
    if not t.ends[i] or t.once:
        t.ends[i] = 1
        write_sheet(g, p, t.after + i * sheet_size(t))
        memcpy(
            t.before + i * sheet_size(t), t.now + i * sheet_size(t), sheet_size(t) * sizeof(int)
        )
    if decided and t.once:
        t.over[i] = 1
    elif decided:
        new_game(g, t, i)
    else:
        deal(g, t, i)


cdef void play_some(
    Layout g, Tables* t, Py_ssize_t i, int most, unsigned long long chance
) noexcept nogil:
    """Let sharp play some actions at a table."""
    cdef unsigned char* p = state_of(g, t, i)
    cdef int laid, step, result, k
    cdef int count = random_below(&chance, most)
    for k in range(count):
        laid = p[LAID]
        step = p[STEP]
        result = play_one(g, p, t.chances + i, SHARP)
        if settle(g, t, i, result, laid, step):
            t.ends[i] = 1  # the hand that a learner sees is dealt by `end`
            end(g, t, i)
    t.ends[i] = 0
    memset(t.lacks + i * t.players, UNKNOWN, t.players)
    advance(g, t, i, GOES_ON)


cdef int record_one(
    Layout g, Tables* t, Py_ssize_t i, unsigned long long game, int* sheets, int most, int* hands
) noexcept nogil:
    """Let sharp play a game to its end, and write the score sheet before each hand; who has won, as bits.

    Nobody has won a game that takes more hands than there is room for.
    """
    cdef unsigned char* p = state_of(g, t, i)
    cdef int width = sheet_size(t)
    cdef int hand, laid, step, result
    t.games[i] = game
    t.counts[i] = 0
    new_game(g, t, i)
    hands[0] = 0
    for hand in range(most):
        memcpy(sheets + hand * width, t.now + i * width, width * sizeof(int))
        hands[0] = hand + 1
        while True:
            laid = p[LAID]
            step = p[STEP]
            result = play_one(g, p, t.chances + i, SHARP)
            if settle(g, t, i, result, laid, step):
                break
        if p[WINNER] or p[TIED]:
            return 1 << (p[WINNER] - 1) if p[WINNER] else p[TIED]
        deal(g, t, i)
    return 0


cdef int choose_one(Layout g, Tables* t, Py_ssize_t i) noexcept nogil:
    """What sharp would do at a table; its chance is not used up."""
    cdef unsigned long long chance = t.chances[i]
    if t.over[i]:
        return 0
    return choose_as_sharp(g, state_of(g, t, i), &chance)
