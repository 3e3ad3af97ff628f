"""The referee: ``decide`` judges, ``apply`` changes.

``decide`` returns the events that follow from an action, or a Refusal, and changes nothing.
Chance comes in as an argument: the order of the deck, and what a reshuffle brings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import reduce
from typing import Final, assert_never

from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import SKIP, Card, sort_cards, total_points
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DiscardTaken,
    Event,
    GameTied,
    GameWon,
    HandDealt,
    HandEvent,
    HandScored,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    PileReshuffled,
    TurnLost,
)
from phaseten.rules.folding import board_after, open_board, sheet_after
from phaseten.rules.melds import Meld, add_to_meld, check_phase, held_form, read_meld
from phaseten.rules.options import Rules
from phaseten.rules.refusals import Difference, Refusal, refuse
from phaseten.rules.state import (
    DRAW,
    PLAY,
    Board,
    ScoreSheet,
    State,
    following,
    open_phases,
    put,
    without,
)

Shuffle = Callable[[tuple[Card, ...], int, int], tuple[Card, ...]]
"""Chance: the cards to shuffle, the number of the hand and of the shuffle in it, to a new order."""

Verdict = tuple[Event, ...] | Refusal

QUIET_TURNS: Final = 50
"""H-DEAD: so many turns for each player, without a lay-down or a hit, end a hand."""


# -- dealing ----------------------------------------------------------------------------------


def deal(state: State, order: tuple[Card, ...]) -> Verdict:
    """Deal the next hand from a shuffled deck (H-DEAL, H-START-SKIP, G-TIE)."""
    rules, sheet = state.rules, state.sheet
    if sheet.winner is not None:
        return refuse("G-WIN", "game-over", winner=sheet.winner)
    if state.board is not None:
        return refuse("H-NEXT", "hand-going-on")
    wrong = difference(order, rules.edition.deck)
    if wrong:
        return refuse("H-DEAL", "wrong-deck", detail=wrong)
    hand = len(sheet.hands) + 1
    dealt = HandDealt(
        hand, sheet.dealer, dealing_order(sheet), bool(sheet.tied), order, rules.edition.deal
    )
    if dealt.turned_up is SKIP:
        return (dealt, TurnLost(dealt.players[0]))
    return (dealt,)


def dealing_order(sheet: ScoreSheet) -> tuple[int, ...]:
    """The seats that play the next hand, from the dealer's left neighbour on (H-FIRST, G-TIE)."""
    seats = sheet.seats
    clockwise = [(sheet.dealer + i) % seats + 1 for i in range(seats)]
    return tuple([seat for seat in clockwise if not sheet.tied or seat in sheet.tied])


def difference(cards: Iterable[Card], wanted: Iterable[Card]) -> Difference | None:
    """What is too much and what is missing, or None where the cards are the same."""
    have, need = Counter(cards), Counter(wanted)
    if have == need:
        return None
    return Difference(
        sort_cards((have - need).elements()),
        sort_cards((need - have).elements()),
    )


# -- judging ----------------------------------------------------------------------------------


def decide(state: State, seat: int, action: Action, shuffle: Shuffle) -> Verdict:
    """What follows from the seat's action, or why it is refused."""
    board = state.board
    if board is None:
        winner = state.sheet.winner
        if winner is not None:
            return refuse("T-TURN", "game-over", winner=winner)
        return refuse("T-TURN", "no-hand")
    if seat != board.turn:
        if seat not in board.players:
            return refuse("T-TURN", "not-playing", seat=seat)
        return refuse("T-TURN", "not-your-turn", seat=seat, turn=board.turn)
    match action:
        case DrawDeck():
            return _draw(state, board, shuffle)
        case TakeDiscard():
            return discard_refusal(board) or (DiscardTaken(seat, board.discards[-1]),)
        case DrawNothing():
            return nothing_refusal(board) or _nothing_drawn(board)
        case LayPhase():
            return _lay(state, board, action)
        case Hit():
            return _hit(state, board, action)
        case Discard():
            return _discard(state, board, action)
        case _:
            assert_never(action)


def draw_refusal(board: Board) -> Refusal | None:
    """Why no card can be drawn from the draw pile, or None (T-DRAW, T-RESHUFFLE)."""
    if board.step != DRAW:
        return refuse("T-DRAW", "already-drawn")
    if board.draw_count or len(board.discards) > 1:
        return None
    if board.discards and board.discards[-1] is not SKIP:
        return refuse("T-RESHUFFLE", "must-take-discard")
    return refuse("T-RESHUFFLE", "nothing-to-draw")


