"""What a client may ask for over its socket: strict JSON in, commands for the table out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, assert_never, cast

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from phaseten.bots.ladder import MASTER
from phaseten.notation.codec import ACTION_NAMES, DataError, read_action
from phaseten.notation.shapes import Data
from phaseten.rules.actions import Action
from phaseten.rules.cards import Card, parse_card
from phaseten.table.commands import (
    AddSeed,
    AskFit,
    AskHint,
    AskNeed,
    AskPast,
    AskReasons,
    CallOff,
    CallRematch,
    ChangeOptions,
    ClaimHost,
    ClearSeat,
    Command,
    DealHand,
    HurryBots,
    LeaveSeat,
    Mute,
    PassHost,
    PauseGame,
    Play,
    Question,
    React,
    ResumeGame,
    Say,
    SeatBot,
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
from phaseten.table.options import Options

MOST_BYTES: Final = 12_288
"""The longest message a client may send; it has room for an edition of one's own."""

MOST_HELD: Final = 21
"""Nobody ever holds more cards."""

At = Annotated[int, Meta(description="The version of the table on which this was chosen.")]
Seat = Annotated[int, Meta(ge=1, le=6, description="A seat, counted from 1.")]
Short = Annotated[str, Meta(max_length=100)]


class Request(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="do",
    kw_only=True,
):
    """Something that a client asks for."""

    id: Annotated[int | UnsetType, Meta(description="Any number; the answer repeats it.")] = UNSET


class TimelessRequest(
    Request,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="do",
    kw_only=True,
):
    """Something that can be asked for whatever has happened since."""

    at: Annotated[
        int | UnsetType,
        Meta(description="The version that the client knew; with an id, nothing is done twice."),
    ] = UNSET


class PlayForm(Struct, frozen=True):
    """An action in the game, as ``actions`` lists them; sent with ``at``."""

    action: Action
    at: At
    id: int | UnsetType = UNSET


class UndoForm(Request, frozen=True, tag="undo"):
    """Take back one's own last step, if it revealed nothing; sent with ``at``."""

    at: At


class HintForm(Request, frozen=True, tag="hint"):
    """On turn: ask a bot what it would do; the answer is a ``hint``."""

    at: At
    level: Annotated[Short, Meta(description="Which bot; without it, the master.")] = MASTER


class ExplainForm(Request, frozen=True, tag="explain"):
    """On turn: ask what speaks for an action, or against it; the answer is a ``hint``."""

    at: At
    action: Annotated[dict[str, Any], Meta(description="An action as ``actions`` lists them.")]


class NeedForm(Request, frozen=True, tag="need"):
    """Ask how far one's own cards go toward the Phase, whoever is on turn; the answer is a ``need``."""

    at: At


class FitForm(TimelessRequest, frozen=True, tag="fit"):
    """Ask whether cards of one's own can lie together in a group of a Phase, alone or with others; the answer is a ``fit``."""

    phase: Annotated[int, Meta(ge=1, le=20, description="The number of the Phase.")]
    group: Annotated[int, Meta(ge=1, le=2, description="Which of its groups, counted from 1.")]
    cards: Annotated[tuple[Short, ...], Meta(max_length=MOST_HELD)]


class PastForm(TimelessRequest, frozen=True, tag="past"):
    """Ask what happened in this game before one came, talk included; the answer is a ``past``."""


class MuteForm(TimelessRequest, frozen=True, tag="mute"):
    """Do not tell this connection what that seat says and how it reacts, or tell it again.

    The connection forgets it when it ends: a client that comes back says it again.
    """

    seat: Seat
    on: bool


class SitForm(TimelessRequest, frozen=True, tag="sit"):
    """Take an empty seat before the game; also to move there, or to have another name or face.

    In a game a bot's seat can be taken, where the option ``join`` is on.
    """

    seat: Seat
    name: Short
    face: Annotated[Short, Meta(description="One of the faces that the welcome lists.")] = ""


class LeaveForm(TimelessRequest, frozen=True, tag="leave"):
    """Give up the seat; in a game a bot takes it."""


