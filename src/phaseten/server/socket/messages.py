"""What the server says over a socket, strict out.

What goes out is made of ``Open`` and ``Form`` types only. Neither has a place where a State, a
hidden card, a seed or a token could stand; the forms of the game are made from a View and from
Seen events, and there is no way in for anything else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any, Final, cast

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from phaseten.rules.events import HandScored, Seen
from phaseten.rules.options import Rules
from phaseten.rules.state import Board
from phaseten.rules.views import View
from phaseten.server.socket.requests import ActionForm
from phaseten.table.events import Open
from phaseten.table.forms import Forms, MeldForm, card_texts, meld_form
from phaseten.table.options import Options
from phaseten.table.state import Stage

PROTOCOL: Final = 1
"""Changes when an older client would not understand."""


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
