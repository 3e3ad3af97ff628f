"""Positions: how a game stands, in one line that people can read, type and paste.

There is one line for the whole truth and one for what a seat knows, which has no place for
anything else. docs/notation.md explains both by an example.

>>> from phaseten.rules.views import view_of
>>> state = parse_position("express phases=2 | hand 1 dealer 2 turn 1 play took G2"
...     " | 1 held R8 G2 laid 1 R1 R3 B5 W | 2 held Y4 B4 | draw rest | discards Y12 S")
>>> format_position(view_of(state, 2))  # doctest: +NORMALIZE_WHITESPACE
'express phases=2 | seat 2 sees | hand 1 dealer 2 turn 1 play took G2
 | 1 phases 1,2 points 0 holds 2 laid 1 R1 R3 B5 W | 2 phases 1,2 points 0 held Y4 B4
 | draw 44 | discards Y12 S'
>>> parse_position(format_position(state)) == state
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final

from phaseten.notation.editions import format_edition, is_of_the_book
from phaseten.notation.history import format_history
from phaseten.notation.position_reader import PositionError, PositionReader
from phaseten.rules.cards import Card, format_cards
from phaseten.rules.editions import Edition, edition
from phaseten.rules.events import HandScored
from phaseten.rules.mistakes import expect
from phaseten.rules.options import Rules
from phaseten.rules.state import Board, ScoreSheet, State
from phaseten.rules.views import View

__all__ = ["PositionError", "format_position", "parse_position"]

BETWEEN: Final = " | "
NOTHING: Final = "-"


def parse_position(
    text: str,
    find: Callable[[str], Edition] = edition,
    shuffle: Callable[[tuple[Card, ...]], tuple[Card, ...]] = tuple,
) -> State | View:
    """The state that the line writes down, or the view if it says who sees it.

    ``find`` finds editions by name. Where the line says ``draw rest``, the draw pile is what is
    left of the deck, in the order that ``shuffle`` gives it. A PositionError says what is wrong.
    """
    return PositionReader(expect(text, str, "a position's text"), find, shuffle).read()


def format_position(position: State | View) -> str:
    """The state, or what a seat or a watcher knows of it, in one line."""
    return BETWEEN.join(_fields(position))


def _fields(position: State | View) -> Iterator[str]:
    sheet, board = position.sheet, position.board
    yield _rules(position.rules)
    if isinstance(position, View):
        yield "a watcher sees" if position.seat is None else f"seat {position.seat} sees"
    yield _moment(sheet, board)
    for seat in range(1, sheet.seats + 1):
        yield " ".join(_seat(position, seat))
    if board is not None:
        pile = board.draw_count if isinstance(position, View) else _cards(position.draw_pile)
        yield f"draw {pile}"
        yield f"discards {_cards(board.discards)}"
    if sheet.hands:
        yield f"scores {', '.join(map(_score, sheet.hands))}"
    if board is not None and board.seen:
        yield f"seen {format_history(board.seen)}"


def _rules(rules: Rules) -> str:
    box = rules.edition
    words = [box.name if is_of_the_book(box) else format_edition(box)]
    if rules.house or rules.variant.text != "standard":
        words.append(rules.variant.text)
    if rules.house:
        words.append(",".join(sorted(rules.house)))
    return " ".join(words)


def _moment(sheet: ScoreSheet, board: Board | None) -> str:
    tied = "".join([f" {seat}" for seat in sheet.tied])
    tiebreak = f" tiebreak{tied}" if tied else ""
    if sheet.winner is not None:
        return f"over winner {sheet.winner} dealer {sheet.dealer}"
    if board is None:
        return f"before hand {len(sheet.hands) + 1}{tiebreak} dealer {sheet.dealer}"
    words = [f"hand {board.hand}{tiebreak} dealer {sheet.dealer} turn {board.turn} {board.step}"]
    if board.taken is not None:
        words.append(f"took {board.taken}")
    if board.reshuffles:
        words.append(f"reshuffles {board.reshuffles}")
    if board.quiet:
        words.append(f"quiet {board.quiet}")
    return " ".join(words)


def _seat(position: State | View, seat: int) -> Iterator[str]:
    sheet, board = position.sheet, position.board
    yield f"{seat} phases {_numbers(sheet.left[seat - 1])} points {sheet.totals[seat - 1]}"
    if board is None or seat not in board.players:
        return
    if isinstance(position, State):
        yield f"held {_cards(position.held[seat - 1])}"
    elif seat == position.seat:
        yield f"held {_cards(position.held)}"
    else:
        yield f"holds {board.counts[seat - 1]}"
    if board.made[seat - 1]:
        rows = " / ".join([format_cards(meld.cards) for meld in board.melds[seat - 1]])
        yield f"laid {board.made[seat - 1]} {rows}"
    if board.waiting[seat - 1]:
        yield "skipped"
    if board.skipped_by[seat - 1]:
        yield f"skipped-by {board.skipped_by[seat - 1]}"


def _cards(cards: Sequence[Card]) -> str:
    return format_cards(cards) if cards else NOTHING


def _numbers(numbers: Sequence[int]) -> str:
    """``1-10``, ``3,5-10``, or ``-`` for none."""
    rows = [
        [number for _, number in row]
        for _, row in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    ]
    parts = [f"{row[0]}-{row[-1]}" if len(row) > 2 else ",".join(map(str, row)) for row in rows]
    return ",".join(parts) or NOTHING


def _score(hand: HandScored) -> str:
    words = [f"out {NOTHING if hand.out is None else hand.out}"]
    words += [f"{seat}:{points}" for seat, points in hand.points]
    if hand.made:
        words += ["made", *[f"{seat}:{number}" for seat, number in hand.made]]
    if hand.tiebreak:
        words.append("tiebreak")
    return " ".join(words)
