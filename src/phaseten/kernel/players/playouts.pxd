# What other compiled modules may call of playouts.py.

from phaseten.kernel.layout cimport Layout
from phaseten.kernel.players.network.look cimport Network
from phaseten.kernel.players.network.sheet_chances cimport SheetChances

cdef int MOST_ACTIONS
cdef int phases_left(Layout g, unsigned char* p, int seat) noexcept nogil
cdef double chance_to_win(Layout g, unsigned char* p, int seat) noexcept nogil
cdef int carry_out(Layout g, unsigned char* p, unsigned long long* rng, int action, unsigned char* way) noexcept nogil
cdef void own_card_on_top(Layout g, unsigned char* p, unsigned char* owners) noexcept nogil
cdef void share_out(Layout g, unsigned char* p, unsigned char* owners) noexcept nogil
cdef int play_learned(Layout g, unsigned char* p, unsigned long long* rng, Network network, int edition) noexcept nogil
cdef double play_out(Layout g, unsigned char* p, unsigned long long* rng, int seat, int result, unsigned char* owners, Network network, int edition, SheetChances sheets) noexcept nogil
