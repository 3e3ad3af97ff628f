# What other compiled modules may call of worlds.py.

from phaseten.kernel.layout cimport Layout

cdef void make_hands_likely(Layout g, unsigned char* p, int seat, unsigned long long* rng) noexcept nogil
cdef void make_hand_likely(Layout g, unsigned char* p, int who, int turns, int tries, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int count_passed_over(Layout g, unsigned char* p, int who, int phase, unsigned char* way) noexcept nogil
cdef void redeal(Layout g, unsigned char* p, int who, unsigned long long* rng) noexcept nogil
cdef int known_of(Layout g, unsigned char* p, int who, int face) noexcept nogil
cdef void exchange(Layout g, unsigned char* p, int who, int phase, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef bint could_be_drawn(Layout g, unsigned char* p, int face) noexcept nogil
cdef void copy_state(Layout g, unsigned char* source, unsigned char* target) noexcept nogil
