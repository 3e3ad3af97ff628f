"""How much a test looks at: a fair part in `make test`, everything in `make test-long`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

Item = TypeVar("Item")

LONG: Final = os.environ.get("PHASETEN_HYPOTHESIS_PROFILE") == "long"


def every(nth: int, items: Sequence[Item], start: int = 0) -> Sequence[Item]:
    """Every n-th of them, from another one on for another start; all of them where there is time."""
    return items if LONG else items[start % nth :: nth]


def mainly(items: Iterable[object], *short: object) -> list[ParameterSet]:
    """All of them as values of a parameter; those that are not named only where there is time."""
    return [pytest.param(item, marks=() if item in short else pytest.mark.long) for item in items]
