# What other compiled modules may call of knowledge.py.

from phaseten.kernel.layout cimport Layout

cdef int observation_size(Layout g) noexcept nogil
cdef void observe(Layout g, unsigned char* p, int seat, short* out) noexcept nogil
cdef unsigned long long digest(Layout g, unsigned char* p, int seat) noexcept nogil
cdef void resample(Layout g, unsigned char* p, int seat, unsigned long long* rng) noexcept nogil
cdef void clear_hand(Layout g, unsigned char* p, int who) noexcept nogil
cdef void keep_recycled(Layout g, unsigned char* p, unsigned char* pool, int count, unsigned long long* rng) noexcept nogil
