# cython: language_level=3
"""The tables of one game and the layout of its state, a row of bytes.

A state is a row of unsigned bytes, the same for a single game and for each game of a batch.
Seats, Phases and colours count from 0 here; 0 often means "none", and then what is meant is one
more. Numbers that can exceed 255 take several bytes, the lowest first.

In all compiled modules ``g`` is the layout of the game and ``p`` its state.
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if not cython.compiled:
    import re
    from pathlib import Path

    def constants_beside(path: str) -> dict:
        """The constants in the ``.pxd`` file of a module."""
        text = Path(path).with_suffix(".pxd").read_text()
        found = re.findall(r"^    ([A-Z_]+) = (-?\d+)", text, re.MULTILINE)
        return {name: int(value) for name, value in found}

    globals().update(constants_beside(__file__))


@cython.cclass
class Layout:
    """The tables of :mod:`phaseten.kernel.tables`, places in the state, and action numbers."""

    def __init__(self, tables: dict) -> None:
        for name, value in tables.items():
            if not isinstance(value, int) and not cython.compiled:
                value = memoryview(value)
            setattr(self, name, value)
        self.faces = self.naturals + 2
        self.wild = self.naturals
        self.skip = self.naturals + 1
        self._lay_out_state()
        self._lay_out_actions()
        self._weigh()
        if self.state_size > MOST_STATE:
            raise ValueError(f"a game of {self.state_size} bytes is more than the kernel holds")

    def _lay_out_state(self) -> None:
        players = self.players
        end: cython.int = FIXED
        self.o_size = end
        end += players
        self.o_made = end  # Phase + 1
        end += players
        self.o_waiting = end
        end += players
        self.o_skipped_by = end  # seat + 1
        end += players
        self.o_left = end  # three bytes: bits of the Phases still to make
        end += 3 * players
        self.o_totals = end  # three bytes
        end += 3 * players
        self.o_numbers = end  # of each number, how many cards the seat holds
        end += NUMBERS * players
        self.o_colors = end
        end += self.colors * players
        self.o_melds = end
        end += MELDS * MELD_BYTES * players
        self.o_known_size = end
        end += players
        self.known_most = self.deal + 1
        self.o_known = end  # faces taken from the discard pile and still held
        end += self.known_most * players
        self.o_held = end  # of each face, how many cards the seat holds
        end += self.faces * players
        self.o_recycled = end
        end += self.faces
        self.passed_over_bytes = (self.naturals + 7) // 8
        self.o_passed_over = (
            end  # bits: the faces that the seat discarded, or left lying, in this hand
        )
        end += self.passed_over_bytes * players
        self.o_pile = end  # the discard pile from the front, the draw pile at the back
        end += self.deck_size
        self.o_laid = end
        end += self.deck_size
        self.o_laid_on = end  # the meld on which each laid card lies
        end += self.deck_size
        self.state_size = end

    def _lay_out_actions(self) -> None:
        self.a_skip = DISCARD + self.naturals + 1  # without a target
        self.a_skip_at = self.a_skip + 1
        self.a_hit = self.a_skip_at + self.players
        symbols = self.colors + 1
        self.pair_kinds = symbols * (symbols + 1) // 2
        self.h_wild_low = self.naturals
        self.h_wild_high = self.naturals + 1
        self.h_pairs = self.naturals + 2
        self.hits = self.h_pairs + (2 * self.pair_kinds if self.pairs else 0)
        self.a_lay = self.a_hit + self.players * MELDS * self.hits

    def _weigh(self) -> None:
        """What a Phase and a point weigh in the chance to win: see ``search.py``."""
        i: cython.int
        points: cython.double = 0
        for i in range(self.naturals):
            points += self.points_of[i]
        points *= self.deal / self.naturals  # what a hand of cards costs
        both: cython.double = 3.75 / self.players**0.5  # of a Phase not made: it, and those points
        # However many cards are dealt, the Phase itself keeps its worth.
        self.point_worth = min(0.06 / self.players, 0.75 * both / points)
        self.phase_worth = both - self.point_worth * points
