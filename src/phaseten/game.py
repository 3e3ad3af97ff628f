"""A friendly front to the rules: one running game that deals by itself and remembers everything.

>>> game = Game("classic", ["Ana", "Beto"], seed=7)
>>> game.turn
2
>>> game.legal_actions()
[DrawDeck(), TakeDiscard()]
>>> game.play("D")
(CardDrawn(seat=2, card=B3),)
>>> game.play("P")
Traceback (most recent call last):
phaseten.game.IllegalMoveError: You have drawn your card for this turn: lay, hit or discard now. (T-DRAW)
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Sequence

from phaseten.notation.moves import parse_action
from phaseten.notation.recording import record_game
from phaseten.notation.records import Header, Record, format_record
from phaseten.notation.replay import follow, rules_of
from phaseten.rules.actions import Action
from phaseten.rules.editions import Edition, edition
from phaseten.rules.events import Event, Seen
from phaseten.rules.options import Rules, Variant, check_house, parse_variant
from phaseten.rules.referee import apply_all, deal, decide
from phaseten.rules.refusals import Refusal
from phaseten.rules.shuffle import SEED_BYTES, commitment, seeded
from phaseten.rules.state import State, new_game
from phaseten.rules.views import View, legal_actions, seen_by, view_of


class IllegalMoveError(ValueError):
    """A move that the rules refuse; ``refusal`` says by which rule and why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class Game:
    """One game: its state, everything that happened in it, and its shuffles.

    ``edition`` is a name or the path of a file of your own. Seat ``dealer`` deals the first hand.
    The same ``seed`` gives the same cards; without one nobody can know them.
    """

    def __init__(  # noqa: PLR0913 - a game has that many things to choose, by name
        self,
        edition: str | Edition = "classic",
        names: Sequence[str] = ("Ana", "Beto"),
        *,
        variant: str | Variant = "standard",
        house: Iterable[str] = (),
        dealer: int = 1,
        seed: int | None = None,
        client_seed: str = "",
    ) -> None:
        if not client_seed.isprintable():
            raise ValueError("a client seed is written in records: use printable characters")
        box = _find(edition)
        self.rules = Rules(
            box,
            parse_variant(variant) if isinstance(variant, str) else variant,
            check_house(house),
        )
        self.names = tuple(names)
        self._dealer = dealer
        self._server_seed = _server_seed(seed)
        self._client_seed = client_seed
        self._seeds_tell_all = True
        """Whether every shuffle so far came from these seeds, so that a record may leave it out."""
        self._shuffle = seeded(self._server_seed, client_seed)
        self.state: State = new_game(self.rules, len(self.names), dealer)
        self.events: list[Event] = []
        self._deal()

    @classmethod
    def from_record(cls, record: Record) -> Game:
        """The game that a full record tells, ready to be played on when it is not over."""
        header = record.header
        game = cls.__new__(cls)
        game.rules = rules_of(header)
        game.names = header.names
        game._dealer = header.dealer
        game._server_seed = _server_seed(None)
        game._client_seed = ""
        game._seeds_tell_all = False
        if header.server_seed is not None and header.client_seed is not None:
            game._server_seed, game._client_seed = header.server_seed, header.client_seed
            game._seeds_tell_all = True
        game._shuffle = seeded(game._server_seed, game._client_seed)
        game.state = new_game(game.rules, len(header.names), header.dealer)
        game.events = []
        for step in follow(record):
            game.events += step.events
            game.state = step.state
        game._deal()
        return game

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

    def view(self, seat: int | None = None) -> View:
        """What that seat may know; without a seat, the one whose turn it is."""
        return view_of(self.state, self.turn if seat is None else seat)

    def legal_actions(self) -> list[Action]:
        """Everything the seat whose turn it is may do."""
        return legal_actions(self.view())

    def play(self, action: Action | str, seat: int | None = None) -> tuple[Event, ...]:
        """Play an action, or its text, for the seat whose turn it is; the events that follow."""
        move = parse_action(action) if isinstance(action, str) else action
        by = self.turn if seat is None else seat
        events = decide(self.state, by or 0, move, self._shuffle)
        if isinstance(events, Refusal):
            raise IllegalMoveError(events)
        self._happen(events)
        self._deal()
        return events

    def seen(self, seat: int | None) -> list[Seen]:
        """Everything that seat, or a watcher, was shown so far."""
        return [seen_by(event, seat) for event in self.events]

    def record(self, seat: int | None = None) -> str:
        """The game as a ``.p10`` record: the full one, or what that seat knew."""
        if seat is not None:
            return format_record(record_game(self._header(seat), self.seen(seat)))
        return format_record(record_game(self._header(None), self.events))

    def score_sheet(self) -> str:
        """The score sheet: Phases made, the points of every hand and the totals."""
        return format_score_sheet(self.state, self.names)

    def _header(self, seen: int | None) -> Header:
        # The seed would give away what is still to come, so it is told when the game is over.
        tell = seen is None and self.winner is not None and self._seeds_tell_all
        return Header(
            edition=self.rules.edition.source or self.rules.edition.name,
            names=self.names,
            dealer=self._dealer,
            variant=self.rules.variant,
            house=self.rules.house | frozenset(self.rules.edition.house),
            seen=seen,
            server_seed=self._server_seed if tell else None,
            client_seed=self._client_seed if tell else None,
        )

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


def _find(name: str | Edition) -> Edition:
    return edition(name) if isinstance(name, str) else name


def _server_seed(seed: int | None) -> bytes:
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    return hashlib.sha256(f"phaseten seed {seed}".encode()).digest()


def format_score_sheet(state: State, names: Sequence[str]) -> str:
    """The score sheet in text."""
    sheet, rules = state.sheet, state.rules
    header = ["", *names]
    made = ["Phases"]
    for seat in range(1, sheet.seats + 1):
        done = {number for hand in sheet.hands for s, number in hand.made if s == seat}
        made.append(
            " ".join("x" if phase.number in done else str(phase.number) for phase in rules.phases)
        )
    rows = [header, made]
    for hand in sheet.hands:
        points = dict(hand.points)
        label = f"Hand {hand.hand}" + (" (tie)" if hand.tiebreak else "")
        rows.append([label, *[str(points.get(seat, "")) for seat in range(1, sheet.seats + 1)]])
    rows.append(["Total", *map(str, sheet.totals)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
