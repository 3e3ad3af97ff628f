"""An edition in one line, so that a record or a position can carry the edition it was played by.

The line is a TOML table with every key written out, nothing left to defaults or to ``based_on``.
Two editions with the same line are played alike.

>>> from phaseten.rules.editions import edition
>>> line = format_edition(edition("express"))
>>> line[:76]
"{name = 'express', title = 'Express', year = 0, players = [2, 6], deal = 5, "
>>> parse_edition(line) == edition("express")
True
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from typing import Final, cast

from phaseten.rules.editions import BOOK_EDITIONS, Edition, EditionError, edition, read_edition

HASH_DIGITS: Final = 16
_WHERE: Final = "the edition in this text"
_CUT_IN_TWO: Final = re.compile(r"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}")


def is_of_the_book(box: Edition) -> bool:
    """Whether it is one of the five, so that its name says everything."""
    return box.name in BOOK_EDITIONS and box == edition(box.name)


def format_edition(box: Edition) -> str:
    """The edition in one line."""
    return _table(_values(box))


def format_edition_file(box: Edition) -> str:
    """The same as the text of a file, a key in each line."""
    return _lines(_values(box))


def _values(box: Edition) -> dict[str, object]:
    return {
        "name": box.name,
        "title": box.title,
        "year": box.year,
        "players": box.players,
        "deal": box.deal,
        "colors": tuple(box.colors),
        "highest": box.highest,
        "copies": box.copies,
        "wilds": box.wilds,
        "skips": box.skips,
        "shortest_run": box.shortest_run,
        "skip_goes_to": box.skip_goes_to,
        "variations": box.variations,
        "house": box.house,
        "phases": tuple(phase.text for phase in box.phases),
        "must_show": {
            str(phase.number): phase.must_show for phase in box.phases if phase.must_show
        },
    }


def edition_hash(box: Edition) -> str:
    """Sixteen hexadecimal digits that change when the edition does."""
    return hashlib.sha256(format_edition(box).encode()).hexdigest()[:HASH_DIGITS]


def parse_edition(line: str, source: str = "") -> Edition:
    """The edition in that line; an EditionError says what is wrong with it."""
    try:
        values = tomllib.loads(f"edition = {line}")
    except tomllib.TOMLDecodeError as error:
        raise EditionError(f"{_WHERE} is not a TOML table in one line: {error}") from error
    except (RecursionError, ValueError) as error:
        raise EditionError(f"{_WHERE} is not a TOML table in one line") from error
    table = values.get("edition")
    if len(values) != 1 or not isinstance(table, dict):
        raise EditionError(f"{_WHERE} is not a TOML table in one line")
    keys = cast("Mapping[str, object]", table)
    if "based_on" in keys:
        raise EditionError(f"{_WHERE} has to be whole: it cannot be based on another one")
    return read_edition(_lines(keys), _WHERE, source=source)


def _lines(values: Mapping[str, object]) -> str:
    return "".join([f"{key} = {_value(value)}\n" for key, value in values.items()])


def _table(values: Mapping[str, object]) -> str:
    return "{" + ", ".join(f"{key} = {_value(value)}" for key, value in values.items()) + "}"


def _escaped(text: str) -> str:
    """As JSON escapes it, less what TOML does not know: letters that JSON cuts in two."""
    return _CUT_IN_TWO.sub(lambda found: json.loads(f'"{found[0]}"'), json.dumps(text))


def _value(value: object) -> str:
    match value:
        case str():
            # A literal text needs no escapes, and so none in the tag around it.
            return f"'{value}'" if "'" not in value and value.isprintable() else _escaped(value)
        case tuple() | list():
            return f"[{', '.join(map(_value, cast('list[object]', value)))}]"
        case dict():
            return _table(cast("Mapping[str, object]", value))
        case _:
            return str(value)
