# What other compiled modules may call of rookie.py.

from phaseten.kernel.layout cimport Layout

cdef int choose_rookie(Layout g, unsigned char* p, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int discard_number(Layout g, unsigned char* p, int seat, unsigned long long* rng) noexcept nogil
