"""What the server says over a socket, strict out.

What goes out is made of ``Open`` and ``Form`` types, and of what the codec makes of a View and of Seen
events. None of them has a place where a State, a hidden card, a seed or a token could stand, and there
is no way in for anything else.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from phaseten.notation.codec import SEEN, ActionData, BoardData, EventData, RulesData, ViewData
from phaseten.table.events import Open
from phaseten.table.options import Options
from phaseten.table.state import Stage

PROTOCOL: Final = 3
"""Changes when an older client would not understand."""
EVENT: Final = "Event"
"""The title of data that is any event which somebody was shown."""


class Form(Struct, frozen=True):
    """A part of a message that anybody who receives it may know."""


class Message(Struct, frozen=True, tag_field="type"):
    """Something that the server says."""


class Welcome(Message, frozen=True, tag="welcome"):
    """The first message of a connection: how the table plays. It comes again when that changes."""

    protocol: Annotated[int, Meta(description="The version of this protocol.")]
    code: Annotated[str, Meta(description="The table's code.")]
    language: Annotated[str, Meta(description="The language of the sentences: en, es, fr or pt.")]
    options: Options
    rules: RulesData
    phases: Annotated[
        tuple[str, ...],
        Meta(description="The Phases of the rules, in the same order, in the player's language."),
    ]
    bots: Annotated[tuple[str, ...], Meta(description="The levels of bots, the weakest first.")]
    reactions: tuple[str, ...]
    faces: Annotated[tuple[str, ...], Meta(description="The faces that players can choose.")]
    coach: Annotated[bool, Meta(description="Whether there is a coach here that can speak up.")]
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
    face: Annotated[str, Meta(description="The character that stands for the player, or empty.")]
    again: Annotated[bool, Meta(description="Whether the player wants another game.")]
    coach: Annotated[
        bool,
        Meta(
            description="Whether the player wants the coach to speak up; it does while all people do."
        ),
    ]


class TableForm(Form, frozen=True):
    """The table around the game."""

    stage: Annotated[Stage, Meta(description="Before, during or after a game.")]
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


class EndedForm(Form, frozen=True):
    """How the table lay when the last hand was over."""

    board: BoardData
    held: Annotated[
        tuple[tuple[str, ...], ...],
        Meta(description="What each seat still held, from seat 1 on: it counts now."),
    ]


class StepForm(Form, frozen=True):
    """What happened in one step, as the receiver may see it."""

    version: int
    at: Annotated[int, Meta(description="When, in milliseconds since 1970.")]
    events: tuple[Open | EventData, ...]
    words: Annotated[
        tuple[str, ...],
        Meta(description="The same in sentences, in the receiver's language; talk is left out."),
    ]

    def __post_init__(self) -> None:
        """Refuse what is not open: types are not checked otherwise."""
        for event in self.events:
            if not isinstance(event, Open) and not SEEN.is_one(event):
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
    game: Annotated[ViewData | None, Meta(description="null before the game.")]
    actions: Annotated[
        tuple[ActionData, ...], Meta(description="What the receiver may do in the game now.")
    ]
    seen: Annotated[
        tuple[EventData, ...] | UnsetType,
        Meta(
            description="This hand so far, as everybody saw it: where the receiver starts anew, or "
            "where a step was taken back. After that the steps tell it."
        ),
    ] = UNSET
    ended: Annotated[
        EndedForm | UnsetType,
        Meta(description="Between two hands and after the last one: how it ended."),
    ] = UNSET


T = TypeVar("T")


class Changed(dict[str, Any], Generic[T]):
    """The fields of a form that have changed, with their values now; all others are as they were.

    A field that is a form itself comes as its changed fields too, or whole where there was none. A row of which
    a part is the same comes as a splice.
    """


class Splice(Form, frozen=True):
    """A row in which some entries are others now: ``less`` of them, from ``at`` on (counted from 0), are replaced by ``more``."""

    at: int
    less: int
    more: tuple[Any, ...]


class Change(Message, frozen=True, tag="change"):
    """What is different from what the receiver was told last; what is left out is as it was."""

    version: int
    steps: Annotated[tuple[StepForm, ...], Meta(description="What happened; often one step.")]
    table: Changed[TableForm] | UnsetType = UNSET
    you: Changed[YouForm] | UnsetType = UNSET
    game: Annotated[
        Changed[ViewData] | UnsetType | None, Meta(description="null: there is no game any more.")
    ] = UNSET
    actions: Annotated[
        tuple[ActionData, ...] | UnsetType,
        Meta(description="What the receiver may do in the game now."),
    ] = UNSET
    seen: Annotated[
        tuple[EventData, ...] | UnsetType,
        Meta(
            description="This hand so far, as everybody saw it: only where a step was taken back."
        ),
    ] = UNSET
    ended: Annotated[
        EndedForm | UnsetType,
        Meta(description="Between two hands and after the last one: how it ended."),
    ] = UNSET


class Refused(Message, frozen=True, tag="refused"):
    """A request was not carried out, and nothing has changed; but for the reason ``unknown``."""

    rule: Annotated[str, Meta(description="A rule of the rulebook, or TABLE.")]
    reason: Annotated[str, Meta(description="The name of the sentence.")]
    sentence: Annotated[str, Meta(description="Why, in the player's language.")]
    version: int
    id: Annotated[int | UnsetType, Meta(description="The request's, if it had one.")] = UNSET


class Done(Message, frozen=True, tag="done"):
    """A request with an id was carried out, now or when it came before."""

    version: Annotated[int, Meta(description="The table's version by then, or a later one.")]
    id: Annotated[int, Meta(description="The request's.")]


class Hint(Message, frozen=True, tag="hint"):
    """The answer to ``hint`` and ``explain``, for the one who asked."""

    version: Annotated[int, Meta(description="The version of the table for which it holds.")]
    level: Annotated[str | None, Meta(description="Which bot would do so; null: none was asked.")]
    action: ActionData
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


class Fit(Message, frozen=True, tag="fit"):
    """The answer to ``fit``, for the one who asked."""

    version: Annotated[int, Meta(description="The version of the table for which it holds.")]
    group: Annotated[int, Meta(description="Which group of the Phase was asked about.")]
    cards: Annotated[tuple[str, ...], Meta(description="Which cards.")]
    rule: Annotated[
        str,
        Meta(description="The rule by which they cannot lie together, or empty where they can."),
    ]
    sentence: Annotated[str, Meta(description="Why not, in the player's language.")]
    id: Annotated[int | UnsetType, Meta(description="The request's, if it had one.")] = UNSET


class Remark(Message, frozen=True, tag="remark"):
    """What the coach says about a move of the receiver that gave something away; nobody else is told."""

    version: Annotated[int, Meta(description="The version that the move made.")]
    percent: Annotated[int, Meta(description="About so much of a game it gave away.")]
    sentence: Annotated[
        str, Meta(description="What was done and what was better, in the player's language.")
    ]
    reasons: Annotated[tuple[str, ...], Meta(description="Why that was better.")]


class Past(Message, frozen=True, tag="past"):
    """The answer to ``past``, for the one who asked."""

    version: Annotated[int, Meta(description="The version of the last step.")]
    steps: Annotated[
        tuple[StepForm, ...],
        Meta(
            description="What happened since the table met for this game; of very much, the last."
        ),
    ]
    id: Annotated[int | UnsetType, Meta(description="The request's, if it had one.")] = UNSET


Outgoing = Welcome | Update | Change | Done | Refused | Hint | Need | Past | Fit | Remark


def _refuse(value: object) -> Any:
    raise TypeError(f"{type(value).__name__} cannot be sent")


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_refuse)


def encode(message: Outgoing) -> bytes:
    """The message as it is sent."""
    if not isinstance(message, Message):  # pyright: ignore[reportUnnecessaryIsInstance]
        _refuse(message)
    return _ENCODER.encode(message)
