# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""One look of a trained network: what it sees goes through its layers, and it takes what it likes best.

The weights are one row of numbers: what is always added to the first layer, and a row of the layer for
each feature; then of each further layer a row for each of its inputs, and what is always added; then a
row for each action, and what is always added to each. Between the layers the numbers are moved and
stretched to a mean of 0 and a variance of 1.

Uncompiled, ``plain.py`` does the same.
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if cython.compiled:
    from cython.cimports.phaseten.kernel.layout import (
        CHANCE_BYTES,
        LAY_THIS,
        NO_STEP,
        QUIET,
        STEP,
        Layout,
    )
    from cython.cimports.phaseten.kernel.players.network.actions import (
        MOST_ACTIONS,
        NOT_LEGAL,
        count_actions,
        mark_legal,
        number_of,
    )
    from cython.cimports.phaseten.kernel.players.network.features import (
        MOST_FEATURES,
        count_features,
        find_helping,
        write_features,
    )
    from cython.cimports.phaseten.kernel.players.network.rows import (
        LANES,
        add_layer,
        add_seen,
        normalise,
        sum_products,
    )
else:
    from phaseten.kernel.layout import *
    from phaseten.kernel.layout import Layout, constants_beside
    from phaseten.kernel.players.network.actions import (
        MOST_ACTIONS,
        NOT_LEGAL,
        count_actions,
        mark_legal,
        number_of,
    )
    from phaseten.kernel.players.network.features import (
        MOST_FEATURES,
        count_features,
        find_helping,
        write_features,
    )
    from phaseten.kernel.players.network.plain import PlainLook

    LANES = 16

    globals().update(constants_beside(__file__))

SMALLEST = cython.declare(cython.float, 1e-5)  # added to a variance, as in training
FEWEST_PLAYERS = cython.declare(cython.int, 2)
MOST_PLAYERS = cython.declare(cython.int, 6)
NUMBERED = cython.declare(cython.int, 48)
MOST_PHASES = cython.declare(cython.int, 16)
KNOWN_EDITIONS = cython.declare(cython.int, 5)
PATIENCE = cython.declare(cython.int, 20)
"""Turns of each player without a card laid, after which a hand may stand still: a network would hand a
card round for ever, and sharp does not."""


def sizes(players: cython.int) -> tuple:
    """How many features and actions there are for so many players."""
    return count_features(players), count_actions(players)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fits_network(layout: Layout) -> cython.bint:
    """Whether the actions and features of a network can tell of such a game."""
    return (
        layout.naturals == NUMBERED
        and layout.phases <= MOST_PHASES
        and FEWEST_PLAYERS <= layout.players <= MOST_PLAYERS
    )


def see(layout: Layout, state: bytes, edition: cython.int) -> tuple:
    """What the seat on turn sees, and which actions it has, in a saved game."""
    p: cython.uchar[1536]
    helps: cython.uchar[48]
    mask: cython.uchar[296]
    features: cython.uchar[1536]
    i: cython.int
    lack: cython.int
    if not cython.compiled:
        p, helps = bytearray(1536), bytearray(48)
        mask, features = bytearray(296), bytearray(1536)
    check(layout, state, edition)
    for i in range(layout.state_size):
        p[i] = state[i]
    lack = find_helping(layout, p, helps)
    mark_legal(layout, p, lack, mask)
    write_features(layout, p, edition, lack, helps, mask, features)
    return (
        bytes(features[: count_features(layout.players)]),
        bytes(mask[: count_actions(layout.players)]),
    )


def check_edition(edition: cython.int) -> None:
    """A ValueError where there is no such edition: its number is a place in the input."""
    if edition < 0 or edition >= KNOWN_EDITIONS:
        raise ValueError(f"{edition} is no edition that a network knows")


def check(layout: Layout, state: bytes, edition: cython.int) -> None:
    """A ValueError where nobody is on turn, or a network cannot tell of such a game."""
    check_edition(edition)
    if not fits_network(layout):
        raise ValueError("networks play with 48 numbered cards and two to six players")
    if len(state) != layout.state_size + CHANCE_BYTES or state[STEP] == NO_STEP:
        raise ValueError("this was not saved in a hand of a game by the same rules")


