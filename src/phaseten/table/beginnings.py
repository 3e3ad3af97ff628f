"""How a game begins at a table: with a deal, or in a position that somebody wants to play on from."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from phaseten.notation.positions import PositionError, parse_position
from phaseten.rules.cards import Card
from phaseten.rules.editions import BOOK_EDITIONS, Edition, EditionError, edition
from phaseten.rules.mistakes import mistake
from phaseten.rules.shuffle import seeded
from phaseten.rules.state import State, new_game
from phaseten.rules.views import View
from phaseten.rules.worlds import imagine
from phaseten.table.options import Options, OptionsError
from phaseten.table.state import Table

MOST_POSITION: Final = 8_000
"""Characters of a position; of a long hand of six it has some two thousand."""
BEFORE_ALL_HANDS: Final = 0
"""What a seat does not know of a position is shuffled as if it were a hand of this number."""


def first_state(table: Table, dealer: int, client_seed: str) -> State:
    """The game when it has just started: what is hidden in a position follows from the seeds."""
    if not table.position:
        return new_game(table.rules, len(table.places), dealer)
    shuffle = seeded(bytes.fromhex(table.server_seed), client_seed)

    def mix(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return shuffle(cards, BEFORE_ALL_HANDS, 0)

    position = parse_position(table.position, find=_book_edition, shuffle=mix)
    return imagine(position, mix) if isinstance(position, View) else position


def read_position(text: str) -> State | View:
    """A position; an OptionsError where it is none to play on from at a table."""
    try:
        position = parse_position(text, find=_book_edition)
    except PositionError as error:
        raise OptionsError(error.mistake) from error
    if position.sheet.winner is not None:
        raise OptionsError(mistake("position", why="the game is over in it"))
    if position.rules.edition.name not in BOOK_EDITIONS:
        raise OptionsError(mistake("book-only"))
    return position


def fit_to_position(options: Options, text: str) -> Options:
    """The options with the rules and the seats of a position; an OptionsError as above."""
    position = read_position(text)
    rules = position.rules
    return replace(
        options,
        edition=rules.edition.name,
        custom="",
        variant=rules.variant.text,
        house=tuple(sorted(rules.house)),
        seats=position.sheet.seats,
    )


def _book_edition(name: str) -> Edition:
    """An edition of the book: a position from elsewhere must not open files here."""
    if name.endswith(".toml"):
        raise EditionError(mistake("book-only"))
    return edition(name)
