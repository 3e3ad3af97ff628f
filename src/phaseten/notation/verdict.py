"""The referee's answer on a record, as plain data for JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from phaseten.notation.records import RecordSyntaxError, decode_record, parse_record
from phaseten.notation.replay import IllegalRecordError, follow, start_of
from phaseten.notation.shapes import card_texts
from phaseten.notation.sources import Source, editions_beside, read_record
from phaseten.rules.cards import sort_cards
from phaseten.rules.editions import Edition, edition
from phaseten.rules.state import Board, State

SYNTAX = "SYNTAX"
Verdict = dict[str, Any]


def judge_bytes(data: bytes, find: Callable[[str], Edition] = edition) -> Verdict:
    """The verdict on the content of a record file."""
    try:
        return judge(parse_record(decode_record(data)), find)
    except RecordSyntaxError as error:
        return _refused(error.line, None, SYNTAX, str(error))


def judge(record: Source, find: Callable[[str], Edition] | None = None) -> Verdict:
    """The verdict on a record, on its text or on a file: what ``phaseten referee`` prints."""
    find = find or editions_beside(record)
    try:
        record = read_record(record)
        state = start_of(record.header, find)
        for step in follow(record, find):
            state = step.state
    except RecordSyntaxError as error:
        return _refused(error.line, None, SYNTAX, str(error))
    except IllegalRecordError as error:
        return _refused(error.line, error.seat, error.rule, str(error))
    return describe(state)


def _refused(line: int, seat: int | None, rule: str, message: str) -> Verdict:
    return {"ok": False, "line": line, "seat": seat, "rule": rule, "message": message}


def describe(state: State) -> Verdict:
    """A state as the referee describes it."""
    sheet, board = state.sheet, state.board
    return {
        "ok": True,
        "finished": sheet.winner is not None,
        "winner": sheet.winner,
        "hands": [
            {
                "hand": hand.hand,
                "out": hand.out,
                "points": _by_seat(dict(hand.points)),
                "made": _by_seat(dict(hand.made)),
            }
            for hand in sheet.hands
        ],
        "totals": _by_seat(dict(enumerate(sheet.totals, 1))),
        "phases": {str(seat): left[0] if left else None for seat, left in enumerate(sheet.left, 1)},
        "turn": {"hand": board.hand, "seat": board.turn, "step": board.step} if board else None,
        "state": _describe_board(state, board) if board else None,
    }


def _describe_board(state: State, board: Board) -> Verdict:
    return {
        "draw_pile": board.draw_count,
        "discard_top": board.top.text if board.top else None,
        "held": {
            str(seat): list(card_texts(sort_cards(state.held[seat - 1])))
            for seat in sorted(board.players)
        },
        "table": {
            str(seat): [list(card_texts(meld.cards)) for meld in melds]
            for seat, melds in enumerate(board.melds, 1)
            if melds
        },
        "skips_waiting": [seat for seat, waits in enumerate(board.waiting, 1) if waits],
    }


def _by_seat(values: dict[int, int]) -> dict[str, int]:
    return {str(seat): value for seat, value in sorted(values.items())}
