# What other compiled modules may call of relative.py.

from phaseten.kernel.layout cimport Layout

cdef bint find_laying(Layout g, unsigned char* p, int seat, unsigned char* way) noexcept nogil
cdef bint find_best_lay(Layout g, unsigned char* p, unsigned char* way) noexcept nogil
cdef int relative_of(Layout g, int seat, int action) noexcept nogil
cdef int absolute_of(Layout g, int seat, int action) noexcept nogil
cdef void mark_legal(Layout g, unsigned char* p, unsigned char* mask) noexcept nogil
cdef void mark_hits(Layout g, unsigned char* p, int* faces, int count, unsigned char* mask) noexcept nogil
