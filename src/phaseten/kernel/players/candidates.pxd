# What other compiled modules may call of candidates.py.

from phaseten.kernel.layout cimport Layout

cdef int STUCK
cdef int list_candidates(Layout g, unsigned char* p, unsigned long long* rng, int most, int* out, unsigned char* way) noexcept nogil
cdef int add_simple(Layout g, unsigned char* p, int choice, int* out) noexcept nogil
cdef int add_lays(Layout g, unsigned char* p, unsigned char* way, int count, int* out) noexcept nogil
cdef int add_discards(Layout g, unsigned char* p, int choice, int most, int count, int* out) noexcept nogil
