# What other compiled modules may call of chance.py.

cdef unsigned int random_below(unsigned long long* rng, unsigned int n) noexcept nogil
cdef void shuffle(unsigned char* p, int first, int count, unsigned long long* rng) noexcept nogil
cdef unsigned long long stream(unsigned long long seed, unsigned long long number) noexcept nogil
cdef unsigned long long mix(unsigned long long seed) noexcept nogil
