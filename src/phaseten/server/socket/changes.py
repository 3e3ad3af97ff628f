"""What is different at a table from what somebody was told last.

Whoever has folded everything that was sent knows the same as whoever is told the whole now. What changes for
everybody is found and written once; whom a step does not concern gets the very same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, TypeVar

from msgspec import UNSET, UnsetType

from phaseten.notation.codec import (
    ActionData,
    BoardData,
    ViewData,
    write_action,
    write_board,
    write_hands,
    write_view,
)
from phaseten.notation.shapes import Shape, card_texts, fields_of
from phaseten.rules.cards import Card
from phaseten.rules.state import Board, ScoreSheet, State
from phaseten.rules.views import view_of
from phaseten.server.running.subscribers import Standing
from phaseten.server.socket.messages import (
    Change,
    Changed,
    Form,
    Splice,
    TableForm,
    encode,
)
from phaseten.server.socket.updates import Teller, ended_form, seen_anew, table_form, you_form
from phaseten.table.duties import next_duty
from phaseten.table.state import Table
from phaseten.table.viewers import TableStep, Viewer

FormType = TypeVar("FormType", bound=Form)

_BOARD: Final = fields_of(Board, but=("seen",)).shapes
_SHEET: Final = fields_of(ScoreSheet, but=("hands",)).shapes
_LONG: Final = frozenset({"discards", "melds"})
"""Rows that are told by what is new in them; the others are shorter than that."""


class Changes:
    """What is different after some steps, for each of those who were told of the table before them."""

    def __init__(self, before: Standing, after: Standing, steps: Sequence[TableStep]) -> None:
        self._before, self._after = before.table, after.table
        self._acted, self._acts = before.table.acting, after.table.acting
        self._around = _table_change(before, after)
        self._game = _game_change(self._before.game, self._after.game)
        self._tellers = [Teller(self._after, step) for step in steps]
        self._seen = seen_anew(self._after, steps) if steps else UNSET
        self._ended = ended_form(self._after)
        self._concerned = self._find_concerned()
        self._messages: dict[tuple[object, ...], bytes] = {}

    @property
    def are_seated_alike(self) -> bool:
        """Whether everybody sits where they sat, and the host is the same one: nobody looks with other eyes."""
        before, after = self._before, self._after
        return before.places is after.places and before.host == after.host

    def message(self, viewer: Viewer) -> bytes:
        """The change for one who looked with the same eyes before."""
        seat = viewer.seat if viewer.seat in self._concerned else None
        key = (seat, viewer.language.code, viewer.muted)
        message = self._messages.get(key)
        if message is None:
            message = self._messages[key] = encode(self._change(viewer, seat))
        return message

    def _change(self, viewer: Viewer, seat: int | None) -> Change:
        steps = tuple([teller.form(viewer) for teller in self._tellers])
        before, after = self._before, self._after
        you, game, actions = UNSET, self._game, UNSET
        if seat is not None:
            game = _with_own(game, before, after, seat)
            if seat in (self._acted, self._acts):  # to anybody else nothing is offered, as before
                you = _form_change(you_form(before, viewer), you_form(after, viewer))
                actions = self._actions(seat)
        return Change(
            after.version, steps, self._around, you, game, actions, self._seen, self._ended
        )

    def _find_concerned(self) -> frozenset[int]:
        """The seats for which something is different, or told otherwise, than for a watcher."""
        before, after = self._before, self._after
        found = {before.turn or 0, after.turn or 0}
        for teller in self._tellers:
            found |= teller.concerned
        held, now = _all_held(before), _all_held(after)
        if held is not now:
            rows = enumerate(zip_longest(held, now), 1)
            found.update([seat for seat, (was, has) in rows if was is not has])
        return frozenset(found)

    def _actions(self, seat: int) -> tuple[ActionData, ...] | UnsetType:
        before, after = self._before, self._after
        if seat != self._acts:
            return ()
        if seat == self._acted and before.game is after.game:
            return UNSET
        return tuple([write_action(action) for action in after.legal(seat)])


_Game = Changed[ViewData] | None | UnsetType


def _game_change(before: State | None, after: State | None) -> _Game:
    """What lies open and has changed."""
    if before is after:
        return UNSET
    if after is None:
        return None
    if before is None:
        return Changed(write_view(view_of(after, None)))
    found: Changed[ViewData] = Changed()
    sheet, now = before.sheet, after.sheet
    if sheet is not now:
        _add_fields(found, _SHEET, sheet, now, ScoreSheet._fields)
        if sheet.hands != now.hands:
            found["hands"] = _row_change(sheet.hands, now.hands, write_hands)
    if after.board is None:
        if before.board is not None:
            found["board"] = None
    elif before.board is None:
        found["board"] = write_board(after.board)
    elif before.board is not after.board:
        board: Changed[BoardData] = Changed()
        _add_fields(board, _BOARD, before.board, after.board, Board._fields)
        found["board"] = board
    return found or UNSET


def _with_own(game: _Game, before: Table, after: Table, seat: int) -> _Game:
    """The change of the game as that seat sees it, with its own cards."""
    if after.game is None:
        return game
    held, now = _held(before, seat), _held(after, seat)
    if before.game is None:
        return Changed({**(game or {}), "seat": seat, "held": card_texts(now)})
    if held == now:
        return game
    return Changed({**(game or {}), "held": _row_change(held, now, card_texts)})


def _all_held(table: Table) -> tuple[tuple[Card, ...], ...]:
    return table.game.held if table.game is not None else ()


def _held(table: Table, seat: int) -> tuple[Card, ...]:
    held = _all_held(table)
    return held[seat - 1] if seat <= len(held) else ()


def _add_fields(
    found: Changed[Any],
    fields: Mapping[str, Shape],
    before: tuple[Any, ...],
    after: tuple[Any, ...],
    names: Sequence[str],
) -> None:
    """Add those of the fields that have changed."""
    for name, was, now in zip(names, before, after, strict=True):
        if was is now or name not in fields or was == now:
            continue
        write = fields[name].write
        found[name] = _row_change(was, now, write) if name in _LONG else write(now)


def _row_change(
    before: tuple[Any, ...], after: tuple[Any, ...], write: Callable[[Any], tuple[Any, ...]]
) -> Splice | tuple[Any, ...]:
    """How a row has changed; the whole of it where it shares nothing with what it was."""
    most = min(len(before), len(after))
    if most and before[:most] == after[:most]:  # a pile that has grown, or lost its top
        return Splice(most, len(before) - most, write(after[most:]))
    start = 0
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    if not start and not end:
        return write(after)
    return Splice(start, len(before) - start - end, write(after[start : len(after) - end]))


def _table_change(before: Standing, after: Standing) -> Changed[TableForm] | UnsetType:
    """What has changed around the game."""
    if _around(before) == _around(after):
        duty, now = next_duty(before.table), next_duty(after.table)
        due, is_due = (one.at if one is not None else None for one in (duty, now))
        return UNSET if due == is_due else Changed(due=is_due)
    return _form_change(table_form(*before), table_form(*after))


def _around(standing: Standing) -> tuple[object, ...]:
    """All that a TableForm is made of, but for what is due: while people play, all of it stays the same."""
    table, present = standing
    return (
        table.places,
        present,
        table.stage,
        table.paused,
        table.chat,
        table.host,
        table.host_name,
        table.commitment,
        table.client_seed,
    )


def _form_change(before: FormType, after: FormType) -> Changed[FormType] | UnsetType:
    """The fields of a form that have changed."""
    if before == after:
        return UNSET
    found: Changed[FormType] = Changed()
    for name in after.__struct_fields__:
        now = getattr(after, name)
        if getattr(before, name) != now:
            found[name] = now
    return found
