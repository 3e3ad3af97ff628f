"""Typed values as plain data, and strictly back: how the codec translates one field.

A :class:`Shape` is made once from a type. It writes a value as data that any JSON encoder takes, and
reads such data again with a sentence for everything that is wrong with it. Whole numbers, texts and
rows of them are their own data: writing costs nothing.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Final, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from phaseten.rules.cards import Card, CardSyntaxError, parse_card
from phaseten.rules.editions import EditionError, Group, parse_group

Data = dict[str, Any]
"""A JSON object."""


class DataError(ValueError):
    """Data that is not what it should be; the sentence says where and what is wanted."""


class Shape(NamedTuple):
    """How values of one type are written and read."""

    form: Any
    """The type of the data, as a type hint: for whoever describes the messages."""
    write: Callable[[Any], Any]
    read: Callable[[Any, str], Any]
    """Takes the data and, for sentences, where it stands."""


def _same(value: Any) -> Any:
    return value


def expect(data: Any, kind: type, wanted: str, where: str) -> Any:
    """The data, if it is of that kind; a DataError otherwise. True is no number."""
    if type(data) is not kind:
        raise DataError(f"{where} is {wanted}, not {_shown(data)}")
    return data


def _shown(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 60 else text[:57] + "..."


def read_items(data: Any, where: str) -> Iterable[Any]:
    """The entries of a list."""
    if not isinstance(data, list | tuple):
        raise DataError(f"{where} is a list, not {_shown(data)}")
    return cast("Iterable[Any]", data)


def read_object(
    data: Any, where: str, names: Iterable[str], *, may_lack: Iterable[str] = ()
) -> Data:
    """A JSON object that has these fields, perhaps those that it may lack, and no others."""
    if not isinstance(data, dict):
        raise DataError(f"{where} is an object, not {_shown(data)}")
    found = cast("Data", data)
    needed = tuple(names)
    for name in needed:
        if name not in found:
            raise DataError(f"{where} lacks {name!r}")
    for name in found:
        if name not in needed and name not in may_lack:
            raise DataError(f"{where} has no {_shown(name)}: its fields are {', '.join(needed)}")
    return found


# -- cards, groups and the plain types -----------------------------------------------------------


def card_texts(cards: Iterable[Card]) -> tuple[str, ...]:
    """The cards in text."""
    return tuple([card.text for card in cards])


def read_card(data: Any, where: str) -> Card:
    """The card with this text."""
    try:
        return parse_card(expect(data, str, "a card such as R7, W or S", where))
    except CardSyntaxError as error:
        raise DataError(f"{where}: {error}") from error


def _read_group(data: Any, where: str) -> Group:
    try:
        return parse_group(expect(data, str, "a group such as set 3", where))
    except EditionError as error:
        raise DataError(f"{where}: {error}") from error


def _plain(kind: type, wanted: str) -> Shape:
    def read(data: Any, where: str) -> Any:
        return expect(data, kind, wanted, where)

    return Shape(kind, _same, read)


def _card_text(card: Card) -> str:
    return card.text


def _group_text(group: Group) -> str:
    return group.text


_BASIC: Final[Mapping[Any, Shape]] = {
    int: _plain(int, "a whole number"),
    bool: _plain(bool, "true or false"),
    str: _plain(str, "a text"),
    Card: Shape(str, _card_text, read_card),
    Group: Shape(str, _group_text, _read_group),
}


# -- what is made of them ------------------------------------------------------------------------


@cache
def shape_of(hint: Any) -> Shape:
    """The shape of a type: a plain one, a card, a group, a row, a choice of these, or a class of fields."""
    if hint in _BASIC:
        return _BASIC[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if origin is tuple and parts[-1] is Ellipsis:
        return _row(parts[0])
    if origin is tuple:
        return _fixed_row(parts)
    if origin in (types.UnionType, Union) and len(parts) == 2 and type(None) in parts:
        return _maybe(next(part for part in parts if part is not type(None)))
    if str(origin) == "typing.Literal":
        return _choice(parts)
    if isinstance(hint, type):
        return _class_of_fields(hint)
    raise TypeError(f"{hint!r} has no form as data")


def _row(part: Any) -> Shape:
    inner = shape_of(part)

    def read(data: Any, where: str) -> tuple[Any, ...]:
        return tuple([inner.read(one, where) for one in read_items(data, where)])

    form = tuple[inner.form, ...]
    if part is Card:
        return Shape(form, card_texts, read)
    if inner.write is _same:
        return Shape(form, _same, read)
    write_one = inner.write

    def write(values: Iterable[Any]) -> tuple[Any, ...]:
        return tuple([write_one(value) for value in values])

    return Shape(form, write, read)


def _fixed_row(parts: tuple[Any, ...]) -> Shape:
    inner = [shape_of(part) for part in parts]
    if any(shape.write is not _same for shape in inner):
        raise TypeError("only rows of numbers and texts can have a fixed length")

    def read(data: Any, where: str) -> tuple[Any, ...]:
        values = tuple(read_items(data, where))
        if len(values) != len(inner):
            raise DataError(f"{where} has {len(inner)} entries, not {len(values)}")
        return tuple([shape.read(one, where) for shape, one in zip(inner, values, strict=True)])

    return Shape(tuple[tuple(shape.form for shape in inner)], _same, read)


def _maybe(part: Any) -> Shape:
    inner = shape_of(part)

    def write(value: Any) -> Any:
        return None if value is None else inner.write(value)

    def read(data: Any, where: str) -> Any:
        return None if data is None else inner.read(data, where)

    return Shape(inner.form | None, _same if inner.write is _same else write, read)


def _choice(values: tuple[Any, ...]) -> Shape:
    def read(data: Any, where: str) -> Any:
        if data not in values:
            raise DataError(f"{where} is one of {', '.join(values)}, not {_shown(data)}")
        return data

    return Shape(str, _same, read)


class Fields(NamedTuple):
    """The fields of a class, by name, each with its shape."""

    kind: type
    shapes: dict[str, Shape]

    def write(self, value: object) -> Data:
        """The fields of a value."""
        return {name: shape.write(getattr(value, name)) for name, shape in self.shapes.items()}

    def read(self, data: Any, where: str) -> Any:
        """The value with these fields."""
        found = read_object(data, where, self.shapes)
        return self.make(found, where)

    def make(self, found: Data, where: str) -> Any:
        """The value, from an object that is known to have the fields."""
        return self.kind(
            **{
                name: shape.read(found[name], f"{where}.{name}")
                for name, shape in self.shapes.items()
            }
        )


@cache
def fields_of(kind: type, *, but: tuple[str, ...] = ()) -> Fields:
    """The fields of a dataclass or named tuple, in order, less those that are not told."""
    hints = get_type_hints(kind)
    names: list[str]
    if issubclass(kind, tuple):
        names = list(cast("Any", kind)._fields)
    else:
        names = [field.name for field in fields(cast("Any", kind))]
    return Fields(kind, {name: shape_of(hints[name]) for name in names if name not in but})


def _class_of_fields(kind: type) -> Shape:
    inner = fields_of(kind)
    return Shape(kind, inner.write, inner.read)


class Tagged:
    """A choice of classes, told apart by a field that has the name of the class."""

    def __init__(self, tag: str, kinds: types.UnionType) -> None:
        self.tag = tag
        self.kinds: tuple[type, ...] = get_args(kinds)
        self._by_name = {kind.__name__: fields_of(kind) for kind in self.kinds}
        self._by_kind = {kind: (kind.__name__, fields_of(kind)) for kind in self.kinds}

    def write(self, value: object) -> Data:
        """The value's data; a TypeError for one that is not of the choice."""
        found = self._by_kind.get(type(value))
        if found is None:
            raise TypeError(f"{type(value).__name__} has no form here")
        data: Data = {self.tag: found[0]}
        for name, shape in found[1].shapes.items():
            data[name] = shape.write(getattr(value, name))
        return data

    def read(self, data: Any, where: str) -> Any:
        """The value in that data."""
        if not isinstance(data, dict):
            raise DataError(f"{where} is an object, not {_shown(data)}")
        found = dict(cast("Data", data))
        inner = self._by_name.get(found.pop(self.tag, ""))
        if inner is None:
            names = ", ".join(self._by_name)
            raise DataError(f"{where}.{self.tag} is one of {names}")
        return inner.read(found, where)

    def is_one(self, data: object) -> bool:
        """Whether the data says that it is one of these."""
        found: Any = data
        return isinstance(data, dict) and found.get(self.tag) in self._by_name