def discard_refusal(board: Board) -> Refusal | None:
    """Why the top discard cannot be taken, or None (T-DRAW, T-DRAW-SKIP)."""
    if board.step != DRAW:
        return refuse("T-DRAW", "already-drawn")
    if not board.discards:
        return refuse("T-DRAW", "discard-pile-empty")
    if board.discards[-1] is SKIP:
        return refuse("T-DRAW-SKIP", "skip-on-top")
    return None


def nothing_refusal(board: Board) -> Refusal | None:
    """Why the seat cannot play on without a card, or None (T-RESHUFFLE)."""
    if board.step != DRAW:
        return refuse("T-DRAW", "already-drawn")
    if draw_refusal(board) is None or discard_refusal(board) is None:
        return refuse("T-DRAW", "can-draw")
    return None


def _draw(state: State, board: Board, shuffle: Shuffle) -> Verdict:
    refusal = draw_refusal(board)
    if refusal is not None:
        return refusal
    if state.draw_pile:
        return (CardDrawn(board.turn, state.draw_pile[0]),)
    pile = board.discards[:-1]
    order = shuffle(pile, board.hand, board.reshuffles + 1)
    wrong = difference(order, pile)
    if wrong:
        return refuse("T-RESHUFFLE", "wrong-shuffle", detail=wrong)
    return (PileReshuffled(order), CardDrawn(board.turn, order[0]))


def play_refusal(board: Board) -> Refusal | None:
    """Why the seat cannot lay, hit or discard yet, or None (T-DRAW)."""
    return refuse("T-DRAW", "draw-first") if board.step != PLAY else None


def _lay(state: State, board: Board, action: LayPhase) -> Verdict:
    rules, seat = state.rules, board.turn
    refusal = play_refusal(board) or _phase_refusal(rules, state.sheet, board, action.phase)
    if refusal is not None:
        return refusal
    phase = rules.by_number[action.phase or open_phases(rules, state.sheet, seat)[0]]
    cards = held_form([card for meld in action.melds for card in meld])
    if SKIP in cards:
        return refuse("W-SKIP", "skip-in-meld")
    missing = not_held(state.held[seat - 1], cards)
    if missing:
        return refuse("T-LAY", "lay-not-held", cards=missing)
    if len(action.melds) != len(phase.groups):
        return refuse(
            "M-EXACT",
            "wrong-number-of-melds",
            phase=phase.number,
            wanted=len(phase.groups),
            given=len(action.melds),
        )
    melds: list[Meld] = []
    for group, row in zip(phase.groups, action.melds, strict=True):
        meld = read_meld(group, row, rules.edition)
        if isinstance(meld, Refusal):
            return meld
        melds.append(meld)
    refusal = check_phase(phase, melds, rules) or keep_a_discard(rules, board, len(cards))
    if refusal is not None:
        return refusal
    return _out_if_empty(state, board, len(cards), PhaseLaid(seat, phase.number, tuple(melds)))


def _phase_refusal(
    rules: Rules, sheet: ScoreSheet, board: Board, asked: int | None
) -> Refusal | None:
    """Why the seat may not lay that Phase, or None (T-LAY-ONE)."""
    if board.made[board.turn - 1]:
        return refuse("T-LAY-ONE", "already-laid")
    phases = open_phases(rules, sheet, board.turn)
    if asked is None or asked in phases:
        return None
    if rules.choose_phase:
        return refuse("T-LAY-ONE", "phase-done", asked=asked)
    return refuse("T-LAY-ONE", "phase-not-yours", phase=phases[0], asked=asked)


def not_held(held: tuple[Card, ...], cards: Iterable[Card]) -> tuple[Card, ...]:
    """Those of the cards that are not held."""
    return tuple((Counter(cards) - Counter(held)).elements())


def keep_a_discard(rules: Rules, board: Board, leaving: int) -> Refusal | None:
    """House rule: why so many cards may not leave the hand other than as a discard, or None."""
    if rules.discard_to_go_out and leaving == board.counts[board.turn - 1]:
        return refuse("G-OUT", "keep-a-discard")
    return None


