"""Work that threads share: everything is done, once, in its order, whoever comes late or fails."""

import gc
import os
import threading
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from phaseten.kernel import Batch
from phaseten.kernel.sharing import Threads


@pytest.mark.parametrize("number", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 4, 5, 17, 5_000])
def test_each_place_is_worked_on_once(number: int, count: int) -> None:
    done = np.zeros((2, count), np.int64)

    def first(begin: int, end: int) -> None:
        done[0, begin:end] += 1

    def second(begin: int, end: int) -> None:
        assert done[0].all()  # everywhere, not only here
        done[1, begin:end] += 1

    Threads(number).share(count, first, second)
    assert (done == 1).all()


def test_several_threads_take_part() -> None:
    both = threading.Barrier(2)
    Threads(2).share(2, lambda *_: (both.wait(timeout=60), None)[1])


def test_nobody_waits_for_a_thread_that_does_not_come() -> None:
    threads, busy = Threads(2), threading.Event()
    threads._jobs.put(cast("Any", SimpleNamespace(take_part=busy.wait)))
    done: list[int] = []
    threads.share(8_192, lambda begin, end: done.extend(range(begin, end)))
    assert done == list(range(8_192))
    busy.set()


def test_what_fails_in_a_thread_is_raised_here_and_the_next_work_is_done() -> None:
    threads, here = Threads(3), threading.get_ident()
    met, later = threading.Barrier(3), []

    def fail_elsewhere(*_: int) -> None:
        met.wait(timeout=60)
        if threading.get_ident() != here:
            raise OSError("elsewhere")

    with pytest.raises(OSError, match="elsewhere"):
        threads.share(3, fail_elsewhere, lambda *_: later.append(1))
    assert not later
    done: list[int] = []
    threads.share(3, lambda begin, end: done.extend(range(begin, end)))
    assert sorted(done) == [0, 1, 2]


def test_who_is_interrupted_leaves_nobody_waiting() -> None:
    threads, here = Threads(2), threading.get_ident()
    met = threading.Barrier(2)

    def interrupted(*_: int) -> None:
        met.wait(timeout=60)
        if threading.get_ident() == here:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        threads.share(2, interrupted)
    both = threading.Barrier(2)  # the other thread has come back from it
    threads.share(2, lambda *_: (both.wait(timeout=60), None)[1])


def test_the_threads_end_with_what_they_worked_for() -> None:
    before = set(threading.enumerate())
    batch = Batch("classic", 2, games=4, threads=3)
    helpers = set(threading.enumerate()) - before
    assert len(helpers) == 2
    del batch
    gc.collect()
    for helper in helpers:
        helper.join(timeout=60)
        assert not helper.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not copy processes")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_copy_of_the_process_has_no_other_threads_and_plays_on() -> None:
    batch = Batch("classic", 2, games=1_024, seed=1, threads=2)
    batch.play("sharp")
    child = os.fork()
    if child == 0:
        batch.play("sharp")
        os._exit(int(batch.lengths.min() != 2))
    assert os.waitpid(child, 0)[1] == 0
