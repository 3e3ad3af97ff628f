"""How events change what lies open on the table. The truth and every view use these functions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import assert_never

from phaseten.rules.cards import SKIP
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DealSeen,
    DiscardTaken,
    DrawSeen,
    GameTied,
    GameWon,
    HandDealt,
    HandEvent,
    HandScored,
    HandSeen,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    PileReshuffled,
    ReshuffleSeen,
    TurnLost,
)
from phaseten.rules.options import Rules
from phaseten.rules.state import DRAW, PLAY, Board, ScoreSheet, following, put


def open_board(rules: Rules, seats: int, event: HandDealt | DealSeen, draw_count: int) -> Board:
    """The board after a deal."""
    playing = [seat in event.players for seat in range(1, seats + 1)]
    first = event.players[0]
    skipped_by = (0,) * seats
    if event.turned_up is SKIP and not rules.edition.skips_wait_in_front:
        # H-START-SKIP counts as played by the dealer, who is the last one in dealing order.
        skipped_by = put(skipped_by, first, event.players[-1])
    return Board(
        hand=event.hand,
        players=event.players,
        turn=first,
        step=DRAW,
        counts=tuple([event.deal if plays else 0 for plays in playing]),
        draw_count=draw_count,
        discards=(event.turned_up,),
        melds=((),) * seats,
        made=(0,) * seats,
        waiting=(False,) * seats,
        skipped_by=skipped_by,
        seen=(_deal_seen(event),),
    )


def _deal_seen(event: HandDealt | DealSeen) -> DealSeen:
    """The deal as a watcher sees it."""
    return event.seen_with(()) if isinstance(event, HandDealt) else replace(event, cards=())


@cache
def _draw_seen(seat: int) -> DrawSeen:
    """One object for each seat: every turn has one."""
    return DrawSeen(seat, None)


def board_after(rules: Rules, board: Board, event: HandEvent | HandSeen) -> Board:
    """The board after an event of the hand that is going on."""
    match event:
        case CardDrawn(seat) | DrawSeen(seat):
            return board._replace(
                step=PLAY,
                draw_count=board.draw_count - 1,
                counts=put(board.counts, seat, board.counts[seat - 1] + 1),
                quiet=board.quiet + 1,
                seen=(*board.seen, _draw_seen(seat)),
            )
        case CardDiscarded():
            return _discarded(rules, board, event)
        case DiscardTaken(seat, card):
            return board._replace(
                step=PLAY,
                discards=board.discards[:-1],
                taken=card,
                counts=put(board.counts, seat, board.counts[seat - 1] + 1),
                quiet=board.quiet + 1,
                seen=(*board.seen, event),
            )
        case PhaseLaid(seat, phase, melds):
            cards = sum([len(meld.cards) for meld in melds])
            return board._replace(
                counts=put(board.counts, seat, board.counts[seat - 1] - cards),
                melds=put(board.melds, seat, melds),
                made=put(board.made, seat, phase),
                quiet=0,
                seen=(*board.seen, event),
            )
        case MeldHit(seat, cards, owner, meld, result):
            return board._replace(
                counts=put(board.counts, seat, board.counts[seat - 1] - len(cards)),
                melds=put(board.melds, owner, put(board.melds[owner - 1], meld, result)),
                quiet=0,
                seen=(*board.seen, event),
            )
        case TurnLost(seat):
            return _lost(rules, board._replace(seen=(*board.seen, event)), seat)
        case PileReshuffled() | ReshuffleSeen():
            return board._replace(
                draw_count=len(board.discards) - 1,
                discards=board.discards[-1:],
                reshuffles=board.reshuffles + 1,
                seen=(*board.seen, ReshuffleSeen(len(board.discards) - 1)),
            )
        case NothingDrawn(seat):
            board = board._replace(quiet=board.quiet + 1, seen=(*board.seen, event))
            if board.counts[seat - 1]:
                return board._replace(step=PLAY)
            return _pass_turn(board, seat)  # nothing drawn, nothing held: nothing to do
        case _:
            assert_never(event)


def _discarded(rules: Rules, board: Board, event: CardDiscarded) -> Board:
    seat, card, target = event.seat, event.card, event.target
    waiting, skipped_by, discards = board.waiting, board.skipped_by, board.discards
    in_front = target is not None and rules.edition.skips_wait_in_front
    if target is not None:
        waiting = put(waiting, target, value=True)
        if not in_front:
            skipped_by = put(skipped_by, target, seat)
    if not in_front:
        discards = (*discards, card)
    turn = following(board.players, seat)
    return board._replace(
        counts=put(board.counts, seat, board.counts[seat - 1] - 1),
        waiting=waiting,
        discards=discards,
        turn=turn,
        step=DRAW,
        taken=None,
        skipped_by=_round_over(skipped_by, turn),
        seen=(*board.seen, event),
    )


def _lost(rules: Rules, board: Board, seat: int) -> Board:
    if board.waiting[seat - 1]:  # a turned-up Skip takes the first turn without waiting for it
        board = board._replace(waiting=put(board.waiting, seat, value=False))
        if rules.edition.skips_wait_in_front:
            board = board._replace(discards=(*board.discards, SKIP))
    return _pass_turn(board, seat)


def _pass_turn(board: Board, seat: int) -> Board:
    """The turn comes to the next player."""
    turn = following(board.players, seat)
    return board._replace(
        turn=turn, step=DRAW, taken=None, skipped_by=_round_over(board.skipped_by, turn)
    )


def _round_over(skipped_by: tuple[int, ...], turn: int) -> tuple[int, ...]:
    """S-ONCE-A-ROUND: the turn comes to a player, and ends the round of that player's Skips."""
    if turn not in skipped_by:
        return skipped_by
    return tuple([0 if by == turn else by for by in skipped_by])


def sheet_after(
    rules: Rules, sheet: ScoreSheet, event: HandScored | GameTied | GameWon
) -> ScoreSheet:
    """The score sheet after a hand was scored, or the game tied or won."""
    match event:
        case GameTied(seats):
            return sheet._replace(tied=seats)
        case GameWon(seat):
            return sheet._replace(winner=seat, tied=())
        case HandScored():
            dealer = sheet.dealer % sheet.seats + 1
            hands = (*sheet.hands, event)
            if event.tiebreak:
                return sheet._replace(hands=hands, dealer=dealer)
            points = dict(event.points)
            return sheet._replace(
                hands=hands,
                dealer=dealer,
                totals=tuple([total + points[i] for i, total in enumerate(sheet.totals, 1)]),
                left=_left_after(rules, sheet, dict(event.made)),
            )
        case _:
            assert_never(event)


def _left_after(
    rules: Rules, sheet: ScoreSheet, made: dict[int, int]
) -> tuple[tuple[int, ...], ...]:
    """G-ADVANCE; in V1 everybody moves on."""
    if rules.variant.ten_hands and not rules.choose_phase:
        return tuple([left[1:] for left in sheet.left])
    return tuple(
        [
            tuple([number for number in left if number != made.get(seat)])
            for seat, left in enumerate(sheet.left, 1)
        ]
    )
