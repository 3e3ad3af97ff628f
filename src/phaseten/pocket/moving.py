"""A game that moves to another device: a file with every step of its table, from which all the rest follows.

Whoever gets such a file reads it as a stranger's: what is not a table is refused, and so is what a newer program has
written. Lists, snapshots and finished games are made anew from the steps, and never taken from the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec
from msgspec import Struct

from phaseten.pocket.table import HERE, StepToKeep, to_keep
from phaseten.server.store.interface import EVENTS_FORM, KeptStep, Step, UnknownEventsError
from phaseten.server.store.records import read_step
from phaseten.table.fold import apply
from phaseten.table.state import Table, empty_table
from phaseten.table.viewers import TableStep

FORMAT: Final = "phaseten-table-1"
"""What such a file says of itself; ``web/src/pocket/moving.ts`` writes it."""
MOST_STEPS: Final = 20_000

Trouble = Literal["", "broken", "newer"]
"""Why a game cannot go on here: it is none, or a newer program has written it."""


class MovedStep(Struct, frozen=True):
    """A step as it was kept."""

    version: int
    at: int
    events: str
    form: int


class _Form(Struct, frozen=True):
    """What every file of this kind says, of whatever version."""

    format: str


class _Moved(_Form, frozen=True):
    """A file of this version."""

    code: str
    steps: tuple[MovedStep, ...]


class Adopted(Struct, frozen=True):
    """The steps of a game from elsewhere, to be kept here; or why that cannot be."""

    code: str = ""
    keep: tuple[StepToKeep, ...] = ()
    problem: Trouble = ""


def adopt(text: str) -> Adopted:
    """The game in such a file.

    >>> adopt("nonsense").problem
    'broken'
    >>> adopt('{"format": "phaseten-table-2"}').problem
    'newer'
    """
    try:
        form = msgspec.json.decode(text, type=_Form).format
        if form != FORMAT:
            return Adopted(problem="newer" if form.startswith(FORMAT[:-1]) else "broken")
        moved = msgspec.json.decode(text, type=_Moved)
    except msgspec.DecodeError:
        return Adopted(problem="broken")
    problem = trouble_with(moved.steps)
    if problem or not _is_whole(moved):
        return Adopted(problem=problem or "broken")
    try:
        return Adopted(moved.code, tuple(_kept_anew(moved)))
    except Exception:  # noqa: BLE001 - events that no table can have made break the fold in any way
        return Adopted(problem="broken")


def trouble_with(steps: Sequence[MovedStep]) -> Trouble:
    """Whether a newer program has made these steps."""
    return "newer" if any(step.form > EVENTS_FORM for step in steps) else ""


def _is_whole(moved: _Moved) -> bool:
    versions = [step.version for step in moved.steps]
    return (
        moved.code.startswith(HERE)
        and moved.code.isalnum()
        and 0 < len(versions) <= MOST_STEPS
        and versions == list(range(1, len(versions) + 1))
    )


def _kept_anew(moved: _Moved) -> Iterator[StepToKeep]:
    table: Table = empty_table(moved.code)
    log: list[TableStep] = []
    for one in moved.steps:
        step = read_step(KeptStep(one.version, Step(one.at, one.events, one.form)))
        after = apply(table, step.at, step.events)
        if after.version != one.version:
            raise UnknownEventsError("a step is not where it belongs")
        log.append(step)
        yield to_keep(table, log, after)
        table = after