@cython.cclass
class Network:
    """A trained policy. It takes nothing but what the seat on turn may know."""

    def __init__(self, weights, width: cython.int, layers: cython.int) -> None:
        if width > MOST_WIDTH or width % LANES:
            raise ValueError(f"a layer of {width} numbers is none that the kernel takes")
        if len(weights) != (
            width * (1 + MOST_FEATURES + MOST_ACTIONS) + layers * width * (width + 1) + MOST_ACTIONS
        ):
            raise ValueError("these are not the weights of such a network")
        self.weights = weights
        self.width = width
        self.layers = layers
        if not cython.compiled:
            self.plain = PlainLook(weights.tolist(), width, layers, MOST_FEATURES)

    def decide(self, layout: Layout, state: bytes, edition: cython.int) -> object:
        """The number of the choice of the seat on turn, or LAY_THIS and a way to lay.

        None where a network has no action for what can be done, or where the hand seems to stand still.
        """
        p: cython.uchar[1536]
        way: cython.uchar[32]
        i: cython.int
        choice: cython.int
        if not cython.compiled:
            p, way = bytearray(1536), bytearray(32)
        check(layout, state, edition)
        for i in range(layout.state_size):
            p[i] = state[i]
        choice = self.choose(layout, p, edition, way)
        if choice == NOT_LEGAL:
            return None
        if choice != LAY_THIS:
            return choice, b""
        return choice, bytes([way[i] for i in range(4 + way[1])])

    def likings(self, layout: Layout, state: bytes, edition: cython.int) -> list:
        """What the seat on turn can do, each as the kernel's number (LAY_THIS: to lay as sharp would) and how much it is liked."""
        p: cython.uchar[1536]
        way: cython.uchar[32]
        helps: cython.uchar[48]
        mask: cython.uchar[296]
        features: cython.uchar[1536]
        liked: cython.float[296]
        i: cython.int
        lack: cython.int
        if not cython.compiled:
            p, way, helps = bytearray(1536), bytearray(32), bytearray(48)
            mask, features, liked = bytearray(296), bytearray(1536), [0.0] * 296
        check(layout, state, edition)
        for i in range(layout.state_size):
            p[i] = state[i]
        lack = find_helping(layout, p, helps)
        mark_legal(layout, p, lack, mask)
        write_features(layout, p, edition, lack, helps, mask, features)
        self.weigh(features, layout.players, mask, liked)
        return [
            (number_of(layout, p, i, way), liked[i])
            for i in range(count_actions(layout.players))
            if mask[i]
        ]

    def like(self, features: bytes, mask: bytes, players: cython.int) -> list:
        """How much each action of a mask is liked; of the others it is not asked."""
        seen: cython.uchar[1536]
        can: cython.uchar[296]
        liked: cython.float[296]
        i: cython.int
        if not cython.compiled:
            seen, can, liked = bytearray(1536), bytearray(296), [0.0] * 296
        if len(features) != count_features(players) or len(mask) != count_actions(players):
            raise ValueError(f"for {players} players there are {sizes(players)} numbers")
        for i in range(count_features(players)):
            seen[i] = features[i]
        for i in range(count_actions(players)):
            can[i] = mask[i]
            liked[i] = 0
        self.weigh(seen, players, can, liked)
        return [liked[i] for i in range(count_actions(players))]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(
        self, g: Layout, p: cython.p_uchar, edition: cython.int, way: cython.p_uchar
    ) -> cython.int:
        """The kernel's number of what is liked best, LAY_THIS with the way written, or NOT_LEGAL."""
        helps: cython.uchar[48]
        mask: cython.uchar[296]
        features: cython.uchar[1536]
        liked: cython.float[296]
        i: cython.int
        lack: cython.int
        best: cython.int = -1
        if p[QUIET] + 256 * p[QUIET + 1] >= PATIENCE * g.players:
            return NOT_LEGAL
        if not cython.compiled:
            helps, mask, features = bytearray(48), bytearray(296), bytearray(1536)
            liked = [0.0] * 296
        lack = find_helping(g, p, helps)
        if mark_legal(g, p, lack, mask) > 1:
            write_features(g, p, edition, lack, helps, mask, features)
            self.weigh(features, g.players, mask, liked)
        for i in range(count_actions(g.players)):
            if mask[i] and (best < 0 or liked[i] > liked[best]):
                best = i
        return number_of(g, p, best, way)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def weigh(
        self,
        features: cython.p_uchar,
        players: cython.int,
        mask: cython.p_uchar,
        liked: cython.p_float,
    ) -> cython.void:
        """Write how much each legal action is liked."""
        x: cython.float[512]
        y: cython.float[512]
        z: cython.float[512]
        i: cython.int
        k: cython.int
        at: cython.Py_ssize_t
        width: cython.int = self.width
        if not cython.compiled:
            self.plain.weigh(features, mask, liked, SMALLEST)
            return
        for i in range(width):
            x[i] = self.weights[i]
        add_seen(cython.address(self.weights[width]), features, count_features(players), width, x)
        at = width * (1 + MOST_FEATURES)
        for k in range(self.layers):
            normalise(x, width, SMALLEST, y)
            for i in range(width):
                z[i] = self.weights[at + width * width + i]
            add_layer(cython.address(self.weights[at]), width, y, z)
            for i in range(width):
                x[i] += z[i] if z[i] > 0 else 0
            at += width * (width + 1)
        normalise(x, width, SMALLEST, y)
        for k in range(count_actions(players)):
            if mask[k]:
                liked[k] = self.weights[at + width * MOST_ACTIONS + k] + sum_products(
                    cython.address(self.weights[at + width * k]), y, width
                )
