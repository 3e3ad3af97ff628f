"""The one JSON form of actions, events, rules and views.

What the server sends, what programs in the arena are asked and what a command prints with ``--json``
is made here, so that the same view is the same bytes everywhere. The data is plain: dictionaries,
rows, texts and numbers, for whichever encoder. A card is its text; seats count from 1, and lists by
seat begin with seat 1.

>>> from phaseten.notation.moves import parse_action
>>> write_action(parse_action("H R5>2.1"))
{'do': 'hit', 'cards': ('R5',), 'seat': 2, 'meld': 1}
>>> read_action({"do": "discard", "card": "S", "target": 3})
Discard(card=S, target=3)

Views are written from a View and events from what a seat was shown; neither has a place where a
hidden card could stand, and anything else is refused with a TypeError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    TypedDict,
    assert_never,
    cast,
)

from phaseten.notation.editions import format_edition, is_of_the_book, parse_edition
from phaseten.notation.shapes import (
    Data,
    DataError,
    Tagged,
    card_texts,
    expect,
    fields_of,
    read_card,
    read_items,
    read_object,
    shape_of,
)
from phaseten.rules.actions import (
    Action,
    Discard,
    DrawDeck,
    DrawNothing,
    Hit,
    LayPhase,
    TakeDiscard,
)
from phaseten.rules.cards import Card
from phaseten.rules.editions import (
    BOOK_EDITIONS,
    Edition,
    EditionError,
    Phase,
    edition,
)
from phaseten.rules.events import Event, HandScored, Seen
from phaseten.rules.options import OptionError, Rules, check_house, parse_variant
from phaseten.rules.state import Board, ScoreSheet
from phaseten.rules.views import View

MOST_MELDS: Final = 4
MOST_CARDS: Final = 40


class About(NamedTuple):
    """What a field is, in words: for the pages that describe the messages."""

    description: str


# -- actions -------------------------------------------------------------------------------------


class DrawData(TypedDict):
    """Draw the top card of the draw pile."""

    do: Literal["draw"]


class TakeData(TypedDict):
    """Take the top card of the discard pile."""

    do: Literal["take"]


class NothingData(TypedDict):
    """Play on without a card, because none can be drawn."""

    do: Literal["nothing"]


class LayData(TypedDict):
    """Lay a Phase: one row of cards for each of its groups."""

    do: Literal["lay"]
    melds: tuple[tuple[str, ...], ...]
    phase: NotRequired[Annotated[int, About("Which Phase, under the house rule choose_phase.")]]


class HitData(TypedDict):
    """Add cards to a meld: one card, or a pair for a run of pairs."""

    do: Literal["hit"]
    cards: tuple[str, ...]
    seat: Annotated[int, About("Whose meld.")]
    meld: Annotated[int, About("Which of that seat's melds, counted from 1.")]


class DiscardData(TypedDict):
    """End the turn with a card on the discard pile; a Skip names the seat that is skipped."""

    do: Literal["discard"]
    card: str
    target: NotRequired[int]


ActionData = DrawData | TakeData | NothingData | LayData | HitData | DiscardData
ACTION_NAMES: Final = frozenset({"draw", "take", "nothing", "lay", "hit", "discard"})


def write_action(action: Action) -> ActionData:
    """The action's data."""
    match action:
        case Discard(card, target):  # most of what may be done is one
            discard: DiscardData = {"do": "discard", "card": card.text}
            if target is not None:
                discard["target"] = target
            return discard
        case DrawDeck():
            return {"do": "draw"}
        case TakeDiscard():
            return {"do": "take"}
        case DrawNothing():
            return {"do": "nothing"}
        case LayPhase(melds, phase):
            lay: LayData = {"do": "lay", "melds": tuple([card_texts(row) for row in melds])}
            if phase is not None:
                lay["phase"] = phase
            return lay
        case Hit(cards, owner, meld):
            return {"do": "hit", "cards": card_texts(cards), "seat": owner, "meld": meld}
        case _:
            assert_never(action)


def read_action(data: object) -> Action:
    """The action in that data; a DataError says what is wrong with it."""
    where = "the action"
    found = dict(cast("Data", data)) if isinstance(data, dict) else {}
    do = found.pop("do", None)
    if not isinstance(do, str) or do not in ACTION_NAMES:
        names = ", ".join(sorted(ACTION_NAMES))
        raise DataError(f"{where} is an object whose 'do' is one of {names}")
    return _READERS[do](found, where)


def _read_cards(data: Any, where: str) -> tuple[Card, ...]:
    cards = list(read_items(data, where))
    if len(cards) > MOST_CARDS:
        raise DataError(f"{where} has more than {MOST_CARDS} cards")
    return tuple([read_card(card, where) for card in cards])


