"""Turns, Skips, scores and the end of the game, against plain models of them."""

from collections import Counter

from phaseten.rules.actions import Discard, DrawDeck, DrawNothing, TakeDiscard
from phaseten.rules.cards import SKIP
from phaseten.rules.events import (
    CardDiscarded,
    GameTied,
    GameWon,
    HandDealt,
    HandScored,
    MeldHit,
    PhaseLaid,
    PileReshuffled,
)
from phaseten.rules.memory import remember
from phaseten.rules.state import State
from phaseten.rules.views import legal_actions, view_of
from tests import oracle
from tests.laws.games import Setup, law, play
from tests.laws.turns import Turns


@law(80)
def test_turns_and_skips_go_by_the_rules(setup: Setup) -> None:
    turns = Turns(setup)
    for step in play(setup):
        for event, state in zip(step.events, step.states, strict=True):
            if isinstance(event, PileReshuffled):
                assert Counter(event.order) == Counter(turns.pile[:-1])
                assert state.board is not None
                assert Counter(remember(state.board, setup.rules.edition).recycled) == Counter(
                    turns.pile[:-1]
                )
                turns.reshuffle()
            turns.see(event)
            board = state.board
            if board is not None:
                assert board.turn == turns.turn
                assert (board.step == "play") == turns.drawn
                assert board.taken is turns.taken
                assert list(board.discards) == turns.pile
                assert {i for i, waits in enumerate(board.waiting, 1) if waits} == turns.waiting
                assert {s: board.counts[s - 1] for s in board.players} == turns.held
        if step.after.board is not None:
            check_choices(step.after, turns)


def check_choices(state: State, turns: Turns) -> None:
    """What is listed as draws and as discards."""
    assert state.board is not None
    held = state.held[turns.turn - 1]
    listed = legal_actions(view_of(state, turns.turn))
    draws = [a for a in listed if isinstance(a, DrawDeck | TakeDiscard | DrawNothing)]
    discards = [a for a in listed if isinstance(a, Discard)]
    if not turns.drawn:
        wanted = [DrawDeck()] if state.draw_pile or len(turns.pile) > 1 else []
        wanted += [TakeDiscard()] if turns.pile and turns.pile[-1] is not SKIP else []
        assert listed == draws == (wanted or [DrawNothing()])
        return
    assert not draws
    expected: set[Discard] = set()
    goes_out = len(held) == 1 and state.board.made[turns.turn - 1] > 0
    for card in held:
        if card is SKIP:
            expected |= {Discard(SKIP, target) for target in turns.targets()}
            if goes_out or turns.dies() or not turns.targets():
                expected.add(Discard(SKIP))
        elif not state.rules.no_rediscard or (
            card is not turns.taken or held.count(card) > 1 or len(held) == 1
        ):
            expected.add(Discard(card))
    assert set(discards) == expected
    assert len(discards) == len(expected)
    for seat in range(1, state.sheet.seats + 1):
        if seat != turns.turn:
            assert legal_actions(view_of(state, seat)) == []
    assert legal_actions(view_of(state, None)) == []


@law(80)
def test_hands_are_scored_and_games_end_by_the_rules(setup: Setup) -> None:
    book = Book(setup)
    for step in play(setup):
        before = step.before
        for event, state in zip(step.events, step.states, strict=True):
            book.see(event, before)
            before = state
        if step.after.board is None:
            assert step.after.sheet.totals == tuple(book.totals)
            assert step.after.sheet.left == tuple(tuple(left) for left in book.left)
            assert step.after.sheet.winner == book.winner
            assert step.after.sheet.tied == (() if book.winner else tuple(book.tied))


class Book:
    """The score sheet, kept by hand (RULES.md 7 and 8)."""

    def __init__(self, setup: Setup) -> None:
        rules = setup.rules
        phases = [p.number for p in rules.edition.phases]
        phases = phases[: rules.variant.first or len(phases)]
        self.phases = [n for n in phases if not rules.variant.even or n % 2 == 0]
        self.rules = rules
        self.left = [list(self.phases) for _ in range(setup.seats)]
        self.totals = [0] * setup.seats
        self.hands = 0
        self.made: dict[int, int] = {}
        self.tied: list[int] = []
        self.winner: int | None = None

    def see(self, event: object, before: State) -> None:
        match event:
            case HandDealt():
                assert self.winner is None
                assert event.hand == self.hands + 1
                assert event.tiebreak == bool(self.tied)
                assert not self.tied or set(event.players) == set(self.tied)
                self.made = {}
            case PhaseLaid(seat, phase):
                allowed = (
                    self.left[seat - 1] if self.rules.choose_phase else self.left[seat - 1][:1]
                )
                assert phase in ([self.phases[-1]] if self.tied else allowed)
                assert seat not in self.made
                self.made[seat] = phase
            case MeldHit(seat):
                assert seat in self.made
            case HandScored():
                self._score(event, before)
            case GameTied(seats):
                assert list(seats) == self.tied
            case GameWon(seat):
                assert seat == self.winner
            case CardDiscarded():
                pass
            case _:
                pass

    def _score(self, event: HandScored, before: State) -> None:
        board = before.board
        assert board is not None
        # G-OUT: the one who went out is the only one without a card whose Phase is down.
        empty = [seat for seat in self.made if not before.held[seat - 1]]
        assert empty == ([] if event.out is None else [event.out])
        points = {
            seat: sum(oracle.points(card.text) for card in before.held[seat - 1])
            for seat in board.players
        }
        assert dict(event.points) == points
        assert dict(event.made) == self.made
        assert event.tiebreak == bool(self.tied)
        self.hands += 1
        assert event.hand == self.hands
        if self.tied:
            if event.out is not None:  # H-DEAD: otherwise they play another
                self.winner, self.tied = event.out, []
            return
        ten_hands = self.rules.variant.ten_hands
        for seat, left in enumerate(self.left, 1):
            self.totals[seat - 1] += points[seat]
            if ten_hands and not self.rules.choose_phase:
                del left[0]
            elif seat in self.made:
                left.remove(self.made[seat])
        seats = range(1, len(self.left) + 1)
        finished = [seat for seat in seats if not self.left[seat - 1]]
        if ten_hands:
            finished = list(seats) if self.hands == len(self.phases) else []
        if finished:
            fewest = min(self.totals[seat - 1] for seat in finished)
            best = [seat for seat in finished if self.totals[seat - 1] == fewest]
            if len(best) == 1:
                self.winner = best[0]
            else:
                self.tied = best
