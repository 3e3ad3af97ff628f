# What other compiled modules may call of sharp.py.

from phaseten.kernel.layout cimport Layout

cdef int count_unseen(Layout g, unsigned char* p, int seat, int* unseen) noexcept nogil
cdef int add_shortages(Layout g, unsigned char* p, int seat, int shape, int first, int* unseen, int count, int* lacks, int* outs) noexcept nogil
cdef double wait_for(Layout g, unsigned char* p, int seat, int one, int other, int* unseen, int total, int limit) noexcept nogil
cdef double weigh_cards(Layout g, unsigned char* p, int seat, int phase, int* unseen, int total, double* needs) noexcept nogil
cdef double weigh_way(Layout g, unsigned char* p, int seat, int one, int other, int* unseen, int total, int limit, double* needs) noexcept nogil
cdef void need_cards(Layout g, unsigned char* p, int seat, int shape, int other, double worth, double* needs) noexcept nogil
cdef int next_player(Layout g, unsigned char* p) noexcept nogil
cdef double danger(Layout g, unsigned char* p, int seat, int face) noexcept nogil
cdef int choose_sharp(Layout g, unsigned char* p, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int sharp_draw(Layout g, unsigned char* p, int seat, int phase, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int sharp_discard(Layout g, unsigned char* p, int seat, int phase) noexcept nogil
cdef int best_face(Layout g, double* scores) noexcept nogil
cdef void score_discards(Layout g, unsigned char* p, int seat, int phase, double* scores) noexcept nogil
cdef int sharp_skip(Layout g, unsigned char* p, int seat) noexcept nogil
