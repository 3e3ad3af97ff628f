"""Following a record move by move, with every step judged by the referee."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import assert_never

from phaseten.notation.moves import Move
from phaseten.notation.records import Hand, Header, RecordSyntaxError, Reshuffle, Row, Turn
from phaseten.notation.sources import Source, editions_beside, read_record
from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import Card, sort_cards, total_points
from phaseten.rules.editions import Edition, EditionError, edition
from phaseten.rules.events import CardDrawn, DiscardTaken, Event, Seen, TurnLost
from phaseten.rules.melds import held_form
from phaseten.rules.mistakes import Mistake, mistake
from phaseten.rules.options import OptionError, Rules
from phaseten.rules.referee import Shuffle, apply_all, deal, decide, difference, stands_still
from phaseten.rules.refusals import Refusal
from phaseten.rules.shuffle import seeded
from phaseten.rules.state import PLAY, Board, State, new_game, put, without
from phaseten.rules.views import View, seen_by, view_of


class IllegalRecordError(ValueError):
    """A record that breaks a rule."""

    def __init__(self, line: int, seat: int | None, rule: str, why: Mistake | Refusal) -> None:
        super().__init__(line, seat, rule, why)
        self.line = line
        self.seat = seat
        self.rule = rule
        self.why = why

    def __str__(self) -> str:
        return self.why.sentence


@dataclass(frozen=True)
class Step:
    """One step of a replay: where it stands, what happened, and how things are after it."""

    line: int
    """Where it stands in the record; 0 where there is none."""
    events: tuple[Event, ...]
    state: State
    seat: int | None = None
    """Who acted; None for a deal."""
    action: Action | None = None


@dataclass(frozen=True)
class SeenStep:
    """One step of a replay as the seat knew it whose record it is."""

    line: int
    events: tuple[Seen, ...]
    view: View
    seat: int | None = None
    action: Action | None = None


def rules_of(header: Header, find: Callable[[str], Edition] = edition) -> Rules:
    """The rules that a record is played by. ``find`` finds an edition that it does not carry."""
    try:
        rules = Rules(header.carried or find(header.edition), header.variant, header.house)
        rules.check_players(len(header.names))
    except (EditionError, OptionError) as error:
        raise RecordSyntaxError(1, error.mistake) from error
    return rules


def start_of(header: Header, find: Callable[[str], Edition] = edition) -> State:
    """The state before anything happens: before the first deal, unless the header says otherwise."""
    if header.start is not None:
        return header.start
    return new_game(rules_of(header, find), len(header.names), header.dealer)


def follow(record: Source, find: Callable[[str], Edition] | None = None) -> Iterator[Step]:
    """The steps of a record, of its text or of a file: each with the state after it.

    Raises IllegalRecordError where the record breaks a rule. ``find`` finds editions by name;
    without it, a file also counts from the folder of the record.
    """
    find = find or editions_beside(record)
    record = read_record(record)
    if record.header.seen is not None:
        raise RecordSyntaxError(1, mistake("redacted", number=record.header.seen))
    header = record.header
    follower = _Follower(start_of(header, find), header)
    for hand in record.hands:
        yield from follower.hand(hand)


def follow_seen(record: Source, find: Callable[[str], Edition] | None = None) -> Iterator[SeenStep]:
    """The steps of a redacted record. Raises IllegalRecordError where what it shows breaks a rule.

    What the seat could not see is stood in for by other cards, so that the referee can judge the
    rest; these never show in the views.
    """
    find = find or editions_beside(record)
    header = (record := read_record(record)).header
    if header.seen is None:
        raise RecordSyntaxError(1, mistake("not-redacted"))
    state = new_game(rules_of(header, find), len(header.names), header.dealer)
    follower = _SeatFollower(state, header, header.seen)
    for hand in record.hands:
        for step in follower.hand(hand):
            seen = tuple(seen_by(event, header.seen) for event in step.events)
            view = view_of(step.state, header.seen)
            yield SeenStep(step.line, seen, view, step.seat, step.action)


class _Follower:
    """The state of a replay while a record is read."""

    def __init__(self, state: State, header: Header) -> None:
        self._state = state
        self._seeded: Shuffle | None = None
        if header.server_seed is not None and header.client_seed is not None:
            self._seeded = seeded(header.server_seed, header.client_seed)
        self._reshuffle: Reshuffle | None = None
        """A new draw pile that the record has announced and nobody has drawn from yet."""
        self._lost: list[int] = []
        """Turns lost since the last action, as long as the record has not noted them."""
        self._goes_on = state.board is not None
        """Whether the first hand, and perhaps its first turn, began before the record does."""

    def hand(self, hand: Hand) -> Iterator[Step]:
        if self._goes_on:
            self._check_position(hand)
            yield Step(hand.line, (), self._state)
        else:
            self._check_header(hand)
            yield self._deal(hand)
        for entry in hand.entries:
            if isinstance(entry, Turn):
                yield from self._turn(entry)
            else:
                self._announce(entry)
        if hand.points is not None:
            self._check_points(hand, dict(hand.points))

    def _illegal(
        self, line: int, rule: str, why: Mistake | Refusal, seat: int | None = None
    ) -> IllegalRecordError:
        return IllegalRecordError(line, seat, rule, why)

    def _check_position(self, hand: Hand) -> None:
        """Check the header of a hand that is going on in the position from which the record starts."""
        board, tied = self._state.board, self._state.sheet.tied
        if board is not None and hand.number != board.hand:
            number = mistake("hand-number", wanted=board.hand, given=hand.number)
            raise self._illegal(hand.line, "H-NEXT", number)
        if hand.deck is not None:
            raise self._illegal(hand.deck_line, "H-DEAL", mistake("position-deck"))
        if tuple(sorted(hand.tiebreak)) != tied:
            seats = " ".join(map(str, tied))
            why = mistake("tied", hand=hand.number, seats=seats) if tied else mistake("not-tied")
            raise self._illegal(hand.line, "G-TIE", why)

    def _check_header(self, hand: Hand) -> None:
        sheet = self._state.sheet
        if sheet.winner is not None:
            raise self._illegal(hand.line, "G-WIN", mistake("won", number=sheet.winner))
        if self._state.board is not None:
            raise self._illegal(hand.line, "H-NEXT", mistake("hand-before"))
        expected = len(sheet.hands) + 1
        if hand.number != expected:
            number = mistake("hand-number", wanted=expected, given=hand.number)
            raise self._illegal(hand.line, "H-NEXT", number)
        if tuple(sorted(hand.tiebreak)) != sheet.tied:
            seats = " ".join(str(seat) for seat in sheet.tied)
            tied = mistake("tied", hand=expected, seats=seats) if seats else mistake("not-tied")
            raise self._illegal(hand.line, "G-TIE", tied)

    def _deal(self, hand: Hand) -> Step:
        deck = self._state.rules.edition.deck
        order = self._seeded(deck, hand.number, 0) if self._seeded else None
        if hand.deck is not None:
            given = _known(hand.deck, hand.deck_line)
            if order is not None and given != order:
                detail = difference(given, order)
                why = mistake("seeds-cards", detail=detail) if detail else mistake("seeds-order")
                raise self._illegal(hand.deck_line, "H-DEAL", why)
            order = given
        if order is None:
            raise RecordSyntaxError(hand.line, mistake("no-deck"))
        events = deal(self._state, order)
        if isinstance(events, Refusal):
            raise self._illegal(hand.deck_line or hand.line, events.rule, events)
        return self._step(hand.line, events)

    def _announce(self, entry: Reshuffle) -> None:
        self._unused_reshuffle()
        board = self._state.board
        if board is None or board.draw_count:
            why = mistake("pile-left") if board else mistake("no-hand-to-shuffle")
            raise self._illegal(entry.line, "T-RESHUFFLE", why)
        pile = board.discards[:-1]
        detail = difference(_known(entry.order, entry.line), pile)
        if detail:
            raise self._illegal(entry.line, "T-RESHUFFLE", mistake("pile-cards", detail=detail))
        if self._seeded is not None:
            order = self._seeded(pile, board.hand, board.reshuffles + 1)
            if order != entry.order:
                raise self._illegal(entry.line, "T-RESHUFFLE", mistake("pile-order"))
        self._reshuffle = entry

    def _unused_reshuffle(self) -> None:
        if self._reshuffle is not None:
            raise self._illegal(self._reshuffle.line, "T-RESHUFFLE", mistake("pile-unused"))

    def _turn(self, turn: Turn) -> Iterator[Step]:
        board = self._state.board
        if not turn.moves:
            self._note_lost(turn)
            return
        unfinished = board is not None and board.step == PLAY and board.turn == turn.seat
        if unfinished and not self._goes_on:
            raise self._illegal(turn.line, "T-DISCARD", mistake("turn-before"), turn.seat)
        self._goes_on = False
        for move in turn.moves:
            self._prepare(turn, move)
            verdict = decide(self._state, turn.seat, move.action, self._shuffle(turn))
            if isinstance(verdict, Refusal):
                raise self._illegal(turn.line, verdict.rule, verdict, turn.seat)
            if isinstance(move.action, DrawDeck):
                self._reshuffle = None
            if move.named is not None:
                self._check_named(turn, move.named, verdict)
            yield self._step(turn.line, verdict, turn.seat, move.action)
        self._unused_reshuffle()

    def _prepare(self, turn: Turn, move: Move) -> None:
        """Get ready for a move: in a full record everything is there."""

    def _note_lost(self, turn: Turn) -> None:
        if turn.seat not in self._lost:
            not_lost = mistake("turn-not-lost", number=turn.seat)
            raise self._illegal(turn.line, "T-TURN", not_lost, turn.seat)
        del self._lost[: self._lost.index(turn.seat) + 1]

    def _check_named(self, turn: Turn, named: Card, events: tuple[Event, ...]) -> None:
        drawn = [event.card for event in events if isinstance(event, CardDrawn | DiscardTaken)]
        if drawn != [named]:
            other = mistake("drawn", drawn=drawn[0], named=named)
            raise self._illegal(turn.line, "T-DRAW", other, turn.seat)

    def _shuffle(self, turn: Turn) -> Shuffle:
        def shuffle(pile: tuple[Card, ...], hand: int, number: int) -> tuple[Card, ...]:
            if self._reshuffle is not None:
                return _known(self._reshuffle.order, self._reshuffle.line)
            if self._seeded is not None:
                return self._seeded(pile, hand, number)
            raise self._illegal(turn.line, "T-RESHUFFLE", mistake("pile-missing"), turn.seat)

        return shuffle

    def _check_points(self, hand: Hand, points: dict[int, int]) -> None:
        if self._state.board is not None:
            raise self._illegal(hand.end_line, "G-OUT", mistake("nobody-out"))
        scored = dict(self._state.sheet.hands[-1].points)
        for seat in sorted(scored | points):
            if points.get(seat) != scored.get(seat):
                right = (
                    mistake("scores", number=seat, points=scored[seat])
                    if seat in scored
                    else mistake("scores-nothing", number=seat)
                )
                raise self._illegal(hand.end_line, "G-POINTS", right, seat)

    def _step(
        self,
        line: int,
        events: tuple[Event, ...],
        seat: int | None = None,
        action: Action | None = None,
    ) -> Step:
        self._state = apply_all(self._state, events)
        self._lost = [event.seat for event in events if isinstance(event, TurnLost)]
        return Step(line, events, self._state, seat, action)


class _SeatFollower(_Follower):
    """Follows what one seat knew. Where it knew nothing, cards stand in until more is shown."""

    def __init__(self, state: State, header: Header, seat: int) -> None:
        super().__init__(state, header)
        self._seat = seat
        self._hand: Hand | None = None
        self._named: Card | None = None
        """The card that the record says is drawn next."""

    def _deal(self, hand: Hand) -> Step:
        self._hand = hand
        if hand.deck is None:
            raise RecordSyntaxError(hand.line, mistake("no-seen-deck"))
        hidden = Counter(self._state.rules.edition.deck)
        hidden.subtract(card for card in hand.deck if card is not None)
        stand_ins = iter(sort_cards((+hidden).elements()))
        order = [next(stand_ins, None) if card is None else card for card in hand.deck]
        events = deal(self._state, tuple(card for card in order if card is not None))
        if isinstance(events, Refusal):
            raise self._illegal(hand.deck_line, events.rule, events)
        return self._step(hand.line, events)

    def _announce(self, entry: Reshuffle) -> None:
        board = self._state.board
        pile = board.discards[:-1] if board is not None and not board.draw_count else ()
        if len(entry.order) != len(pile) or any(card is not None for card in entry.order):
            raise self._illegal(entry.line, "T-RESHUFFLE", mistake("pile-hidden", cards=len(pile)))
        self._reshuffle = entry

    def _shuffle(self, turn: Turn) -> Shuffle:
        def shuffle(pile: tuple[Card, ...], _hand: int, _number: int) -> tuple[Card, ...]:
            if self._reshuffle is None or (self._named is not None and self._named not in pile):
                raise self._illegal(turn.line, "T-RESHUFFLE", mistake("not-in-pile"), turn.seat)
            first = () if self._named is None else (self._named,)
            return (*first, *without(pile, first))

        return shuffle

    def _prepare(self, turn: Turn, move: Move) -> None:
        """Let the cards be where the record shows them to be."""
        board = self._state.board
        if board is None or not 1 <= turn.seat <= len(self._state.held):
            return
        if isinstance(move.action, DrawDeck):
            self._put_on_top(turn, move.named)
            return
        played = _played(move.action)
        if turn.seat != self._seat:
            self._let_hold(board, turn.seat, played)
        has_laid = board.made[turn.seat - 1] > 0 or isinstance(move.action, LayPhase)
        if has_laid and len(played) == board.counts[turn.seat - 1]:
            self._let_score(board, turn)
        elif isinstance(move.action, Discard) and stands_still(self._state.rules, board):
            self._let_score(board, turn)
            if turn.seat != self._seat:
                self._let_keep(turn, move.action.card)

    def _put_on_top(self, turn: Turn, named: Card | None) -> None:
        if turn.seat == self._seat and named is None:
            raise RecordSyntaxError(turn.line, mistake("own-card", number=turn.seat))
        self._named = named
        pile = self._state.draw_pile
        if named is not None and pile:
            self._state = self._state._replace(draw_pile=(named, *pile[1:]))

    def _let_hold(self, board: Board, seat: int, played: tuple[Card, ...]) -> None:
        """Let another seat hold what it plays, in place of cards nobody has seen."""
        held = self._state.held[seat - 1]
        shown = played
        if self._state.rules.no_rediscard and played == (board.taken,) and len(held) > 1:
            shown = played * 2  # it was allowed, so there was a second one
        rest = without(held, shown)
        if len(shown) <= len(held):
            kept = rest[len(rest) - (len(held) - len(shown)) :]
            self._state = self._state._replace(held=put(self._state.held, seat, (*shown, *kept)))

    def _let_keep(self, turn: Turn, card: Card) -> None:
        """Let who ends the hand with that discard, but does not go out, keep the rest (H-DEAD)."""
        points = (self._hand.points if self._hand is not None else None) or {}
        shown = self._state.held[turn.seat - 1]
        shown = tuple(other for other in shown if other is card)  # twice, under no_rediscard
        left = points.get(turn.seat, 0) - total_points(shown[1:])
        rest = (self._five,) * (left // 5)
        held = put(self._state.held, turn.seat, (*shown, *rest))
        self._state = self._state._replace(held=held)

    @property
    def _five(self) -> Card:
        """Some card of five points, of which all points can be made."""
        return next(card for card in self._state.rules.edition.deck if card.points == 5)

    def _let_score(self, board: Board, turn: Turn) -> None:
        """The hand ends now: let the others hold cards of as many points as the record says."""
        points = self._hand.points if self._hand is not None else None
        if points is None:
            raise RecordSyntaxError(turn.line, mistake("no-end"))
        five = self._five
        held = self._state.held
        for seat in board.players:
            if seat not in (turn.seat, self._seat):
                held = put(held, seat, (five,) * (points.get(seat, 0) // 5))
        self._state = self._state._replace(held=held)


def _played(action: Action) -> tuple[Card, ...]:
    """The cards that leave a hand with an action."""
    match action:
        case LayPhase(melds):
            return held_form([card for meld in melds for card in meld])
        case Hit(cards):
            return held_form(cards)
        case Discard(card):
            return (card,)
        case DrawDeck() | TakeDiscard() | DrawNothing():
            return ()
        case _:
            assert_never(action)


def _known(row: Row, line: int) -> tuple[Card, ...]:
    cards = tuple(card for card in row if card is not None)
    if len(cards) < len(row):
        raise RecordSyntaxError(line, mistake("hidden-card"))
    return cards
