# What other compiled modules may call of seeded_shuffle.py.

cdef unsigned int[64] ROUNDS

cdef void compress(unsigned int* h, unsigned char* block) noexcept nogil
cdef void make_keys(unsigned long long* seed, unsigned int* keys) noexcept nogil
cdef int write_number(unsigned char* block, int at, int number) noexcept nogil
cdef void make_words(unsigned int* keys, int hand, int number, int block_number, unsigned int* out) noexcept nogil
cdef void shuffle_by_seed(unsigned int* keys, int hand, int number, unsigned char* p, int first, int count) noexcept nogil
