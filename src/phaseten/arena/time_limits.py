"""How long a bot from outside may take, and how a Python class is interrupted.

A program is asked over a pipe, and ``programs`` waits no longer than this for its answer.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple


class TimeLimits(NamedTuple):
    """How long a bot from outside may take, in seconds."""

    move: float = 1.0
    start: float = 10.0
    """For a program: until it has said hello."""


class LateError(BaseException):
    """Time is up. Not an Exception, so that a bot does not catch it by mistake."""


@contextmanager
def interrupt_after(seconds: float) -> Generator[None]:
    """Interrupt what takes longer, where the system can; elsewhere it is only noticed afterwards."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise LateError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
