# What other compiled modules may call of sharp.py.

from phaseten.kernel.layout cimport Layout

cdef double NO_SCORE
cdef int next_player(Layout g, unsigned char* p) noexcept nogil
cdef double danger(Layout g, unsigned char* p, int seat, int face) noexcept nogil
cdef int choose_sharp(Layout g, unsigned char* p, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int sharp_draw(Layout g, unsigned char* p, int seat, int phase, unsigned long long* rng, unsigned char* way) noexcept nogil
cdef int sharp_discard(Layout g, unsigned char* p, int seat, int phase) noexcept nogil
cdef int best_face(Layout g, double* scores) noexcept nogil
cdef void score_discards(Layout g, unsigned char* p, int seat, int phase, double* scores) noexcept nogil
cdef int sharp_skip(Layout g, unsigned char* p, int seat) noexcept nogil
