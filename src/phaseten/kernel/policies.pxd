# What other compiled modules may call of policies.py.

from phaseten.kernel.book cimport Book

cdef int play_random(Book b, unsigned char* p, unsigned long long* rng) noexcept nogil
cdef int choose_greedy(Book b, unsigned char* p, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int discard_any(Book b, unsigned char* p, int seat, unsigned long long* rng) noexcept nogil
cdef int phase_to_make(Book b, unsigned char* p, int seat, unsigned char* way) noexcept nogil
cdef bint can_lay(Book b, unsigned char* p, int seat, unsigned char* way) noexcept nogil
cdef void hold(Book b, unsigned char* p, int seat, int face, int change) noexcept nogil
cdef bint will_lay(Book b, unsigned char* p, int seat, unsigned char* way) noexcept nogil
cdef bint brings_phase(Book b, unsigned char* p, int seat, int phase, int face, unsigned char* way) noexcept nogil
cdef bint breaks_circle(Book b, int phase, unsigned long long* rng) noexcept nogil
cdef bint fits_table(Book b, unsigned char* p, int face) noexcept nogil
cdef int choose_draw(Book b, unsigned char* p, int seat, int phase, int lack, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int wanted(Book b, unsigned char* p, int seat, unsigned char* way, int face) noexcept nogil
cdef bint belongs(Book b, int cell, int face) noexcept nogil
cdef int choose_hit(Book b, unsigned char* p, int seat) noexcept nogil
cdef int hit_with_numbers(Book b, unsigned char* p, int seat, int meld, int at, int group) noexcept nogil
cdef int hit_with_number(Book b, unsigned char* p, int seat, int meld, int number) noexcept nogil
cdef int choose_discard(Book b, unsigned char* p, int seat, int phase, unsigned char* way) noexcept nogil
cdef int choose_skip(Book b, unsigned char* p, int seat) noexcept nogil
