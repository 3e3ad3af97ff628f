# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What actions are worth where everybody keeps the true cards and only the draw pile is shuffled anew."""

from phaseten.kernel.chance cimport shuffle, stream
from phaseten.kernel.engine cimport turn_of
from phaseten.kernel.layout cimport DRAWS, Layout
from phaseten.kernel.legality cimport is_legal
from phaseten.kernel.players.network.look cimport Network
from phaseten.kernel.players.network.sheet_chances cimport SheetChances
from phaseten.kernel.players.playouts cimport carry_out, own_card_on_top, play_out, share_out
from phaseten.kernel.players.worlds cimport copy_state


def play_on(
    Layout layout,
    bytes state,
    int[::1] actions,
    double[:, ::1] values,
    unsigned long long seed,
    Network network,
    int edition,
    SheetChances sheets,
) -> None:
    """Write what each action is worth, a row for each shuffle, where the network plays on to the end of the hand.

    Who draws gets the next card that is meant for them, so that what differs is the action. To lay is the number of a way.
    """
    cdef unsigned char[1536] world
    cdef unsigned char[1536] trial
    cdef unsigned char[32] way
    cdef unsigned char[256] owners
    cdef unsigned long long rng, chance
    cdef int i, j, first, result, seat
    if values.shape[1] != actions.shape[0]:
        raise ValueError("values must have a column for each action")
    for i in range(layout.state_size):
        world[i] = state[i]
    for j in range(actions.shape[0]):
        if actions[j] < 0 or actions[j] < layout.a_lay and not is_legal(layout, world, actions[j]):
            raise ValueError(f"{actions[j]} is not legal")
    seat = turn_of(world)
    first = layout.o_pile + layout.deck_size - world[DRAWS]
    with nogil:
        for i in range(values.shape[0]):
            rng = stream(seed, i)
            shuffle(world, first, world[DRAWS], &rng)
            chance = rng
            for j in range(actions.shape[0]):
                copy_state(layout, world, trial)
                rng = chance
                share_out(layout, trial, owners)
                own_card_on_top(layout, trial, owners)
                result = carry_out(layout, trial, &rng, actions[j], way)
                values[i, j] = play_out(
                    layout, trial, &rng, seat, result, owners, network, edition, sheets
                )
