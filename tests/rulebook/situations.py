"""Games in the middle of play, set up by hand, and moves made in them: accepted or refused.

Everything is written as players write it: cards as in ``R3 B3 W``, moves as in ``D -R5``. Whatever
is not mentioned lies in the draw pile, so that no card is ever lost or doubled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from phaseten.notation.moves import parse_moves
from phaseten.rules.actions import Action, Hit, LayPhase
from phaseten.rules.cards import Card, format_cards, parse_card, parse_cards, sort_cards
from phaseten.rules.editions import Edition, edition, parse_group
from phaseten.rules.events import DealSeen, Event, HandScored, MeldHit, PhaseLaid
from phaseten.rules.melds import Meld
from phaseten.rules.memory import Memory, remember
from phaseten.rules.options import Rules, parse_variant
from phaseten.rules.referee import apply_all, deal, dealing_order, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.state import Board, ScoreSheet, State, Step, new_game
from phaseten.rules.views import fold, legal_actions, seen_by, view_of

ALL = ("classic", "deluxe", "elchavo", "anniversary", "express")
TABLE_A = ("classic", "deluxe", "elchavo", "anniversary")
ONTO_PILE = ("classic", "deluxe", "elchavo")
IN_FRONT = ("anniversary", "express")


def rules_for(
    box: str | Edition = "classic", variant: str = "standard", house: Iterable[str] = ()
) -> Rules:
    found = edition(box) if isinstance(box, str) else box
    return Rules(found, parse_variant(variant), frozenset(house))


def table_for(
    players: int = 2,
    box: str | Edition = "classic",
    *,
    dealer: int | None = None,
    variant: str = "standard",
    house: Iterable[str] = (),
) -> State:
    """A game before its first deal; the last seat deals unless another one is named."""
    return new_game(rules_for(box, variant, house), players, dealer or players)


def situation(
    box: str | Edition = "classic",
    *,
    players: int = 2,
    held: Mapping[int, str] | None = None,
    draw: str = "",
    discards: str | None = None,
    rest: int | None = None,
    turn: int = 1,
    step: Step = "play",
    phases: Mapping[int, int] | None = None,
    left: Mapping[int, Sequence[int]] | None = None,
    table: Mapping[int, Sequence[str]] | None = None,
    totals: Sequence[int] | None = None,
    played: int = 0,
    dealer: int | None = None,
    tied: Sequence[int] = (),
    waiting: Sequence[int] = (),
    variant: str = "standard",
    house: Iterable[str] = (),
) -> State:
    """A hand that is going on.

    ``held``, ``table`` (such as ``"set 3: R3 B3 W=3"``) and ``phases`` (the Phase worked on, 1 by
    default) are by seat. ``draw`` is the top of the draw pile, its top first; all other cards lie
    below, or with the seat ``rest``. ``discards`` ends with the top card; one card, unless given.
    """
    rules = rules_for(box, variant, house)
    seats = range(1, players + 1)
    held, phases, left, table = held or {}, phases or {}, left or {}, table or {}
    hands = {seat: parse_cards(held.get(seat, "")) for seat in seats}
    melds = {seat: tuple(read_row(row) for row in table.get(seat, ())) for seat in seats}
    on_table = [card.held for row in melds.values() for meld in row for card in meld.cards]
    top, pile = parse_cards(draw), parse_cards(discards or "")
    used = Counter([*top, *pile, *on_table, *(card for row in hands.values() for card in row)])
    if rules.edition.skips_wait_in_front:
        used[parse_card("S")] += len(waiting)
    over = used - Counter(rules.edition.deck)
    assert not over, f"the deck does not have these: {over}"
    others = [*rules.edition.deck]
    for card in used.elements():
        others.remove(card)
    if discards is None:
        pile = (others.pop(0),)
    if rest is not None:
        hands[rest] = (*hands[rest], *others)
        others = []
    draw_pile = (*top, *others)
    numbers = tuple(phase.number for phase in rules.phases)
    remaining = tuple(
        tuple(left.get(seat, [n for n in numbers if n >= phases.get(seat, numbers[0])]))
        for seat in seats
    )
    sheet = ScoreSheet(
        remaining,
        tuple(totals or (0,) * players),
        tuple(
            HandScored(n, 1, tuple((s, 0) for s in seats), (), False) for n in range(1, played + 1)
        ),
        dealer or players,
        tuple(tied),
    )
    working = [numbers[-1] if tied else (row[0] if row else 0) for row in remaining]
    board = Board(
        hand=played + 1,
        players=dealing_order(sheet),
        turn=turn,
        step=step,
        counts=tuple(len(hands[seat]) for seat in seats),
        draw_count=len(draw_pile),
        discards=pile,
        melds=tuple(melds[seat] for seat in seats),
        made=tuple(working[seat - 1] if melds[seat] else 0 for seat in seats),
        waiting=tuple(seat in waiting for seat in seats),
        skipped_by=(0,) * players,
        seen=seen_so_far(pile),
    )
    state = State(rules, sheet, board, tuple(hands[seat] for seat in seats), draw_pile)
    check(state)
    return state


def seen_so_far(pile: tuple[Card, ...]) -> tuple[DealSeen, ...]:
    """How these cards came to lie there: as if they had all been turned up, by nobody's choice."""
    return tuple(DealSeen(1, 1, (), False, (), card, 0, 0) for card in pile)