def _hit(state: State, board: Board, action: Hit) -> Verdict:
    rules, seat = state.rules, board.turn
    refusal = play_refusal(board)
    if refusal is not None:
        return refusal
    if not board.made[seat - 1]:
        return refuse("T-HIT", "hit-before-laying")
    owner = action.owner
    rows = board.melds[owner - 1] if 1 <= owner <= len(board.melds) else ()
    if not 1 <= action.meld <= len(rows):
        return refuse("T-HIT", "no-such-meld", owner=owner, meld=action.meld)
    cards = held_form(action.cards)
    if SKIP in cards:
        return refuse("W-SKIP", "skip-in-meld")
    missing = not_held(state.held[seat - 1], cards)
    if missing:
        return refuse("T-HIT", "hit-not-held", cards=missing)
    old = rows[action.meld - 1]
    new = add_to_meld(old, action.cards, rules.edition)
    if isinstance(new, Refusal):
        return new
    refusal = keep_a_discard(rules, board, len(cards))
    if refusal is not None:
        return refusal
    below = old.group.kind.chain and new.cards[0].number < old.cards[0].number
    added = new.cards[: len(cards)] if below else new.cards[-len(cards) :]
    return _out_if_empty(state, board, len(cards), MeldHit(seat, added, owner, action.meld, new))


def _discard(state: State, board: Board, action: Discard) -> Verdict:
    rules, seat, card, target = state.rules, board.turn, action.card, action.target
    held = state.held[seat - 1]
    refusal = play_refusal(board)
    if refusal is not None:
        return refusal
    if card not in held:
        return refuse("T-DISCARD", "discard-not-held", cards=(card,))
    if just_taken(rules, board, held, card):
        return refuse("T-DISCARD", "just-taken")
    if card is SKIP:
        refusal = _skip_refusal(rules, board, target)
        if refusal is not None:
            return refusal
    elif target is not None:
        return refuse("S-PLAY", "target-without-skip", card=card)
    discarded = CardDiscarded(seat, card, target)
    if goes_out_with_discard(board):
        return (discarded, *_hand_end(state, board, board.made, seat, without(held, (card,))))
    if stands_still(rules, board):
        return (discarded, *_hand_end(state, board, board.made, None, without(held, (card,))))
    waiting = board.waiting if target is None else put(board.waiting, target, value=True)
    return (discarded, *_lost_turns(board, waiting)) if True in waiting else (discarded,)


def just_taken(rules: Rules, board: Board, held: tuple[Card, ...], card: Card) -> bool:
    """House rule: whether this is the card just taken, which may not be discarded at once."""
    return rules.no_rediscard and card is board.taken and held.count(card) == 1 and len(held) > 1


def skip_targets(rules: Rules, board: Board) -> list[int]:
    """Whom the player on turn may skip."""
    return [
        seat
        for seat in board.players
        if seat != board.turn and _protection(rules, board, seat) is None
    ]


def _protection(rules: Rules, board: Board, target: int) -> Refusal | None:
    """Why that other player may not be skipped now, or None."""
    if rules.edition.skips_wait_in_front:
        if board.waiting[target - 1]:
            return refuse("S-ONE-WAITING", "skip-waiting", target=target)
    elif board.skipped_by[target - 1]:
        return refuse("S-ONCE-A-ROUND", "skipped-this-round", target=target)
    return None


def goes_out_with_discard(board: Board) -> bool:
    """Whether any discard of the player on turn leaves no card (G-OUT)."""
    seat = board.turn
    return board.counts[seat - 1] == 1 and board.made[seat - 1] > 0


def stands_still(rules: Rules, board: Board) -> bool:
    """Whether any discard of the player on turn ends the hand, for nothing moves in it (H-DEAD)."""
    return board.quiet >= QUIET_TURNS * len(board.players) and not rules.endless_hands


def needs_no_target(rules: Rules, board: Board) -> bool:
    """Whether a Skip may be discarded for nothing: the hand is over, or nobody may be skipped."""
    return (
        goes_out_with_discard(board) or stands_still(rules, board) or not skip_targets(rules, board)
    )


def _skip_refusal(rules: Rules, board: Board, target: int | None) -> Refusal | None:
    if target is None:
        if needs_no_target(rules, board):
            return None
        targets = skip_targets(rules, board)
        return refuse("S-NO-TARGET", "name-a-target", targets=tuple(sorted(targets)))
    if target == board.turn:
        return refuse("S-SELF", "skip-self")
    if target not in board.players:
        return refuse("S-PLAY", "skip-nobody", target=target)
    return _protection(rules, board, target)


def _nothing_drawn(board: Board) -> tuple[Event, ...]:
    event = NothingDrawn(board.turn)
    if board.counts[board.turn - 1]:
        return (event,)
    return (event, *_lost_turns(board, board.waiting))  # nothing held either: the turn passes


def _lost_turns(board: Board, waiting: tuple[bool, ...]) -> tuple[Event, ...]:
    """The turns that are lost, when this one ends, before somebody can play."""
    lost: tuple[Event, ...] = ()
    seat = following(board.players, board.turn)
    while waiting[seat - 1]:
        lost = (*lost, TurnLost(seat))
        waiting = put(waiting, seat, value=False)
        seat = following(board.players, seat)
    return lost


