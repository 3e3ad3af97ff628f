"""How much a test looks at: a fair part in `make test`, everything in `make test-long`."""

import os
from collections.abc import Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

LONG: Final = os.environ.get("PHASETEN_HYPOTHESIS_PROFILE") == "long"


def every(nth: int, items: Sequence[Item], start: int = 0) -> Sequence[Item]:
    """Every n-th of them, from another one on for another start; all of them where there is time."""
    return items if LONG else items[start % nth :: nth]
