# What other compiled modules may call of rookie.py.

from phaseten.kernel.book cimport Book

cdef int choose_rookie(Book b, unsigned char* p, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int discard_number(Book b, unsigned char* p, int seat, unsigned long long* rng) noexcept nogil