def _read_draw(action: Action) -> Callable[[Data, str], Action]:
    def read(data: Data, where: str) -> Action:
        read_object(data, where, ())
        return action

    return read


def _read_lay(data: Data, where: str) -> Action:
    read_object(data, where, ("melds",), may_lack=("phase",))
    rows = list(read_items(data["melds"], f"{where}.melds"))
    if len(rows) > MOST_MELDS:
        raise DataError(f"{where}.melds has more than {MOST_MELDS} melds")
    phase = data.get("phase")
    if phase is not None:
        expect(phase, int, "the number of a Phase", f"{where}.phase")
    return LayPhase(tuple([_read_cards(row, f"{where}.melds") for row in rows]), phase)


def _read_hit(data: Data, where: str) -> Action:
    read_object(data, where, ("cards", "seat", "meld"))
    return Hit(
        _read_cards(data["cards"], f"{where}.cards"),
        expect(data["seat"], int, "a seat", f"{where}.seat"),
        expect(data["meld"], int, "the number of a meld", f"{where}.meld"),
    )


def _read_discard(data: Data, where: str) -> Action:
    read_object(data, where, ("card",), may_lack=("target",))
    target = data.get("target")
    if target is not None:
        expect(target, int, "a seat", f"{where}.target")
    return Discard(read_card(data["card"], f"{where}.card"), target)


_READERS: Final[Mapping[str, Callable[[Data, str], Action]]] = {
    "draw": _read_draw(DrawDeck()),
    "take": _read_draw(TakeDiscard()),
    "nothing": _read_draw(DrawNothing()),
    "lay": _read_lay,
    "hit": _read_hit,
    "discard": _read_discard,
}


# -- events --------------------------------------------------------------------------------------

EventData = NewType("EventData", Data)
"""An event as data: its fields, and its name under ``event``."""

EVENTS: Final = Tagged("event", cast("Any", Event))
"""What happened, hidden cards and all: for logs that nobody is shown."""
SEEN: Final = Tagged("event", cast("Any", Seen))
"""What one seat, or a watcher, was shown."""


def write_seen(seen: Seen) -> EventData:
    """What somebody was shown; a TypeError for an event as it happened."""
    return EventData(SEEN.write(seen))


def read_seen(data: object) -> Seen:
    """What somebody was shown."""
    return SEEN.read(data, "the event")


# -- rules ---------------------------------------------------------------------------------------


class PhaseData(TypedDict):
    """One of the Phases."""

    number: int
    groups: Annotated[tuple[str, ...], About("What must be laid, such as set 3.")]
    must_show: Annotated[int, About("A number that must be among the cards, or 0.")]


class DeckData(TypedDict):
    """What the deck is made of. Unshuffled it lies by colour, number and copy; then Wilds, then Skips."""

    colors: Annotated[tuple[str, ...], About("Any of R, B, Y, G, O, in the order of the deck.")]
    highest: Annotated[int, About("The highest number; the lowest is 1.")]
    copies: Annotated[int, About("How often each number is there in each colour.")]
    wilds: int
    skips: int


class RulesData(TypedDict):
    """The rules of a game."""

    edition: str
    title: str
    custom: Annotated[
        str, About("The whole edition in one line where it is none of the book's, or empty.")
    ]
    variant: str
    house: tuple[str, ...]
    deal: Annotated[int, About("How many cards each player is dealt.")]
    cards: Annotated[int, About("How many cards the deck has.")]
    deck: DeckData
    skips: Annotated[str, About("pile or front: where a played Skip goes.")]
    phases: tuple[PhaseData, ...]


@lru_cache(maxsize=256)  # tables of the same kind share their rules
def write_rules(rules: Rules) -> RulesData:
    """The rules' data."""
    box = rules.edition
    return {
        "edition": box.name,
        "title": box.title,
        "custom": "" if is_of_the_book(box) else format_edition(box),
        "variant": rules.variant.text,
        "house": tuple(sorted(rules.house | frozenset(box.house))),
        "deal": box.deal,
        "cards": len(box.deck),
        "deck": {
            "colors": tuple(box.colors),
            "highest": box.highest,
            "copies": box.copies,
            "wilds": box.wilds,
            "skips": box.skips,
        },
        "skips": box.skip_goes_to,
        "phases": tuple([_write_phase(phase) for phase in rules.phases]),
    }


def _write_phase(phase: Phase) -> PhaseData:
    return {
        "number": phase.number,
        "groups": tuple([group.text for group in phase.groups]),
        "must_show": phase.must_show,
    }


