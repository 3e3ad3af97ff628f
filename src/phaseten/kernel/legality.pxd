# What other compiled modules may call of legality.py.

from phaseten.kernel.layout cimport Layout

cdef bint can_draw(unsigned char* p) noexcept nogil
cdef bint can_take(Layout g, unsigned char* p) noexcept nogil
cdef bint can_skip(Layout g, unsigned char* p, int target) noexcept nogil
cdef bint can_discard(Layout g, unsigned char* p, int face) noexcept nogil
cdef bint can_hit(Layout g, unsigned char* p, int meld, int how) noexcept nogil
cdef bint fits(Layout g, unsigned char* p, int at, int group, int face) noexcept nogil
cdef bint can_pair(Layout g, unsigned char* p, int at, int held, int pair) noexcept nogil
cdef bint is_legal(Layout g, unsigned char* p, int action) noexcept nogil
cdef int list_simple(Layout g, unsigned char* p, int* out, int most) noexcept nogil
cdef int list_hits(Layout g, unsigned char* p, int* out, int most) noexcept nogil
