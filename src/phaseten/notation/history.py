"""What everybody has seen in a hand, in the turns of a record, all in one line.

``Y12, 1 D -R8, 2 D L B1 B7 G9 Y11 -S@1, 1 *, 2 P:G2 -Y4`` begins with the card that was turned up.
A hand of which the beginning is not known begins with a turn. Drawn cards are not named: nobody but
the player has seen them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from phaseten.notation.moves import Move, MoveSyntaxError, parse_moves
from phaseten.rules.actions import Discard, DrawDeck, DrawNothing, Hit, LayPhase, TakeDiscard
from phaseten.rules.cards import Card, CardSyntaxError, parse_card
from phaseten.rules.events import (
    CardDiscarded,
    DealSeen,
    DiscardTaken,
    DrawSeen,
    HandSeen,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    ReshuffleSeen,
    TurnLost,
)
from phaseten.rules.folding import board_after, open_board
from phaseten.rules.melds import Meld
from phaseten.rules.mistakes import Mistake, MistakeError
from phaseten.rules.options import Rules
from phaseten.rules.referee import (
    dealing_order,
    discard_refusal,
    draw_refusal,
    nothing_refusal,
    play_refusal,
)
from phaseten.rules.refusals import Refusal
from phaseten.rules.state import Board, ScoreSheet, put

_TURN: Final = re.compile(r"([1-9]) (.+)")
_SHUFFLE: Final = re.compile(r"Shuffle ([0-9]{1,3})")


class HistoryError(MistakeError):
    """A text that is no history, or not that of the hand.

    What is wrong is said in English only: it is for those who write positions.
    """

    def __init__(self, problem: str) -> None:
        super().__init__(Mistake("position", {"why": problem}))


# -- writing -----------------------------------------------------------------------------------


def format_history(seen: Iterable[DealSeen | HandSeen]) -> str:
    """The events in one line."""
    return ", ".join(_items(seen))


def _items(seen: Iterable[DealSeen | HandSeen]) -> Iterator[str]:
    seat, moves = 0, list[str]()
    for event in seen:
        whole = _whole_item(event)
        if moves and (whole is not None or seat != getattr(event, "seat", 0)):
            yield f"{seat} {' '.join(moves)}"
            moves = []
        if whole is not None:
            yield whole
            continue
        seat = getattr(event, "seat", 0)
        moves.append(_move_text(event))
        if isinstance(event, CardDiscarded):
            yield f"{seat} {' '.join(moves)}"
            moves = []
    if moves:
        yield f"{seat} {' '.join(moves)}"


def _whole_item(event: DealSeen | HandSeen) -> str | None:
    """The item of an event that is no move, or None."""
    match event:
        case DealSeen():
            return event.turned_up.text
        case ReshuffleSeen(count):
            return f"Shuffle {count}"
        case TurnLost(seat):
            return f"{seat} *"
        case _:
            return None


def _move_text(event: DealSeen | HandSeen) -> str:
    match event:
        case DrawSeen():
            return DrawDeck().text
        case DiscardTaken(_, card):
            return f"{TakeDiscard().text}:{card}"
        case NothingDrawn():
            return DrawNothing().text
        case PhaseLaid(_, _, melds):
            return LayPhase(tuple([meld.cards for meld in melds])).text
        case MeldHit(_, cards, owner, meld):
            return Hit(cards, owner, meld).text
        case CardDiscarded(_, card, target):
            return Discard(card, target).text
        case DealSeen() | ReshuffleSeen() | TurnLost():
            raise ValueError(f"{type(event).__name__} is not a move")
        case _:
            assert_never(event)


# -- reading -----------------------------------------------------------------------------------


def parse_history(
    text: str, rules: Rules, sheet: ScoreSheet, board: Board
) -> tuple[DealSeen | HandSeen, ...]:
    """The events that led to this board; a HistoryError where they cannot have."""
    items = [item.strip() for item in re.split(r",\s+", text.strip())]
    first = _turned_up(items[0])
    events = _Backwards(rules, board).events(items[1:] if first is not None else items)
    if first is None:
        return events
    order = dealing_order(sheet)
    rest = len(rules.edition.deck) - rules.edition.deal * len(order) - 1
    tied = bool(sheet.tied)
    dealt = DealSeen(board.hand, sheet.dealer, order, tied, (), first, rules.edition.deal, rest)
    _check_forwards(rules, sheet, board, dealt, events)
    return (dealt, *events)


def _turned_up(item: str) -> Card | None:
    try:
        return None if _TURN.fullmatch(item) or _SHUFFLE.fullmatch(item) else parse_card(item)
    except CardSyntaxError as error:
        raise HistoryError(f"what was seen begins with the turned-up card: {error}") from error


class _Backwards:
    """Reads a history from its end, where the melds are known, to its beginning."""

    def __init__(self, rules: Rules, board: Board) -> None:
        self._rules = rules
        self._made = board.made
        self._melds = board.melds
        self._seats = len(board.counts)

    def events(self, items: list[str]) -> tuple[HandSeen, ...]:
        found: list[HandSeen] = []
        for item in reversed(items):
            found += self._item(item)
        return tuple(reversed(found))

    def _item(self, item: str) -> Iterator[HandSeen]:
        """The events of an item, the last one first."""
        if match := _SHUFFLE.fullmatch(item):
            yield ReshuffleSeen(int(match[1]))
            return
        match = _TURN.fullmatch(item)
        if match is None or int(match[1]) > self._seats:
            raise HistoryError(f"'{item}' is not a turn: write a seat and its actions: 1 D -R5")
        seat = int(match[1])
        if match[2] == "*":
            yield TurnLost(seat)
            return
        try:
            moves = parse_moves(match[2])
        except MoveSyntaxError as error:
            raise HistoryError(f"in '{item}': {error}") from error
        for move in reversed(moves):
            yield self._event(seat, move, item)

    def _event(self, seat: int, move: Move, item: str) -> HandSeen:
        action = move.action
        match action:
            case DrawDeck() if move.named is None:
                return DrawSeen(seat, None)
            case DrawDeck():
                raise HistoryError(f"in '{item}': nobody saw the card drawn: write D alone")
            case TakeDiscard() if move.named is not None:
                return DiscardTaken(seat, move.named)
            case TakeDiscard():
                raise HistoryError(f"in '{item}': say which card was taken, such as P:R5")
            case DrawNothing():
                return NothingDrawn(seat)
            case LayPhase(rows):
                return self._laid(seat, rows, item)
            case Hit(cards, owner, meld):
                return self._hit(seat, cards, owner, meld, item)
            case Discard(card, target):
                return CardDiscarded(seat, card, target)
            case _:
                assert_never(action)

    def _laid(self, seat: int, rows: tuple[tuple[Card, ...], ...], item: str) -> PhaseLaid:
        melds = self._melds[seat - 1]
        if tuple([meld.cards for meld in melds]) != rows:
            raise HistoryError(f"in '{item}': that is not what seat {seat} has laid")
        self._melds = put(self._melds, seat, ())
        return PhaseLaid(seat, self._made[seat - 1], melds)

    def _hit(self, seat: int, cards: tuple[Card, ...], owner: int, meld: int, item: str) -> MeldHit:
        row = self._melds[owner - 1] if owner <= self._seats else ()
        if meld > len(row):
            raise HistoryError(f"in '{item}': seat {owner} has no meld number {meld}")
        after, count = row[meld - 1], len(cards)
        if after.cards[-count:] == cards:
            rest = after.cards[:-count]
        elif after.group.kind.chain and after.cards[:count] == cards:
            rest = after.cards[count:]
        else:
            raise HistoryError(f"in '{item}': the meld {owner}.{meld} has no such end")
        before = Meld(after.group, rest)
        self._melds = put(self._melds, owner, put(row, meld, before))
        return MeldHit(seat, cards, owner, meld, after)


def _check_forwards(
    rules: Rules,
    sheet: ScoreSheet,
    board: Board,
    dealt: DealSeen,
    events: tuple[HandSeen, ...],
) -> None:
    """Let it happen again, and see whether it leads to this board."""
    now = open_board(rules, sheet.seats, dealt, dealt.draw_count)
    for event in events:
        refusal = _refusal(now, event)
        if refusal is not None:
            raise HistoryError(f"what was seen cannot have happened: {refusal}")
        now = board_after(rules, now, event)
    for name, mine, theirs in zip(board._fields, board, now, strict=True):
        if name != "seen" and mine != theirs:
            raise HistoryError(
                f"what was seen leads to another table: {name} would be {theirs}, not {mine}"
            )


def _refusal(board: Board, event: HandSeen) -> Refusal | str | None:
    """Why that event cannot follow, as far as the board tells."""
    if isinstance(event, ReshuffleSeen):
        if board.draw_count or event.count != len(board.discards) - 1:
            return f"no pile of {event.count} cards is shuffled there"
        return None
    if event.seat != board.turn:
        return f"it is the turn of seat {board.turn}, not of seat {event.seat}"
    match event:
        case DrawSeen():
            return "the draw pile is empty" if not board.draw_count else draw_refusal(board)
        case DiscardTaken(_, card):
            wrong = f"{card} is not on top" if board.top is not card else None
            return discard_refusal(board) or wrong
        case NothingDrawn():
            return nothing_refusal(board)
        case PhaseLaid(seat):
            laid = f"seat {seat} had laid already" if board.melds[seat - 1] else None
            return play_refusal(board) or laid
        case MeldHit(_, _, owner, meld):
            none = "that meld lay not there yet" if meld > len(board.melds[owner - 1]) else None
            return play_refusal(board) or none
        case CardDiscarded(_, _, target):
            nobody = f"there is no seat {target}" if (target or 0) > len(board.counts) else None
            return play_refusal(board) or nobody
        case TurnLost():
            return None
        case _:
            assert_never(event)
