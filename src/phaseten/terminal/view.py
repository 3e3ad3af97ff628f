"""The table as one player sees it, in lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from phaseten.rules.cards import COLOR_NAMES, WILD, Card, by_order
from phaseten.rules.editions import Phase
from phaseten.rules.options import Rules
from phaseten.rules.solver import missing_cards
from phaseten.rules.state import Board, State, open_phases
from phaseten.rules.views import View
from phaseten.terminal.screen import Screen, pad, table
from phaseten.terminal.words import group_in_words, listed, phase_in_words, plural

_MANY: Final = 6
"""More kinds of helpful cards than this are not listed."""


def table_lines(view: View, names: Sequence[str], screen: Screen) -> Iterator[str]:
    """Everybody at the table with their melds, and the piles."""
    board = view.board
    if board is None:
        return
    labels = [
        f"{seat} {name}{' (you)' if seat == view.seat and name != 'You' else ''}"
        for seat, name in enumerate(names, 1)
    ]
    widest = max(map(len, labels))
    for seat in range(1, len(names) + 1):
        yield from _seat_lines(view, board, seat, labels[seat - 1].ljust(widest), screen)
    top = screen.card(board.top) if board.top else "nothing"
    yield f" Draw pile: {plural(board.draw_count, 'card')}.  Discard pile: {top} on top."


def _seat_lines(view: View, board: Board, seat: int, label: str, screen: Screen) -> Iterator[str]:
    name = screen.bold(label) if seat == view.seat else label
    if seat not in board.players:
        yield f" {name}  watches this hand"
        return
    parts = [_works_on(view, board, seat)]
    parts.append(plural(board.counts[seat - 1], "card"))
    parts.append(plural(view.sheet.totals[seat - 1], "point"))
    if board.waiting[seat - 1]:
        parts.append("loses the next turn")
    yield screen.wrap(" · ".join(parts), " " * (len(label) + 3), f" {name}  ")
    for number, meld in enumerate(board.melds[seat - 1], 1):
        words = group_in_words(meld.group)
        yield f"      {pad(f'{seat}.{number} {words}', 16)}  {screen.cards(meld.cards)}"


def _works_on(view: View, board: Board, seat: int) -> str:
    rules = view.rules
    made = board.made[seat - 1]
    if made:
        return f"Phase {made} laid"
    phases = open_phases(rules, view.sheet, seat)
    if len(phases) > 1:
        return f"any of the Phases {listed([str(number) for number in phases])}"
    return f"Phase {phases[0]}: {phase_in_words(rules.by_number[phases[0]])}" if phases else ""


def own_lines(view: View, screen: Screen) -> Iterator[str]:
    """The player's own cards, the Phase, and what is missing for it."""
    board = view.board
    if board is None or view.seat is None:
        return
    phases = open_phases(view.rules, view.sheet, view.seat)
    made = board.made[view.seat - 1]
    if not made:
        for number in phases:
            yield from _phase_lines(view.rules, view.rules.by_number[number], view.held, screen)
    by_color = bool(phases) and not made and _wants_color(view.rules.by_number[phases[0]])
    cards = sorted(view.held, key=by_order if by_color else _by_number)
    yield screen.wrap(screen.cards(cards), "   ", f" Your {plural(len(cards), 'card')}:  ")


def _phase_lines(
    rules: Rules, phase: Phase, held: tuple[Card, ...], screen: Screen
) -> Iterator[str]:
    name = screen.bold(f"Phase {phase.number}: {phase_in_words(phase)}")
    missing = missing_cards(phase, held, rules)
    if not missing:
        yield f" {name}. You have it!"
        return
    helpful = _helpful(rules, phase, held, missing)
    help_ = f" Helpful: {listed(helpful, 'or')}." if helpful else ""
    yield screen.wrap(f"{name}. {plural(missing, 'card')} missing.{help_}", "   ", " ")


def _helpful(rules: Rules, phase: Phase, held: tuple[Card, ...], missing: int) -> list[str]:
    """The cards that bring the Phase nearer, in words; nothing when there are too many kinds."""
    faces = dict.fromkeys(card for card in rules.edition.deck if card.is_natural)
    good = {face for face in faces if missing_cards(phase, (*held, face), rules) < missing}
    words: list[str] = []
    rest = set(good)
    for number in range(1, rules.edition.highest + 1):
        same = {face for face in faces if face.number == number}
        if same <= good:
            words.append(f"a {number}" if number not in (8, 11) else f"an {number}")
            rest -= same
    for color in rules.edition.colors:
        same = {face for face in rest if face.color == color}
        if len(same) > 2:
            words.append(f"{'an' if color == 'O' else 'a'} {COLOR_NAMES[color]} card")
            rest -= same
    words += [card.text for card in sorted(rest, key=by_order)]
    if WILD in rules.edition.deck:
        words.append("a Wild")
    return words if len(words) <= _MANY else []


def _wants_color(phase: Phase) -> bool:
    return any(group.kind.one_color for group in phase.groups)


def _by_number(card: Card) -> tuple[int, int]:
    return card.number or 99, card.order


def score_lines(state: State, names: Sequence[str], screen: Screen) -> Iterator[str]:
    """The score sheet: a line for each player."""
    sheet = state.sheet
    last = [hand for hand in sheet.hands if not hand.tiebreak]
    rows = [["", "Phases left", "points of each hand", "total"]]
    for seat, name in enumerate(names, 1):
        points = [str(dict(hand.points).get(seat, "")) for hand in last]
        left = sheet.left[seat - 1]
        rows.append(
            [name, _left_in_words(left), " ".join(points) or "-", str(sheet.totals[seat - 1])]
        )
    for line in table(rows, screen.width - 1):
        yield f" {line}"
    for hand in sheet.hands:
        if hand.tiebreak:
            yield f" Hand {hand.hand} was a tie-break: {names[hand.out - 1]} went out."


def _left_in_words(left: tuple[int, ...]) -> str:
    """``4 to 10``, ``2, 5, 9``, ``none``."""
    if not left:
        return "none"
    if len(left) > 2 and left == tuple(range(left[0], left[-1] + 1)):
        return f"{left[0]} to {left[-1]}"
    return ", ".join(map(str, left))
