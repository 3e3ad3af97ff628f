# What other compiled modules may call of search.py.

from phaseten.kernel.layout cimport Layout

cdef void make_hands_likely(Layout g, unsigned char* p, int seat, unsigned long long* rng) noexcept nogil
cdef void exchange(Layout g, unsigned char* p, int who, int phase, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef bint could_be_drawn(Layout g, unsigned char* p, int face) noexcept nogil
cdef int phases_left(Layout g, unsigned char* p, int seat) noexcept nogil
cdef double chance_to_win(Layout g, unsigned char* p, int seat) noexcept nogil
cdef int carry_out(Layout g, unsigned char* p, unsigned long long* rng, int action) noexcept nogil
cdef void own_card_on_top(Layout g, unsigned char* p, unsigned char* owners) noexcept nogil
cdef void share_out(Layout g, unsigned char* p, unsigned char* owners) noexcept nogil
cdef double play_out(Layout g, unsigned char* p, unsigned long long* rng, int seat, int result, unsigned char* owners) noexcept nogil
cdef int list_candidates(Layout g, unsigned char* p, unsigned long long* rng, int most, int* out) noexcept nogil
cdef int add_simple(Layout g, unsigned char* p, int choice, int* out) noexcept nogil
cdef int add_lays(Layout g, unsigned char* p, int choice, int count, int* out) noexcept nogil
cdef int add_discards(Layout g, unsigned char* p, int choice, int most, int count, int* out) noexcept nogil
cdef void copy_state(Layout g, unsigned char* source, unsigned char* target) noexcept nogil