class BackForm(TimelessRequest, frozen=True, tag="back"):
    """Play again, after a bot has played for one."""


class SeedForm(TimelessRequest, frozen=True, tag="seed"):
    """Add to the client seed, before the game."""

    text: Short


class SayForm(TimelessRequest, frozen=True, tag="say"):
    """Say something to everybody."""

    text: Annotated[str, Meta(max_length=1_000)]


class ReactForm(TimelessRequest, frozen=True, tag="react"):
    """React with one of the reactions that the welcome lists."""

    reaction: Short


class BotForm(TimelessRequest, frozen=True, tag="bot"):
    """Host: put a bot in an empty seat."""

    seat: Seat
    level: Short


class ClearForm(TimelessRequest, frozen=True, tag="clear"):
    """Host: send away whoever sits there. A person cannot sit at this table again."""

    seat: Seat
    reason: Annotated[
        str, Meta(max_length=1_000, description="What that one and everybody is told.")
    ] = ""


class HostForm(TimelessRequest, frozen=True, tag="host"):
    """Host: make the person in that seat the host."""

    seat: Seat


class StandInForm(TimelessRequest, frozen=True, tag="stand_in"):
    """Host: let a bot play for the person in that seat, who is away."""

    seat: Seat
    level: Short


class ClaimForm(TimelessRequest, frozen=True, tag="claim_host"):
    """Seated: become the host, when the host has not been connected for a minute."""


class OptionsForm(TimelessRequest, frozen=True, tag="options"):
    """Host: play in another way, before the game. What is left out has its default."""

    options: Options


class StartForm(TimelessRequest, frozen=True, tag="start"):
    """Host: start the game; bots fill the empty seats."""


class DealForm(TimelessRequest, frozen=True, tag="deal"):
    """Host: deal the next hand now, without waiting for the end of the pause."""


class HurryForm(TimelessRequest, frozen=True, tag="hurry"):
    """Seated: do not wait for bots until a person is on turn."""


class PauseForm(TimelessRequest, frozen=True, tag="pause"):
    """Host: let nobody act."""


class ResumeForm(TimelessRequest, frozen=True, tag="resume"):
    """Host: go on."""


class CallOffForm(TimelessRequest, frozen=True, tag="call_off"):
    """Host: end the game without a winner."""


class RematchForm(TimelessRequest, frozen=True, tag="rematch"):
    """Host: play again with the same people."""


class AgainForm(TimelessRequest, frozen=True, tag="again"):
    """Seated: want to play again; when more than half of the people do, the rematch is called."""


class CoachForm(TimelessRequest, frozen=True, tag="coach"):
    """Seated: want the coach to speak up after moves, or not any more; it does while all people at the table want it."""

    on: bool


class ChatForm(TimelessRequest, frozen=True, tag="chat"):
    """Host: switch the chat on or off."""

    on: bool


RequestForm = (
    UndoForm
    | HintForm
    | ExplainForm
    | NeedForm
    | FitForm
    | PastForm
    | MuteForm
    | SitForm
    | LeaveForm
    | BackForm
    | SeedForm
    | SayForm
    | ReactForm
    | BotForm
    | ClearForm
    | HostForm
    | StandInForm
    | ClaimForm
    | OptionsForm
    | StartForm
    | DealForm
    | HurryForm
    | PauseForm
    | ResumeForm
    | CallOffForm
    | RematchForm
    | AgainForm
    | CoachForm
    | ChatForm
)
"""What a client may send beside the actions of the game, which are in the codec's own form."""

Requested = PlayForm | RequestForm
"""What a client may send."""


class MalformedError(ValueError):
    """A message that cannot be read."""


class _Numbered(Struct, frozen=True):
    """Any message with a number, or without."""

    id: int | UnsetType = UNSET


def read_id(data: bytes | str) -> int | UnsetType:
    """The number of a message that is not carried out, whatever else it says: its sender waits for an answer."""
    try:
        return msgspec.json.decode(data[:MOST_BYTES], type=_Numbered).id
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return UNSET


