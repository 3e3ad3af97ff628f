"""What a client knows of a table: the last whole update, and every change since folded into it.

>>> before = {"type": "update", "version": 7, "steps": [], "game": {"held": ["R1", "R2", "R3"], "board": None}}
>>> change = {"type": "change", "version": 8, "steps": [], "game": {"held": {"at": 1, "less": 1, "more": ["W"]}}}
>>> fold(before, change)
{'type': 'update', 'version': 8, 'steps': [], 'game': {'held': ['R1', 'W', 'R3'], 'board': None}}
"""

from __future__ import annotations

from typing import Any, cast

from phaseten.notation.shapes import Data


def fold(before: Data, change: Data) -> Data:
    """The update that says the same as the one before and a change; its ``seen`` and ``ended`` are the change's."""
    known = {name: value for name, value in before.items() if name not in ("seen", "ended")}
    return {**_fold_fields(known, change), "type": before["type"]}


def _fold_fields(before: Data, change: Data) -> Data:
    return {**before, **{name: _fold(before.get(name), now) for name, now in change.items()}}


def _fold(before: Any, now: Any) -> Any:
    if not isinstance(now, dict):
        return now
    found = cast("Data", now)
    if isinstance(before, list):
        row, at = cast("list[Any]", before), found["at"]
        return [*row[:at], *found["more"], *row[at + found["less"] :]]
    return _fold_fields(cast("Data", before) if isinstance(before, dict) else {}, found)
