"""What one seat, or a watcher, may know: built from what lies open and the seat's own cards.

``legal_actions`` works on a view alone, so that nobody's choices can depend on a hidden card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from math import inf
from typing import Final, NamedTuple, assert_never

from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import SKIP, Card
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DealSeen,
    DiscardTaken,
    DrawSeen,
    Event,
    GameTied,
    GameWon,
    HandDealt,
    HandScored,
    HandSeen,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    PileReshuffled,
    ReshuffleSeen,
    Seen,
    TurnLost,
)
from phaseten.rules.folding import board_after, open_board, sheet_after
from phaseten.rules.laying import ways_to_lay
from phaseten.rules.melds import held_form, hits_on
from phaseten.rules.memory import Memory, remember
from phaseten.rules.options import Rules
from phaseten.rules.referee import (
    discard_refusal,
    draw_refusal,
    just_taken,
    keep_a_discard,
    needs_no_target,
    skip_targets,
)
from phaseten.rules.state import DRAW, Board, ScoreSheet, State, open_phases, without

LEAST_TRIES: Final = 1_000
TRIES_FOR_A_LAY: Final = 3
"""Where only so many ways to lay are asked for: how many cards are tried at least, and for each way."""


class View(NamedTuple):
    """The game as one seat knows it; as a watcher knows it when ``seat`` is None."""

    rules: Rules
    seat: int | None
    sheet: ScoreSheet
    board: Board | None
    """None between hands."""
    held: tuple[Card, ...]
    """The seat's own cards, in the order in which they came."""


def view_of(state: State, seat: int | None) -> View:
    """What that seat may know, or a watcher when ``seat`` is None."""
    own = state.held[seat - 1] if seat is not None and state.held else ()
    return View(state.rules, seat, state.sheet, state.board, own)


def new_view(state: State, seat: int | None) -> View:
    """The view to start folding from: a game before its first deal."""
    return View(state.rules, seat, state.sheet, None, ())


# -- what is shown -----------------------------------------------------------------------------


def seen_by(event: Event, seat: int | None) -> Seen:
    """The event as that seat, or a watcher, is shown it."""
    match event:
        case CardDrawn(drawer, card):
            return DrawSeen(drawer, card if drawer == seat else None)
        case HandDealt():
            return event.seen_with(event.dealt_to(seat) if seat is not None else ())
        case PileReshuffled(order):
            return ReshuffleSeen(len(order))
        case (
            CardDiscarded()
            | DiscardTaken()
            | MeldHit()
            | PhaseLaid()
            | TurnLost()
            | NothingDrawn()
            | HandScored()
            | GameTied()
            | GameWon()
        ):
            return event
        case _:
            assert_never(event)


def fold(view: View, seen: Seen) -> View:
    """The view after a seat was shown an event."""
    rules = view.rules
    match seen:
        case (
            DrawSeen()
            | CardDiscarded()
            | DiscardTaken()
            | MeldHit()
            | PhaseLaid()
            | TurnLost()
            | ReshuffleSeen()
            | NothingDrawn()
        ):
            if view.board is None:
                raise ValueError(f"{type(seen).__name__} does not belong between two hands")
            board = board_after(rules, view.board, seen)
            return view._replace(board=board, held=_held_after(view, seen))
        case DealSeen():
            board = open_board(rules, view.sheet.seats, seen, seen.draw_count)
            return view._replace(board=board, held=seen.cards)
        case HandScored():
            sheet = sheet_after(rules, view.sheet, seen)
            return view._replace(sheet=sheet, board=None, held=())
        case GameTied() | GameWon():
            return view._replace(sheet=sheet_after(rules, view.sheet, seen))
        case _:
            assert_never(seen)


def _held_after(view: View, seen: HandSeen) -> tuple[Card, ...]:
    """The seat's own cards after an event of a hand."""
    if isinstance(seen, ReshuffleSeen) or seen.seat != view.seat:
        return view.held
    match seen:
        case DrawSeen(_, card) | DiscardTaken(_, card):
            return (*view.held, card) if card is not None else view.held
        case CardDiscarded(_, card):
            return without(view.held, (card,))
        case PhaseLaid(_, _, melds):
            return without(view.held, held_form([c for meld in melds for c in meld.cards]))
        case MeldHit(_, cards):
            return without(view.held, held_form(cards))
        case TurnLost() | NothingDrawn():
            return view.held
        case _:
            assert_never(seen)


