"""What the messages are made of, for the page about the protocol and for TypeScript.

Read from the message types themselves, of whichever sort they are: the server's own (msgspec
Structs), the codec's (typed dictionaries) and the events of the game (dataclasses).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from msgspec import NODEFAULT, UNSET, Struct, UnsetType, structs

from phaseten.notation.codec import SEEN, MeldData
from phaseten.notation.shapes import fields_of
from phaseten.rules.melds import Meld


class Field(NamedTuple):
    """A field of a message."""

    name: str
    hint: Any
    about: str
    has_default: bool
    may_lack: bool
    """Whether it can be left out of a message."""


class Description(NamedTuple):
    """A type of message, or of a part of one."""

    name: str
    about: str
    tag: tuple[str, str] | None
    """The field that tells it from others, and what stands there."""
    fields: tuple[Field, ...]


def describe(kind: Any) -> Description:
    """What messages of that type are made of."""
    about = " ".join(inspect.cleandoc(kind.__doc__ or "").split())
    if is_typeddict(kind):
        return _describe_typed(kind, about)
    if issubclass(kind, Struct):
        return _describe_struct(kind, about)
    fields = [
        Field(name, shape.form, "", has_default=False, may_lack=False)
        for name, shape in fields_of(kind).shapes.items()
    ]
    return Description(kind.__name__, about, (SEEN.tag, kind.__name__), tuple(fields))


def _describe_struct(kind: type[Struct], about: str) -> Description:
    config, hints = kind.__struct_config__, get_type_hints(kind, include_extras=True)
    fields = [
        Field(
            field.encode_name,
            hints[field.name],
            find_about(hints[field.name]),
            has_default=field.default not in (NODEFAULT, UNSET)
            or field.default_factory is not NODEFAULT,
            # What a client sends may leave out defaults; what the server says has all but an UNSET one.
            may_lack=not field.required
            and (config.omit_defaults or _may_be_unset(hints[field.name])),
        )
        for field in structs.fields(kind)
    ]
    tag = (config.tag_field, str(config.tag)) if config.tag_field is not None else None
    return Description(kind.__name__, about, tag, tuple(fields))


def _describe_typed(kind: type, about: str) -> Description:
    tag: tuple[str, str] | None = None
    fields: list[Field] = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Literal and len(get_args(hint)) == 1:
            tag = (name, get_args(hint)[0])
            continue
        optional = get_origin(hint) is NotRequired
        inner = get_args(hint)[0] if optional else hint
        fields.append(Field(name, inner, find_about(inner), optional, optional))
    return Description(kind.__name__, about, tag, tuple(fields))


def find_parts(hint: Any) -> Iterator[type]:
    """The types of messages, and of parts of messages, in a type."""
    if hint is Meld:
        yield MeldData
    elif isinstance(hint, type) and _is_message(hint):
        yield hint
    for part in get_args(hint):
        yield from find_parts(part)


def _is_message(kind: Any) -> bool:
    return is_typeddict(kind) or issubclass(kind, Struct) or kind in SEEN.kinds


def find_about(hint: Any) -> str:
    """What a type itself says about its field."""
    if get_origin(hint) is not Annotated:
        inner = [find_about(part) for part in get_args(hint) if get_origin(part) is Annotated]
        return inner[0] if inner else ""
    notes = get_args(hint)[1:]
    return " ".join(note.description for note in notes if note.description)


def _may_be_unset(hint: Any) -> bool:
    parts = get_args(hint)
    if get_origin(hint) is Annotated:
        return _may_be_unset(parts[0])
    return UnsetType in parts
