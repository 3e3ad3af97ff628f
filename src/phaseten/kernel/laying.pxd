# What other compiled modules may call of laying.py.

from phaseten.kernel.book cimport Book

cdef int supply(Book b, unsigned char* p, int seat, int cell) noexcept nogil
cdef int lack_of_group(Book b, unsigned char* p, int seat, int group, unsigned char* lacks) noexcept nogil
cdef int overlap(Book b, unsigned char* p, int seat, int one, int other) noexcept nogil
cdef bint legal_way(Book b, unsigned char* way, int split) noexcept nogil
cdef bint swapped(Book b, unsigned char* way, int one, int other) noexcept nogil
cdef int laid_order(Book b, int shape, int at, int face) noexcept nogil
cdef int find_in_shapes(Book b, unsigned char* p, int seat, int one, int other, int want, unsigned char* way) noexcept nogil
cdef int find_way(Book b, unsigned char* p, int seat, int phase, int want, unsigned char* way) noexcept nogil
cdef int find_lay(Book b, unsigned char* p, int want, unsigned char* way) noexcept nogil
cdef int count_lays(Book b, unsigned char* p) noexcept nogil
cdef bint is_before(unsigned char* one, unsigned char* other) noexcept nogil
cdef int number_of_way(Book b, unsigned char* p, unsigned char* way) noexcept nogil
cdef int aim(Book b, unsigned char* p, int seat, int phase, unsigned char* way) noexcept nogil
cdef bint fill(Book b, unsigned char* p, int seat, unsigned char* way) noexcept nogil
cdef void put_in_order(Book b, unsigned char* way) noexcept nogil
