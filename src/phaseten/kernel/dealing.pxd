# What other compiled modules may call of dealing.py.

from phaseten.kernel.layout cimport Layout

cdef void begin(Layout g, unsigned char* p, int dealer) noexcept nogil
cdef void gather_deck(Layout g, unsigned char* p) noexcept nogil
cdef void deal_shuffled(Layout g, unsigned char* p, unsigned long long* rng) noexcept nogil
cdef void deal_pile(Layout g, unsigned char* p) noexcept nogil
