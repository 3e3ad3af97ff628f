"""The messages of the WebSocket protocol, strict in and strict out.

What goes out is made of ``Open`` and ``Form`` types only. Neither has a place where a State, a
hidden card, a seed or a token could stand; the forms of the game are made from a View and from
Seen events, and there is no way in for anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, cast

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
from phaseten.rules.events import HandScored, Seen
from phaseten.rules.options import Rules
from phaseten.rules.state import Board
from phaseten.rules.views import View
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
from phaseten.table.events import Open
from phaseten.table.forms import Forms, MeldForm, card_texts, meld_form, read_cards
from phaseten.table.options import Options

PROTOCOL: Final = 1
"""Changes when an older client would not understand."""
MOST_BYTES: Final = 12_288
"""The longest message a client may send; it has room for an edition of one's own."""

# -- in ------------------------------------------------------------------------------------------

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
    """Take back the own last step, if it revealed nothing; sent with ``at``."""


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
    """Ask how far the own cards go toward the Phase, whoever is on turn; the answer is a ``need``."""

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
        case Act(at=at):
            return Play(action_of(request), _known(at))
        case HintForm(at=at, level=level):
            return AskHint(level, at)
        case ExplainForm(at=at, action=action):
            return AskReasons(action_of(action), at)
        case NeedForm(at=at):
            return AskNeed(at)
        case MuteForm(seat=seat, on=on):
            return Mute(seat, on)
        case _:
            return _about_table(request, new_seed)


def _about_table(request: Requested, new_seed: Callable[[], bytes]) -> Command:
    """What a request asks for that does not concern the game itself."""
    match request:
        case RematchForm():
            return CallRematch(new_seed())
        case OptionsForm(options=options):
            return ChangeOptions(options)
        case SitForm() | BotForm() | ClearForm() | HostForm() | StandInForm():
            return _about_seat(request)
        case SeedForm(text=text):
            return AddSeed(text)
        case SayForm(text=text):
            return Say(text)
        case ReactForm(reaction=reaction):
            return React(reaction)
        case ChatForm(on=on):
            return SwitchChat(on)
        case _:
            return _BARE[type(request)]


_BARE: Final[Mapping[type[Struct], Command]] = {
    LeaveForm: LeaveSeat(),
    BackForm: TakeSeatBack(),
    ClaimForm: ClaimHost(),
    StartForm: StartGame(),
    DealForm: DealHand(),
    PauseForm: PauseGame(),
    ResumeForm: ResumeGame(),
    CallOffForm: CallOff(),
}


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


# -- out -----------------------------------------------------------------------------------------


class Form(Struct, frozen=True):
    """A part of a message that anybody who receives it may know."""


class Message(Struct, frozen=True, tag_field="type"):
    """Something that the server says."""


class PhaseForm(Form, frozen=True):
    """One of the Phases."""

    number: int
    groups: Annotated[tuple[str, ...], Meta(description="What must be laid, such as set 3.")]
    words: Annotated[str, Meta(description="The same in the player's language.")]
    must_show: Annotated[int, Meta(description="A number that must be among the cards, or 0.")]


class DeckForm(Form, frozen=True):
    """What the deck is made of. Unshuffled it lies by colour, number and copy; then Wilds, then Skips."""

    colors: Annotated[
        tuple[str, ...], Meta(description="Any of R, B, Y, G, O, in the order of the deck.")
    ]
    highest: Annotated[int, Meta(description="The highest number; the lowest is 1.")]
    copies: Annotated[int, Meta(description="How often each number is there in each colour.")]
    wilds: int
    skips: int


class RulesForm(Form, frozen=True):
    """The rules of the table."""

    edition: str
    title: str
    variant: str
    house: tuple[str, ...]
    deal: Annotated[int, Meta(description="How many cards each player is dealt.")]
    cards: Annotated[int, Meta(description="How many cards the deck has.")]
    deck: DeckForm
    skips: Annotated[str, Meta(description="pile or front: where a played Skip goes.")]
    phases: tuple[PhaseForm, ...]


class Welcome(Message, frozen=True, tag="welcome"):
    """The first message of a connection: how the table plays. It comes again when that changes."""

    protocol: Annotated[int, Meta(description="The version of this protocol.")]
    code: Annotated[str, Meta(description="The table's code.")]
    language: Annotated[str, Meta(description="The language of the sentences: en, es, fr or pt.")]
    options: Options
    rules: RulesForm
    bots: Annotated[tuple[str, ...], Meta(description="The levels of bots, the weakest first.")]
    reactions: tuple[str, ...]
    now: Annotated[
        int,
        Meta(
            description="The server's time, in milliseconds since 1970: what ``due`` is to be "
            "compared with."
        ),
    ]


