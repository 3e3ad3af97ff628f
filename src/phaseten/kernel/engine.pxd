# What other compiled modules may call of engine.py.

from phaseten.kernel.book cimport Book

cdef unsigned int random_below(unsigned long long* rng, unsigned int n) noexcept nogil
cdef void shuffle(unsigned char* p, int first, int count, unsigned long long* rng) noexcept nogil
cdef unsigned long long stream(unsigned long long seed, unsigned long long number) noexcept nogil
cdef int get3(unsigned char* p, int at) noexcept nogil
cdef void set3(unsigned char* p, int at, int value) noexcept nogil
cdef int turn_of(unsigned char* p) noexcept nogil
cdef void gain(Book b, unsigned char* p, int seat, int face) noexcept nogil
cdef void lose(Book b, unsigned char* p, int seat, int face) noexcept nogil
cdef int open_phases(Book b, unsigned char* p, int seat) noexcept nogil
cdef void begin(Book b, unsigned char* p, int dealer) noexcept nogil
cdef void deal_shuffled(Book b, unsigned char* p, unsigned long long* rng) noexcept nogil
cdef void deal_pile(Book b, unsigned char* p) noexcept nogil
cdef void pass_turn(Book b, unsigned char* p) noexcept nogil
cdef void draw_from_deck(Book b, unsigned char* p, unsigned long long* rng) noexcept nogil
cdef void take_discard(Book b, unsigned char* p) noexcept nogil
cdef int discard(Book b, unsigned char* p, int face, int target) noexcept nogil
cdef void put_on(Book b, unsigned char* p, int seat, int face, int meld) noexcept nogil
cdef int lay(Book b, unsigned char* p, unsigned char* way) noexcept nogil
cdef int hit(Book b, unsigned char* p, int meld, int how) noexcept nogil
cdef int face_of(Book b, int color, int number) noexcept nogil
cdef int points_held(Book b, unsigned char* p, int seat) noexcept nogil
cdef int end_hand(Book b, unsigned char* p, int out) noexcept nogil
cdef int end_game(Book b, unsigned char* p) noexcept nogil
cdef int act(Book b, unsigned char* p, unsigned long long* rng, int action) noexcept nogil
