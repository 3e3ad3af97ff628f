# What other compiled modules may call of sheet_chances.py.

from phaseten.kernel.layout cimport Layout

cdef enum:
    SHEET_FEATURES = 14  # of each seat: see sheet_chances.py
    SHEET_INPUTS = 94  # those of six seats, 5 for the number of players, 5 for the edition
    SHEET_WIDTH = 96
    SHEET_OUTPUTS = 6


cdef class SheetChances:
    cdef float[::1] weights
    cdef double chance(self, Layout g, unsigned char* p, int seat, int edition) noexcept nogil
    cdef void weigh(self, Layout g, unsigned char* p, int edition, float* worth) noexcept nogil
