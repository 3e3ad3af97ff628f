"""The steps of a table as they are kept: JSON, and strict when it is read back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from phaseten.notation.codec import EVENTS
from phaseten.notation.shapes import Data
from phaseten.table.events import CoachSwitched, OpenEvent, SecretEvent, TableEvent

_OF_THE_TABLE: Final[Any] = SecretEvent | OpenEvent
_SHORT: Final = 120
_OLDEST: Final = 2
"""The form of the events that programs have known for longest."""
_SINCE: Final[dict[type, int]] = {CoachSwitched: 3}
"""The form with which later events came: a program that is older does not touch tables that have them, and no others."""
_ENCODER: Final = msgspec.json.Encoder()


class DamagedStepError(ValueError):
    """A text that is not a kept step; its message says nothing of what is in it."""


def write_events(events: Sequence[TableEvent]) -> str:
    """The events of a step, to be kept."""
    forms = [
        event if isinstance(event, msgspec.Struct) else EVENTS.write(event) for event in events
    ]
    return _ENCODER.encode(forms).decode()


def form_of(events: Sequence[TableEvent]) -> int:
    """The least form by which a program can read these events."""
    return max([_SINCE.get(type(event), _OLDEST) for event in events], default=_OLDEST)


def read_events(text: str) -> tuple[TableEvent, ...]:
    """The events of a kept step."""
    return _read_again(text) if len(text) <= _SHORT else _read(text)


def _read(text: str) -> tuple[TableEvent, ...]:
    try:
        return tuple([_read_event(form) for form in msgspec.json.decode(text, type=list[Data])])
    except (msgspec.DecodeError, ValueError) as error:
        # Without its cause: that could tell cards.
        raise DamagedStepError(f"a kept step cannot be read ({type(error).__name__})") from None


@lru_cache(
    maxsize=4_096
)  # that somebody draws, or discards, a certain card is kept again and again
def _read_again(text: str) -> tuple[TableEvent, ...]:
    return _read(text)


def _read_event(form: Data) -> TableEvent:
    if EVENTS.is_one(form):
        return EVENTS.read(form, "the event")
    return msgspec.convert(form, _OF_THE_TABLE)
