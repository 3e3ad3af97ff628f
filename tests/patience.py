"""How long tests wait for what has to come: until it comes, on a machine that does much else.

Where something never comes a test has to end all the same. No other limit belongs in a test: it
would say nothing about the program and much about the machine. How fast something is says ``benchmarks/``.
"""

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds."""


def wait_until(condition: Callable[[], bool], what: str = "it") -> None:
    """Look again and again, where nobody says when it has happened."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"{what} never happened"
        time.sleep(0.02)
