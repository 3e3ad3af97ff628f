# What other compiled modules may call of choice.py.

from phaseten.kernel.layout cimport Layout

cdef int play_random(Layout g, unsigned char* p, unsigned long long* rng) noexcept nogil
cdef int choose_by(Layout g, unsigned char* p, unsigned long long* rng, int policy, unsigned char* way) noexcept nogil
cdef int play_one(Layout g, unsigned char* p, unsigned long long* rng, int policy) noexcept nogil
