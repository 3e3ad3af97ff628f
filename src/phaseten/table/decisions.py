"""What follows from a command at a table, or why it is refused. Nothing is changed here."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final, assert_never

from phaseten.rules.actions import Action
from phaseten.rules.events import GameTied, GameWon, HandScored
from phaseten.rules.melds import check_part
from phaseten.rules.referee import apply_all, deal
from phaseten.rules.referee import decide as judge
from phaseten.rules.refusals import Refusal, refuse
from phaseten.rules.shuffle import SEED_BYTES, commitment, seeded
from phaseten.rules.state import State
from phaseten.table.beginnings import first_state, fit_to_position
from phaseten.table.commands import (
    CHANGES,
    TALK,
    AddSeed,
    AskFit,
    AskHint,
    AskReasons,
    CallOff,
    CallRematch,
    ChangeOptions,
    Chore,
    ClaimHost,
    ClearSeat,
    Command,
    DealHand,
    EndTurnTime,
    GiveUp,
    HostCommand,
    HostSeatCommand,
    HurryBots,
    LeaveSeat,
    OpenTable,
    PassHost,
    PauseGame,
    Play,
    PlayBot,
    Question,
    React,
    ResumeGame,
    Say,
    SeatBot,
    SeatCommand,
    SeatStandIn,
    SendCoachAway,
    StartGame,
    SwitchChat,
    TakeSeat,
    TakeSeatBack,
    Undo,
    WantCoach,
    WantRematch,
)
from phaseten.table.duties import GiveUpDuty, next_duty
from phaseten.table.events import (
    BotsHurried,
    ChatSwitched,
    CoachSwitched,
    GameCalledOff,
    GamePaused,
    GameResumed,
    GameStarted,
    HostChanged,
    HostOwned,
    OptionsChanged,
    PositionGiven,
    RematchCalled,
    RematchWanted,
    RequestDone,
    SeatLeft,
    SeatTakenBack,
    SeedAdded,
    SeedDrawn,
    SeedPromised,
    SeedRevealed,
    StandInSeated,
    StepUndone,
    TableEvent,
    TableOpened,
)
from phaseten.table.fold import is_bots_turn
from phaseten.table.options import Options, OptionsError, check_options
from phaseten.table.seating import (
    clear_seat,
    made_host,
    name_of,
    seated_bot,
    successors,
    take_seat,
    unknown_bot,
)
from phaseten.table.state import FINISHED, PLAYING, WAITING, Place, Table
from phaseten.table.talk import decide_talk
from phaseten.table.verdicts import ALREADY_DONE, Decision, TableRefusal
from phaseten.table.verdicts import no as _no

MOST_SEED: Final = 64
MOST_CHANGES: Final = 500
"""Changes of names, seats, options and the like in one game, from one rematch to the next."""
MOST_TALK: Final = 2_000
"""Messages and reactions in one game."""
MOST_GAMES: Final = 500
"""Games at one table."""

_SEED: Final = re.compile(rf"[A-Za-z0-9]{{1,{MOST_SEED}}}")


def open_table(owner: str, command: OpenTable) -> Decision:
    """The first step of a table. Its options must make sense (``check_options``), and its position."""
    options = command.options
    if command.position:
        options = fit_to_position(options, command.position)
    check_options(options)
    name = name_of(command.name)
    if not isinstance(name, str):
        return name
    return (
        TableOpened(options),
        HostOwned(owner),
        HostChanged(name, None),
        *_new_seed(command.seed),
        *([PositionGiven(command.position)] if command.position else ()),
    )


def decide(table: Table, owner: str, command: Command) -> Decision:
    """What follows when the one with that token asks for this."""
    refusal = _enough(table, command)
    if refusal is not None:
        return refusal
    match command:
        case TakeSeat():
            return take_seat(table, owner, command)
        case Say() | React():
            return decide_talk(table, owner, command)
        case (
            LeaveSeat()
            | AddSeed()
            | TakeSeatBack()
            | ClaimHost()
            | Play()
            | Undo()
            | HurryBots()
            | WantRematch()
            | WantCoach()
            | SendCoachAway()
        ):
            seat = table.seat_of(owner)
            if seat is None:
                return _no("no-seat")
            return _decide_for_seat(table, owner, seat, command)
        case _:  # the type checker knows that nothing else is left
            if owner != table.host:
                return _no("not-host")
            return _decide_for_host(table, command)


def decide_once(table: Table, owner: str, command: Command, mark: int | None) -> Decision:
    """The same for a request that may be sent again: what is done is not done twice, but ALREADY_DONE."""
    if mark is None:
        return decide(table, owner, command)
    if mark in table.done:
        return ALREADY_DONE
    decision = decide(table, owner, command)
    return (*decision, RequestDone(mark)) if isinstance(decision, tuple) else decision


def request_mark(owner: str, number: int, at: int) -> int:
    """By what a request is known when it comes again: of the same guest, with the same number and version."""
    return int.from_bytes(sha256(f"{owner} {number} {at}".encode()).digest()[:6])


def _enough(table: Table, command: Command) -> TableRefusal | None:
    """A table's log has an end: what can be done for ever without the game getting on is done so often."""
    if isinstance(command, CallRematch | WantRematch):
        return _no("enough-games", most=MOST_GAMES) if table.games >= MOST_GAMES else None
    if isinstance(command, TALK) and table.talk >= MOST_TALK:
        return _no("enough-talk", most=MOST_TALK)
    if isinstance(command, CHANGES) and table.changes >= MOST_CHANGES:
        return _no("enough-changes", most=MOST_CHANGES)
    return None


