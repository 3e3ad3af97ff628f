# What other compiled modules may call of look.py.

from phaseten.kernel.layout cimport Layout

cdef enum:
    MOST_WIDTH = 512  # numbers in a layer


cdef class Network:
    cdef readonly int width, layers
    cdef float[::1] weights
    cdef object plain
    cdef int choose(self, Layout g, unsigned char* p, int edition, unsigned char* way) noexcept nogil
    cdef void weigh(self, unsigned char* features, int players, unsigned char* mask, float* liked) noexcept nogil

cdef bint fits_network(Layout layout) noexcept nogil
