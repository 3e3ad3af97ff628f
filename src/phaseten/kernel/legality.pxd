# What other compiled modules may call of legality.py.

from phaseten.kernel.book cimport Book

cdef bint can_draw(unsigned char* p) noexcept nogil
cdef bint can_take(Book b, unsigned char* p) noexcept nogil
cdef bint can_skip(Book b, unsigned char* p, int target) noexcept nogil
cdef bint can_discard(Book b, unsigned char* p, int face) noexcept nogil
cdef bint can_hit(Book b, unsigned char* p, int meld, int how) noexcept nogil
cdef bint fits(Book b, unsigned char* p, int at, int group, int face) noexcept nogil
cdef bint can_pair(Book b, unsigned char* p, int at, int held, int pair) noexcept nogil
cdef bint is_legal(Book b, unsigned char* p, int action) noexcept nogil
cdef int list_simple(Book b, unsigned char* p, int* out, int most) noexcept nogil
cdef int list_hits(Book b, unsigned char* p, int* out, int most) noexcept nogil
