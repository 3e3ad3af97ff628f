# What only a critic may see: the others' cards, the next ones of the draw pile, and who of the next
# four is a built-in player. A block that does not depend on the number of players, then one for each
# other seat. Of every seat: which of its next draws, if nobody takes a discard, would bring its Phase
# nearer or fit the table. With that a critic sees a good part of what will come of a hand.

from phaseten.kernel.layout cimport Layout

cdef enum:
    NEXT_CARDS = 6
    BUILT_IN = 300  # 4, after 6 cards of the draw pile x 50
    OWN_DRAWS = 304  # DRAW_SECRETS
    COMMON_SECRETS = 336  # eight are not used: rows are moved 16 numbers at a time
    SECRET_FACES = 0  # 48
    SECRET_NUMBER = 48  # 12
    SECRET_COLOR = 60  # 4
    SECRET_WILDS = 64  # 1
    SECRET_SKIPS = 65  # 1
    SECRET_LACKS = 66  # 8
    SECRET_POINTS = 74  # 6
    SEAT_DRAWS = 80  # DRAW_SECRETS
    TOP_HELPS_SEAT = 104  # 1: the top discard would bring the Phase nearer
    SEAT_HELPS = 105  # 48: the cards that would
    SEAT_SECRETS = 160  # seven are not used

    NEXT_DRAWS = 8
    DRAW_FITS = 8  # after whether each of the next draws helps
    HELD_FITS = 16  # 8: at least so many held cards fit the table
    DRAW_SECRETS = 24

    UNKNOWN = 255  # what a seat lacks, where it was not counted yet

cdef int count_secrets(int players) noexcept nogil
cdef void write_secrets(
    Layout g,
    unsigned char* p,
    unsigned char* lacks,
    unsigned char* helps,
    int learners,
    unsigned char* features,
    unsigned char* out,
) noexcept nogil
