"""Going from place to place with the arrow keys: to the nearest one in that direction."""

from __future__ import annotations

from collections.abc import Iterable

from textual.geometry import Region
from textual.widget import Widget


def nearest(here: Region, direction: str, places: Iterable[Widget]) -> Widget | None:
    """The place to go to from a region, or None where nothing lies in that direction."""
    found = [
        (distance, place)
        for place in places
        if (distance := _distance(here, place.region, direction)) is not None
    ]
    return min(found, key=lambda entry: entry[0])[1] if found else None


def _distance(here: Region, there: Region, direction: str) -> tuple[int, int] | None:
    """How far, and how far aside, a region lies in a direction; None if it does not."""
    if not there.area:
        return None
    ahead = {
        "left": here.x - there.right,
        "right": there.x - here.right,
        "up": here.y - there.bottom,
        "down": there.y - here.bottom,
    }[direction]
    if direction in ("up", "down"):
        aside = abs(here.x + here.right - there.x - there.right)
    else:
        aside = max(here.y, there.y) - min(here.bottom, there.bottom) + 1
        if aside > 0:  # in another row
            return None
    return (ahead, aside) if ahead >= 0 else None
