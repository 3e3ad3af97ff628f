"""Long work in a thread, that leaves the interpreter to whoever has something short to do."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

T = TypeVar("T")

BREATH: Final = 8
"""Things after which others have their turn. Unasked the interpreter passes on every 5 ms only, and one move at a table has to ask for it several times."""


def breathing(row: Iterable[T]) -> Iterator[T]:
    """The same, with a moment for the other threads from time to time."""
    for number, one in enumerate(row, 1):
        if number % BREATH == 0:
            time.sleep(0)  # whoever waits for the interpreter gets it
        yield one
