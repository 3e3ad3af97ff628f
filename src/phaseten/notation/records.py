"""Game records (``.p10``): text in, text out. Whether a record is legal is not asked here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, assert_never

from phaseten.notation.editions import edition_hash, format_edition, parse_edition
from phaseten.notation.moves import Move, MoveSyntaxError, format_moves, parse_moves
from phaseten.notation.positions import PositionError, format_position, parse_position
from phaseten.rules.cards import Card, CardSyntaxError, parse_card
from phaseten.rules.editions import (
    BOOK_EDITIONS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    Edition,
    EditionError,
    edition,
)
from phaseten.rules.mistakes import Mistake, expect, mistake
from phaseten.rules.options import STANDARD, OptionError, Variant, parse_house, parse_variant
from phaseten.rules.shuffle import SEED_BYTES
from phaseten.rules.state import State
from phaseten.rules.views import View

FORMAT: Final = "phaseten-1"
UNKNOWN: Final = "?"

_TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9]*)\s+"((?:[^"\\]|\\["\\])*)"\]\s*(?:;.*)?')
_HAND: Final = re.compile(r"Hand\s+([0-9]{1,4})(?:\s+tiebreak((?:\s+[0-9]{1,2})+))?")
_TURN: Final = re.compile(r"([0-9]{1,2})\s+(.+)")
_POINTS: Final = re.compile(r"([0-9]{1,2}):([0-9]{1,5})")

Row = tuple[Card | None, ...]
"""Cards in order; None where the record does not say (a redacted one)."""


class RecordSyntaxError(ValueError):
    """A text that is no game record."""

    def __init__(self, line: int, why: Mistake) -> None:
        super().__init__(line, why)
        self.line = line
        self.why = why

    def __str__(self) -> str:
        return self.why.sentence


@dataclass(frozen=True)
class Header:
    """What is said of a game before its first hand."""

    edition: str
    names: tuple[str, ...]
    dealer: int
    variant: Variant = STANDARD
    house: frozenset[str] = frozenset()
    server_seed: bytes | None = None
    client_seed: str | None = None
    seen: int | None = None
    """The seat whose knowledge a redacted record shows."""
    carried: Edition | None = None
    """The edition itself, where the record carries it because it is not one of the five."""
    start: State | None = None
    """Where the game began, if that was not before its first hand."""
    other: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further tags, kept as they are."""


