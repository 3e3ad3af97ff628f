# What a network sees, as small numbers: one block that does not depend on the number of players,
# then a block for each seat, the one who looks being the first. So the features of fewer players
# are the beginning of those of more. The figures beside a name say how many numbers it has. The
# constants are written here alone: uncompiled, features.py reads them from this file.

from phaseten.kernel.layout cimport Layout

cdef enum:
    HELD_ONE = 0  # 48 faces: at least one is held
    HELD_TWO = 48  # 48
    HELD_NUMBER = 96  # 12 numbers x 4: at least so many
    HELD_COLOR = 144  # 4 colours x 8
    HELD_WILDS = 176  # 4
    HELD_SKIPS = 180  # 3
    PLAYS = 183  # 1: to draw is over
    CARDS = 184  # 11: at least so many cards are held
    HAS_LAID = 195  # 1
    PHASE = 196  # 10
    CAN_LAY = 206  # 1
    LACKS = 207  # 8: at least so many cards, Wilds held counted in
    WAITS = 215  # 8: at least so many draws until the Phase, as sharp thinks before a discard
    CAN_TAKE = 223  # 1
    NEEDED = 224  # 48: how much each held face is needed, in eighths, before a discard
    HELPS = 272  # 48: would bring a way that lacks the least nearer
    TOP = 320  # 50: the top discard
    TOP_HELPS = 370  # 1
    TOP_FITS = 371  # 1
    FITS = 372  # 49: fits a meld on the table
    UNSEEN_ONE = 421  # 48: at least one was not seen
    UNSEEN_TWO = 469  # 48
    UNSEEN_NUMBER = 517  # 12: how many, in eighths
    UNSEEN_COLOR = 529  # 4: in 24ths
    UNSEEN_WILDS = 533  # 1: in eighths
    UNSEEN_SKIPS = 534  # 1: in quarters
    DRAW_PILE = 535  # 8: at least so many tenths of the deck lie in the draw pile
    RESHUFFLED = 543  # 3
    POINTS = 546  # 8: what is held costs at least so much
    EDITION = 554  # 5
    COUNT = 559  # 5: two to six players
    COMMON_FEATURES = 576

    DEALS = 0  # 1
    LAID_PHASE = 1  # 1
    LOSES_TURN = 2  # 1
    PROTECTED = 3  # 1
    PLAYS_NEXT = 4  # 1
    SEAT_CARDS = 5  # 11
    SEAT_PHASE = 16  # 10
    KNOWN_NUMBER = 26  # 12: known cards, in quarters
    KNOWN_COLOR = 38  # 4: in eighths
    KNOWN_WILDS = 42  # 1: in quarters
    PASSED_NUMBER = 43  # 12: faces passed over or discarded, in quarters
    PASSED_COLOR = 55  # 4: in twelfths
    AHEAD_POINTS = 59  # 18: who looks has at least so many points more
    AHEAD_PHASES = 77  # 6: who looks has at least so many Phases more to make
    MELD = 84  # 2 melds x 38: kind 8, lowest number 12, highest number 12, colour 4; two not used
    MELD_FEATURES = 38
    SEAT_FEATURES = 160
    MOST_FEATURES = 1536  # of six players

cdef int count_features(int players) noexcept nogil
cdef void count_up(unsigned char* out, int at, int count, int most) noexcept nogil
cdef int cost_of(Layout g, unsigned char* p, int seat) noexcept nogil
cdef int find_helping(Layout g, unsigned char* p, unsigned char* helps) noexcept nogil
cdef int find_helping_of(Layout g, unsigned char* p, int seat, unsigned char* helps) noexcept nogil
cdef void write_features(Layout g, unsigned char* p, int edition, int lack, unsigned char* helps, unsigned char* mask, unsigned char* out) noexcept nogil
