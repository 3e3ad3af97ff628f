# What other compiled modules may call of players.py.

from phaseten.kernel.book cimport Book

cdef int choose_by(Book b, unsigned char* p, unsigned long long* rng, int policy, unsigned char* way) noexcept nogil
cdef int play_one(Book b, unsigned char* p, unsigned long long* rng, int policy) noexcept nogil
