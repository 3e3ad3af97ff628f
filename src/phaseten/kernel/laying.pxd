# What other compiled modules may call of laying.py.

from phaseten.kernel.layout cimport Layout

cdef bint legal_way(Layout g, unsigned char* way, int split) noexcept nogil
cdef bint swapped(Layout g, unsigned char* way, int one, int other) noexcept nogil
cdef int laid_order(Layout g, int shape, int at, int face) noexcept nogil
cdef int find_in_shapes(Layout g, unsigned char* p, int seat, int one, int other, int want, unsigned char* way) noexcept nogil
cdef int find_way(Layout g, unsigned char* p, int seat, int phase, int want, unsigned char* way) noexcept nogil
cdef int find_lay(Layout g, unsigned char* p, int want, unsigned char* way) noexcept nogil
cdef int count_lays(Layout g, unsigned char* p) noexcept nogil
cdef bint is_before(unsigned char* one, unsigned char* other) noexcept nogil
cdef bint same_way(unsigned char* one, unsigned char* other) noexcept nogil
cdef int number_of_way(Layout g, unsigned char* p, unsigned char* way) noexcept nogil
cdef bint fill(Layout g, unsigned char* p, int seat, unsigned char* way) noexcept nogil
cdef void put_in_order(Layout g, unsigned char* way) noexcept nogil
