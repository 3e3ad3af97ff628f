# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""Chance: a stream of numbers that follow from a seed."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
FIRST = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
SECOND = cython.declare(cython.ulonglong, 0x94D049BB133111EB)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def random_below(rng: cython.p_ulonglong, n: cython.uint) -> cython.uint:
    """A number below n: splitmix64, its upper half scaled (the bias is below n / 2**32)."""
    x: cython.ulonglong
    rng[0] = (rng[0] + GOLDEN) & MASK
    x = rng[0]
    x = ((x ^ (x >> 30)) * FIRST) & MASK
    x = ((x ^ (x >> 27)) * SECOND) & MASK
    x = x ^ (x >> 31)
    return cython.cast(cython.uint, ((x >> 32) * n) >> 32)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shuffle(
    p: cython.p_uchar, first: cython.int, count: cython.int, rng: cython.p_ulonglong
) -> cython.void:
    """Shuffle ``count`` bytes of the state, from ``first`` on."""
    i: cython.int
    j: cython.int
    keep: cython.uchar
    for i in range(count - 1, 0, -1):
        j = random_below(rng, i + 1)
        keep = p[first + i]
        p[first + i] = p[first + j]
        p[first + j] = keep


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def stream(seed: cython.ulonglong, number: cython.ulonglong) -> cython.ulonglong:
    """The start of the stream of chance of one game among many."""
    rng: cython.ulonglong[1]
    if not cython.compiled:
        rng = [0]
    rng[0] = seed
    random_below(rng, 2)
    rng[0] = (rng[0] ^ (number << 17)) + number
    rng[0] = rng[0] & MASK
    random_below(rng, 2)
    return rng[0]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mix(seed: cython.ulonglong) -> cython.ulonglong:
    """A number that follows from another and does not look like it: seeds are often neighbours."""
    rng: cython.ulonglong[1]
    upper: cython.ulonglong
    if not cython.compiled:
        rng = [0]
    rng[0] = seed
    upper = random_below(rng, 0xFFFFFFFF)
    return (upper << 32) + random_below(rng, 0xFFFFFFFF)
