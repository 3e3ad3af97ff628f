# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False
"""The verifiable shuffle of ``rules/shuffle.py`` once more, fast: HMAC-SHA256 in C's integers.

A seed of 32 bytes becomes two *keys*: what SHA-256 has come to after the inner and the outer half
of the HMAC's key. Each block of eight random words costs one round more of each.
"""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if not cython.compiled:
    ROUNDS = [0] * 64

WORDS = cython.declare(cython.ulonglong, 0x100000000)  # that there are

# fmt: off
_ROUNDS = (
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
)
# fmt: on
for _i, _word in enumerate(_ROUNDS):
    ROUNDS[_i] = _word


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def cut(x: cython.uint) -> cython.uint:
    """A word of 32 bits, as C's arithmetic makes it by itself."""
    if cython.compiled:
        return x
    else:
        return x & 0xFFFFFFFF


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def turn(x: cython.uint, n: cython.int) -> cython.uint:
    """The bits of a word turned to the right."""
    return cut((x >> n) | (x << (32 - n)))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def compress(h: cython.p_uint, block: cython.p_uchar) -> cython.void:
    """SHA-256 goes on by a block of 64 bytes. The names are those of its definition."""
    w: cython.uint[64]
    if not cython.compiled:
        w = [0] * 64
    a: cython.uint = h[0]
    b: cython.uint = h[1]
    c: cython.uint = h[2]
    d: cython.uint = h[3]
    e: cython.uint = h[4]
    f: cython.uint = h[5]
    g: cython.uint = h[6]
    k: cython.uint = h[7]
    one: cython.uint
    two: cython.uint
    i: cython.int
    for i in range(16):
        one = block[4 * i]
        two = block[4 * i + 1]
        w[i] = (one << 24) | (two << 16) | (block[4 * i + 2] << 8) | block[4 * i + 3]
    for i in range(16, 64):
        one = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >> 3)
        two = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >> 10)
        w[i] = cut(w[i - 16] + one + w[i - 7] + two)
    for i in range(64):
        one = k + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (g ^ (e & (f ^ g))) + ROUNDS[i] + w[i]
        two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) | (c & (a | b)))
        k = g
        g = f
        f = e
        e = cut(d + one)
        d = c
        c = b
        b = a
        a = cut(one + two)
    h[0] = cut(h[0] + a)
    h[1] = cut(h[1] + b)
    h[2] = cut(h[2] + c)
    h[3] = cut(h[3] + d)
    h[4] = cut(h[4] + e)
    h[5] = cut(h[5] + f)
    h[6] = cut(h[6] + g)
    h[7] = cut(h[7] + k)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_keys(seed: cython.p_ulonglong, keys: cython.p_uint) -> cython.void:
    """Write the inner key, 8 words, and the outer one for a seed of 32 bytes."""
    block: cython.uchar[64]
    half: cython.uint[8]
    if not cython.compiled:
        block, half = bytearray(64), [0] * 8
    i: cython.int
    j: cython.int
    for j in range(2):
        half[0] = 0x6A09E667
        half[1] = 0xBB67AE85
        half[2] = 0x3C6EF372
        half[3] = 0xA54FF53A
        half[4] = 0x510E527F
        half[5] = 0x9B05688C
        half[6] = 0x1F83D9AB
        half[7] = 0x5BE0CD19
        for i in range(64):
            block[i] = ((seed[i // 8] >> 8 * (i % 8)) & 255 if i < 32 else 0) ^ (
                0x5C if j else 0x36
            )
        compress(half, block)
        for i in range(8):
            keys[8 * j + i] = half[i]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_number(block: cython.p_uchar, at: cython.int, number: cython.int) -> cython.int:
    """Write a colon and a number in decimal; where it ends."""
    size: cython.int = 1
    rest: cython.int = number // 10
    i: cython.int
    while rest:
        size += 1
        rest = rest // 10
    block[at] = 58
    for i in range(size):
        block[at + size - i] = 48 + number % 10
        number = number // 10
    return at + size + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_words(
    keys: cython.p_uint,
    hand: cython.int,
    number: cython.int,
    block_number: cython.int,
    out: cython.p_uint,
) -> cython.void:
    """Write a block of eight random words: the HMAC of ``:hand:number:block``."""
    block: cython.uchar[64]
    if not cython.compiled:
        block = bytearray(64)
    i: cython.int
    size: cython.int
    for i in range(64):
        block[i] = 0
    size = write_number(
        block, write_number(block, write_number(block, 0, hand), number), block_number
    )
    block[size] = 0x80
    size = 8 * (64 + size)  # bits, with those of the key
    block[62] = size >> 8
    block[63] = size & 255
    for i in range(8):
        out[i] = keys[i]
    compress(out, block)
    for i in range(64):
        block[i] = (out[i // 4] >> (24 - 8 * (i % 4))) & 255 if i < 32 else 0
    block[32] = 0x80
    block[62] = 3  # 8 * (64 + 32) bits
    for i in range(8):
        out[i] = keys[8 + i]
    compress(out, block)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shuffle_by_seed(
    keys: cython.p_uint,
    hand: cython.int,
    number: cython.int,
    p: cython.p_uchar,
    first: cython.int,
    count: cython.int,
) -> cython.void:
    """Shuffle ``count`` bytes of the state, from ``first`` on, as ``rules/shuffle.py`` does."""
    words: cython.uint[8]
    if not cython.compiled:
        words = [0] * 8
    i: cython.int
    j: cython.int
    used: cython.int = 0
    word: cython.ulonglong
    fair: cython.ulonglong
    keep: cython.uchar
    for i in range(count - 1, 0, -1):
        fair = WORDS - WORDS % (i + 1)
        word = WORDS
        while word >= fair:  # what would favour some cards is passed over
            if used % 8 == 0:
                make_words(keys, hand, number, used // 8, words)
            word = words[used % 8]
            used += 1
        j = word % (i + 1)
        keep = p[first + i]
        p[first + i] = p[first + j]
        p[first + j] = keep
