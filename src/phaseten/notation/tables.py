"""A game as a person at the table would note it down: who has what, what lies where.

For reading only; positions (:mod:`phaseten.notation.positions`) can be read back.
"""

from __future__ import annotations

from collections.abc import Sequence

from phaseten.rules.cards import format_cards, sort_cards
from phaseten.rules.state import DRAW, Board, ScoreSheet, State, open_phases


def format_table(state: State, names: Sequence[str]) -> str:
    """The whole table in text, everybody's cards included."""
    board = state.board
    lines = [_headline(state, names)]
    if board is not None:
        top = f"{board.top} on top of {len(board.discards)}" if board.top else "empty"
        lines.append(f"Draw pile: {board.draw_count}. Discard pile: {top}.")
    rows = [_seat_row(state, names, seat) for seat in range(1, state.sheet.seats + 1)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for seat, row in enumerate(rows, 1):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        mark = ">" if board is not None and board.turn == seat else " "
        lines.append(f"{mark} {'  '.join(cells)}".rstrip())
        for number, meld in enumerate(board.melds[seat - 1] if board else (), 1):
            lines.append(f"    {seat}.{number} {meld.group.text}: {format_cards(meld.cards)}")
    return "\n".join(lines)


def _headline(state: State, names: Sequence[str]) -> str:
    board, sheet, title = state.board, state.sheet, state.rules.edition.title
    if sheet.winner is not None:
        return f"{title}, over after {len(sheet.hands)} hands: {names[sheet.winner - 1]} has won."
    if board is None:
        return f"{title}, before hand {len(sheet.hands) + 1}: {names[sheet.dealer - 1]} deals."
    to_do = "to draw" if board.step == DRAW else "to lay, hit or discard"
    kind = "tie-break hand" if sheet.tied else "hand"
    return f"{title}, {kind} {board.hand}: {names[board.turn - 1]} is {to_do}."


def _seat_row(state: State, names: Sequence[str], seat: int) -> list[str]:
    sheet, board = state.sheet, state.board
    row = [f"{seat} {names[seat - 1]}", _progress(state, sheet, board, seat)]
    row.append(f"{sheet.totals[seat - 1]} points")
    if board is not None:
        skipped = " (loses the next turn)" if board.waiting[seat - 1] else ""
        held = format_cards(sort_cards(state.held[seat - 1]))
        row.append((held if seat in board.players else "does not play") + skipped)
    return row


def _progress(state: State, sheet: ScoreSheet, board: Board | None, seat: int) -> str:
    if board is not None and board.made[seat - 1]:
        return f"Phase {board.made[seat - 1]} laid"
    phases = open_phases(state.rules, sheet, seat)
    if not phases:
        return "no Phase left"
    return f"Phase {', '.join(map(str, phases))}"


def format_score_sheet(state: State, names: Sequence[str]) -> str:
    """The score sheet in text: Phases made, the points of every hand and the totals."""
    sheet, rules = state.sheet, state.rules
    header = ["", *names]
    made = ["Phases"]
    for seat in range(1, sheet.seats + 1):
        done = {number for hand in sheet.hands for s, number in hand.made if s == seat}
        made.append(
            " ".join("x" if phase.number in done else str(phase.number) for phase in rules.phases)
        )
    rows = [header, made]
    for hand in sheet.hands:
        points = dict(hand.points)
        label = f"Hand {hand.hand}" + (" (tie)" if hand.tiebreak else "")
        rows.append([label, *[str(points.get(seat, "")) for seat in range(1, sheet.seats + 1)]])
    rows.append(["Total", *map(str, sheet.totals)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
