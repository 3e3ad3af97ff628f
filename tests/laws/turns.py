"""Whose turn it is and who may be skipped, told from the events alone: written from RULES.md 4-6,
without the engine's board.
"""

from phaseten.rules.cards import SKIP, Card
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DiscardTaken,
    Event,
    HandDealt,
    HandScored,
    MeldHit,
    NothingDrawn,
    PhaseLaid,
    TurnLost,
)
from tests.laws.games import Setup


class Turns:
    """Follows a game event by event, and complains when one comes out of turn."""

    def __init__(self, setup: Setup) -> None:
        self._in_front = setup.rules.edition.skip_goes_to == "front"
        self._seats = setup.seats
        self._dealer = setup.dealer
        self.players: list[int] = []
        self.turn = 0
        self.drawn = False
        self.taken: Card | None = None
        """The card taken from the discard pile in this turn."""
        self.waiting: set[int] = set()
        self._rounds: dict[int, int] = {}
        """Who was skipped, and in whose round."""
        self._owed: int | None = None
        """Whose turn is lost before anything else can happen."""
        self.held: dict[int, int] = {}
        self.pile: list[Card] = []
        """The discard pile, its top last."""
        self._endless = setup.rules.endless_hands
        self._moved = False
        """Whether something was laid or hit in this turn."""
        self._still = 0
        """Turns played in a row in which nothing was."""
        self._dead = False

    def targets(self) -> set[int]:
        """Whom the player on turn may skip (S-SELF, S-ONCE-A-ROUND, S-ONE-WAITING)."""
        protected = self.waiting if self._in_front else set(self._rounds)
        return set(self.players) - {self.turn} - protected

    def dies(self) -> bool:
        """Whether the hand is over with a discard now (H-DEAD), unless somebody goes out."""
        played = 0 if self._moved else self._still + 1
        return played >= 50 * len(self.players) and not self._endless

    def see(self, event: Event) -> None:
        if self._dead:
            assert isinstance(event, HandScored), event
        elif self._owed is not None and not isinstance(event, HandScored):
            assert event == TurnLost(self._owed), (event, self._owed)
        match event:
            case HandDealt():
                self._deal(event)
            case CardDrawn(seat):
                self._draw(seat)
            case DiscardTaken(seat, card):
                assert self.pile.pop() is card
                self._draw(seat)
                self.taken = card
            case NothingDrawn(seat):
                self._draw(seat)
                self.held[seat] -= 1
                if not self.held[seat]:
                    self._still += 1
                    self._pass()
            case PhaseLaid(seat, _, melds):
                self._play(seat, sum(len(meld.cards) for meld in melds))
                self._moved = True
            case MeldHit(seat, cards):
                self._play(seat, len(cards))
                self._moved = True
            case CardDiscarded(seat, card, target):
                self._dead = self.dies()
                self._still = 0 if self._moved else self._still + 1
                self._play(seat, 1)
                self._discard(seat, card, target)
            case TurnLost(seat):
                assert (seat, seat) == (self._owed, self.turn)
                if seat in self.waiting:
                    self.waiting.remove(seat)
                    self.pile += [SKIP] if self._in_front else []
                self._owed = None
                self._pass()
            case HandScored(out=out):
                assert out is not None or self._dead
                assert out is None or not self.held[out]
                self._owed = None
                self._dead = False
                self._dealer = self._dealer % self._seats + 1
            case _:
                pass

    def reshuffle(self) -> None:
        """All discards but the top one became the draw pile."""
        del self.pile[:-1]

    def _deal(self, event: HandDealt) -> None:
        assert event.dealer == self._dealer
        around = [(event.dealer + i) % self._seats + 1 for i in range(self._seats)]
        self.players = [seat for seat in around if seat in event.players]
        assert tuple(self.players) == event.players
        assert event.tiebreak or len(self.players) == self._seats
        self.turn = self.players[0]
        self.drawn = False
        self.taken = None
        self.waiting, self._rounds = set(), {}
        self.held = dict.fromkeys(self.players, event.deal)
        self.pile = [event.turned_up]
        self._moved, self._still = False, 0
        if event.turned_up is SKIP:  # H-START-SKIP: played by the dealer, or the last in order
            self._owed = self.turn
            self._rounds = {self.turn: self.players[-1]}

    def _draw(self, seat: int) -> None:
        assert seat == self.turn
        assert not self.drawn
        self.drawn = True
        self.held[seat] += 1

    def _play(self, seat: int, cards: int) -> None:
        assert seat == self.turn
        assert self.drawn
        self.held[seat] -= cards
        assert self.held[seat] >= 0

    def _discard(self, seat: int, card: Card, target: int | None) -> None:
        if target is not None:
            assert card is SKIP
            assert target in self.targets()
            self.waiting.add(target)
            self._rounds[target] = seat
        if target is None or not self._in_front:
            self.pile.append(card)
        self._pass()

    def _pass(self) -> None:
        at = self.players.index(self.turn)
        self.turn = self.players[(at + 1) % len(self.players)]
        self.drawn = self._moved = False
        self.taken = None
        self._rounds = {one: by for one, by in self._rounds.items() if by != self.turn}
        self._owed = self.turn if self.turn in self.waiting else None
