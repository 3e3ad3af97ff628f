"""A record as a film: one frame for each step, for a client that knows no rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Annotated, Final

from msgspec import Meta

from phaseten.language import Language, Story
from phaseten.notation.codec import (
    EventData,
    RulesData,
    ViewData,
    write_rules,
    write_seen,
    write_view,
)
from phaseten.notation.positions import format_position
from phaseten.notation.records import Record, RecordSyntaxError
from phaseten.notation.replay import follow, follow_seen, rules_of
from phaseten.notation.shapes import card_texts
from phaseten.rules.cards import Card
from phaseten.rules.editions import BOOK_EDITIONS, Edition, EditionError, edition
from phaseten.rules.events import CardDrawn, Event, Seen
from phaseten.rules.mistakes import mistake
from phaseten.rules.state import State
from phaseten.rules.views import View, seen_by, view_of
from phaseten.server.breathing import breathing
from phaseten.server.socket.messages import EVENT, Form

MOST_STEPS: Final = 5_000


class FrameForm(Form, frozen=True):
    """One step of a game, and how things stand after it."""

    line: Annotated[int, Meta(description="Where it stands in the record.")]
    events: tuple[Annotated[EventData, Meta(title=EVENT)], ...]
    sentences: Annotated[tuple[str, ...], Meta(description="What happened, in words.")]
    held: Annotated[
        tuple[tuple[str, ...], ...],
        Meta(description="Everybody's cards by seat, where all hands are open; otherwise empty."),
    ]
    game: ViewData


class ReplayForm(Form, frozen=True):
    """A game, step by step, as one seat saw it or with all hands open."""

    names: tuple[str, ...]
    seat: Annotated[int | None, Meta(description="Whose eyes these are; null: all hands are open.")]
    language: Annotated[str, Meta(description="The language of the sentences.")]
    rules: RulesData
    phases: Annotated[
        tuple[str, ...],
        Meta(description="The Phases of the rules, in the same order, in that language."),
    ]
    frames: tuple[FrameForm, ...]


class NoSuchSeatError(ValueError):
    """A seat from whose eyes the record cannot be watched."""


def book_edition(name: str) -> Edition:
    """An edition of the book: a record from elsewhere must not open files here."""
    if name in BOOK_EDITIONS:
        return edition(name)
    raise EditionError(mistake("book-only"))


class MomentForm(Form, frozen=True):
    """A moment of a game, from which it can be played on."""

    position: Annotated[
        str, Meta(description="Its line: a table can be opened at which games begin so.")
    ]
    seat: Annotated[
        int, Meta(description="Who plays on: whose eyes these are, or whose turn it is.")
    ]


class NoSuchStepError(ValueError):
    """A step that the record does not have."""


def moment(
    record: Record,
    seat: int | None,
    step: int,
    find: Callable[[str], Edition] = book_edition,
) -> MomentForm:
    """The game after that step, counted from 0: whole, or what that seat knew of it.

    Raises RecordSyntaxError, IllegalRecordError, NoSuchSeatError or NoSuchStepError.
    """
    seat = _eyes(record, seat)
    if record.header.seen is None:
        states = (one.state for one in follow(record, find))
        shown = (state if seat is None else view_of(state, seat) for state in states)
    else:
        shown = (one.view for one in follow_seen(record, find))
    position = next(islice(breathing(shown), step, None), None)
    if position is None:
        raise NoSuchStepError
    return moment_of(position)


def moment_of(position: State | View) -> MomentForm:
    """A position, and who plays on from it: who sees it, or whose turn it is."""
    turn = position.board.turn if position.board is not None else 1
    eyes = position.seat if isinstance(position, View) else None
    return MomentForm(format_position(position), eyes or turn)


def _eyes(record: Record, seat: int | None) -> int | None:
    """Whose eyes the record is seen with; None: all hands are open."""
    header = record.header
    seats = range(1, len(header.names) + 1) if header.seen is None else (header.seen,)
    if header.seen is not None and seat is None:
        seat = header.seen
    if seat is not None and seat not in seats:
        raise NoSuchSeatError
    return seat


def replay(
    record: Record,
    seat: int | None,
    language: Language,
    find: Callable[[str], Edition] = book_edition,
) -> ReplayForm:
    """The film of a record, from the eyes of a seat or with all hands open.

    Raises RecordSyntaxError, IllegalRecordError or NoSuchSeatError.
    """
    header = record.header
    seat = _eyes(record, seat)
    rules = rules_of(header, find)
    phases = tuple([language.phase(phase) for phase in rules.phases])
    story = Story(language, header.names, seat)
    shown = _seen_frames if header.seen is not None else _frames
    frames = tuple(islice(breathing(shown(record, seat, story, find)), MOST_STEPS + 1))
    if len(frames) > MOST_STEPS:
        raise RecordSyntaxError(frames[-1].line, mistake("too-many-steps", most=MOST_STEPS))
    if not frames:
        raise RecordSyntaxError(1, mistake("no-hand"))
    return ReplayForm(header.names, seat, language.code, write_rules(rules), phases, frames)


def _frames(
    record: Record, seat: int | None, story: Story, find: Callable[[str], Edition]
) -> Iterator[FrameForm]:
    for step in follow(record, find):
        seen = [_shown(event, seat) for event in step.events]
        held = step.state.held if seat is None else ()
        yield _frame(step.line, seen, story, view_of(step.state, seat), held)


def _seen_frames(
    record: Record, _seat: int | None, story: Story, find: Callable[[str], Edition]
) -> Iterator[FrameForm]:
    for step in follow_seen(record, find):
        yield _frame(step.line, step.events, story, step.view, ())


def _shown(event: Event, seat: int | None) -> Seen:
    """The event as the seat was shown it; where all hands are open, every card drawn is seen."""
    if seat is None and isinstance(event, CardDrawn):
        return seen_by(event, event.seat)
    return seen_by(event, seat)


def _frame(
    line: int,
    seen: list[Seen] | tuple[Seen, ...],
    story: Story,
    view: View,
    held: tuple[tuple[Card, ...], ...],
) -> FrameForm:
    return FrameForm(
        line,
        tuple([write_seen(event) for event in seen]),
        tuple(story.tell(seen)),
        tuple([card_texts(cards) for cards in held]),
        write_view(view),
    )