@dataclass(frozen=True)
class Turn:
    """A line of play; no moves: the turn was lost to a Skip."""

    seat: int
    moves: tuple[Move, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Reshuffle:
    """The order of a new draw pile."""

    order: Row
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Hand:
    """A hand: its deck, what was played, and the points at its end."""

    number: int
    tiebreak: tuple[int, ...] = ()
    deck: Row | None = None
    entries: tuple[Turn | Reshuffle, ...] = ()
    points: Mapping[int, int] | None = None
    line: int = field(default=0, compare=False)
    deck_line: int = field(default=0, compare=False)
    end_line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Record:
    """A game record."""

    header: Header
    hands: tuple[Hand, ...] = ()


# -- reading -----------------------------------------------------------------------------------


def decode_record(data: bytes) -> str:
    """The text of a record file."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordSyntaxError(line, mistake("not-utf-8")) from error


def parse_record(text: str) -> Record:
    """The record in this text."""
    expect(text, str, "the text of a record")
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    tags: dict[str, tuple[int, str]] = {}
    body: list[tuple[int, str]] = []
    for number, line in lines:
        if line.startswith("["):
            _read_tag(line, number, tags, in_hands=bool(body))
        elif content := line.partition(";")[0].strip():
            body.append((number, content))
    return Record(_Tags(tags).header(), tuple(_read_hands(body)))


def _read_tag(line: str, number: int, tags: dict[str, tuple[int, str]], *, in_hands: bool) -> None:
    match = _TAG.fullmatch(line)
    if match is None:
        raise RecordSyntaxError(number, mistake("tag"))
    if in_hands:
        raise RecordSyntaxError(number, mistake("tag-in-hand"))
    if match[1] in tags:
        raise RecordSyntaxError(number, mistake("tag-twice", tag=match[1]))
    tags[match[1]] = (number, re.sub(r"\\(.)", r"\1", match[2]))


class _Tags:
    """Takes the header out of the tags."""

    def __init__(self, tags: dict[str, tuple[int, str]]) -> None:
        self._tags = tags
        self._rest = dict(tags)

    def header(self) -> Header:
        if not self._tags:
            raise RecordSyntaxError(1, mistake("no-tags", format=FORMAT))
        if self._take("Format") != FORMAT:
            raise self._wrong("Format", mistake("format", format=FORMAT))
        names = self._names()
        return Header(
            edition=self._take("Edition"),
            names=names,
            dealer=self._seat("Dealer", len(names)),
            variant=self._variant(),
            house=self._house(),
            server_seed=self._server_seed(),
            client_seed=self._take("ClientSeed") if "ClientSeed" in self._tags else None,
            seen=self._seat("Seen", len(names)) if "Seen" in self._tags else None,
            carried=self._carried(),
            start=self._start(len(names)),
            other={name: value for name, (_, value) in self._rest.items()},
        )

    def _take(self, name: str) -> str:
        if name not in self._tags:
            last = max(number for number, _ in self._tags.values())
            raise RecordSyntaxError(last, mistake("tag-missing", tag=name))
        self._rest.pop(name, None)
        return self._tags[name][1]

    def _wrong(self, name: str, why: Mistake) -> RecordSyntaxError:
        return RecordSyntaxError(self._tags[name][0], why)

    def _names(self) -> tuple[str, ...]:
        names: list[str] = []
        while f"Seat{len(names) + 1}" in self._tags:
            names.append(self._take(f"Seat{len(names) + 1}"))
        stray = next((name for name in self._rest if re.fullmatch(r"Seat[0-9]+", name)), None)
        if stray is not None or not FEWEST_PLAYERS <= len(names) <= MOST_PLAYERS:
            line = self._tags[stray][0] if stray else 1
            seats = mistake("seats", fewest=FEWEST_PLAYERS, most=MOST_PLAYERS)
            raise RecordSyntaxError(line, seats)
        return tuple(names)

    def _seat(self, name: str, seats: int) -> int:
        text = self._take(name)
        if not re.fullmatch("[0-9]", text) or not 1 <= int(text) <= seats:
            raise self._wrong(name, mistake("seat", tag=name, most=seats, text=text))
        return int(text)

    def _carried(self) -> Edition | None:
        if "EditionText" not in self._tags:
            return None
        name = self._take("Edition")
        try:
            box = parse_edition(
                self._take("EditionText"), source=name if name.endswith(".toml") else ""
            )
        except EditionError as error:
            raise self._wrong("EditionText", error.mistake) from error
        if "EditionHash" in self._tags and self._take("EditionHash") != edition_hash(box):
            raise self._wrong("EditionHash", mistake("edition-hash", hash=edition_hash(box)))
        return box

    def _start(self, seats: int) -> State | None:
        if "Position" not in self._tags:
            return None
        try:
            position = parse_position(self._take("Position"), _book_edition)
        except PositionError as error:
            raise self._wrong("Position", error.mistake) from error
        if isinstance(position, View) or "Seen" in self._tags:
            raise self._wrong("Position", mistake("position-redacted"))
        given = position.sheet.seats
        if given != seats:
            raise self._wrong("Position", mistake("position-seats", given=given, wanted=seats))
        return position

    def _variant(self) -> Variant:
        if "Variant" not in self._tags:
            return STANDARD
        try:
            return parse_variant(self._take("Variant"))
        except OptionError as error:
            raise self._wrong("Variant", error.mistake) from error

    def _house(self) -> frozenset[str]:
        if "House" not in self._tags:
            return frozenset()
        try:
            return parse_house(self._take("House"))
        except OptionError as error:
            raise self._wrong("House", error.mistake) from error

    def _server_seed(self) -> bytes | None:
        if "ServerSeed" not in self._tags:
            return None
        text = self._take("ServerSeed")
        if not re.fullmatch(f"[0-9A-Fa-f]{{{SEED_BYTES * 2}}}", text):
            raise self._wrong("ServerSeed", mistake("server-seed", digits=SEED_BYTES * 2))
        if "Seen" in self._tags:
            raise self._wrong("ServerSeed", mistake("server-seed-told"))
        return bytes.fromhex(text)


def _book_edition(name: str) -> Edition:
    """A record may come from anybody: reading it must not open files."""
    if name not in BOOK_EDITIONS:
        raise EditionError("an edition of your own is written out in a record's position")
    return edition(name)


def _read_hands(body: Sequence[tuple[int, str]]) -> Iterator[Hand]:
    start = 0
    while start < len(body):
        line, text = body[start]
        match = _HAND.fullmatch(text)
        if match is None:
            raise RecordSyntaxError(line, mistake("hand"))
        end = start + 1
        while end < len(body) and not body[end][1].startswith("Hand"):
            end += 1
        tiebreak = tuple(int(seat) for seat in (match[2] or "").split())
        yield _read_hand(int(match[1]), tiebreak, line, body[start + 1 : end])
        start = end


def _read_hand(
    number: int, tiebreak: tuple[int, ...], line: int, body: Sequence[tuple[int, str]]
) -> Hand:
    deck: Row | None = None
    points: dict[int, int] | None = None
    deck_line = end_line = 0
    entries: list[Turn | Reshuffle] = []
    for at, text in body:
        word, _, rest = text.partition(" ")
        if points is not None:
            raise RecordSyntaxError(at, mistake("hand-closed"))
        if word == "Deck":
            if deck is not None or entries:
                raise RecordSyntaxError(at, mistake("deck-place"))
            deck, deck_line = _read_row(rest, at), at
        elif word == "Shuffle":
            entries.append(Reshuffle(_read_row(rest, at), at))
        elif word == "End":
            points, end_line = _read_points(rest, at), at
        else:
            entries.append(_read_turn(text, at))
    return Hand(number, tiebreak, deck, tuple(entries), points, line, deck_line, end_line)


def _read_row(text: str, line: int) -> Row:
    try:
        row = tuple(None if word == UNKNOWN else parse_card(word) for word in text.split())
    except CardSyntaxError as error:
        raise RecordSyntaxError(line, error.mistake) from error
    if not row:
        raise RecordSyntaxError(line, mistake("no-cards"))
    for card in row:
        if card is not None and card.held is not card:
            raise RecordSyntaxError(line, mistake("card-on-table", card=card))
    return row


def _read_points(text: str, line: int) -> dict[int, int]:
    points: dict[int, int] = {}
    for word in text.split():
        match = _POINTS.fullmatch(word)
        if match is None or int(match[1]) in points:
            raise RecordSyntaxError(line, mistake("points"))
        points[int(match[1])] = int(match[2])
    return points


def _read_turn(text: str, line: int) -> Turn:
    match = _TURN.fullmatch(text)
    if match is None:
        raise RecordSyntaxError(line, mistake("turn", text=text))
    if match[2] == "*":
        return Turn(int(match[1]), (), line)
    try:
        return Turn(int(match[1]), parse_moves(match[2]), line)
    except MoveSyntaxError as error:
        raise RecordSyntaxError(line, error.mistake) from error


# -- writing -----------------------------------------------------------------------------------


def format_record(record: Record) -> str:
    """The record in text."""
    parts = ["\n".join(_format_header(record.header))]
    parts += ["\n".join(_format_hand(hand)) for hand in record.hands]
    return "\n\n".join(parts) + "\n"


def _format_header(header: Header) -> Iterator[str]:
    yield _tag("Format", FORMAT)
    yield _tag("Edition", header.edition)
    if header.carried is not None:
        yield _tag("EditionText", format_edition(header.carried))
        yield _tag("EditionHash", edition_hash(header.carried))
    yield _tag("Variant", header.variant.text)
    if header.house:
        yield _tag("House", ",".join(sorted(header.house)))
    for seat, name in enumerate(header.names, 1):
        yield _tag(f"Seat{seat}", name)
    yield _tag("Dealer", str(header.dealer))
    if header.server_seed is not None:
        yield _tag("ServerSeed", header.server_seed.hex())
    if header.client_seed is not None:
        yield _tag("ClientSeed", header.client_seed)
    if header.seen is not None:
        yield _tag("Seen", str(header.seen))
    if header.start is not None:
        yield _tag("Position", format_position(header.start))
    for name, value in header.other.items():
        yield _tag(name, value)


_JOINERS: Final = frozenset(("\u200c", "\u200d", *map(chr, range(0xE0020, 0xE0080))))
"""What shows nothing by itself, and without what some names and emoji fall to pieces."""


def _tag(name: str, value: str) -> str:
    printable = "".join(char if char.isprintable() or char in _JOINERS else " " for char in value)
    escaped = printable.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _format_hand(hand: Hand) -> Iterator[str]:
    seats = "".join(f" {seat}" for seat in hand.tiebreak)
    yield f"Hand {hand.number}" + (f" tiebreak{seats}" if hand.tiebreak else "")
    if hand.deck is not None:
        yield f"Deck {_format_row(hand.deck)}"
    for entry in hand.entries:
        match entry:
            case Reshuffle(order):
                yield f"Shuffle {_format_row(order)}"
            case Turn(seat, moves):
                yield f"{seat} {format_moves(moves) if moves else '*'}"
            case _:
                assert_never(entry)
    if hand.points is not None:
        yield "End " + " ".join(f"{seat}:{points}" for seat, points in hand.points.items())


def _format_row(row: Row) -> str:
    return " ".join(UNKNOWN if card is None else card.text for card in row)