class SeatForm(Form, frozen=True):
    """A seat and who sits there."""

    name: Annotated[str, Meta(description="Empty where nobody sits.")]
    bot: Annotated[str, Meta(description="The level of the bot that sits there, or empty.")]
    stand_in: Annotated[
        str, Meta(description="The level of the bot that plays for a person, or empty.")
    ]
    seed: Annotated[str, Meta(description="What the player added to the client seed.")]
    connected: Annotated[bool, Meta(description="Whether the player is there; bots always are.")]


class TableForm(Form, frozen=True):
    """The table around the game."""

    stage: Annotated[str, Meta(description="waiting, playing or finished.")]
    paused: bool
    chat: bool
    seats: tuple[SeatForm, ...]
    host: Annotated[int | None, Meta(description="The host's seat, if the host has one.")]
    host_name: str
    host_connected: bool
    watchers: Annotated[int, Meta(description="How many watch.")]
    commitment: Annotated[str, Meta(description="SHA-256 of the server's seed, in hex.")]
    client_seed: Annotated[str, Meta(description="What the players made together.")]
    server_seed: Annotated[
        str | None, Meta(description="The server's seed in hex, once the game is over.")
    ]
    due: Annotated[
        int | None,
        Meta(
            description="When the turn's time is up, a bot acts or the next hand is dealt: "
            "milliseconds since 1970."
        ),
    ]


class YouForm(Form, frozen=True):
    """Who the receiver is."""

    seat: int | None
    host: bool
    undo: Annotated[bool, Meta(description="Whether the last step can be taken back.")]
    hint: Annotated[bool, Meta(description="Whether a bot can be asked for advice now.")]
    muted: Annotated[tuple[int, ...], Meta(description="Whose talk this connection is not told.")]


class BoardForm(Form, frozen=True):
    """What lies open during a hand. Lists by seat begin with seat 1."""

    hand: int
    players: Annotated[tuple[int, ...], Meta(description="Who plays, the first player first.")]
    turn: int
    step: Annotated[str, Meta(description="draw, or play when the card is drawn.")]
    counts: Annotated[tuple[int, ...], Meta(description="How many cards each seat holds.")]
    draw_count: int
    discards: Annotated[tuple[str, ...], Meta(description="The discard pile, its top card last.")]
    melds: Annotated[tuple[tuple[MeldForm, ...], ...], Meta(description="What each seat has laid.")]
    made: Annotated[
        tuple[int, ...], Meta(description="The Phase each seat has laid in this hand, or 0.")
    ]
    waiting: Annotated[tuple[bool, ...], Meta(description="Who loses the next turn.")]
    known: Annotated[
        tuple[tuple[str, ...], ...],
        Meta(description="What each seat took from the discard pile and still holds."),
    ]


class GameForm(Form, frozen=True):
    """The game as the receiver knows it. Lists by seat begin with seat 1."""

    held: Annotated[tuple[str, ...], Meta(description="The receiver's own cards, as they came.")]
    left: Annotated[
        tuple[tuple[int, ...], ...], Meta(description="The Phases each seat has still to make.")
    ]
    totals: tuple[int, ...]
    dealer: int
    tied: tuple[int, ...]
    winner: int | None
    hands: Annotated[tuple[Open, ...], Meta(description="How each hand ended: HandScored events.")]
    board: Annotated[BoardForm | None, Meta(description="null between hands.")]


class StepForm(Form, frozen=True):
    """What happened in one step, as the receiver may see it."""

    version: int
    at: Annotated[int, Meta(description="When, in milliseconds since 1970.")]
    events: tuple[Open, ...]
    words: Annotated[
        tuple[str, ...],
        Meta(description="The same in sentences, in the receiver's language; talk is left out."),
    ]

    def __post_init__(self) -> None:
        """Refuse what is not open: types are not checked otherwise."""
        for event in self.events:
            if not isinstance(event, Open):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"{type(event).__name__} is not for anybody's eyes")


class Update(Message, frozen=True, tag="update"):
    """How things stand, and what happened since the receiver last heard."""

    version: int
    steps: Annotated[
        tuple[StepForm, ...],
        Meta(
            description="Exactly what was missed; empty where the receiver starts anew, or where "
            "nothing has changed but who is connected."
        ),
    ]
    table: TableForm
    you: YouForm
    game: Annotated[GameForm | None, Meta(description="null before the game.")]
    actions: Annotated[
        tuple[ActionForm, ...], Meta(description="What the receiver may do in the game now.")
    ]