def read_row(text: str) -> Meld:
    group, _, cards = text.partition(":")
    return Meld(parse_group(group), parse_cards(cards))


# -- reading a state ---------------------------------------------------------------------------


def board_of(state: State) -> Board:
    assert state.board is not None
    return state.board


def memory_of(state: State) -> Memory:
    return remember(board_of(state), state.rules.edition)


def turn(state: State) -> int:
    return board_of(state).turn


def held(state: State, seat: int) -> str:
    return format_cards(state.held[seat - 1])


def on_table(state: State, seat: int) -> list[str]:
    return [format_cards(meld.cards) for meld in board_of(state).melds[seat - 1]]


def discards(state: State) -> str:
    return format_cards(board_of(state).discards)


def waiting(state: State) -> list[int]:
    return [seat for seat, waits in enumerate(board_of(state).waiting, 1) if waits]


def working_on(state: State) -> list[int | None]:
    return [row[0] if row else None for row in state.sheet.left]


def check(state: State) -> None:
    """Nothing is lost, nothing is doubled, and the open numbers are the true ones."""
    board = state.board
    if board is None:
        assert state.held == ()
        assert state.draw_pile == ()
        return
    cards = [card for row in state.held for card in row]
    cards += [*state.draw_pile, *board.discards]
    cards += [card.held for row in board.melds for meld in row for card in meld.cards]
    if state.rules.edition.skips_wait_in_front:
        cards += [parse_card("S")] * sum(board.waiting)
    assert sort_cards(cards) == sort_cards(state.rules.edition.deck)
    assert board.counts == tuple(len(row) for row in state.held)
    assert board.draw_count == len(state.draw_pile)


# -- playing -----------------------------------------------------------------------------------


def backwards(cards: tuple[Card, ...], hand: int, number: int) -> tuple[Card, ...]:
    """A shuffle that one can see through: the pile turned over, the newest discard on top."""
    assert hand >= 1
    assert number >= 1
    return cards[::-1]


def follow(state: State, events: tuple[Event, ...]) -> State:
    """The state after these events, which every view reaches by itself as well."""
    after = apply_all(state, events)
    check(after)
    for seat in (None, *range(1, state.sheet.seats + 1)):
        view = view_of(state, seat)
        for event in events:
            view = fold(view, seen_by(event, seat))
        assert view == view_of(after, seat)
    return after


def happens(state: State, moves: str | Action) -> tuple[Event, ...]:
    """The events of these moves, made by the seat whose turn it is."""
    return _play(state, moves)[1]


def accept(state: State, moves: str | Action) -> State:
    """The state after these moves, made by the seat whose turn it is."""
    return _play(state, moves)[0]


def _play(state: State, moves: str | Action) -> tuple[State, tuple[Event, ...]]:
    happened: tuple[Event, ...] = ()
    for action in _actions(moves):
        seat = turn(state)
        events = decide(state, seat, action, backwards)
        assert not isinstance(events, Refusal), str(events)
        _check_offered(state, events)
        if not isinstance(action, LayPhase | Hit):
            assert action in legal_actions(view_of(state, seat))
        state = follow(state, events)
        happened += events
    return state, happened


def _actions(moves: str | Action) -> list[Action]:
    return [move.action for move in parse_moves(moves)] if isinstance(moves, str) else [moves]