def read_rules(data: object) -> Rules:
    """The rules in that data. What follows from the edition is not read, but made anew."""
    where = "the rules"
    found = read_object(data, where, RulesData.__annotations__)
    for name in ("edition", "custom", "variant"):
        expect(found[name], str, "a text", f"{where}.{name}")
    house = shape_of(tuple[str, ...]).read(found["house"], f"{where}.house")
    try:
        box = _read_edition(found["edition"], found["custom"])
        own = frozenset(house) - frozenset(box.house)
        return Rules(box, parse_variant(found["variant"]), check_house(own))
    except (EditionError, OptionError) as error:
        raise DataError(f"{where}: {error}") from error


def _read_edition(name: str, custom: str) -> Edition:
    if custom:
        return parse_edition(custom)
    if name not in BOOK_EDITIONS:
        raise DataError(
            f"the rules name {name!r}, which is no edition by the book, and do not tell it"
        )
    return edition(name)


# -- views ---------------------------------------------------------------------------------------


class MeldData(TypedDict):
    """The cards on the table that answer a group."""

    group: str
    cards: tuple[str, ...]


class BoardData(TypedDict):
    """What lies open during a hand. Lists by seat begin with seat 1."""

    hand: int
    players: Annotated[tuple[int, ...], About("Who plays, the first player first.")]
    turn: int
    step: Annotated[str, About("draw, or play when the card is drawn.")]
    counts: Annotated[tuple[int, ...], About("How many cards each seat holds.")]
    draw_count: int
    discards: Annotated[tuple[str, ...], About("The discard pile, its top card last.")]
    melds: Annotated[tuple[tuple[MeldData, ...], ...], About("What each seat has laid.")]
    made: Annotated[tuple[int, ...], About("The Phase each seat has laid in this hand, or 0.")]
    waiting: Annotated[tuple[bool, ...], About("Who loses the next turn.")]
    skipped_by: Annotated[
        tuple[int, ...], About("Whose Skip still protects each seat from another one, or 0.")
    ]
    taken: Annotated[
        str | None, About("The card taken from the discard pile in this turn, if one was.")
    ]
    reshuffles: Annotated[int, About("How often the discard pile became the draw pile.")]
    quiet: Annotated[
        int, About("Turns begun since something was laid or hit, this one included (H-DEAD).")
    ]


class ViewData(TypedDict):
    """The game as one seat, or a watcher, knows it. Lists by seat begin with seat 1."""

    seat: Annotated[int | None, About("Who looks; null: a watcher.")]
    held: Annotated[tuple[str, ...], About("The seat's own cards, as they came.")]
    left: Annotated[tuple[tuple[int, ...], ...], About("The Phases each seat has still to make.")]
    totals: tuple[int, ...]
    dealer: int
    tied: tuple[int, ...]
    winner: int | None
    hands: Annotated[tuple[EventData, ...], About("How each hand ended: HandScored events.")]
    board: Annotated[BoardData | None, About("null between hands.")]


_BOARD: Final = fields_of(Board, but=("seen",))
_SHEET: Final = fields_of(ScoreSheet, but=("hands",))


def write_board(board: Board) -> BoardData:
    """What lies open on the table."""
    return cast("BoardData", _BOARD.write(board))


def write_view(view: View) -> ViewData:
    """What one seat, or a watcher, knows; a TypeError for anything but a View.

    What was seen in this hand is told as it happens, by events, and is not repeated in every view.
    """
    if not isinstance(view, View):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{type(view).__name__} is not for anybody's eyes")
    sheet = view.sheet
    return {
        "seat": view.seat,
        "held": card_texts(view.held),
        "left": sheet.left,
        "totals": sheet.totals,
        "dealer": sheet.dealer,
        "tied": sheet.tied,
        "winner": sheet.winner,
        "hands": write_hands(sheet.hands),
        "board": write_board(view.board) if view.board is not None else None,
    }


def write_hands(hands: Sequence[HandScored]) -> tuple[EventData, ...]:
    """How each hand ended."""
    return tuple([_write_hand(hand) for hand in hands])


@lru_cache(maxsize=4_096)  # every view has all hands of the game
def _write_hand(hand: HandScored) -> EventData:
    return write_seen(hand)


def read_view(data: object, rules: Rules, seen: Sequence[Seen] = ()) -> View:
    """The view in that data, with the rules of the game and what was seen in this hand."""
    where = "the view"
    found = read_object(data, where, ViewData.__annotations__)
    hands = [SEEN.read(hand, f"{where}.hands") for hand in read_items(found["hands"], where)]
    if not all(isinstance(hand, HandScored) for hand in hands):
        raise DataError(f"{where}.hands has HandScored events only")
    sheet = _SHEET.make(found, where)._replace(hands=tuple(hands))
    board = None
    if found["board"] is not None:
        board = _BOARD.read(found["board"], f"{where}.board")._replace(seen=tuple(seen))
    seat = shape_of(int | None).read(found["seat"], f"{where}.seat")
    return View(rules, seat, sheet, board, _read_cards(found["held"], f"{where}.held"))
