"""What follows from a command at a table, or why it is refused. Nothing is changed here."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final, assert_never

from phaseten.bots.ladder import LADDER
from phaseten.rules.actions import Action
from phaseten.rules.events import GameTied, GameWon, HandScored
from phaseten.rules.referee import apply_all, deal
from phaseten.rules.referee import decide as judge
from phaseten.rules.refusals import Refusal, refuse
from phaseten.rules.shuffle import SEED_BYTES, commitment, seeded
from phaseten.rules.state import State, new_game
from phaseten.table.characters import BOT_NAMES, FACES
from phaseten.table.commands import (
    CHANGES,
    TALK,
    AddSeed,
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
    StartGame,
    SwitchChat,
    TakeSeat,
    TakeSeatBack,
    Undo,
)
from phaseten.table.duties import GiveUpDuty, next_duty
from phaseten.table.events import (
    BotSeated,
    BotsHurried,
    ChatSwitched,
    FaceChosen,
    GameCalledOff,
    GamePaused,
    GameResumed,
    GameStarted,
    HostChanged,
    HostOwned,
    OptionsChanged,
    OwnerBarred,
    PlayerRemoved,
    PlayerRenamed,
    RematchCalled,
    RequestDone,
    SeatLeft,
    SeatMoved,
    SeatOwned,
    SeatTaken,
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
from phaseten.table.names import MOST_NAME, clean_text, is_visible, look_alike
from phaseten.table.options import Options, OptionsError, check_options
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
    """The first step of a table. Its options must make sense (``check_options``)."""
    check_options(command.options)
    name = _name(command.name)
    if not isinstance(name, str):
        return name
    return (
        TableOpened(command.options),
        HostOwned(owner),
        HostChanged(name, None),
        *_new_seed(command.seed),
    )


def decide(table: Table, owner: str, command: Command) -> Decision:
    """What follows when the one with that token asks for this."""
    refusal = _enough(table, command)
    if refusal is not None:
        return refusal
    match command:
        case TakeSeat():
            return _take_seat(table, owner, command)
        case Say() | React():
            return decide_talk(table, owner, command)
        case LeaveSeat() | AddSeed() | TakeSeatBack() | ClaimHost() | Play() | Undo() | HurryBots():
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
    if isinstance(command, CallRematch):
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
            return _unknown_bot(level)
        case AskReasons(action):
            verdict = _play(table, seat, action)
            return None if isinstance(verdict, tuple) else verdict
        case _:
            assert_never(question)


def _name(text: str) -> str | TableRefusal:
    """The name as it is shown, or why nobody can be called that."""
    name = clean_text(text)
    if not 0 < len(name) <= MOST_NAME:
        return _no("bad-name", most=MOST_NAME)
    return name if is_visible(name) else _no("invisible")


# -- sitting down and standing up ----------------------------------------------------------------


def _take_seat(table: Table, owner: str, command: TakeSeat) -> Decision:
    place = table.place(command.seat)
    if place is None:
        return _no("no-such-seat", number=command.seat)
    own = table.seat_of(owner)
    if owner in table.barred:
        return _no("barred")
    if table.stage != WAITING:
        return _no("game-going-on")
    if not place.is_empty and command.seat != own:
        return _no("seat-taken")
    name = _name(command.name)
    if not isinstance(name, str):
        return name
    if command.face and command.face not in FACES:
        return _no("bad-face", names=", ".join(FACES))
    found = look_alike(name, [other.name for seat, other in table.seated if seat != own])
    if found is not None:
        is_same = found.casefold() == name.casefold()
        return _no("name-taken") if is_same else _no("look-alike", name=found)
    if own is None:
        face = (FaceChosen(command.seat, command.face),) if command.face else ()
        taken: Decision = (SeatTaken(command.seat, name), SeatOwned(command.seat, owner), *face)
    else:
        taken = _change_seat(table, own, command._replace(name=name))
    if owner != table.host or not isinstance(taken, tuple):
        return taken
    return (*taken, HostChanged(name, command.seat))


def _change_seat(table: Table, seat: int, wanted: TakeSeat) -> Decision:
    """Another seat, name or face for somebody who sits there."""
    place = table.places[seat - 1]
    renamed = (PlayerRenamed(seat, wanted.name),) if wanted.name != place.name else ()
    faced = (FaceChosen(seat, wanted.face),) if wanted.face not in ("", place.face) else ()
    moved = (SeatMoved(seat, wanted.seat),) if seat != wanted.seat else ()
    return (*renamed, *faced, *moved) or _no("already-seated")


def _decide_for_seat(table: Table, owner: str, seat: int, command: SeatCommand) -> Decision:
    match command:
        case ClaimHost():
            return _host(table, seat) if owner != table.host else _no("already-host")
        case LeaveSeat():
            return (SeatLeft(seat), *_successors(table, owner, seat))
        case AddSeed(text):
            if table.stage != WAITING:
                return _no("game-going-on")
            if not _SEED.fullmatch(text):
                return _no("bad-seed", most=MOST_SEED)
            return (SeedAdded(seat, text),)
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
        case _:
            assert_never(command)


def _successors(table: Table, owner: str, seat: int) -> tuple[TableEvent, ...]:
    """What follows when a seat is given up: a bot for it in a game, and another host."""
    events: tuple[TableEvent, ...] = ()
    if table.stage == PLAYING:
        events = (_bot(table, seat, table.options.stand_in),)
    others = [other for other, place in table.seated if place.owner and other != seat]
    if owner == table.host and others:
        events = (*events, *_host(table, others[0]))
    return events


def _bot(table: Table, seat: int, level: str) -> BotSeated:
    names = {place.name for other, place in table.seated if other != seat}
    name = BOT_NAMES[seat - 1]
    return BotSeated(seat, name if name not in names else f"{name} (bot)", level)


def _host(table: Table, seat: int) -> tuple[TableEvent, ...]:
    place = table.places[seat - 1]
    return (HostOwned(place.owner), HostChanged(place.name, seat))


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
            if table.stage != FINISHED:
                return _no("not-finished")
            return (RematchCalled(), *_new_seed(seed))
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
            return _unknown_bot(level) or (_bot(table, seat, level),)
        case ClearSeat():
            return _clear(table, seat, place)
        case PassHost():
            return _host(table, seat) if place.owner else _no("nobody-there")
        case SeatStandIn(level=level):
            if not place.owner:
                return _no("nobody-there")
            return _not_playing(table) or _unknown_bot(level) or (StandInSeated(seat, level),)
        case _:
            assert_never(command)


def _change_options(table: Table, options: Options) -> Decision:
    if table.stage != WAITING:
        return _no("game-going-on")
    try:
        check_options(options)
    except OptionsError as error:
        return _no("bad-options", problem=error.mistake)
    taken = [seat for seat, place in table.seated if not place.is_empty and seat > options.seats]
    if taken:
        return _no("seat-needed", number=taken[-1])
    return (OptionsChanged(options),)


def _clear(table: Table, seat: int, place: Place) -> Decision:
    if place.is_empty:
        return _no("nobody-there")
    if place.bot:
        return (SeatLeft(seat),) if table.stage != PLAYING else _no("game-going-on")
    if place.owner == table.host:
        return _no("not-yourself")
    gone = (PlayerRemoved(seat), OwnerBarred(place.owner))
    return (*gone, *_successors(table, place.owner, seat))


def _unknown_bot(level: str) -> TableRefusal | None:
    return None if level in LADDER else _no("bad-bot", names=", ".join(LADDER))


# -- the game ------------------------------------------------------------------------------------


def _new_seed(seed: bytes) -> tuple[TableEvent, ...]:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    return (SeedDrawn(seed.hex()), SeedPromised(commitment(seed)))


def _start(table: Table) -> Decision:
    if table.stage != WAITING:
        return _no("game-going-on")
    bots = [
        _bot(table, seat, table.options.stand_in) for seat, place in table.seated if place.is_empty
    ]
    client_seed = ",".join(f"{seat}:{place.seed}" for seat, place in table.seated if place.seed)
    seats = len(table.places)
    dealer = (seats - 1 + table.games) % seats + 1
    started = GameStarted(dealer, client_seed)
    game = new_game(table.rules, seats, dealer)
    return (*bots, started, *_dealt(table, game, client_seed))


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