def unseen_cards(view: View) -> tuple[Card, ...]:
    """The cards whose place the seat does not know: in the draw pile or held by others, sorted."""
    if view.board is None:
        return view.rules.edition.deck
    return unseen_beside(view, view.board, remember(view.board, view.rules.edition))


def unseen_beside(view: View, board: Board, memory: Memory) -> tuple[Card, ...]:
    """As :func:`unseen_cards`, for whoever has worked out already what can be remembered."""
    rest = view.rules.edition.copies_of.copy()
    for card in view.held:
        rest[card] -= 1
    for card in board.discards:
        rest[card] -= 1
    for row in board.melds:
        for meld in row:
            for card in meld.cards:
                rest[card.held] -= 1
    if True in board.waiting and view.rules.edition.skips_wait_in_front:
        rest[SKIP] -= sum(board.waiting)
    for seat, known in enumerate(memory.known, 1):
        if seat != view.seat:
            for card in known:
                rest[card] -= 1
    return tuple([card for card, count in rest.items() for _ in range(count)])


# -- what is legal -----------------------------------------------------------------------------


def legal_actions(view: View, most_lays: int | None = None) -> list[Action]:
    """Everything the seat may do now, in a fixed order; nothing when it is not its turn.

    Each draw, each hit, each discard with each legal target, and each distinct way to lay a Phase
    at its least size; of these, which can be thousands with many Wilds, only so many if asked for.
    """
    board = view.board
    if board is None or view.seat != board.turn:
        return []
    if board.step == DRAW:
        return _draws(board)
    actions: list[Action] = []
    if board.made[board.turn - 1]:
        actions += _hits(view, board)
    else:
        tries = inf if most_lays is None else LEAST_TRIES + TRIES_FOR_A_LAY * most_lays
        actions += islice(_lays(view, board, tries), most_lays)
    actions += _discards(view, board)
    return actions


_DRAW_DECK, _TAKE_DISCARD, _DRAW_NOTHING = DrawDeck(), TakeDiscard(), DrawNothing()


def _draws(board: Board) -> list[Action]:
    draws: list[Action] = []
    if draw_refusal(board) is None:
        draws.append(_DRAW_DECK)
    if discard_refusal(board) is None:
        draws.append(_TAKE_DISCARD)
    return draws or [_DRAW_NOTHING]


def _lays(view: View, board: Board, most_tries: float) -> Iterator[Action]:
    rules = view.rules
    numbers = open_phases(rules, view.sheet, board.turn)
    for number in numbers:
        phase = rules.by_number[number]
        if keep_a_discard(rules, board, sum(group.cards for group in phase.groups)) is not None:
            continue
        for melds in ways_to_lay(phase, view.held, rules, most_tries / len(numbers)):
            rows = tuple([meld.cards for meld in melds])
            yield LayPhase(rows, number if rules.choose_phase else None)


def _hits(view: View, board: Board) -> Iterator[Action]:
    rules = view.rules
    held = Counter(view.held)
    for owner, row in enumerate(board.melds, 1):
        for number, meld in enumerate(row, 1):
            for cards in hits_on(meld, held, rules.edition):
                if keep_a_discard(rules, board, len(cards)) is None:
                    yield Hit(cards, owner, number)


def _discards(view: View, board: Board) -> Iterator[Action]:
    rules = view.rules
    for card in dict.fromkeys(view.held):
        if card is SKIP:
            yield from _skips(view, board)
        elif card is not board.taken or not just_taken(rules, board, view.held, card):
            yield _discard_of(card)


@cache
def _discard_of(card: Card) -> Discard:
    """One object for each card: discards are listed in every turn."""
    return Discard(card)


def _skips(view: View, board: Board) -> Iterator[Action]:
    if needs_no_target(view.rules, board):
        yield Discard(SKIP)
    for target in sorted(skip_targets(view.rules, board)):
        yield Discard(SKIP, target)
