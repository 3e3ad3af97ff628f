# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The score sheets of whole games that a network plays against itself."""

from phaseten.kernel.chance cimport random_below, stream
from phaseten.kernel.dealing cimport begin, deal_shuffled
from phaseten.kernel.engine cimport end_hand
from phaseten.kernel.layout cimport GOES_ON, NO_SEAT, TIED, WINNER, Layout
from phaseten.kernel.players.network.look cimport Network
from phaseten.kernel.players.playouts cimport MOST_ACTIONS, play_learned

from training.tables cimport write_sheet


def record_games(
    Layout layout,
    Network network,
    int edition,
    unsigned long long seed,
    int[:, :, ::1] sheets,
    int[::1] hands,
    int[::1] winners,
) -> None:
    """Play a game for each of ``sheets``, and write the score sheet before each hand, how many hands there were, and
    who has won or is tied, as bits: nobody where there were more hands than there is room for.
    """
    cdef unsigned char[1536] p
    cdef unsigned long long rng
    cdef int i, hand, count, result, first
    cdef int most = <int>sheets.shape[1]
    if sheets.shape[2] != 2 * layout.players + 2 or layout.naturals != 48:
        raise ValueError("there must be room for the score sheets of such games")
    with nogil:
        for i in range(sheets.shape[0]):
            rng = stream(seed, i)
            first = random_below(&rng, layout.players)
            begin(layout, p, first)
            winners[i] = 0
            hands[i] = 0
            for hand in range(most):
                write_sheet(layout, p, &sheets[i, hand, 0])
                hands[i] = hand + 1
                deal_shuffled(layout, p, &rng)
                result = GOES_ON
                count = 0
                while result == GOES_ON and count < MOST_ACTIONS:
                    result = play_learned(layout, p, &rng, network, edition)
                    count += 1
                if result == GOES_ON:
                    end_hand(layout, p, NO_SEAT)
                if p[WINNER] or p[TIED]:
                    winners[i] = 1 << (p[WINNER] - 1) if p[WINNER] else p[TIED]
                    break
