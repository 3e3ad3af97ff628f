# What other compiled modules may call of prospects.py.

from phaseten.kernel.layout cimport Layout

cdef int count_unseen(Layout g, unsigned char* p, int seat, int* unseen) noexcept nogil
cdef int add_shortages(Layout g, unsigned char* p, int seat, int shape, int first, int* unseen, int count, int* lacks, int* outs) noexcept nogil
cdef double wait_for(Layout g, unsigned char* p, int seat, int one, int other, int* unseen, int total, int limit) noexcept nogil
cdef double weigh_cards(Layout g, unsigned char* p, int seat, int phase, int* unseen, int total, double* needs) noexcept nogil
cdef double weigh_way(Layout g, unsigned char* p, int seat, int one, int other, int* unseen, int total, int limit, double* needs) noexcept nogil
cdef void need_cards(Layout g, unsigned char* p, int seat, int shape, int other, double worth, double* needs) noexcept nogil
