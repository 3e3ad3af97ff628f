# What other compiled modules may call of engine.py.

from phaseten.kernel.layout cimport Layout

cdef int get3(unsigned char* p, int at) noexcept nogil
cdef void set3(unsigned char* p, int at, int value) noexcept nogil
cdef int turn_of(unsigned char* p) noexcept nogil
cdef void gain(Layout g, unsigned char* p, int seat, int face) noexcept nogil
cdef void lose(Layout g, unsigned char* p, int seat, int face) noexcept nogil
cdef int open_phases(Layout g, unsigned char* p, int seat) noexcept nogil
cdef void pass_turn(Layout g, unsigned char* p) noexcept nogil
cdef void mark_passed_over(Layout g, unsigned char* p, int seat, int face) noexcept nogil
cdef void unmark_passed_over(Layout g, unsigned char* p, int seat, int face) noexcept nogil
cdef void begin_to_play(unsigned char* p) noexcept nogil
cdef bint stands_still(Layout g, unsigned char* p) noexcept nogil
cdef void turn_discards_over(Layout g, unsigned char* p) noexcept nogil
cdef void draw_from_deck(Layout g, unsigned char* p, unsigned long long* rng) noexcept nogil
cdef void take_discard(Layout g, unsigned char* p) noexcept nogil
cdef int discard(Layout g, unsigned char* p, int face, int target) noexcept nogil
cdef void put_on(Layout g, unsigned char* p, int seat, int face, int meld) noexcept nogil
cdef int lay(Layout g, unsigned char* p, unsigned char* way) noexcept nogil
cdef int hit(Layout g, unsigned char* p, int meld, int how) noexcept nogil
cdef int face_of(Layout g, int color, int number) noexcept nogil
cdef int points_held(Layout g, unsigned char* p, int seat) noexcept nogil
cdef int end_hand(Layout g, unsigned char* p, int out) noexcept nogil
cdef int end_game(Layout g, unsigned char* p) noexcept nogil
cdef int act(Layout g, unsigned char* p, unsigned long long* rng, int action) noexcept nogil
