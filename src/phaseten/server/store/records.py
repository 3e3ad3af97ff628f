"""What happened at a table: its log, read, and the record (``.p10``) of its last game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from phaseten.notation.recording import header_for, record_game
from phaseten.notation.records import format_record
from phaseten.rules.events import Event
from phaseten.rules.views import seen_by
from phaseten.server.store.codec import DamagedStepError, read_events
from phaseten.server.store.interface import EVENTS_FORM, KeptStep, UnknownEventsError
from phaseten.table.beginnings import first_state
from phaseten.table.events import GameStarted, Open, Secret, StepUndone
from phaseten.table.state import FINISHED, Table
from phaseten.table.viewers import TableStep

CUSTOM_FILE: Final = "custom.toml"
"""Where a reader of the record looks for an edition of the table's own: beside the record."""


def read_step(kept: KeptStep) -> TableStep:
    """A step of the log; an UnknownEventsError where this program does not know what happened."""
    if kept.step.form > EVENTS_FORM:
        raise UnknownEventsError("A table has steps of a newer phaseten: replace this node too.")
    try:
        return TableStep(kept.version, kept.step.at, read_events(kept.step.events))
    except DamagedStepError as error:
        raise UnknownEventsError(str(error)) from error


def record_of(
    table: Table, steps: Sequence[TableStep], seat: int | None, custom_file: str = CUSTOM_FILE
) -> str | None:
    """The record, or None where there is none that may be told."""
    if table.game is None or (table.stage != FINISHED and seat is None):
        return None
    events = [event for step in _steps_of_game(steps) for event in step]
    if not events:  # its host has deleted it
        return None
    over = table.stage == FINISHED
    start = first_state(table, table.dealer, table.client_seed) if table.position else None
    if start is not None and not over:
        return None  # what a seat knew of a position is no record
    tell = over and start is None  # the seeds dealt what is in a record, or they are not in it
    header = header_for(
        table.rules,
        table.names,
        table.dealer,
        seen=None if over else seat,
        server_seed=bytes.fromhex(table.server_seed) if tell else None,
        client_seed=table.client_seed if tell else None,
        start=start,
    )
    if table.options.custom:
        header = replace(header, edition=custom_file)
    if over:
        return format_record(record_game(header, events))
    return format_record(record_game(header, [seen_by(event, seat) for event in events]))


def _steps_of_game(steps: Sequence[TableStep]) -> list[list[Event]]:
    """What happened in the last game, step by step, less what was taken back."""
    found: list[list[Event]] = []
    for step in steps:
        played: list[Event] = []
        for event in step.events:
            match event:
                case GameStarted():
                    found = []
                case StepUndone():
                    found.pop()
                case Open() | Secret():
                    pass
                case _:
                    played.append(event)
        if played:
            found.append(played)
    return found