def do_chore(table: Table, chore: Chore) -> Decision:
    """What follows when the server itself does this."""
    match chore:
        case DealHand():
            return _deal(table)
        case PlayBot(seat, action, at):
            if seat != table.turn or not table.places[seat - 1].played_by:
                return _no("stale")
            return _stale(table, at) or _play(table, seat, action)
        case EndTurnTime(at):
            turn = table.turn
            if turn is None or turn != table.acting:
                return _no("stale")
            return _stale(table, at) or (StandInSeated(turn, table.options.stand_in),)
        case GiveUp():
            if not isinstance(next_duty(table), GiveUpDuty):
                return _no("stale")
            return _call_off(table)
        case _:
            assert_never(chore)


def check_fit(table: Table, question: AskFit) -> Refusal | TableRefusal | None:
    """Why these cards can never lie together in that group, if they cannot: by the table's rules alone."""
    phase = table.rules.by_number.get(question.phase)
    if phase is None or not 1 <= question.group <= len(phase.groups):
        return _no("malformed")
    return check_part(phase.groups[question.group - 1], question.cards, table.rules.edition)


def check_question(table: Table, owner: str, question: Question) -> Refusal | TableRefusal | None:
    """Why a bot may not be asked that, if it may not."""
    seat = table.seat_of(owner)
    if seat is None:
        return _no("no-seat")
    if not table.options.hints:
        return _no("hints-off")
    refusal = _not_playing(table) or _stale(table, question.at)
    if refusal is not None:
        return refusal
    if table.places[seat - 1].stand_in:
        return _no("stood-in")
    if table.turn is None:
        return _no("no-game")
    if seat != table.turn:
        return refuse("T-TURN", "not-your-turn", seat=seat, turn=table.turn)
    match question:
        case AskHint(level):
            return unknown_bot(level)
        case AskReasons(action):
            verdict = _play(table, seat, action)
            return None if isinstance(verdict, tuple) else verdict
        case _:
            assert_never(question)


# -- who has a seat ------------------------------------------------------------------------------


def _decide_for_seat(table: Table, owner: str, seat: int, command: SeatCommand) -> Decision:
    match command:
        case ClaimHost():
            return made_host(table, seat) if owner != table.host else _no("already-host")
        case LeaveSeat():
            return (SeatLeft(seat), *successors(table, owner, seat))
        case AddSeed(text):
            return _add_seed(table, seat, text)
        case TakeSeatBack():
            if not table.places[seat - 1].stand_in:
                return _no("not-away")
            return (SeatTakenBack(seat),)
        case Play(action, at):
            if table.places[seat - 1].stand_in:
                return _no("stood-in")
            return _stale(table, at) or _play(table, seat, action)
        case Undo(at):
            return _stale(table, at) or _undo(table, seat)
        case HurryBots():
            return _not_playing(table) or _hurry(table, seat)
        case WantRematch(seed):
            return _want_rematch(table, seat, seed)
        case WantCoach() | SendCoachAway():
            on = isinstance(command, WantCoach)
            is_so = table.places[seat - 1].coach == on
            return ALREADY_DONE if is_so else (CoachSwitched(seat, on),)
        case _:
            assert_never(command)


def _add_seed(table: Table, seat: int, text: str) -> Decision:
    if table.stage != WAITING:
        return _no("game-going-on")
    if not _SEED.fullmatch(text):
        return _no("bad-seed", most=MOST_SEED)
    return (SeedAdded(seat, text),)


# -- the host ------------------------------------------------------------------------------------


def _decide_for_host(table: Table, command: HostCommand) -> Decision:
    match command:
        case SeatBot() | ClearSeat() | PassHost() | SeatStandIn():
            place = table.place(command.seat)
            if place is None:
                return _no("no-such-seat", number=command.seat)
            return _decide_about_seat(table, command.seat, place, command)
        case StartGame():
            return _start(table)
        case DealHand():
            return _deal(table)
        case PauseGame():
            return _not_playing(table) or (GamePaused(),)
        case ResumeGame():
            return (GameResumed(),) if table.paused else _no("not-paused")
        case CallOff():
            return _call_off(table)
        case ChangeOptions(options):
            return _change_options(table, options)
        case CallRematch(seed):
            return _not_finished(table) or (RematchCalled(), *_new_seed(seed))
        case SwitchChat(on):
            return (ChatSwitched(on),)
        case _:
            assert_never(command)


