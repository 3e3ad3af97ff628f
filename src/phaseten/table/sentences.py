"""What happened at a table, in sentences: made from what one seat, or a watcher, is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Final, NamedTuple, assert_never

from phaseten.language import Language, Story
from phaseten.language.story import tell_often
from phaseten.rules.events import GameTied, Seen
from phaseten.table.events import (
    BotSeated,
    BotsHurried,
    ChatSwitched,
    CoachSwitched,
    FaceChosen,
    GameCalledOff,
    GamePaused,
    GameResumed,
    GameStarted,
    HostChanged,
    Open,
    OpenEvent,
    OptionsChanged,
    PlayerRemoved,
    PlayerRenamed,
    Reacted,
    RematchCalled,
    RematchWanted,
    Said,
    SeatLeft,
    SeatMoved,
    SeatTaken,
    SeatTakenBack,
    SeedAdded,
    SeedPromised,
    SeedRevealed,
    StandInSeated,
    StepUndone,
    TableOpened,
)

Shown = OpenEvent | Seen
"""What one seat, or a watcher, is shown of an event."""

_SEATS: Final = ("seat", "to", "owner", "target", "dealer", "out")
"""The fields that name a seat."""


class Names(NamedTuple):
    """Who sat where before a step, and after it."""

    before: Sequence[str]
    after: Sequence[str]


def mentioned(events: Sequence[Shown]) -> frozenset[int]:
    """The seats that hear of themselves: all others are told the same."""
    found: set[int] = set()
    for event in events:
        if isinstance(event, GameTied):
            found.update(event.seats)
        else:
            found.update([getattr(event, name) or 0 for name in _seats_in(type(event))])
    return frozenset(found)


@cache
def _seats_in(kind: type) -> tuple[str, ...]:
    """The fields of an event that name a seat."""
    return tuple([name for name in _SEATS if hasattr(kind, name)])


def words(
    events: Sequence[Shown], names: Names, seat: int | None, language: Language
) -> tuple[str, ...]:
    """The events of one step as they are told to that seat, or to a watcher."""
    if len(events) == 1 and not isinstance(events[0], Open):
        often = tell_often(language, events[0], names.after, seat)
        if often is not None:
            return (often,)
    story = Story(language, names.after, seat)
    said: list[str] = []
    for is_open, group in groupby(events, lambda event: isinstance(event, Open)):
        if is_open:
            around = _Around(language, names, seat)
            said += around.tell([event for event in group if isinstance(event, Open)])
        else:
            said += story.tell([event for event in group if not isinstance(event, Open)])
    return tuple(said)


class _Around:
    """Tells what happened around the game."""

    def __init__(self, language: Language, names: Names, seat: int | None) -> None:
        self._language = language
        self._names = names
        self._seat = seat

    def tell(self, events: Sequence[OpenEvent]) -> Iterator[str]:
        """One sentence for each event that needs one."""
        for event in events:
            if isinstance(event, HostChanged) and isinstance(
                events[0], SeatTaken | SeatMoved | PlayerRenamed
            ):
                continue  # the host stays the same one and only moves or is called otherwise
            sentence = self._sentence(event)
            if sentence:
                yield sentence

    def _sentence(self, event: OpenEvent) -> str | None:
        match event:
            case SeatTaken() | SeatMoved() | PlayerRenamed() | SeatLeft() | PlayerRemoved():
                return self._seats(event)
            case BotSeated(seat, name, level):
                level = self._language.say(f"terminal.level.{level}")
                return self._say("bot", name=name, seat=seat, level=level)
            case StandInSeated(seat):
                return self._about("stand_in", seat)
            case SeatTakenBack(seat):
                return self._about("back", seat)
            case HostChanged(name, seat):
                return self._say(
                    "host.you" if seat and seat == self._seat else "host.other", name=name
                )
            case StepUndone(seat):
                return self._about("undone", seat)
            case RematchWanted(seat):
                return self._about("again", seat)
            case CoachSwitched(seat, on):
                return self._about("coach_on" if on else "coach_off", seat)
            case ChatSwitched(on):
                return self._say("chat_on" if on else "chat_off")
            case Reacted(seat, reaction):
                text = self._language.say(f"table.reaction.{reaction}")
                return self._say("reacted", name=self._names.after[seat - 1], text=text)
            case (
                TableOpened() | SeedPromised() | SeedAdded() | FaceChosen() | BotsHurried() | Said()
            ):
                return None  # what somebody said stands for itself, and of seeds only the last needs a word
            case _:
                return self._say(_course(event))

    def _seats(
        self, event: SeatTaken | SeatMoved | PlayerRenamed | SeatLeft | PlayerRemoved
    ) -> str:
        before = self._names.before
        match event:
            case SeatTaken(seat):
                return self._about("sat", seat, seat=seat)
            case SeatMoved(_, to):
                return self._about("moved", to, seat=to)
            case PlayerRenamed(seat, name):
                return self._say("renamed", before=before[seat - 1], name=name)
            case SeatLeft(seat):
                return self._say("left", name=before[seat - 1])
            case PlayerRemoved(seat, reason):
                why = "removed_why" if reason else "removed"
                return self._say(why, name=before[seat - 1], reason=reason)
            case _:
                assert_never(event)

    def _about(self, name: str, who: int, **values: object) -> str:
        """A sentence about somebody, or for that one."""
        if who == self._seat:
            return self._say(f"{name}.you", **values)
        return self._say(f"{name}.other", name=self._names.after[who - 1], **values)

    def _say(self, sentence: str, **values: object) -> str:
        return self._language.say(f"table.told.{sentence}", **values)


def _course(
    event: OptionsChanged
    | SeedRevealed
    | GameStarted
    | GamePaused
    | GameResumed
    | GameCalledOff
    | RematchCalled,
) -> str:
    """The sentence for what is told in the same words to everybody."""
    match event:
        case OptionsChanged():
            return "options"
        case SeedRevealed():
            return "revealed"
        case GameStarted():
            return "started"
        case GamePaused():
            return "paused"
        case GameResumed():
            return "resumed"
        case GameCalledOff():
            return "called_off"
        case RematchCalled():
            return "rematch"
        case _:
            assert_never(event)