# -- the end of a hand and of the game ---------------------------------------------------------


def _out_if_empty(
    state: State, board: Board, leaving: int, event: PhaseLaid | MeldHit
) -> tuple[Event, ...]:
    """The event, and the end of the hand when it leaves the player without a card (G-OUT)."""
    seat = board.turn
    if board.counts[seat - 1] > leaving:
        return (event,)
    made = put(board.made, seat, event.phase) if isinstance(event, PhaseLaid) else board.made
    return (event, *_hand_end(state, board, made, seat, ()))


def _hand_end(
    state: State, board: Board, made: tuple[int, ...], out: int | None, rest: tuple[Card, ...]
) -> tuple[Event, ...]:
    """The score of the hand, in which that seat has gone out, and the end of the game if it is one.

    ``rest`` is what the player on turn still holds.
    """
    held = put(state.held, board.turn, rest)
    scored = HandScored(
        board.hand,
        out,
        tuple([(s, total_points(held[s - 1])) for s in sorted(board.players)]),
        tuple([(s, number) for s, number in enumerate(made, 1) if number]),
        bool(state.sheet.tied),
    )
    sheet = sheet_after(state.rules, state.sheet, scored)
    end = _game_end(state.rules, sheet, scored)
    return (scored,) if end is None else (scored, end)


def _game_end(rules: Rules, sheet: ScoreSheet, scored: HandScored) -> GameTied | GameWon | None:
    """Whether the game is won or tied with this hand (G-WIN, G-TIE, V1)."""
    if scored.tiebreak:  # H-DEAD: with nobody out it decides nothing, and they play another
        return None if scored.out is None else GameWon(scored.out)
    if rules.variant.ten_hands:
        if len(sheet.hands) < len(rules.phases):
            return None
        finished = list(range(1, sheet.seats + 1))
    else:
        finished = [seat for seat, left in enumerate(sheet.left, 1) if not left]
        if not finished:
            return None
    fewest = min(sheet.totals[seat - 1] for seat in finished)
    best = tuple([seat for seat in finished if sheet.totals[seat - 1] == fewest])
    return GameWon(best[0]) if len(best) == 1 else GameTied(best)


# -- changing ---------------------------------------------------------------------------------


def apply(state: State, event: Event) -> State:
    """The state after an event."""
    rules = state.rules
    match event:
        case (
            CardDrawn()
            | CardDiscarded()
            | DiscardTaken()
            | MeldHit()
            | PhaseLaid()
            | TurnLost()
            | PileReshuffled()
            | NothingDrawn()
        ):
            board = state.board
            if board is None:
                raise ValueError(f"{type(event).__name__} does not belong between two hands")
            held, draw_pile = _cards_after(state, event)
            return State(rules, state.sheet, board_after(rules, board, event), held, draw_pile)
        case HandDealt():
            draw_pile = event.draw_pile
            seats = state.sheet.seats
            return State(
                rules,
                state.sheet,
                open_board(rules, seats, event, len(draw_pile)),
                tuple([event.dealt_to(seat) for seat in range(1, seats + 1)]),
                draw_pile,
            )
        case HandScored():
            return State(rules, sheet_after(rules, state.sheet, event))
        case GameTied() | GameWon():
            return state._replace(sheet=sheet_after(rules, state.sheet, event))
        case _:
            assert_never(event)


def _cards_after(
    state: State, event: HandEvent
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """The held cards and the draw pile after an event of a hand."""
    held = state.held
    match event:
        case CardDrawn(seat, card):
            return put(held, seat, (*held[seat - 1], card)), state.draw_pile[1:]
        case CardDiscarded(seat, card):
            return put(held, seat, without(held[seat - 1], (card,))), state.draw_pile
        case DiscardTaken(seat, card):
            return put(held, seat, (*held[seat - 1], card)), state.draw_pile
        case PhaseLaid(seat, _, melds):
            gone = held_form([card for meld in melds for card in meld.cards])
            return put(held, seat, without(held[seat - 1], gone)), state.draw_pile
        case MeldHit(seat, cards):
            return put(held, seat, without(held[seat - 1], held_form(cards))), state.draw_pile
        case PileReshuffled(order):
            return held, order
        case TurnLost() | NothingDrawn():
            return held, state.draw_pile
        case _:
            assert_never(event)


def apply_all(state: State, events: Iterable[Event]) -> State:
    """The state after these events."""
    return reduce(apply, events, state)
