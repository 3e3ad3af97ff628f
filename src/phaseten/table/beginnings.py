"""How a game begins at a table: with a deal, or in a position that somebody wants to play on from."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from phaseten.notation.editions import format_edition_file, is_of_the_book
from phaseten.notation.positions import PositionError, parse_position
from phaseten.rules.cards import Card
from phaseten.rules.editions import BOOK_EDITIONS, Edition, EditionError, edition, read_edition
from phaseten.rules.mistakes import mistake
from phaseten.rules.shuffle import seeded
from phaseten.rules.state import State, new_game
from phaseten.rules.views import View
from phaseten.rules.worlds import imagine
from phaseten.table.options import (
    CUSTOM_NAME,
    MOST_CUSTOM,
    Options,
    OptionsError,
    check_own_edition,
)
from phaseten.table.state import Table

MOST_POSITION: Final = 8_000
"""Characters of a position; of a long hand of six it has some two thousand."""
MOST_COMPLETED: Final = MOST_POSITION + MOST_CUSTOM
"""Characters of a position with its edition below it."""
FILE: Final = ".toml"
BEFORE_ALL_HANDS: Final = 0
"""What a seat does not know of a position is shuffled as if it were a hand of this number."""

_FILE_BEGINS: Final = re.compile(r"^[ \t]*(?:#|\[|(?!phases=[0-9])[a-z_]+[ \t]*=)", re.MULTILINE)
"""The first line of an edition's file: a remark, a table or a key; a variation of the position is none."""


def first_state(table: Table, dealer: int, client_seed: str) -> State:
    """The game when it has just started: what is hidden in a position follows from the seeds."""
    if not table.position:
        return new_game(table.rules, len(table.places), dealer)
    shuffle = seeded(bytes.fromhex(table.server_seed), client_seed)

    def mix(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return shuffle(cards, BEFORE_ALL_HANDS, 0)

    position = parse_position(table.position, find=_book_edition, shuffle=mix)
    return imagine(position, mix) if isinstance(position, View) else position


def complete_position(text: str) -> State | View:
    """A position that somebody has typed or pasted, to play on from; an OptionsError where it is none.

    An edition of one's own is written out in it, as in a position that phaseten has written; or the position names
    it, and the text of its file stands below.
    """
    line, toml = _edition_below(text)
    if not toml:
        return read_position(line)
    try:
        box = read_edition(toml, CUSTOM_NAME)
    except EditionError as error:
        raise OptionsError(error.mistake) from error

    def find(name: str) -> Edition:
        if name != box.name and not name.endswith(FILE):
            raise OptionsError(mistake("position-other-edition", text=name, given=box.name))
        return box

    return read_position(line, find)


def read_position(text: str, find: Callable[[str], Edition] | None = None) -> State | View:
    """A position; an OptionsError where it is none to play on from at a table."""
    try:
        position = parse_position(text, find=find or _book_edition)
    except PositionError as error:
        raise OptionsError(error.mistake) from error
    if position.sheet.winner is not None:
        raise OptionsError(mistake("position", why="the game is over in it"))
    box = position.rules.edition
    if not is_of_the_book(box):
        check_own_edition(box)
    return position


def fit_to_position(options: Options, text: str) -> Options:
    """The options with the rules and the seats of a position; an OptionsError as above."""
    position = read_position(text)
    rules = position.rules
    box = rules.edition
    is_own = not is_of_the_book(box)
    return replace(
        options,
        edition=Options().edition if is_own else box.name,
        custom=format_edition_file(box) if is_own else "",
        variant=rules.variant.text,
        house=tuple(sorted(rules.house)),
        seats=position.sheet.seats,
    )


def _edition_below(text: str) -> tuple[str, str]:
    """The position, and the text of an edition's file that stands below it."""
    found = None if text.lstrip().startswith("{") else _FILE_BEGINS.search(text)
    return (text[: found.start()], text[found.start() :]) if found else (text, "")


def _book_edition(name: str) -> Edition:
    """An edition of the book: a position from elsewhere must not open files here."""
    if name not in BOOK_EDITIONS:
        names = ", ".join(BOOK_EDITIONS)
        raise OptionsError(mistake("position-without-edition", text=name, names=names))
    return edition(name)
