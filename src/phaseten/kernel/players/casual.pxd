# What other compiled modules may call of casual.py.

from phaseten.kernel.layout cimport Layout

cdef int PATIENCE
cdef int choose_casual(Layout g, unsigned char* p, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int discard_any(Layout g, unsigned char* p, int seat, unsigned long long* rng) noexcept nogil
cdef int phase_to_make(Layout g, unsigned char* p, int seat, unsigned char* way) noexcept nogil
cdef bint can_lay(Layout g, unsigned char* p, int seat, unsigned char* way) noexcept nogil
cdef void hold(Layout g, unsigned char* p, int seat, int face, int change) noexcept nogil
cdef bint will_lay(Layout g, unsigned char* p, int seat, unsigned char* way) noexcept nogil
cdef bint brings_phase(Layout g, unsigned char* p, int seat, int phase, int face, unsigned char* way) noexcept nogil
cdef bint breaks_circle(Layout g, int phase, unsigned long long* rng) noexcept nogil
cdef bint fits_table(Layout g, unsigned char* p, int face) noexcept nogil
cdef int choose_draw(Layout g, unsigned char* p, int seat, int phase, int lack, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int wanted(Layout g, unsigned char* p, int seat, unsigned char* way, int face) noexcept nogil
cdef bint belongs(Layout g, int cell, int face) noexcept nogil
cdef int choose_hit(Layout g, unsigned char* p, int seat) noexcept nogil
cdef int hit_with_numbers(Layout g, unsigned char* p, int seat, int meld, int at, int group) noexcept nogil
cdef int hit_with_number(Layout g, unsigned char* p, int seat, int meld, int number) noexcept nogil
cdef int choose_discard(Layout g, unsigned char* p, int seat, int phase, unsigned char* way) noexcept nogil
cdef int choose_skip(Layout g, unsigned char* p, int seat) noexcept nogil
