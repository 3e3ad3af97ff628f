# What other compiled modules see of layout.py. The constants are written here alone: uncompiled,
# layout.py reads them from this file.

# Places in a state that are the same for every game.
cdef enum:
    HAND = 0  # two bytes: the number of the hand
    DEALER = 2
    PLAYING = 3  # how many play this hand
    ORDER = 4  # six bytes: who plays, in the order of dealing
    PLACE = 10  # where in that order the turn is
    STEP = 11
    WINNER = 12  # seat + 1
    TIED = 13  # bits: who plays a tie-break hand
    TAKEN = 14  # face + 1 of the card taken from the discard pile in this turn
    DRAWS = 16  # cards in the draw pile
    DISCARDS = 17  # cards in the discard pile
    LAID = 18  # cards on the table
    OUT = 19  # seat + 1 of who went out last; 0: nobody, the hand stood still
    RESHUFFLES = 20  # two bytes
    QUIET = 22  # two bytes: turns begun since a Phase was laid or a card hit
    FIXED = 24

cdef enum:
    DRAW_STEP = 0
    PLAY_STEP = 1
    NO_STEP = 2  # between hands and after the game

cdef enum:
    MELDS = 2  # melds of a seat, at most
    MELD_BYTES = 4  # group + 1, lowest number, highest number, colour
    NUMBERS = 13
    MOST_STATE = 1536  # bytes of the largest state that the kernel holds
    WAY_BYTES = 32
    CHANCE_BYTES = 40  # behind a saved state: its stream of chance, and the seed of its shuffles

# Actions that are the same for every game, and one that stands for a way to lay that is written
# beside it.
cdef enum:
    DRAW_DECK = 0
    TAKE_DISCARD = 1
    DRAW_NOTHING = 2
    DISCARD = 3
    LAY_THIS = -1

cdef enum:
    NO_SEAT = -1

# What a cell counts.
cdef enum:
    BY_NUMBER = 0
    BY_COLOR = 1
    BY_FACE = 2
    BY_PARITY = 3

# What a step has brought.
cdef enum:
    GOES_ON = 0
    HAND_OVER = 1
    GAME_OVER = 2


cdef class Layout:
    cdef public int players, colors, highest, naturals, deck_size, deal
    cdef public int phases, in_front, discard_to_go_out, natural_per_meld, no_rediscard, choose_phase
    cdef public int ten_hands, quiet_turns, pairs, faces, wild, skip, known_most
    cdef public int state_size, o_size, o_made, o_waiting, o_skipped_by, o_left
    cdef public int o_totals, o_numbers, o_colors, o_melds, o_known_size, o_known
    cdef public int o_held, o_recycled, o_passed_over, passed_over_bytes, o_pile, o_laid, o_laid_on, a_skip
    cdef public int a_skip_at, a_hit, a_lay, pair_kinds, h_wild_low, h_wild_high
    cdef public int h_pairs, hits
    cdef public double phase_worth, point_worth
    cdef public const int[::1] deck, face_count, number_of, color_of, points_of
    cdef public const int[::1] order_of, phase_number, phase_groups, phase_show
    cdef public const int[::1] phase_tangled, phase_same, phase_cards, group_chain
    cdef public const int[::1] group_step, group_copies, group_colored, group_parity
    cdef public const int[::1] group_size, group_line, group_lines, group_shape
    cdef public const int[::1] group_shapes, line_cell, line_cells, line_width
    cdef public const int[::1] line_shape, shape_cell, shape_cells, shape_low
    cdef public const int[::1] shape_color, cell_size, cell_kind, cell_what
    cdef public const int[::1] cell_key, cell_face, cell_faces, cell_order
    cdef public const int[::1] face_list