def _decide_about_seat(table: Table, seat: int, place: Place, command: HostSeatCommand) -> Decision:
    match command:
        case SeatBot(level=level):
            if table.stage != WAITING:
                return _no("game-going-on")
            if not place.is_empty:
                return _no("seat-taken")
            return unknown_bot(level) or (seated_bot(table, seat, level),)
        case ClearSeat():
            return clear_seat(table, seat, place, command.reason)
        case PassHost():
            return made_host(table, seat) if place.owner else _no("nobody-there")
        case SeatStandIn(level=level):
            if not place.owner:
                return _no("nobody-there")
            return _not_playing(table) or unknown_bot(level) or (StandInSeated(seat, level),)
        case _:
            assert_never(command)


def _change_options(table: Table, options: Options) -> Decision:
    if table.stage != WAITING:
        return _no("game-going-on")
    try:
        if table.position:
            options = fit_to_position(options, table.position)
        check_options(options)
    except OptionsError as error:
        return _no("bad-options", problem=error.mistake)
    taken = [seat for seat, place in table.seated if not place.is_empty and seat > options.seats]
    if taken:
        return _no("seat-needed", number=taken[-1])
    return (OptionsChanged(options),)


# -- the game ------------------------------------------------------------------------------------


def _new_seed(seed: bytes) -> tuple[TableEvent, ...]:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    return (SeedDrawn(seed.hex()), SeedPromised(commitment(seed)))


def _start(table: Table) -> Decision:
    if table.stage != WAITING:
        return _no("game-going-on")
    bots = [
        seated_bot(table, seat, table.options.stand_in)
        for seat, place in table.seated
        if place.is_empty
    ]
    client_seed = ",".join(f"{seat}:{place.seed}" for seat, place in table.seated if place.seed)
    seats = len(table.places)
    game = first_state(table, (seats - 1 + table.games) % seats + 1, client_seed)
    started = GameStarted(game.sheet.dealer, client_seed)
    # In a position a hand may be going on.
    dealt = _dealt(table, game, client_seed) if game.board is None else ()
    return (*bots, started, *dealt)


def _deal(table: Table) -> Decision:
    refusal = _not_playing(table)
    if refusal is not None:
        return refusal
    if table.game is None or table.turn is not None:
        return _no("game-going-on")
    return _dealt(table, table.game, table.client_seed)


def _dealt(table: Table, game: State, client_seed: str) -> tuple[TableEvent, ...]:
    """The next hand, dealt from the seeds."""
    shuffle = seeded(bytes.fromhex(table.server_seed), client_seed)
    events = deal(game, shuffle(table.rules.edition.deck, len(game.sheet.hands) + 1, 0))
    assert not isinstance(events, Refusal), events.rule  # the deck is the edition's own
    return events


def _call_off(table: Table) -> Decision:
    """The end of a game that nobody wins; what was dealt can be checked all the same."""
    if table.stage != PLAYING:
        return _no("no-game")
    return (GameCalledOff(), SeedRevealed(table.server_seed))


def _not_playing(table: Table) -> TableRefusal | None:
    if table.stage != PLAYING:
        return _no("no-game")
    return _no("paused") if table.paused else None


def _not_finished(table: Table) -> TableRefusal | None:
    return _no("not-finished") if table.stage != FINISHED else None


def _want_rematch(table: Table, seat: int, seed: bytes) -> Decision:
    """A vote for another game; with that of more than half of the people it begins."""
    refusal = _not_finished(table)
    if refusal is not None:
        return refusal
    if table.places[seat - 1].again:
        return _no("already-wanted")
    people = [place for place in table.places if place.owner]
    votes = 1 + sum(place.again for place in people)
    called = (RematchCalled(), *_new_seed(seed)) if 2 * votes > len(people) else ()
    return (RematchWanted(seat), *called)


def _stale(table: Table, at: int) -> TableRefusal | None:
    """A choice must have been made on the game as it stands, whatever was said meanwhile."""
    return None if table.moved <= at <= table.version else _no("stale")


def _play(table: Table, seat: int, action: Action) -> Decision:
    refusal = _not_playing(table)
    game = table.game
    if refusal is not None or game is None:
        return refusal or _no("no-game")
    shuffle = seeded(bytes.fromhex(table.server_seed), table.client_seed)
    verdict = judge(game, seat, action, shuffle)
    if isinstance(verdict, Refusal):
        return verdict
    if isinstance(verdict[-1], GameWon):
        return (*verdict, SeedRevealed(table.server_seed))
    if table.rest or not isinstance(verdict[-1], HandScored | GameTied):
        return verdict
    return (*verdict, *_dealt(table, apply_all(game, verdict), table.client_seed))


def _undo(table: Table, seat: int) -> Decision:
    refusal = _not_playing(table)
    if refusal is not None:
        return refusal
    if seat != table.acting or not table.undo:
        return _no("nothing-to-undo")
    return (StepUndone(seat),)


def _hurry(table: Table, seat: int) -> Decision:
    if table.hurried or not is_bots_turn(table):
        return _no("nobody-to-hurry")
    return (BotsHurried(seat),)
