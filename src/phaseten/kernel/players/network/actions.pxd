# Actions of a network: counted from the seat that acts, the same for every number of players.
#
# The common actions come first, then a block for each seat, the seat on turn being the first: so
# the actions of fewer players are the beginning of those of more. The constants are written here
# alone: uncompiled, actions.py reads them from this file.

from phaseten.kernel.layout cimport Layout

cdef enum:
    FACES = 48  # numbered cards of every edition that a network can play
    LAY = 53  # as sharp would lay
    COMMON = 56  # draws, discards, a Skip without a target, laying; three are not used
    SEAT_ACTIONS = 40  # a Skip on that seat, then the hits on its melds; seven are not used
    MELD_HITS = 16  # a card of each number, a Wild below or above, a pair below or above
    MOST_ACTIONS = 296  # of six players
    NOT_LEGAL = -2

cdef int count_actions(int players) noexcept nogil
cdef int mark_legal(Layout g, unsigned char* p, int lack, unsigned char* mask) noexcept nogil
cdef int mark_hits(Layout g, unsigned char* p, int meld, unsigned char* mask, int at) noexcept nogil
cdef int find_hit(Layout g, unsigned char* p, int meld, int how) noexcept nogil
cdef int number_of(Layout g, unsigned char* p, int action, unsigned char* way) noexcept nogil
