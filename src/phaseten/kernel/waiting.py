# cython: language_level=3, boundscheck=False, wraparound=False
# cython: initializedcheck=False, nonecheck=False
"""Waiting awake for other threads, without the interpreter lock: to sleep and be woken takes longer than most work."""

try:
    import cython
except ImportError:
    from phaseten.kernel import cython_shim as cython

if not cython.compiled:
    from functools import partial
    from time import sleep

    let_others_run = partial(sleep, 0)


def all_set(marks: cython.uchar[::1], looks: cython.int) -> bool:
    """Whether all marks are set by other threads while one looks so often."""
    i: cython.Py_ssize_t = 0
    with cython.nogil:
        while i < marks.shape[0] and looks > 0:
            if marks[i]:
                i += 1
                continue
            looks -= 1
            let_others_run()
    return i == marks.shape[0]
