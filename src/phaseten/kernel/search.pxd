# What other compiled modules may call of search.py.

from phaseten.kernel.book cimport Book

cdef void live_through(Book b, unsigned char* p, int seat, unsigned long long* rng) noexcept nogil
cdef void exchange(Book b, unsigned char* p, int who, int phase, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef bint could_be_drawn(Book b, unsigned char* p, int face) noexcept nogil
cdef int phases_left(Book b, unsigned char* p, int seat) noexcept nogil
cdef double chance_to_win(Book b, unsigned char* p, int seat) noexcept nogil
cdef int carry_out(Book b, unsigned char* p, unsigned long long* rng, int action) noexcept nogil
cdef void own_card_on_top(Book b, unsigned char* p, unsigned char* owners) noexcept nogil
cdef void share_out(Book b, unsigned char* p, unsigned char* owners) noexcept nogil
cdef double play_out(Book b, unsigned char* p, unsigned long long* rng, int seat, int result, unsigned char* owners) noexcept nogil
cdef int list_candidates(Book b, unsigned char* p, unsigned long long* rng, int most, int* out) noexcept nogil
cdef int add_simple(Book b, unsigned char* p, int choice, int* out) noexcept nogil
cdef int add_lays(Book b, unsigned char* p, int choice, int count, int* out) noexcept nogil
cdef int add_discards(Book b, unsigned char* p, int choice, int most, int count, int* out) noexcept nogil
cdef void copy_state(Book b, unsigned char* source, unsigned char* target) noexcept nogil
