"""What a client may ask for over its socket: strict JSON in, commands for the table out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, assert_never, cast

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from phaseten.bots.ladder import LADDER
from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import CardSyntaxError, parse_card
from phaseten.table.commands import (
    AddSeed,
    AskHint,
    AskNeed,
    AskReasons,
    CallOff,
    CallRematch,
    ChangeOptions,
    ClaimHost,
    ClearSeat,
    Command,
    DealHand,
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
    StartGame,
    SwitchChat,
    TakeSeat,
    TakeSeatBack,
    Undo,
)
from phaseten.table.forms import card_texts, read_cards
from phaseten.table.options import Options

MOST_BYTES: Final = 12_288
"""The longest message a client may send; it has room for an edition of one's own."""

At = Annotated[int, Meta(description="The version of the table on which this was chosen.")]
Seat = Annotated[int, Meta(ge=1, le=6, description="A seat, counted from 1.")]
CardText = Annotated[str, Meta(max_length=5, description="A card in text, such as R7, W, S, W=5.")]
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

    id: Annotated[
        int | UnsetType, Meta(description="Any number; a refusal of this request repeats it.")
    ] = UNSET


class Act(Request, frozen=True, kw_only=True):
    """An action in the game, as ``actions`` lists them; sent with ``at``."""

    at: At | UnsetType = UNSET


class DrawForm(Act, frozen=True, tag="draw"):
    """Draw the top card of the draw pile."""


class TakeForm(Act, frozen=True, tag="take"):
    """Take the top card of the discard pile."""


class NothingForm(Act, frozen=True, tag="nothing"):
    """Play on without a card, because none can be drawn."""


class LayForm(Act, frozen=True, tag="lay"):
    """Lay a Phase: one row of cards for each of its groups."""

    melds: Annotated[
        tuple[Annotated[tuple[CardText, ...], Meta(max_length=30)], ...], Meta(max_length=4)
    ]
    phase: Annotated[
        int | None, Meta(description="Which Phase, under the house rule choose_phase.")
    ] = None


class HitForm(Act, frozen=True, tag="hit"):
    """Add cards to a meld: one card, or a pair for a run of pairs."""

    cards: Annotated[tuple[CardText, ...], Meta(max_length=4)]
    seat: Annotated[int, Meta(description="Whose meld.")]
    meld: Annotated[int, Meta(description="Which of that seat's melds, counted from 1.")]


class DiscardForm(Act, frozen=True, tag="discard"):
    """End the turn with a card on the discard pile; a Skip names the seat that is skipped."""

    card: CardText
    target: int | None = None


class UndoForm(Act, frozen=True, tag="undo"):
    """Take back one's own last step, if it revealed nothing; sent with ``at``."""


ActionForm = DrawForm | TakeForm | NothingForm | LayForm | HitForm | DiscardForm


class HintForm(Request, frozen=True, tag="hint"):
    """On turn: ask a bot what it would do; the answer is a ``hint``."""

    at: At
    level: Annotated[Short, Meta(description="Which bot; without it, the strongest.")] = LADDER[-1]


class ExplainForm(Request, frozen=True, tag="explain"):
    """On turn: ask what speaks for an action, or against it; the answer is a ``hint``."""

    at: At
    action: Annotated[ActionForm, Meta(description="An action as ``actions`` lists them.")]


class NeedForm(Request, frozen=True, tag="need"):
    """Ask how far one's own cards go toward the Phase, whoever is on turn; the answer is a ``need``."""

    at: At


class MuteForm(Request, frozen=True, tag="mute"):
    """Do not tell this connection what that seat says and how it reacts, or tell it again.

    The connection forgets it when it ends: a client that comes back says it again.
    """

    seat: Seat
    on: bool


class SitForm(Request, frozen=True, tag="sit"):
    """Take an empty seat before the game; also to move there, or to have another name."""

    seat: Seat
    name: Short


class LeaveForm(Request, frozen=True, tag="leave"):
    """Give up the seat; in a game a bot takes it."""


class BackForm(Request, frozen=True, tag="back"):
    """Play again, after a bot has played for one."""


class SeedForm(Request, frozen=True, tag="seed"):
    """Add to the client seed, before the game."""

    text: Short


class SayForm(Request, frozen=True, tag="say"):
    """Say something to everybody."""

    text: Annotated[str, Meta(max_length=1_000)]


class ReactForm(Request, frozen=True, tag="react"):
    """React with one of the reactions that the welcome lists."""

    reaction: Short


class BotForm(Request, frozen=True, tag="bot"):
    """Host: put a bot in an empty seat."""

    seat: Seat
    level: Short


class ClearForm(Request, frozen=True, tag="clear"):
    """Host: send away whoever sits there."""

    seat: Seat


class HostForm(Request, frozen=True, tag="host"):
    """Host: make the person in that seat the host."""

    seat: Seat


class StandInForm(Request, frozen=True, tag="stand_in"):
    """Host: let a bot play for the person in that seat, who is away."""

    seat: Seat
    level: Short


