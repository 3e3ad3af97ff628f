# What other compiled modules may call of foresight.py.

from phaseten.kernel.layout cimport Layout

cdef bint leads_on(Layout g, unsigned char* p, int held, unsigned char* way, int at, int slots, int* slot_cell, int choice) noexcept nogil
cdef bint can_show(Layout g, unsigned char* p, int held, int cell, int show) noexcept nogil
cdef bint take(Layout g, unsigned char* p, int held, int slot, int at, int slots, int* slot_cell, int choice, int* takers, unsigned char* tried) noexcept nogil
