"""How a table changes: a step is a row of events, and each of them changes a part."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, Literal, assert_never

from phaseten.rules.events import CardDiscarded, Event, GameWon
from phaseten.rules.referee import apply as apply_to_game
from phaseten.rules.state import State, put
from phaseten.table.beginnings import first_state
from phaseten.table.characters import free_face
from phaseten.table.events import (
    BotSeated,
    BotsHurried,
    ChatSwitched,
    CoachSwitched,
    FaceChosen,
    GameCalledOff,
    GamePaused,
    GameResumed,
    GameStarted,
    HostChanged,
    HostOwned,
    Open,
    OpenEvent,
    OptionsChanged,
    OwnerBarred,
    PlayerRemoved,
    PlayerRenamed,
    PositionGiven,
    Reacted,
    RematchCalled,
    RematchWanted,
    RequestDone,
    Said,
    SeatEvent,
    SeatLeft,
    SeatMoved,
    SeatOwned,
    SeatTaken,
    SeatTakenBack,
    Secret,
    SecretEvent,
    SeedAdded,
    SeedDrawn,
    SeedPromised,
    SeedRevealed,
    StandInSeated,
    StepUndone,
    TableEvent,
    TableOpened,
)
from phaseten.table.options import rules_of
from phaseten.table.state import (
    FINISHED,
    MOST_DONE,
    MOST_SEATINGS,
    PLAYING,
    WAITING,
    EndedHand,
    Place,
    Table,
)
from phaseten.table.undo import actor_of, reveals_nothing


def apply(table: Table, at: int, events: Sequence[TableEvent]) -> Table:
    """The table after one step."""
    version = table.version + 1
    after = reduce(_after, events, table)
    # One copy of the table for all that follows: each takes as long as the rest of this.
    changed: dict[str, Any] = {"version": version}
    if after.game is not table.game:
        changed["moved"], changed["moved_at"] = version, at
        changed["bot_actions"] = _bot_actions(table, after)
    if _waits_for(after) != _waits_for(table) or _ends_turn(events):
        changed["moved_at"] = changed["turn_at"] = at
    if after.hurried and not is_bots_turn(after):
        changed["hurried"] = False
    if after.places is not table.places:
        names = tuple([place.name for place in after.places])
        if not after.seatings or names != after.seatings[-1][1]:
            kept = after.seatings[1 - MOST_SEATINGS :]
            changed["seatings"] = (*kept, (version, names))
    counted = _counted(table, after, events)
    if counted is not None:
        changed[counted] = getattr(after, counted) + 1
    return after._replace(**changed)


def _counted(
    table: Table, after: Table, events: Sequence[TableEvent]
) -> Literal["talk", "changes"] | None:
    """As what a step is counted that, perhaps, has not brought the game on."""
    match events:
        case (Said() | Reacted(), *_):
            return "talk"
        case (RematchCalled() | BotsHurried(), *_):  # once before every turn of a person
            return None
        case _ if after.game is table.game or isinstance(events[0], StepUndone):
            return "changes"
        case _:
            return None


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


def is_bots_turn(table: Table) -> bool:
    """Whether everybody waits for a bot."""
    turn = table.turn
    return turn is not None and bool(table.places[turn - 1].played_by)


def _waits_for(table: Table) -> object:
    """What everybody waits for: when it changes, the clocks start again."""
    board = table.game.board if table.game is not None else None
    if board is None:
        return table.paused
    return table.paused, board.hand, board.turn, table.places[board.turn - 1].played_by


def _after(table: Table, event: TableEvent) -> Table:
    match event:
        case Open():
            return _after_open(table, event)
        case Secret():
            return _after_secret(table, event)
        case _:
            return _after_game(table, event)


def _after_game(table: Table, event: Event) -> Table:
    game = table.game
    if game is None:
        raise ValueError(f"{type(event).__name__} does not belong before the game")
    after = apply_to_game(game, event)
    if after.board is None and game.board is not None:
        table = table._replace(ended=EndedHand(game.board, game.held))
    elif after.board is not None and game.board is None:
        table = table._replace(ended=None)
    undo = _undo(table, game, event) if _turn(after) == _turn(game) else ()
    stage = FINISHED if isinstance(event, GameWon) else table.stage
    return table._replace(game=after, undo=undo, stage=stage)


def _undo(table: Table, game: State, event: Event) -> tuple[State, ...]:
    """What can still be taken back once this has happened, and the same player has the turn."""
    if isinstance(event, CardDiscarded) or not reveals_nothing(event):
        return ()  # whoever is next sees a discard at once
    seat = actor_of(event)
    if seat is None:
        return table.undo
    # What a bot did is nobody's to take back.
    return () if table.places[seat - 1].played_by else (*table.undo, game)


def _turn(game: State) -> int | None:
    return game.board.turn if game.board is not None else None


def _after_secret(table: Table, event: SecretEvent) -> Table:
    match event:
        case HostOwned(owner):
            return table._replace(host=owner)
        case SeatOwned(seat, owner):
            return _seat(table, seat, table.places[seat - 1]._replace(owner=owner))
        case OwnerBarred(owner):
            return table._replace(barred=table.barred | {owner})
        case SeedDrawn(seed):
            return table._replace(server_seed=seed)
        case PositionGiven(text):
            return table._replace(position=text)
        case RequestDone(mark):
            return table._replace(done=(*table.done, mark)[-MOST_DONE:])
        case _:
            assert_never(event)


def _after_open(table: Table, event: OpenEvent) -> Table:
    match event:
        case (
            SeatTaken()
            | SeatMoved()
            | PlayerRenamed()
            | FaceChosen()
            | SeatLeft()
            | PlayerRemoved()
            | BotSeated()
            | StandInSeated()
            | SeatTakenBack()
            | SeedAdded()
            | RematchWanted()
            | CoachSwitched()
        ):
            return table._replace(places=_places_after(table.places, event))
        case TableOpened(options) | OptionsChanged(options):
            more = (Place(),) * (options.seats - len(table.places))
            places = (*table.places, *more)[: options.seats]
            return table._replace(options=options, rules=rules_of(options), places=places)
        case HostChanged(name):
            return table._replace(host_name=name)
        case ChatSwitched(on):
            return table._replace(chat=on)
        case BotsHurried():
            return table._replace(hurried=True)
        case SeedPromised(commitment):
            return table._replace(commitment=commitment)
        case SeedRevealed() | Said() | Reacted():  # the seed has been here all along
            return table
        case _:
            return _after_course(table, event)


def _places_after(places: tuple[Place, ...], event: SeatEvent) -> tuple[Place, ...]:
    """The seats after an event that concerns who sits where."""
    match event:
        case SeatTaken(seat, name):
            return put(places, seat, Place(name=name, face=_free_face(places, seat)))
        case SeatMoved(seat, to):
            return put(put(places, to, places[seat - 1]), seat, Place())
        case PlayerRenamed(seat, name):
            return put(places, seat, places[seat - 1]._replace(name=name))
        case FaceChosen(seat, face):
            return put(places, seat, places[seat - 1]._replace(face=face))
        case SeatLeft(seat) | PlayerRemoved(seat):
            return put(places, seat, Place())
        case BotSeated(seat, name, level):
            return put(places, seat, Place(name=name, bot=level, face=_free_face(places, seat)))
        case StandInSeated(seat, level):
            return put(places, seat, places[seat - 1]._replace(stand_in=level))
        case SeatTakenBack(seat):
            return put(places, seat, places[seat - 1]._replace(stand_in=""))
        case SeedAdded(seat, text):
            return put(places, seat, places[seat - 1]._replace(seed=text))
        case RematchWanted(seat):
            return put(places, seat, places[seat - 1]._replace(again=True))
        case CoachSwitched(seat, on):
            return put(places, seat, places[seat - 1]._replace(coach=on))
        case _:
            assert_never(event)


def _free_face(places: tuple[Place, ...], seat: int) -> str:
    """The face of somebody who has just sat down."""
    return free_face(seat, [place.face for number, place in enumerate(places, 1) if number != seat])


def _after_course(
    table: Table,
    event: GameStarted | GamePaused | GameResumed | GameCalledOff | StepUndone | RematchCalled,
) -> Table:
    """The table after an event that concerns the course of the game."""
    match event:
        case GameStarted(dealer, client_seed):
            return table._replace(
                stage=PLAYING,
                client_seed=client_seed,
                dealer=dealer,
                games=table.games + 1,
                names=tuple([place.name for place in table.places]),
                game=first_state(table, dealer, client_seed),
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
            places = tuple(
                [place._replace(seed="", stand_in="", again=False) for place in table.places]
            )
            return table._replace(
                stage=WAITING,
                game=None,
                ended=None,
                client_seed="",
                places=places,
                since=table.version,
                seatings=table.seatings[-1:],
                changes=0,
                talk=0,
            )
        case _:
            assert_never(event)


def _seat(table: Table, seat: int, place: Place) -> Table:
    return table._replace(places=put(table.places, seat, place))