class ClaimForm(Request, frozen=True, tag="claim_host"):
    """Seated: become the host, when the host has not been connected for a minute."""


class OptionsForm(Request, frozen=True, tag="options"):
    """Host: play in another way, before the game. What is left out has its default."""

    options: Options


class StartForm(Request, frozen=True, tag="start"):
    """Host: start the game; bots fill the empty seats."""


class DealForm(Request, frozen=True, tag="deal"):
    """Host: deal the next hand now, without waiting for the end of the pause."""


class PauseForm(Request, frozen=True, tag="pause"):
    """Host: let nobody act."""


class ResumeForm(Request, frozen=True, tag="resume"):
    """Host: go on."""


class CallOffForm(Request, frozen=True, tag="call_off"):
    """Host: end the game without a winner."""


class RematchForm(Request, frozen=True, tag="rematch"):
    """Host: play again with the same people."""


class ChatForm(Request, frozen=True, tag="chat"):
    """Host: switch the chat on or off."""

    on: bool


Requested = (
    ActionForm
    | UndoForm
    | HintForm
    | ExplainForm
    | NeedForm
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
    | PauseForm
    | ResumeForm
    | CallOffForm
    | RematchForm
    | ChatForm
)
"""What a client may send."""

_DECODER: Final = msgspec.json.Decoder(cast("type[Requested]", Requested))


class MalformedError(ValueError):
    """A message that cannot be read."""


def read_request(data: bytes | str) -> Requested:
    """The request in a message; a MalformedError for anything that is none."""
    if len(data) > MOST_BYTES:
        raise MalformedError
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise MalformedError from error


def command_of(
    request: Requested, new_seed: Callable[[], bytes]
) -> Command | Question | AskNeed | Mute:
    """What a request asks for. A rematch needs a new seed."""
    match request:
        case UndoForm(at=at):
            return Undo(_known(at))
        case DrawForm() | TakeForm() | NothingForm() | LayForm() | HitForm() | DiscardForm():
            return Play(action_of(request), _known(request.at))
        case HintForm(at=at, level=level):
            return AskHint(level, at)
        case ExplainForm(at=at, action=action):
            return AskReasons(action_of(action), at)
        case NeedForm(at=at):
            return AskNeed(at)
        case MuteForm(seat=seat, on=on):
            return Mute(seat, on)
        case RematchForm():
            return CallRematch(new_seed())
        case SitForm() | BotForm() | ClearForm() | HostForm() | StandInForm():
            return _about_seat(request)
        case SeedForm() | SayForm() | ReactForm() | OptionsForm() | ChatForm():
            return _about_table(request)
        case _:
            return _bare(request)


def _about_seat(request: SitForm | BotForm | ClearForm | HostForm | StandInForm) -> Command:
    match request:
        case SitForm(seat=seat, name=name):
            return TakeSeat(seat, name)
        case BotForm(seat=seat, level=level):
            return SeatBot(seat, level)
        case ClearForm(seat=seat):
            return ClearSeat(seat)
        case HostForm(seat=seat):
            return PassHost(seat)
        case StandInForm(seat=seat, level=level):
            return SeatStandIn(seat, level)
        case _:
            assert_never(request)


def _about_table(request: SeedForm | SayForm | ReactForm | OptionsForm | ChatForm) -> Command:
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
        case _:
            assert_never(request)


def _bare(
    request: LeaveForm
    | BackForm
    | ClaimForm
    | StartForm
    | DealForm
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
        case PauseForm():
            return PauseGame()
        case ResumeForm():
            return ResumeGame()
        case CallOffForm():
            return CallOff()
        case _:
            assert_never(request)


def _known(at: int | UnsetType) -> int:
    if at is UNSET:
        raise MalformedError
    return at


def action_of(form: ActionForm) -> Action:
    """The action in that form; a MalformedError where a card is none."""
    try:
        match form:
            case DrawForm():
                return DrawDeck()
            case TakeForm():
                return TakeDiscard()
            case NothingForm():
                return DrawNothing()
            case LayForm(melds=melds, phase=phase):
                return LayPhase(tuple([read_cards(row) for row in melds]), phase)
            case HitForm(cards=cards, seat=seat, meld=meld):
                return Hit(read_cards(cards), seat, meld)
            case DiscardForm(card=card, target=target):
                return Discard(parse_card(card), target)
            case _:
                assert_never(form)
    except CardSyntaxError as error:
        raise MalformedError from error


def action_form(action: Action) -> ActionForm:
    """The form in which a client sends the action back."""
    match action:
        case DrawDeck():
            return DrawForm()
        case TakeDiscard():
            return TakeForm()
        case DrawNothing():
            return NothingForm()
        case LayPhase(melds, phase):
            return LayForm(melds=tuple([card_texts(row) for row in melds]), phase=phase)
        case Hit(cards, owner, meld):
            return HitForm(cards=card_texts(cards), seat=owner, meld=meld)
        case Discard(card, target):
            return DiscardForm(card=card.text, target=target)
        case _:
            assert_never(action)
