"""The steps of a table as they are kept: JSON, and strict when it is read back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Union, cast

import msgspec

from phaseten.rules.events import Event
from phaseten.table.events import OpenEvent, Secret, SecretEvent, TableEvent
from phaseten.table.forms import Forms

_GAME: Final = Forms(Event, Secret)
_KINDS: Final[Any] = Union[SecretEvent, OpenEvent, _GAME.union]  # noqa: UP007 - made at run time
_DECODER: Final = msgspec.json.Decoder(tuple[_KINDS, ...])
_ENCODER: Final = msgspec.json.Encoder()


class DamagedStepError(ValueError):
    """A text that is not a kept step; its message says nothing of what is in it."""


def write_events(events: Sequence[TableEvent]) -> str:
    """The events of a step, to be kept."""
    forms = [event if isinstance(event, msgspec.Struct) else _GAME.write(event) for event in events]
    return _ENCODER.encode(forms).decode()


def read_events(text: str) -> tuple[TableEvent, ...]:
    """The events of a kept step."""
    try:
        forms = _DECODER.decode(text)
        return tuple(
            [
                cast("TableEvent", _GAME.read(form) if _GAME.is_form(form) else form)
                for form in forms
            ]
        )
    except (msgspec.DecodeError, ValueError) as error:
        # Without its cause: that could tell cards.
        raise DamagedStepError(f"a kept step cannot be read ({type(error).__name__})") from None
