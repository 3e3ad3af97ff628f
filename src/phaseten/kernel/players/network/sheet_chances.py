# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""What a score sheet is worth between two hands: everybody's chance to win, as a small network has found it in many games.

The weights are one row of numbers: what is always added to the first layer, and a row of it for each input; the
same for the second layer, which adds to the first; then for each place in the order of playing what it is worth.
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.libc.math import exp
    from cython.cimports.phaseten.kernel.layout import DEALER, Layout
    from cython.cimports.phaseten.kernel.engine import get3
else:
    from math import exp
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout, constants_beside
    from phaseten.kernel.engine import get3

    globals().update(constants_beside(__file__))

from phaseten.kernel.players.network.look import check_edition

MOST_PHASES = cython.declare(cython.int, 10)


@cython.cclass
class SheetChances:
    """The network. It takes the score sheet and who deals next, which everybody knows."""

    def __init__(self, weights) -> None:
        if len(weights) != (
            SHEET_WIDTH * (1 + SHEET_INPUTS)
            + SHEET_WIDTH * (1 + SHEET_WIDTH)
            + SHEET_OUTPUTS * (1 + SHEET_WIDTH)
        ):
            raise ValueError("these are not the weights of such a network")
        self.weights = weights

    def chances(self, layout: Layout, state: bytes, edition: cython.int) -> list:
        """Of every seat, in a saved game between two hands of which nobody has won it."""
        p: cython.uchar[1536]
        i: cython.int
        if not cython.compiled:
            p = bytearray(1536)
        if len(state) < layout.state_size or not 2 <= layout.players <= SHEET_OUTPUTS:
            raise ValueError("this was not saved in a game by the same rules")
        if layout.phases > MOST_PHASES:
            raise ValueError("such score sheets are of ten Phases at most")
        check_edition(edition)
        for i in range(layout.state_size):
            p[i] = state[i]
        return [self.chance(layout, p, seat, edition) for seat in range(layout.players)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def chance(
        self, g: Layout, p: cython.p_uchar, seat: cython.int, edition: cython.int
    ) -> cython.double:
        """The seat's chance to win the game, of which nobody has won it yet."""
        worth: cython.float[6]
        i: cython.int
        if not cython.compiled:
            worth = [0.0] * 6
        best: cython.float
        total: cython.double = 0
        self.weigh(g, p, edition, worth)
        best = worth[0]
        for i in range(1, g.players):
            if worth[i] > best:
                best = worth[i]
        for i in range(g.players):
            total += exp(worth[i] - best)
        i = (seat - p[DEALER] - 1 + 2 * g.players) % g.players
        return exp(worth[i] - best) / total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def weigh(
        self, g: Layout, p: cython.p_uchar, edition: cython.int, worth: cython.p_float
    ) -> cython.void:
        """Write what every place is worth, the one who begins the next hand being the first."""
        inputs: cython.float[94]
        x: cython.float[96]
        y: cython.float[96]
        if not cython.compiled:
            inputs, x, y = [0.0] * 94, [0.0] * 96, [0.0] * 96
        i: cython.int
        k: cython.int
        at: cython.int = SHEET_WIDTH
        total: cython.float
        write_sheet(g, p, edition, inputs)
        for i in range(SHEET_WIDTH):
            x[i] = self.weights[i]
        for k in range(SHEET_INPUTS):
            if inputs[k] != 0:
                for i in range(SHEET_WIDTH):
                    x[i] += inputs[k] * self.weights[at + i]
            at += SHEET_WIDTH
        for i in range(SHEET_WIDTH):
            x[i] = x[i] if x[i] > 0 else 0
            y[i] = x[i] + self.weights[at + i]
        at += SHEET_WIDTH
        for k in range(SHEET_WIDTH):
            for i in range(SHEET_WIDTH):
                y[i] += x[k] * self.weights[at + i]
            at += SHEET_WIDTH
        for k in range(g.players):
            total = self.weights[at + SHEET_OUTPUTS * SHEET_WIDTH + k]
            for i in range(SHEET_WIDTH):
                if y[i] > 0:
                    total += y[i] * self.weights[at + SHEET_WIDTH * k + i]
            worth[k] = total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_sheet(
    g: Layout, p: cython.p_uchar, edition: cython.int, inputs: cython.p_float
) -> cython.void:
    """Write a score sheet as ``training/network.py`` does: of each seat, in the order of playing, the Phases
    left, how many more than the leader's, the points above the fewest, the points, and the Phases left in steps.
    """
    i: cython.int
    k: cython.int
    seat: cython.int
    left: cython.int
    total: cython.int
    at: cython.int
    lefts: cython.int[6]
    if not cython.compiled:
        lefts = [0] * 6
    fewest: cython.int = 100
    lowest: cython.int = 1 << 30
    for i in range(SHEET_INPUTS):
        inputs[i] = 0
    for seat in range(g.players):
        left = get3(p, g.o_left + 3 * seat)
        lefts[seat] = 0
        while left:
            left &= left - 1
            lefts[seat] += 1
        fewest = min(fewest, lefts[seat])
        lowest = min(lowest, get3(p, g.o_totals + 3 * seat))
    for i in range(g.players):
        seat = (p[DEALER] + 1 + i) % g.players
        total = get3(p, g.o_totals + 3 * seat)
        at = SHEET_FEATURES * i
        inputs[at] = lefts[seat] / cython.cast(cython.float, 10)
        inputs[at + 1] = (lefts[seat] - fewest) / cython.cast(cython.float, 3)
        inputs[at + 2] = (total - lowest) / cython.cast(cython.float, 100)
        inputs[at + 3] = total / cython.cast(cython.float, 300)
        for k in range(lefts[seat], 10):
            inputs[at + 4 + k] = 1
    inputs[SHEET_FEATURES * SHEET_OUTPUTS + g.players - 2] = 1
    inputs[SHEET_FEATURES * SHEET_OUTPUTS + 5 + edition] = 1
