"""The events of the game as JSON: cards as text, a meld as its group and its cards.

The forms are made from the events' own fields, so that an event cannot have a field that its form
lacks. Each form is a msgspec Struct whose tag, ``event``, is the event's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from types import UnionType
from typing import Any, Final, NamedTuple, Union, cast, get_args, get_type_hints

from msgspec import Struct, defstruct

from phaseten.rules.cards import Card, parse_card
from phaseten.rules.editions import parse_group
from phaseten.rules.melds import Meld


class MeldForm(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards on the table that answer a group."""

    group: str
    cards: tuple[str, ...]


def card_texts(cards: Iterable[Card]) -> tuple[str, ...]:
    """The cards in text."""
    return tuple([card.text for card in cards])


def read_cards(texts: Iterable[str]) -> tuple[Card, ...]:
    """The cards with these texts."""
    return tuple([parse_card(text) for text in texts])


def meld_form(meld: Meld) -> MeldForm:
    """The meld's form."""
    return MeldForm(meld.group.text, card_texts(meld.cards))


def _read_meld(form: MeldForm) -> Meld:
    return Meld(parse_group(form.group), read_cards(form.cards))


def _same(value: Any) -> Any:
    return value


def _write_card(card: Card) -> str:
    return card.text


def _write_maybe(card: Card | None) -> str | None:
    return None if card is None else card.text


def _read_maybe(text: str | None) -> Card | None:
    return None if text is None else parse_card(text)


def _write_melds(melds: Iterable[Meld]) -> tuple[MeldForm, ...]:
    return tuple([meld_form(meld) for meld in melds])


def _read_melds(forms: Iterable[MeldForm]) -> tuple[Meld, ...]:
    return tuple([_read_meld(form) for form in forms])


class _Translation(NamedTuple):
    """How a field of some type is written and read."""

    form: Any
    write: Callable[[Any], Any] = _same
    read: Callable[[Any], Any] = _same


_TRANSLATIONS: Final[Mapping[Any, _Translation]] = {
    int: _Translation(int),
    bool: _Translation(bool),
    int | None: _Translation(int | None),
    tuple[int, ...]: _Translation(tuple[int, ...]),
    tuple[tuple[int, int], ...]: _Translation(tuple[tuple[int, int], ...]),
    Card: _Translation(str, _write_card, parse_card),
    Card | None: _Translation(str | None, _write_maybe, _read_maybe),
    tuple[Card, ...]: _Translation(tuple[str, ...], card_texts, read_cards),
    Meld: _Translation(MeldForm, meld_form, _read_meld),
    tuple[Meld, ...]: _Translation(tuple[MeldForm, ...], _write_melds, _read_melds),
}


class Forms:
    """The forms of a union of event types, all made from the same base."""

    def __init__(self, events: UnionType, base: type[Struct]) -> None:
        self._by_event: dict[type, _Form] = {}
        self._by_form: dict[type, _Form] = {}
        for event in cast("tuple[type, ...]", get_args(events)):
            form = _Form(event, base)
            self._by_event[event] = self._by_form[form.form] = form

    @property
    def types(self) -> tuple[type[Struct], ...]:
        """The forms' types."""
        return tuple(form.form for form in self._by_event.values())

    @property
    def union(self) -> Any:
        """The union of the forms' types."""
        return Union[self.types]  # noqa: UP007 - it is made at run time

    def write(self, event: object) -> Struct:
        """The form of an event; a TypeError for one that is not of the union."""
        form = self._by_event.get(type(event))
        if form is None:
            raise TypeError(f"{type(event).__name__} has no form here")
        return form.write(event)

    def is_form(self, value: object) -> bool:
        """Whether this is one of the forms."""
        return type(value) in self._by_form

    def read(self, value: Struct) -> Any:
        """The event in that form."""
        return self._by_form[type(value)].read(value)


class _Form:
    """The form of one type of event."""

    def __init__(self, event: type, base: type[Struct]) -> None:
        hints = get_type_hints(event)
        self._event = event
        self._fields = [(field.name, _TRANSLATIONS[hints[field.name]]) for field in fields(event)]
        self.form = defstruct(
            event.__name__,
            [(name, how.form) for name, how in self._fields],
            bases=(base,),
            module=__name__,
            namespace={"__doc__": event.__doc__},
            frozen=True,
            forbid_unknown_fields=True,
            tag_field="event",
            tag=event.__name__,
        )

    def write(self, event: object) -> Struct:
        return self.form(*[how.write(getattr(event, name)) for name, how in self._fields])

    def read(self, form: Struct) -> Any:
        return self._event(*[how.read(getattr(form, name)) for name, how in self._fields])