def _check_offered(state: State, events: tuple[Event, ...]) -> None:
    """A hit, or a Phase laid at its least size, is one of the legal actions offered."""
    event = events[0]
    if isinstance(event, MeldHit):
        played: Action = Hit(event.cards, event.owner, event.meld)
    elif isinstance(event, PhaseLaid):
        rows = tuple(meld.cards for meld in event.melds)
        if any(len(meld.cards) > meld.group.cards for meld in event.melds):
            return
        played = LayPhase(rows, event.phase if state.rules.choose_phase else None)
    else:
        return
    offered = legal_actions(view_of(state, turn(state)))
    assert unordered(played) in [unordered(action) for action in offered]


def unordered(action: Action) -> Action:
    """The action with its cards sorted, so that it compares whatever order they came in."""
    if isinstance(action, Hit):
        return Hit(sort_cards(action.cards), action.owner, action.meld)
    if isinstance(action, LayPhase):
        rows = sorted([sort_cards(row) for row in action.melds], key=format_cards)
        return LayPhase(tuple(rows), action.phase)
    return action


def refusal(state: State, moves: str | Action, seat: int | None = None) -> str:
    """Why the last of these moves is refused: the sentence and the rule. Nothing changes by it."""
    *before, last = _actions(moves)
    for action in before:
        state = accept(state, action)
    by = seat or (turn(state) if state.board else 1)
    snapshot = repr(state)
    verdict = decide(state, by, last, backwards)
    assert isinstance(verdict, Refusal), f"accepted: {verdict}"
    assert repr(state) == snapshot
    if by <= state.sheet.seats:
        assert last not in legal_actions(view_of(state, by))
    return str(verdict)


def refuse(state: State, moves: str | Action, seat: int | None = None) -> str:
    """The id of the rule by which the last of these moves is refused."""
    return refusal(state, moves, seat).rpartition("(")[2].rstrip(")")


# -- laying ------------------------------------------------------------------------------------


def hand_with(box: str | Edition, phase: int, cards: str, house: Iterable[str] = ()) -> State:
    """Seat 1 has drawn and holds what it wants to lay, and a Skip; seat 2 holds a Skip."""
    mine = " ".join(
        card.held.text for card in parse_cards(cards.replace("/", " ")) if card.text != "S"
    )
    return situation(box, held={1: f"{mine} S", 2: "S"}, phases={1: phase}, house=house)


def laid(box: str | Edition, phase: int, cards: str, house: Iterable[str] = ()) -> list[str]:
    """What lies on the table when seat 1 has laid these cards as that Phase."""
    state = hand_with(box, phase, cards, house)
    before = state.held[0]
    after = accept(state, f"L {cards}")
    assert happens(state, f"L {cards}") == (PhaseLaid(1, phase, board_of(after).melds[0]),)
    assert held(after, 1) == "S"
    assert len(before) == 1 + sum(len(meld.cards) for meld in board_of(after).melds[0])
    assert (turn(after), board_of(after).step) == (1, "play")
    return on_table(after, 1)


def lays(box: str | Edition, phase: int, cards: str, house: Iterable[str] = ()) -> bool:
    """Whether seat 1 lays exactly these cards as that Phase."""
    return " / ".join(laid(box, phase, cards, house)) == cards


def not_laid(box: str | Edition, phase: int, cards: str, house: Iterable[str] = ()) -> str:
    """Why seat 1 cannot lay these cards as that Phase."""
    return refusal(hand_with(box, phase, cards, house), f"L {cards}")


# -- dealing -----------------------------------------------------------------------------------


def order_with(state: State, *, first: str = "", turned_up: str | None = None) -> tuple[Card, ...]:
    """The deck with these cards on top, and with this card to be turned up."""
    top = parse_cards(first)
    others = [*state.rules.edition.deck]
    for card in top:
        others.remove(card)
    order = [*top, *others]
    if turned_up is not None:
        card = parse_card(turned_up)
        place = state.rules.edition.deal * len(dealing_order(state.sheet))
        where = len(top) + others.index(card)
        order[place], order[where] = order[where], order[place]
    return tuple(order)


def deals(state: State, *, first: str = "", turned_up: str | None = None) -> tuple[Event, ...]:
    events = deal(state, order_with(state, first=first, turned_up=turned_up))
    assert not isinstance(events, Refusal), str(events)
    return events


def dealt(state: State, *, first: str = "", turned_up: str | None = "R1") -> State:
    """The state after the next deal."""
    return follow(state, deals(state, first=first, turned_up=turned_up))
