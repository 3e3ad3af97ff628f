"""A view, and what belongs to it, as plain data that JSON can carry.

Built field by field from what a seat may know. There is no way in for a State, so nothing hidden
can go out. Cards and actions are in the text of ``notation``; seats count from 1, and lists by
seat begin with seat 1.
"""

from __future__ import annotations

from collections.abc import Iterable

from phaseten.notation.moves import format_action
from phaseten.rules.cards import Card
from phaseten.rules.events import HandScored
from phaseten.rules.memory import Memory, remember
from phaseten.rules.options import Rules
from phaseten.rules.state import Board
from phaseten.rules.views import View, legal_actions

Data = dict[str, object]


def view_data(view: View) -> Data:
    """What the seat knows; between hands without what belongs to a hand."""
    sheet = view.sheet
    data: Data = {
        "seat": view.seat,
        "left": [list(numbers) for numbers in sheet.left],
        "totals": list(sheet.totals),
        "dealer": sheet.dealer,
        "tied": list(sheet.tied),
        "winner": sheet.winner,
        "hands": [hand_data(scored) for scored in sheet.hands],
    }
    if view.board is not None:
        data |= _board_data(view.board, remember(view.board, view.rules.edition))
        data["held"] = texts(view.held)
    return data


def _board_data(board: Board, memory: Memory) -> Data:
    return {
        "hand": board.hand,
        "players": list(board.players),
        "turn": board.turn,
        "step": board.step,
        "counts": list(board.counts),
        "draw_pile": board.draw_count,
        "discards": texts(board.discards),
        "table": [[texts(meld.cards) for meld in row] for row in board.melds],
        "made": list(board.made),
        "waiting": list(board.waiting),
        "skipped_by": list(board.skipped_by),
        "known": [texts(cards) for cards in memory.known],
        "spurned": [texts(cards) for cards in memory.passed_over],
        "taken": board.taken.text if board.taken else None,
        "recycled": texts(memory.recycled),
        "reshuffles": board.reshuffles,
    }


def hand_data(scored: HandScored) -> Data:
    """How a hand ended."""
    return {
        "hand": scored.hand,
        "out": scored.out,
        "points": {str(seat): points for seat, points in scored.points},
        "made": {str(seat): phase for seat, phase in scored.made},
        "tiebreak": scored.tiebreak,
    }


def rules_data(rules: Rules) -> Data:
    """The rules of a game."""
    edition = rules.edition
    return {
        "edition": edition.name,
        "variant": rules.variant.text,
        "house": sorted(rules.house | frozenset(edition.house)),
        "deal": edition.deal,
        "deck": texts(edition.deck),
        "skips": edition.skip_goes_to,
        "phases": [
            {
                "number": phase.number,
                "groups": [group.text for group in phase.groups],
                "must_show": phase.must_show,
            }
            for phase in rules.phases
        ],
    }


def legal_texts(view: View) -> list[str]:
    """Everything the seat may do now, a Phase at its least size."""
    return [format_action(action) for action in legal_actions(view)]


def texts(cards: Iterable[Card]) -> list[str]:
    """The cards in text."""
    return [card.text for card in cards]
