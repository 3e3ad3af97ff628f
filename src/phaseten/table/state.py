"""A table: its seats, its host, its game. Everything in it is a fold over its events.

No clock, no chance, no I/O: the time comes with the step, the seed with the command.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final, NamedTuple

from phaseten.rules.actions import Action, LayPhase
from phaseten.rules.events import (
    CardDiscarded,
    CardDrawn,
    DiscardTaken,
    Event,
    GameWon,
    HandScored,
    MeldHit,
    PhaseLaid,
)
from phaseten.rules.options import Rules
from phaseten.rules.referee import apply as apply_to_game
from phaseten.rules.state import State, new_game, put
from phaseten.rules.views import View, legal_actions, view_of
from phaseten.table.events import (
    BotSeated,
    ChatSwitched,
    GameCalledOff,
    GamePaused,
    GameResumed,
    GameStarted,
    HostChanged,
    HostOwned,
    Open,
    OptionsChanged,
    OwnerBarred,
    PlayerRemoved,
    PlayerRenamed,
    RematchCalled,
    SeatLeft,
    SeatMoved,
    SeatOwned,
    SeatTaken,
    SeatTakenBack,
    Secret,
    SeedAdded,
    SeedDrawn,
    SeedPromised,
    StandInSeated,
    StepUndone,
    TableEvent,
    TableOpened,
)
from phaseten.table.options import Options, rules_of

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "finished"

REST: Final = 10_000
"""Milliseconds between two hands, for people to read the scores; none where bots take no time."""
HASTE: Final = 4
"""How many times as fast bots act when nobody else plays the hand."""

MOST_BOT_ACTIONS: Final = 2_000
"""Actions of bots in one hand, with no person among them, before the game is given up."""

MOST_WAYS: Final = 2_000
"""Ways to lay a Phase that are looked at: more would take too long."""
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

    @property
    def is_empty(self) -> bool:
        """Whether nobody sits there."""
        return not self.owner and not self.bot

    @property
    def played_by(self) -> str:
        """The level of the bot that acts here, or nothing where a person does."""
        return self.bot or self.stand_in


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
    stage: str = WAITING
    paused: bool = False
    commitment: str = ""
    server_seed: str = ""
    """Secret until the game is over, in hex."""
    client_seed: str = ""
    games: int = 0
    names: tuple[str, ...] = ()
    """Who sat where when the game started."""
    dealer: int = 0
    game: State | None = None
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
    """Who sat where from which version on: what happened is told with the names of then."""

    def names_at(self, version: int) -> tuple[str, ...]:
        """The names by seat after that version."""
        return next((names for since, names in reversed(self.seatings) if since <= version), ())

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
        return REST if self.options.pace else 0

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
        if seat is None or not self.is_on_turn(seat):
            return []
        view = self.view(seat)
        return offered(legal_actions(view, MOST_WAYS)) if view is not None else []

    def is_on_turn(self, seat: int) -> bool:
        """Whether the person in that seat may act now."""
        return (
            seat == self.turn
            and self.stage == PLAYING
            and not self.paused
            and not self.places[seat - 1].played_by
        )

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


def nobody_yet(code: str) -> Table:
    """The table before its first event."""
    options = Options()
    return Table(code, 0, options, rules_of(options), ())


# -- what the server has to do -------------------------------------------------------------------


class BotDuty(NamedTuple):
    """A bot has to act."""

    seat: int
    level: str
    at: int


class ClockDuty(NamedTuple):
    """The time of the player on turn will be up."""

    at: int


class DealDuty(NamedTuple):
    """The next hand has to be dealt."""

    at: int


class GiveUpDuty(NamedTuple):
    """Bots alone play a hand that does not end."""

    at: int


Duty = BotDuty | ClockDuty | DealDuty | GiveUpDuty
"""What the server must do at a table, and when, in milliseconds since 1970."""


def next_duty(table: Table) -> Duty | None:
    """What the server must do next, if nobody acts before."""
    if table.stage != PLAYING or table.paused:
        return None
    turn = table.turn
    if turn is None:
        return DealDuty(table.moved_at + table.rest)
    level = table.places[turn - 1].played_by
    if level:
        if not table.is_among_bots:
            return BotDuty(turn, level, table.moved_at + table.options.pace)
        if table.bot_actions >= MOST_BOT_ACTIONS:
            return GiveUpDuty(table.moved_at)
        return BotDuty(turn, level, table.moved_at + table.options.pace // HASTE)
    if table.options.timer is not None:
        return ClockDuty(table.turn_at + table.options.timer * 1000)
    return None


# -- changing ------------------------------------------------------------------------------------


def apply(table: Table, at: int, events: Sequence[TableEvent]) -> Table:
    """The table after one step."""
    version = table.version + 1
    after = reduce(_after, events, table)._replace(version=version)
    if after.game is not table.game:
        actions = _bot_actions(table, after)
        after = after._replace(moved=version, moved_at=at, bot_actions=actions)
    if _waits_for(after) != _waits_for(table) or _ends_turn(events):
        after = after._replace(moved_at=at, turn_at=at)
    if after.places is not table.places:
        names = tuple([place.name for place in after.places])
        if names != after.names_at(version):
            after = after._replace(seatings=(*after.seatings, (version, names)))
    return after


def _bot_actions(table: Table, after: Table) -> int:
    """How often bots have acted in this hand since a person did, once the game has changed."""
    board = table.game.board if table.game is not None else None
    now = after.game.board if after.game is not None else None
    if board is None or now is None or board.hand != now.hand:
        return 0
    return table.bot_actions + 1 if table.places[board.turn - 1].played_by else 0


def _ends_turn(events: Sequence[TableEvent]) -> bool:
    """Whether a turn ended: with two players, a Skip lets the same player begin another one."""
    return any(isinstance(event, CardDiscarded) for event in events)


def _waits_for(table: Table) -> object:
    """What everybody waits for: when it changes, the clocks start again."""
    board = table.game.board if table.game is not None else None
    if board is None:
        return table.paused
    return table.paused, board.hand, board.turn, table.places[board.turn - 1].played_by


def _after(table: Table, event: TableEvent) -> Table:
    match event:
        case Open():
            return _after_people(table, event)
        case Secret():
            return _after_secret(table, event)
        case _:
            return _after_game(table, event)


def _after_game(table: Table, event: Event) -> Table:
    game = table.game
    if game is None:
        raise ValueError(f"{type(event).__name__} does not belong before the game")
    match event:
        case DiscardTaken(seat) | PhaseLaid(seat) | MeldHit(seat):
            # These reveal nothing to the one who acts. What a bot did is nobody's to take back.
            undo = () if table.places[seat - 1].played_by else (*table.undo, game)
        case CardDrawn() | CardDiscarded() | HandScored():
            undo = ()
        case _:
            undo = table.undo
    after = table._replace(game=apply_to_game(game, event), undo=undo)
    return after._replace(stage=FINISHED) if isinstance(event, GameWon) else after


def _after_secret(table: Table, event: Secret) -> Table:
    match event:
        case HostOwned(owner):
            return table._replace(host=owner)
        case SeatOwned(seat, owner):
            return _seat(table, seat, table.places[seat - 1]._replace(owner=owner))
        case OwnerBarred(owner):
            return table._replace(barred=table.barred | {owner})
        case SeedDrawn(seed):
            return table._replace(server_seed=seed)
        case _:
            raise TypeError(type(event).__name__)


def _after_people(table: Table, event: Open) -> Table:
    """The table after an event that concerns who sits where."""
    match event:
        case TableOpened(options) | OptionsChanged(options):
            more = (Place(),) * (options.seats - len(table.places))
            places = (*table.places, *more)[: options.seats]
            return table._replace(options=options, rules=rules_of(options), places=places)
        case SeatTaken(seat, name):
            return _seat(table, seat, Place(name=name))
        case SeatMoved(seat, to):
            return _seat(_seat(table, to, table.places[seat - 1]), seat, Place())
        case PlayerRenamed(seat, name):
            return _seat(table, seat, table.places[seat - 1]._replace(name=name))
        case SeatLeft(seat) | PlayerRemoved(seat):
            return _seat(table, seat, Place())
        case BotSeated(seat, name, level):
            return _seat(table, seat, Place(name=name, bot=level))
        case StandInSeated(seat, level):
            return _seat(table, seat, table.places[seat - 1]._replace(stand_in=level))
        case SeatTakenBack(seat):
            return _seat(table, seat, table.places[seat - 1]._replace(stand_in=""))
        case SeedAdded(seat, text):
            return _seat(table, seat, table.places[seat - 1]._replace(seed=text))
        case HostChanged(name):
            return table._replace(host_name=name)
        case ChatSwitched(on):
            return table._replace(chat=on)
        case _:
            return _after_course(table, event)


def _after_course(table: Table, event: Open) -> Table:
    """The table after an event that concerns the course of the game."""
    match event:
        case SeedPromised(commitment):
            return table._replace(commitment=commitment)
        case GameStarted(dealer, client_seed):
            return table._replace(
                stage=PLAYING,
                client_seed=client_seed,
                dealer=dealer,
                games=table.games + 1,
                names=tuple([place.name for place in table.places]),
                game=new_game(table.rules, len(table.places), dealer),
                undo=(),
            )
        case GamePaused():
            return table._replace(paused=True)
        case GameResumed():
            return table._replace(paused=False)
        case GameCalledOff():
            return table._replace(stage=FINISHED, paused=False, undo=())
        case StepUndone():
            return table._replace(game=table.undo[-1], undo=table.undo[:-1])
        case RematchCalled():
            places = tuple([place._replace(seed="", stand_in="") for place in table.places])
            return table._replace(
                stage=WAITING, game=None, client_seed="", places=places, since=table.version
            )
        case _:  # talk, and the seed, which the server has known all along
            return table


def _seat(table: Table, seat: int, place: Place) -> Table:
    return table._replace(places=put(table.places, seat, place))
