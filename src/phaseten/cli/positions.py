"""What somebody looks at: a position, or the end of a game record."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from phaseten.cli.files import edition_beside, read_bytes
from phaseten.cli.problems import Problem
from phaseten.cli.wording import sentence
from phaseten.notation.positions import PositionError, parse_position
from phaseten.notation.records import Record, RecordSyntaxError, decode_record, parse_record
from phaseten.notation.replay import IllegalRecordError, follow, follow_seen, start_of
from phaseten.rules.editions import Edition
from phaseten.rules.state import State
from phaseten.rules.views import View, view_of


class Look(NamedTuple):
    """What is seen, and what the players are called if that is known."""

    view: View
    names: tuple[str, ...]


def is_position(text: str) -> bool:
    """Whether this is a position and not the name of a file."""
    return "|" in text


def read_position(source: str) -> State | View:
    """The position, or the end of a record; a Problem where it is none."""
    return _parse(source) if is_position(source) else _recorded(source)[0]


def read_view(source: str, seat: int | None) -> Look:
    """What that seat knows in a position or at the end of a record; by default who is on turn."""
    position, names = (_parse(source), ()) if is_position(source) else _recorded(source)
    if isinstance(position, View):
        if seat not in (None, position.seat):
            raise Problem(f"This shows what seat {position.seat} knows, not seat {seat}.")
        return Look(position, names)
    seats = position.sheet.seats
    if seat is not None and not 1 <= seat <= seats:
        raise Problem(f"--seat is a seat from 1 to {seats}, not {seat}.")
    turn = position.board.turn if position.board else None
    return Look(view_of(position, turn if seat is None else seat), names)


def _parse(text: str) -> State | View:
    try:
        return parse_position(text)
    except PositionError as error:
        raise Problem(sentence(error)) from error


def _recorded(name: str) -> tuple[State | View, tuple[str, ...]]:
    find = edition_beside(name)
    try:
        record = parse_record(decode_record(read_bytes(name)))
        header = record.header
        if header.seen is not None:
            return _last_view(record, find, name), header.names
        state = start_of(header, find)
        for step in follow(record, find):
            state = step.state
    except (RecordSyntaxError, IllegalRecordError) as error:
        raise Problem(f"{name}, line {error.line}: {sentence(error)}") from error
    return state, header.names


def _last_view(record: Record, find: Callable[[str], Edition], name: str) -> View:
    view = None
    for step in follow_seen(record, find):
        view = step.view
    if view is None:
        raise Problem(f"{name}: no hand is dealt in this record.")
    return view
