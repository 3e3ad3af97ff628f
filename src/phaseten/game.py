"""A friendly front to the rules: one running game that deals by itself and remembers everything.

>>> game = Game("classic", ["Ana", "Beto"], seed=7)
>>> game.turn
2
>>> game.legal_actions()
[DrawDeck(), TakeDiscard()]
>>> game.play("D")
(CardDrawn(seat=2, card=B3),)
>>> game.can("P"), str(game.why_not("P"))
(False, 'You have drawn your card for this turn: lay, hit or discard now. (T-DRAW)')
>>> game.play("P")
Traceback (most recent call last):
phaseten.game.IllegalMoveError: You have drawn your card for this turn: lay, hit or discard now. (T-DRAW)
>>> print(game)
Classic, hand 1: Beto is to lay, hit or discard.
Draw pile: 86. Discard pile: G11 on top of 1.
  1 Ana   Phase 1  0 points  B3 B6 B9 Y1 Y3 Y5 G7 G8 W W
> 2 Beto  Phase 1  0 points  R2 R5 R10 B3 B11 Y1 Y8 G1 G3 G6 G6
>>> game.undo()
DrawDeck()
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from phaseten.notation.moves import parse_action
from phaseten.notation.positions import format_position, parse_position
from phaseten.notation.recording import action_of, header_for, record_game
from phaseten.notation.records import Header, format_record
from phaseten.notation.replay import Step, follow, start_of
from phaseten.notation.sources import Source, editions_beside, read_record
from phaseten.notation.tables import format_score_sheet, format_table
from phaseten.rules.actions import Action
from phaseten.rules.cards import Card
from phaseten.rules.editions import Edition
from phaseten.rules.events import (
    Event,
    GameTied,
    GameWon,
    HandDealt,
    HandScored,
    PileReshuffled,
    Seen,
)
from phaseten.rules.folding import sheet_after
from phaseten.rules.mistakes import expect
from phaseten.rules.options import Rules, Variant
from phaseten.rules.outcome import Outcome, outcome_of
from phaseten.rules.referee import Shuffle, apply_all, deal, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.shuffle import SEED_BYTES, commitment, seed_of, seeded
from phaseten.rules.state import State, new_game
from phaseten.rules.views import View, legal_actions, seen_by, view_of
from phaseten.rules.worlds import imagine

NAMES: Final = ("Ana", "Beto", "Cleo", "Davi", "Elsa", "Fritz")
"""What players are called unless somebody names them."""


class IllegalMoveError(ValueError):
    """A move that the rules refuse; ``refusal`` says by which rule and why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[IllegalMoveError], tuple[Refusal]]:
        return type(self), (self.refusal,)


