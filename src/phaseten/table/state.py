"""The whole truth of one table. It is a fold over the table's events (``fold.py``).

No clock, no chance, no I/O: the time comes with the step, the seed with the command.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from phaseten.rules.actions import Action, LayPhase
from phaseten.rules.cards import Card
from phaseten.rules.options import Rules
from phaseten.rules.state import Board, State
from phaseten.rules.views import View, legal_actions, view_of
from phaseten.table.options import Options, rules_of

Stage = Literal["waiting", "playing", "finished"]
"""Before the game, during it, and after it."""

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "finished"

REST: Final = 15_000
"""Milliseconds between two hands, for people to see the cards and the scores; none where bots take no time."""
REST_ALONE: Final = 60_000
"""The same for one person among bots, who deals at once but is not hurried."""
MOST_DONE: Final = 64
"""Requests that are remembered: who sends one again does so soon, and others send few meanwhile."""
MOST_SEATINGS: Final = 256
"""Every one that is kept is copied with each new one, and nobody needs more: decisions allow few more changes."""
MOST_WAYS: Final = 500
"""Ways to lay a Phase that are looked at: everybody else at this host waits meanwhile, a hundredth of a second at worst."""
MOST_LAYS: Final = 60
"""Ways to lay a Phase that are offered."""


class Place(NamedTuple):
    """A seat at the table and who sits there."""

    name: str = ""
    owner: str = ""
    """Secret: the hash of the token that owns the seat."""
    bot: str = ""
    """The level of the bot that sits there."""
    stand_in: str = ""
    """The level of the bot that plays while the person is away."""
    seed: str = ""
    """What the player added to the client seed."""
    face: str = ""
    """One of the FACES, wherever somebody sits."""
    again: bool = False
    """Whether the player wants another game."""
    coach: bool = False
    """Whether the player wants the coach to speak up after moves."""

    @property
    def is_empty(self) -> bool:
        """Whether nobody sits there."""
        return not self.owner and not self.bot

    @property
    def played_by(self) -> str:
        """The level of the bot that acts here, or nothing where a person does."""
        return self.bot or self.stand_in


class EndedHand(NamedTuple):
    """How the table lay when a hand was over: everybody shows what they still held, to count it."""

    board: Board
    held: tuple[tuple[Card, ...], ...]


class Table(NamedTuple):
    """The whole truth of one table."""

    code: str
    version: int
    options: Options
    rules: Rules
    places: tuple[Place, ...]
    host: str = ""
    """Secret: the hash of the host's token."""
    host_name: str = ""
    barred: frozenset[str] = frozenset()
    chat: bool = True
    stage: Stage = WAITING
    paused: bool = False
    commitment: str = ""
    server_seed: str = ""
    """Secret until the game is over, in hex."""
    client_seed: str = ""
    games: int = 0
    names: tuple[str, ...] = ()
    """Who sat where when the game started."""
    dealer: int = 0
    position: str = ""
    """Secret: the line of the position in which games begin here; empty: they begin with a deal."""
    game: State | None = None
    ended: EndedHand | None = None
    """The last hand, until the next one is dealt."""
    hurried: bool = False
    """Whether bots act without a pause until a person is on turn."""
    undo: tuple[State, ...] = ()
    """The game before each step of this turn that can be taken back."""
    turn_at: int = 0
    """Since when the player on turn has it."""
    moved_at: int = 0
    """When the game last changed, or somebody else came on turn."""
    moved: int = 0
    """The version at which the game last changed: what was chosen on an older one is stale."""
    since: int = 0
    """The last version of the game before this one: nobody is told again what came before it, because
    people may sit in other seats since."""
    bot_actions: int = 0
    """How often bots have acted in this hand since a person did."""
    seatings: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Who sat where from which version on, since the last rematch: what happened is told with the names of
    then. No more than MOST_SEATINGS are kept."""
    changes: int = 0
    """Steps since the last rematch that have not brought the game on, less those of talk."""
    talk: int = 0
    """Steps of talk since the last rematch."""
    done: tuple[int, ...] = ()
    """The marks of the last requests that were carried out."""

    def names_at(self, version: int) -> tuple[str, ...]:
        """The names by seat after that version."""
        for since, names in reversed(self.seatings):  # mostly it is the last one
            if since <= version:
                return names
        return ()

    def seat_of(self, owner: str) -> int | None:
        """The seat that belongs to that token."""
        for seat, place in enumerate(self.places, 1):  # a generator takes twice as long
            if place.owner == owner:
                return seat
        return None

    @property
    def seated(self) -> Iterable[tuple[int, Place]]:
        """The seats and who sits there."""
        return enumerate(self.places, 1)

    def place(self, seat: int) -> Place | None:
        """That seat, or None where the table has none of that number."""
        return self.places[seat - 1] if 1 <= seat <= len(self.places) else None

    @property
    def host_seat(self) -> int | None:
        """The host's seat."""
        return self.seat_of(self.host)

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is."""
        return self.game.board.turn if self.game is not None and self.game.board else None

    @property
    def rest(self) -> int:
        """Milliseconds between two hands."""
        if not self.options.pace:
            return 0
        people = sum(not place.played_by for place in self.places)
        return REST_ALONE if people == 1 and self.options.timer is None else REST

    @property
    def owners(self) -> tuple[str, ...]:
        """The tokens at the table."""
        found = [self.host, *[place.owner for place in self.places]]
        return tuple(dict.fromkeys(owner for owner in found if owner))

    def view(self, seat: int | None) -> View | None:
        """What that seat, or a watcher, may know of the game; None before it has started."""
        return view_of(self.game, seat) if self.game is not None else None

    def legal(self, seat: int | None) -> list[Action]:
        """What the person in that seat may do in the game now."""
        if seat is None or seat != self.acting:
            return []
        view = self.view(seat)
        return offered(legal_actions(view, MOST_WAYS)) if view is not None else []

    @property
    def acting(self) -> int | None:
        """The seat of the person who may act now, if it is a person's turn."""
        turn = self.turn
        if turn is None or self.stage != PLAYING or self.paused:
            return None
        return None if self.places[turn - 1].played_by else turn

    @property
    def is_coached(self) -> bool:
        """Whether the coach speaks up after people's moves: all of them have agreed."""
        agreed = [place.coach for place in self.places if place.owner]
        return bool(agreed) and all(agreed)

    @property
    def is_among_bots(self) -> bool:
        """Whether bots alone play the hand that is going on."""
        board = self.game.board if self.game is not None else None
        return board is not None and all(self.places[seat - 1].played_by for seat in board.players)


def offered(actions: list[Action]) -> list[Action]:
    """The same actions, with no more ways to lay a Phase than anybody would look at.

    Those that spend the fewest Wilds are kept.
    """
    lays = [action for action in actions if isinstance(action, LayPhase)]
    if len(lays) <= MOST_LAYS:
        return actions
    rest = [action for action in actions if not isinstance(action, LayPhase)]
    return [*sorted(lays, key=_wilds)[:MOST_LAYS], *rest]


def _wilds(action: LayPhase) -> int:
    return sum(card.is_wild for row in action.melds for card in row)


def empty_table(code: str) -> Table:
    """The table before its first event."""
    options = Options()
    return Table(code, 0, options, rules_of(options), ())
