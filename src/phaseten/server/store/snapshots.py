"""A whole table as text, so that what was kept long ago need not be folded again.

A snapshot follows from the log and from nothing else: whoever cannot read one folds the log instead. It is of
a form, which follows from the fields of everything in it: a program whose tables have other fields has
another form, and takes no snapshot for its own that it would misread.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any, Final, cast, get_args
from zlib import crc32

import msgspec
from msgspec import Raw, Struct

from phaseten.notation.codec import SEEN
from phaseten.notation.shapes import Data, DataError, fields_of, read_items, read_object, shape_of
from phaseten.rules.cards import Card
from phaseten.rules.events import DealSeen, HandScored, HandSeen
from phaseten.rules.melds import Meld
from phaseten.rules.state import Board, ScoreSheet, State
from phaseten.table.events import RematchCalled, TableEvent
from phaseten.table.options import Options, OptionsError, rules_of
from phaseten.table.state import EndedHand, Place, Table

EVERY: Final = 32
"""Steps from one snapshot to the next. A step takes some 30 µs to read and to apply, and a table is to be there
after 2 ms."""
_FOLD: Final = 1
"""Raise it when the same events make another table of the same fields: what was folded before is not used then."""
_ENCODER: Final = msgspec.json.Encoder()

_TABLE: Final = fields_of(Table, but=("options", "rules", "barred", "game", "ended", "undo"))
_BOARD: Final = fields_of(Board, but=("seen",))
_SHEET: Final = fields_of(ScoreSheet)
_CARDS: Final = shape_of(tuple[Card, ...])
_HELD: Final = shape_of(tuple[tuple[Card, ...], ...])


class DamagedSnapshotError(ValueError):
    """A text that is not a snapshot of this form; its message says nothing of what is in it."""


def is_due(table: Table, events: Sequence[TableEvent]) -> bool:
    """Whether the table is to be kept whole after this step of it.

    Not after the same step at every table: where many begin together, their people would wait for it together.
    """
    shift = crc32(table.code.encode())
    return (table.version + shift) % EVERY == 0 or begins_anew(events)


def begins_anew(events: Sequence[TableEvent]) -> bool:
    """Whether a rematch was called: the next game can be read without those before it."""
    return any(isinstance(event, RematchCalled) for event in events)


class _Kept(Struct):
    """What a snapshot consists of."""

    table: Data
    seen: list[Raw]
    """This hand so far. What was seen before a step that can be taken back is how this begins."""
    ended: list[Raw]
    """The hand before, as long as it is shown."""


def write_table(table: Table) -> str:
    """The table, to be kept."""
    game = table.game
    data: Data = _TABLE.write(table)
    data["options"] = table.options
    data["barred"] = sorted(table.barred)
    data["game"] = _write_state(game) if game is not None else None
    data["ended"] = _write_ended(table.ended) if table.ended is not None else None
    data["undo"] = [_write_state(state) for state in table.undo]
    seen = game.board.seen if game is not None and game.board is not None else ()
    ended = table.ended.board.seen if table.ended is not None else ()
    kept = _Kept(data, [_write_seen(one) for one in seen], [_write_seen(one) for one in ended])
    return _ENCODER.encode(kept).decode()


def read_table(text: str) -> Table:
    """The table in that text; a DamagedSnapshotError where there is none of this form."""
    try:
        kept = msgspec.json.decode(text, type=_Kept)
        return _read_table(kept)
    except (msgspec.DecodeError, ValueError, TypeError) as error:
        # Without its cause: that could tell cards.
        raise DamagedSnapshotError(f"a snapshot cannot be read ({type(error).__name__})") from None


def _read_table(kept: _Kept) -> Table:
    where = "the table"
    own = ("options", "barred", "game", "ended", "undo")
    found = read_object(kept.table, where, (*_TABLE.shapes, *own))
    seen = tuple([_read_seen(bytes(event)) for event in kept.seen])
    ended = tuple([_read_seen(bytes(event)) for event in kept.ended])
    options = msgspec.convert(found["options"], Options)
    try:
        rules = rules_of(options)
    except OptionsError as error:
        raise DataError("the options are none of today") from error
    states = read_items(found["undo"], where)
    make = cast("Any", Table)
    return make(
        **{name: shape.read(found[name], where) for name, shape in _TABLE.shapes.items()},
        options=options,
        rules=rules,
        barred=frozenset(shape_of(tuple[str, ...]).read(found["barred"], where)),
        game=_read_state(found["game"], rules, seen) if found["game"] is not None else None,
        ended=_read_ended(found["ended"], ended) if found["ended"] is not None else None,
        undo=tuple([_read_state(state, rules, seen) for state in states]),
    )


# The same things are seen again and again, at every table: what is not read twice is not kept twice.


@lru_cache(maxsize=4_096)
def _read_seen(data: bytes) -> Any:
    return SEEN.read(msgspec.json.decode(data), "what was seen")


@lru_cache(maxsize=4_096)
def _write_seen(event: Any) -> Raw:
    return Raw(_ENCODER.encode(SEEN.write(event)))


def _write_state(state: State) -> Data:
    board = state.board
    return {
        "sheet": _SHEET.write(state.sheet),
        "board": _BOARD.write(board) if board is not None else None,
        "seen": len(board.seen) if board is not None else 0,
        "held": _HELD.write(state.held),
        "draw_pile": _CARDS.write(state.draw_pile),
    }


def _read_state(data: object, rules: Any, seen: tuple[Any, ...]) -> State:
    where = "the game"
    found = read_object(data, where, ("sheet", "board", "seen", "held", "draw_pile"))
    board = None
    if found["board"] is not None:
        board = _BOARD.read(found["board"], where)._replace(seen=seen[: found["seen"]])
    return State(
        rules,
        _SHEET.read(found["sheet"], where),
        board,
        _HELD.read(found["held"], where),
        _CARDS.read(found["draw_pile"], where),
    )


def _write_ended(ended: EndedHand) -> Data:
    return {"board": _BOARD.write(ended.board), "held": _HELD.write(ended.held)}


def _read_ended(data: object, seen: tuple[Any, ...]) -> EndedHand:
    where = "the hand before"
    found = read_object(data, where, ("board", "held"))
    board = _BOARD.read(found["board"], where)._replace(seen=seen)
    return EndedHand(board, _HELD.read(found["held"], where))


def _form() -> str:
    kinds = (Table, EndedHand, Place, Options, State, ScoreSheet, Board, Meld, HandScored, DealSeen)
    text = "\n".join(
        f"{kind.__name__} {name} {hint}"
        for kind in (*kinds, *get_args(HandSeen))
        for name, hint in _hints(kind).items()
    )
    return f"{_FOLD}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _hints(kind: type) -> dict[str, str]:
    """The fields of a class, and their types as they are written there."""
    if hasattr(kind, "__dataclass_fields__"):
        return {field.name: str(field.type) for field in fields(cast("Any", kind))}
    return {
        name: str(getattr(hint, "__forward_arg__", hint))
        for name, hint in kind.__annotations__.items()
    }


FORM: Final = _form()
"""The form of the snapshots that this program writes, and the only one that it reads."""
