# One table after the other, as functions of rows of numbers: what processors do in environment.pyx and a GPU
# in tables.cu, which is made from the same lines (training/cuda.py).

from phaseten.kernel.layout cimport Layout

cdef enum:
    SHARP = 2

cdef struct Tables:
    int slots, players, edition
    int opponent  # the number of the built-in player who has the other seats
    int once  # whether a table whose game is over stays empty
    int pooled  # score sheets to begin games from
    double share  # in how many of the games some seats are the opponent's
    unsigned char* states
    unsigned char* features
    unsigned char* secrets
    unsigned char* masks
    unsigned char* lacks  # of each seat, UNKNOWN where its cards have changed since
    unsigned char* helps
    unsigned char* turns
    unsigned char* ends
    unsigned char* learners
    unsigned char* over
    unsigned long long* chances
    unsigned long long* games
    unsigned long long* counts
    int* still
    int* before
    int* after
    int* now
    int* pool

cdef void write_sheet(Layout g, unsigned char* p, int* row) noexcept nogil
cdef void start_game(
    Layout g, Tables* t, Py_ssize_t i, unsigned long long game, int learners
) noexcept nogil
cdef void play_some(
    Layout g, Tables* t, Py_ssize_t i, int most, unsigned long long chance
) noexcept nogil
cdef int step_one(Layout g, Tables* t, Py_ssize_t i, int action) noexcept nogil
cdef int record_one(
    Layout g, Tables* t, Py_ssize_t i, unsigned long long game, int* sheets, int most, int* hands
) noexcept nogil
cdef int choose_one(Layout g, Tables* t, Py_ssize_t i) noexcept nogil
cdef void observe(Layout g, Tables* t, Py_ssize_t i) noexcept nogil
