# What other compiled modules may call of knowledge.py.

from phaseten.kernel.book cimport Book

cdef int observation_size(Book b) noexcept nogil
cdef void observe(Book b, unsigned char* p, int seat, short* out) noexcept nogil
cdef unsigned long long digest(Book b, unsigned char* p, int seat) noexcept nogil
cdef void resample(Book b, unsigned char* p, int seat, unsigned long long* rng) noexcept nogil
cdef void clear_hand(Book b, unsigned char* p, int who) noexcept nogil
cdef void keep_recycled(Book b, unsigned char* p, unsigned char* pool, int count, unsigned long long* rng) noexcept nogil
