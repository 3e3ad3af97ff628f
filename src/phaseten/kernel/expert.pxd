# What other compiled modules may call of expert.py.

from phaseten.kernel.book cimport Book

cdef int count_unseen(Book b, unsigned char* p, int seat, int* unseen) noexcept nogil
cdef int add_shortages(Book b, unsigned char* p, int seat, int shape, int first, int* unseen, int count, int* lacks, int* outs) noexcept nogil
cdef double wait_for(Book b, unsigned char* p, int seat, int one, int other, int* unseen, int total, int limit) noexcept nogil
cdef double weigh_cards(Book b, unsigned char* p, int seat, int phase, int* unseen, int total, double* needs) noexcept nogil
cdef double weigh_way(Book b, unsigned char* p, int seat, int one, int other, int* unseen, int total, int limit, double* needs) noexcept nogil
cdef void need_cards(Book b, unsigned char* p, int seat, int shape, int other, double worth, double* needs) noexcept nogil
cdef int next_player(Book b, unsigned char* p) noexcept nogil
cdef double danger(Book b, unsigned char* p, int seat, int face) noexcept nogil
cdef int choose_expert(Book b, unsigned char* p, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int expert_draw(Book b, unsigned char* p, int seat, int phase, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int expert_discard(Book b, unsigned char* p, int seat, int phase) noexcept nogil
cdef int best_face(Book b, double* scores) noexcept nogil
cdef void score_discards(Book b, unsigned char* p, int seat, int phase, double* scores) noexcept nogil
cdef int expert_skip(Book b, unsigned char* p, int seat) noexcept nogil