def read_request(data: bytes | str) -> Requested:
    """The request in a message; a MalformedError for anything that is none."""
    if len(data) > MOST_BYTES:
        raise MalformedError
    try:
        found: object = msgspec.json.decode(data)
        if isinstance(found, dict) and cast("Data", found).get("do") in ACTION_NAMES:
            return _read_play(cast("Data", found))
        request = msgspec.convert(found, cast("type[RequestForm]", RequestForm))
        if isinstance(request, ExplainForm):
            read_action(request.action)
    except (msgspec.DecodeError, DataError, TypeError, RecursionError, UnicodeError) as error:
        raise MalformedError from error
    return request


def _read_play(found: Data) -> PlayForm:
    at, number = found.pop("at", None), found.pop("id", UNSET)
    if type(at) is not int or type(number) not in (int, UnsetType):
        raise MalformedError
    return PlayForm(read_action(found), at, number)


def command_of(
    request: Requested, new_seed: Callable[[], bytes]
) -> Command | Question | AskNeed | AskPast | AskFit | Mute:
    """What a request asks for. A rematch needs a new seed."""
    match request:
        case PlayForm(action=action, at=at):
            return Play(action, at)
        case UndoForm(at=at):
            return Undo(at)
        case HintForm(at=at, level=level):
            return AskHint(level, at)
        case ExplainForm(at=at, action=action):
            return AskReasons(read_action(action), at)
        case NeedForm(at=at):
            return AskNeed(at)
        case FitForm(phase=phase, group=group, cards=cards):
            return AskFit(phase, group, _held(cards))
        case PastForm():
            return AskPast()
        case MuteForm(seat=seat, on=on):
            return Mute(seat, on)
        case RematchForm() | AgainForm():
            seed = new_seed()
            return CallRematch(seed) if isinstance(request, RematchForm) else WantRematch(seed)
        case SitForm() | BotForm() | ClearForm() | HostForm() | StandInForm():
            return _about_seat(request)
        case SeedForm() | SayForm() | ReactForm() | OptionsForm() | ChatForm() | CoachForm():
            return _about_table(request)
        case _:
            return _bare(request)


def _held(texts: Sequence[str]) -> tuple[Card, ...]:
    try:
        return tuple([parse_card(text).held for text in texts])
    except ValueError as error:
        raise MalformedError from error


def _about_seat(request: SitForm | BotForm | ClearForm | HostForm | StandInForm) -> Command:
    match request:
        case SitForm(seat=seat, name=name, face=face):
            return TakeSeat(seat, name, face)
        case BotForm(seat=seat, level=level):
            return SeatBot(seat, level)
        case ClearForm(seat=seat, reason=reason):
            return ClearSeat(seat, reason)
        case HostForm(seat=seat):
            return PassHost(seat)
        case StandInForm(seat=seat, level=level):
            return SeatStandIn(seat, level)
        case _:
            assert_never(request)


def _about_table(
    request: SeedForm | SayForm | ReactForm | OptionsForm | ChatForm | CoachForm,
) -> Command:
    match request:
        case SeedForm(text=text):
            return AddSeed(text)
        case SayForm(text=text):
            return Say(text)
        case ReactForm(reaction=reaction):
            return React(reaction)
        case OptionsForm(options=options):
            return ChangeOptions(options)
        case ChatForm(on=on):
            return SwitchChat(on)
        case CoachForm(on=on):
            return WantCoach() if on else SendCoachAway()
        case _:
            assert_never(request)


def _bare(
    request: LeaveForm
    | BackForm
    | ClaimForm
    | StartForm
    | DealForm
    | HurryForm
    | PauseForm
    | ResumeForm
    | CallOffForm,
) -> Command:
    """What is asked for in one word."""
    match request:
        case LeaveForm():
            return LeaveSeat()
        case BackForm():
            return TakeSeatBack()
        case ClaimForm():
            return ClaimHost()
        case StartForm():
            return StartGame()
        case DealForm():
            return DealHand()
        case HurryForm():
            return HurryBots()
        case PauseForm():
            return PauseGame()
        case ResumeForm():
            return ResumeGame()
        case CallOffForm():
            return CallOff()
        case _:
            assert_never(request)