class Refused(Message, frozen=True, tag="refused"):
    """A request was not carried out, and nothing has changed."""

    rule: Annotated[str, Meta(description="A rule of the rulebook, or TABLE.")]
    reason: Annotated[str, Meta(description="The name of the sentence.")]
    sentence: Annotated[str, Meta(description="Why, in the player's language.")]
    version: int
    id: Annotated[int | UnsetType, Meta(description="The request's, if it had one.")] = UNSET


class Hint(Message, frozen=True, tag="hint"):
    """The answer to ``hint`` and ``explain``, for the one who asked."""

    version: Annotated[int, Meta(description="The version of the table for which it holds.")]
    level: Annotated[str | None, Meta(description="Which bot would do so; null: none was asked.")]
    action: ActionForm
    reasons: Annotated[
        tuple[str, ...],
        Meta(description="What speaks for it, or against it, in the player's language."),
    ]
    id: Annotated[int | UnsetType, Meta(description="The request's, if it had one.")] = UNSET


class SlotForm(Form, frozen=True):
    """A place in a Phase."""

    card: Annotated[
        str, Meta(description="The card that fills it, or what an empty one waits for.")
    ]
    filled: bool


class AimForm(Form, frozen=True):
    """How it stands with one Phase."""

    phase: int
    missing: Annotated[int, Meta(description="How many cards it still lacks.")]
    rows: Annotated[tuple[tuple[SlotForm, ...], ...], Meta(description="The places of each group.")]
    helpful: Annotated[
        tuple[str, ...], Meta(description="What would bring it nearer; W=7 is any 7. Few, or none.")
    ]


class Need(Message, frozen=True, tag="need"):
    """The answer to ``need``, for the one who asked."""

    version: Annotated[int, Meta(description="The version of the table for which it holds.")]
    aims: Annotated[
        tuple[AimForm, ...],
        Meta(description="The Phases that can still be laid in this hand, the nearest first."),
    ]
    id: Annotated[int | UnsetType, Meta(description="The request's, if it had one.")] = UNSET


Outgoing = Welcome | Update | Refused | Hint | Need

SEEN: Final = Forms(Seen, Open)
"""The events of the game as one seat, or a watcher, is shown them."""


def _refuse(value: object) -> Any:
    raise TypeError(f"{type(value).__name__} cannot be sent")


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_refuse)


def encode(message: Outgoing) -> bytes:
    """The message as it is sent."""
    if not isinstance(message, Message):  # pyright: ignore[reportUnnecessaryIsInstance]
        _refuse(message)
    return _ENCODER.encode(message)


def seen_form(seen: Seen) -> Open:
    """An event of the game as it was shown; a TypeError for one as it happened."""
    return cast("Open", SEEN.write(seen))


def game_form(view: View) -> GameForm:
    """The game as one seat, or a watcher, knows it."""
    if not isinstance(view, View):  # pyright: ignore[reportUnnecessaryIsInstance]
        _refuse(view)
    sheet = view.sheet
    return GameForm(
        card_texts(view.held),
        sheet.left,
        sheet.totals,
        sheet.dealer,
        sheet.tied,
        sheet.winner,
        tuple([_hand_form(hand) for hand in sheet.hands]),
        _board_form(view.board) if view.board is not None else None,
    )


@lru_cache(maxsize=4_096)  # every message has all hands of the game
def _hand_form(hand: HandScored) -> Open:
    return seen_form(hand)


def _board_form(board: Board) -> BoardForm:
    return BoardForm(
        board.hand,
        board.players,
        board.turn,
        board.step,
        board.counts,
        board.draw_count,
        card_texts(board.discards),
        tuple([tuple([meld_form(meld) for meld in row]) for row in board.melds]),
        board.made,
        board.waiting,
        tuple([card_texts(cards) for cards in board.known]),
    )


def rules_form(rules: Rules, words: Callable[[Any], str]) -> RulesForm:
    """The rules; ``words`` says a Phase in the player's language."""
    box = rules.edition
    return RulesForm(
        box.name,
        box.title,
        rules.variant.text,
        tuple(sorted(rules.house | frozenset(box.house))),
        box.deal,
        len(box.deck),
        DeckForm(tuple(box.colors), box.highest, box.copies, box.wilds, box.skips),
        box.skip_goes_to,
        tuple(
            [
                PhaseForm(
                    phase.number,
                    tuple([group.text for group in phase.groups]),
                    words(phase),
                    phase.must_show,
                )
                for phase in rules.phases
            ]
        ),
    )
