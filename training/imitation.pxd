# What sharp does, as an action of a network.

from phaseten.kernel.layout cimport Layout

cdef int action_of(Layout g, unsigned char* p, int choice) noexcept nogil
cdef int choose_as_sharp(Layout g, unsigned char* p, unsigned long long* rng) noexcept nogil
