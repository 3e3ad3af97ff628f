# What other compiled modules may call of shortage.py.

from phaseten.kernel.layout cimport Layout

cdef int supply(Layout g, unsigned char* p, int seat, int cell) noexcept nogil
cdef int lack_of_group(Layout g, unsigned char* p, int seat, int group, unsigned char* lacks) noexcept nogil
cdef int overlap(Layout g, unsigned char* p, int seat, int one, int other) noexcept nogil
cdef int aim(Layout g, unsigned char* p, int seat, int phase, unsigned char* way) noexcept nogil
cdef int aim_within(Layout g, unsigned char* p, int seat, int phase, int most, unsigned char* way) noexcept nogil
