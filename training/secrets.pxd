# What only a critic may see: the others' cards, the next ones of the draw pile, and who of the next
# four is a built-in player. A block that does not depend on the number of players, then one for each
# other seat.

from phaseten.kernel.layout cimport Layout

cdef enum:
    NEXT_CARDS = 6
    BUILT_IN = 300  # 4, after 6 cards of the draw pile x 50
    COMMON_SECRETS = 304
    SECRET_NUMBER = 48  # 12, after the cards by face
    SECRET_COLOR = 60  # 4
    SECRET_WILDS = 64  # 1
    SECRET_SKIPS = 65  # 1
    SECRET_LACKS = 66  # 8
    SECRET_POINTS = 74  # 6
    SEAT_SECRETS = 80

    UNKNOWN = 255  # what a seat lacks, where it was not counted yet

cdef int count_secrets(int players) noexcept nogil
cdef void write_secrets(
    Layout g, unsigned char* p, unsigned char* lacks, int learners, unsigned char* out
) noexcept nogil