class Game:
    """One game: its state, everything that happened in it, and its shuffles.

    ``edition`` is a name or the path of a file of your own. Say who plays, or with ``players`` how
    many. Seat ``dealer`` deals the first hand. The same ``seed`` gives the same cards; without one
    nobody can know them.
    """

    rules: Rules
    names: tuple[str, ...]
    state: State
    events: list[Event]
    """Everything that has happened."""

    def __init__(  # noqa: PLR0913 - a game has that many things to choose, by name
        self,
        edition: str | Path | Edition = "classic",
        names: Sequence[str] | None = None,
        *,
        players: int | None = None,
        variant: str | Variant = "standard",
        house: str | Iterable[str] = (),
        dealer: int = 1,
        seed: int | None = None,
        client_seed: str = "",
    ) -> None:
        if not expect(client_seed, str, "a client seed in text").isprintable():
            raise ValueError("a client seed is written in records: use printable characters")
        self.rules = Rules(edition, variant, house)
        self.names = _names(names, players)
        self._dealer = expect(dealer, int, "the seat that deals, such as 1,")
        self._server_seed = _server_seed(seed)
        self._client_seed = client_seed
        self._seeds_tell_all = True
        """Whether every shuffle so far came from these seeds, so that a record may leave it out."""
        self._begin(new_game(self.rules, len(self.names), dealer))
        self._deal()

    def _begin(self, start: State) -> None:
        self._start = start
        """The state before the first event."""
        self.state = start
        self.events = []

    @classmethod
    def from_record(cls, record: Source) -> Game:
        """The game that a full record tells, ready to be played on when it is not over.

        ``record`` is a :class:`Record`, its text, or the path of its file.
        """
        find = editions_beside(record)
        header = (record := read_record(record)).header
        game = cls.__new__(cls)
        start = start_of(header, find)
        game.rules = start.rules
        game.names = header.names
        game._dealer = header.dealer
        game._server_seed = _server_seed(None)
        game._client_seed = ""
        game._seeds_tell_all = False
        if header.server_seed is not None and header.client_seed is not None:
            game._server_seed, game._client_seed = header.server_seed, header.client_seed
            game._seeds_tell_all = True
        game._begin(start)
        for step in follow(record, find):
            game.events += step.events
            game.state = step.state
        game._deal()
        return game

    @classmethod
    def from_position(
        cls,
        position: str | State | View,
        names: Sequence[str] | None = None,
        *,
        seed: int | None = None,
    ) -> Game:
        """The game that stands so, ready to be played on.

        ``position`` is a :class:`State`, a :class:`View`, or the line of one (see
        docs/notation.md). What a seat does not know, and all that is shuffled from now on, follows
        from the ``seed``.
        """
        game = cls.__new__(cls)
        game._server_seed = _server_seed(seed)
        game._client_seed = ""
        game._seeds_tell_all = False

        def shuffle(cards: tuple[Card, ...]) -> tuple[Card, ...]:
            return game._shuffle(cards, 0, 0)

        if not isinstance(position, State | View):
            position = parse_position(position, shuffle=shuffle)
        start = imagine(position, shuffle) if isinstance(position, View) else position
        game.rules = start.rules
        game.names = _names(names, start.sheet.seats)
        game._dealer = start.sheet.dealer
        game._begin(start)
        game._deal()
        return game

    # -- what is so ----------------------------------------------------------------------------

    @property
    def commitment(self) -> str:
        """The hash of the secret seed, to be shown before the first card is dealt."""
        return commitment(self._server_seed)

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is, or None when the game is over."""
        return self.state.board.turn if self.state.board else None

    @property
    def winner(self) -> int | None:
        """The seat that has won, or None while the game is going on."""
        return self.state.sheet.winner

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.winner is not None

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, or None while the game is going on."""
        return outcome_of(self.state)

    def view(self, seat: int | None = None) -> View:
        """What that seat may know; without a seat, the one whose turn it is."""
        return view_of(self.state, self.turn if seat is None else self._seat(seat))

    def _seat(self, seat: int) -> int:
        if not 1 <= expect(seat, int, "a seat, such as 1,") <= len(self.names):
            raise ValueError(f"there is no seat {seat}: the seats are 1 to {len(self.names)}")
        return seat

    # -- what may be done ----------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """Everything the seat whose turn it is may do; a Phase at its least size.

        A Phase may be laid larger as well (M-MORE): :meth:`is_legal` knows.
        """
        return legal_actions(self.view())

    def legal_texts(self) -> list[str]:
        """The same as :meth:`legal_actions`, as texts."""
        return [action.text for action in self.legal_actions()]

    def why_not(self, action: Action | str, seat: int | None = None) -> Refusal | None:
        """Why the rules refuse an action, or None where they allow it.

        A text that is no action raises a MoveSyntaxError.
        """
        verdict = self._decide(action, seat)
        return verdict if isinstance(verdict, Refusal) else None

    def is_legal(self, action: Action | str, seat: int | None = None) -> bool:
        """Whether an action, or its text, is allowed now, to the seat whose turn it is."""
        return self.why_not(action, seat) is None

    can = is_legal

    def _decide(self, action: Action | str, seat: int | None) -> tuple[Event, ...] | Refusal:
        if not isinstance(action, Action):
            expect(action, str, "an action, or its text such as 'D',")
            action = parse_action(action)
        by = (self.turn or 0) if seat is None else self._seat(seat)
        return decide(self.state, by, action, self._shuffle)

    # -- playing -------------------------------------------------------------------------------

    def play(self, action: Action | str, seat: int | None = None) -> tuple[Event, ...]:
        """Play an action, or its text, for the seat whose turn it is; the events that follow.

        An IllegalMoveError says why the rules refuse it; then nothing has changed.
        """
        events = self._decide(action, seat)
        if isinstance(events, Refusal):
            raise IllegalMoveError(events)
        self._happen(events)
        self._deal()
        return events

    def undo(self) -> Action:
        """Take back the last action and all that followed from it; the action."""
        for place in range(len(self.events) - 1, -1, -1):
            action = self._action_of(self.events[place])
            if action is not None:
                shuffled = place and isinstance(self.events[place - 1], PileReshuffled)
                del self.events[place - 1 if shuffled else place :]
                self.state = self._replayed()
                return action
        raise ValueError("nothing has been played yet: there is nothing to take back")

    def _replayed(self) -> State:
        """The state after the events: the hands before this one count for their score alone."""
        dealt = [i for i, event in enumerate(self.events) if isinstance(event, HandDealt)]
        if not dealt:
            return apply_all(self._start, self.events)
        sheet = self._start.sheet
        for event in self.events[: dealt[-1]]:
            if isinstance(event, HandScored | GameTied | GameWon):
                sheet = sheet_after(self.rules, sheet, event)
        return apply_all(State(self.rules, sheet), self.events[dealt[-1] :])

    def steps(self) -> Iterator[Step]:
        """The game so far, step by step: the deals, every action, and the state after each."""
        state, step = self._start, list[Event]()
        for event in self.events:
            begins = isinstance(event, HandDealt | PileReshuffled) or self._action_of(event)
            if step and begins and not isinstance(step[-1], PileReshuffled):
                state = apply_all(state, step)
                yield self._step(step, state)
                step = []
            step.append(event)
        if step:
            yield self._step(step, apply_all(state, step))

    def _step(self, events: list[Event], state: State) -> Step:
        for event in events:
            action = self._action_of(event)
            if action is not None:
                return Step(0, tuple(events), state, getattr(event, "seat", None), action)
        return Step(0, tuple(events), state)

    def _action_of(self, event: Event) -> Action | None:
        return action_of(event, self._house)

    # -- copies --------------------------------------------------------------------------------

    def copy(self) -> Game:
        """The same game once more: what is played in one does not show in the other."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.events = list(self.events)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()  # all but the list of events never changes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        mine, theirs = (
            (self.names, self.state, self.events),
            (other.names, other.state, other.events),
        )
        return mine == theirs

    __hash__ = None  # pyright: ignore[reportAssignmentType] - it changes

    # -- in text -------------------------------------------------------------------------------

    def seen(self, seat: int | None) -> list[Seen]:
        """Everything that seat, or a watcher, was shown so far."""
        return [seen_by(event, seat) for event in self.events]

    def record(self, seat: int | None = None) -> str:
        """The game as a ``.p10`` record: the full one, or what that seat knew."""
        if seat is not None:
            return format_record(record_game(self._header(self._seat(seat)), self.seen(seat)))
        return format_record(record_game(self._header(None), self.events))

    def score_sheet(self) -> str:
        """The score sheet: Phases made, the points of every hand and the totals."""
        return format_score_sheet(self.state, self.names)

    def __str__(self) -> str:
        return format_table(self.state, self.names)

    def __repr__(self) -> str:
        return f"Game.from_position({self.position()!r}, {list(self.names)!r})"

    def position(self, seat: int | None = None) -> str:
        """How the game stands in one line: the whole position, or what that seat knows of it."""
        return format_position(self.state if seat is None else self.view(seat))

    def _header(self, seen: int | None) -> Header:
        # The seed would give away what is still to come, so it is told when the game is over.
        new = new_game(self.rules, len(self.names), self._dealer)
        start = self._start if self._start != new else None
        if seen is not None and start is not None:
            raise ValueError("a game that began in a position has no redacted record")
        tell = seen is None and self.winner is not None and self._seeds_tell_all
        return header_for(
            self.rules,
            self.names,
            self._dealer,
            seen=seen,
            server_seed=self._server_seed if tell else None,
            client_seed=self._client_seed if tell else None,
            start=start,
        )

    # -- what happens --------------------------------------------------------------------------

    @property
    def _house(self) -> frozenset[str]:
        return self.rules.house | frozenset(self.rules.edition.house)

    @property
    def _shuffle(self) -> Shuffle:
        return seeded(self._server_seed, self._client_seed)

    def _deal(self) -> None:
        """Deal the next hand, unless one is going on or the game is over."""
        if self.state.board is not None or self.winner is not None:
            return
        hand = len(self.state.sheet.hands) + 1
        events = deal(self.state, self._shuffle(self.rules.edition.deck, hand, 0))
        assert not isinstance(events, Refusal), events  # the deck is the edition's own
        self._happen(events)

    def _happen(self, events: tuple[Event, ...]) -> None:
        self.events += events
        self.state = apply_all(self.state, events)


def _names(names: Sequence[str] | None, players: int | None) -> tuple[str, ...]:
    if players is not None:
        expect(players, int, "how many play, such as players=4,")
    if names is None:
        count = 2 if players is None else players
        return tuple([*NAMES, *[f"Player {n}" for n in range(len(NAMES) + 1, count + 1)]][:count])
    wanted = "a list of names such as ['Ana', 'Beto'], or a number such as players=4,"
    if isinstance(names, str):
        raise TypeError(f"{wanted} is needed, not {names!r}")
    chosen = tuple(expect(name, str, "a name") for name in expect(names, Iterable, wanted))
    if players not in (None, len(chosen)):
        raise ValueError(f"players={players}, but {len(chosen)} names: {', '.join(chosen)}")
    return chosen


def _server_seed(seed: int | None) -> bytes:
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    expect(seed, int, "a whole number as the seed")
    return seed_of(seed)
