"""``phaseten play``."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.cli.common import Flag, Problem
from phaseten.cli.files import find_edition, sentence
from phaseten.game import Game
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.options import STANDARD, OptionError, Rules, parse_house, parse_variant
from phaseten.terminal.play import Console, Table, names_at_table, play
from phaseten.terminal.saves import SaveError, Saves, data_folder
from phaseten.terminal.screen import screen_for

EXAMPLES: Final = """\
Examples:
  phaseten play                            go on with the saved game, or start one
  phaseten play --new --players 2
  phaseten play --new --edition express --variant phases=5
  phaseten play --new --house discard_to_go_out,no_rediscard

Every move is saved at once; start again and the game goes on. The saved game is a
record (.p10) in your data folder. It holds everybody's hidden cards: no peeking.
Finished games are kept there too. NO_COLOR=1 plays without colours."""

DEFAULT_PLAYERS: Final = 4
LONGEST_NAME: Final = 20


def run(  # noqa: PLR0913 - a game has that many things to choose
    *,
    edition: Annotated[str | None, Parameter(name=["--edition", "-e"])] = None,
    players: int | None = None,
    variant: str | None = None,
    house: str | None = None,
    name: str | None = None,
    seed: int | None = None,
    new: Flag = False,
) -> int:
    """Play a game against bots, here in the terminal.

    A saved game goes on where it was left. Options are for a new game.

    Args:
        edition: An edition, or your own .toml file (classic).
        players: How many play, with you: 2 to 6 (4).
        variant: Any of ten-hands, phases=5, even, with commas.
        house: House rules, with commas; phaseten rules "house rules" explains them.
        name: Your name.
        seed: The same number gives the same cards.
        new: Start afresh; a saved game is put aside.
    """
    with suppress(ImportError):  # line editing and history, where there is such a thing
        __import__("readline")
    _never_fail_to_read()
    wishes = _Wishes(edition, players, variant, house, name)
    saves = Saves(data_folder())
    try:
        with saves.locked():
            saved = None if new else saves.load()
            if saved is not None and saved.winner is not None:
                saves.put_aside("finished")
                saved = None
            table = wishes.table(seed) if saved is None else wishes.table_of(saved)
            if new:
                saves.put_aside("unfinished")
            play(table, saves, Console(screen_for()), saved=saved)
    except SaveError as error:
        raise Problem(str(error)) from error
    return 0


class _Wishes:
    """What the person asked for; None where nothing was said."""

    def __init__(
        self,
        edition: str | None,
        players: int | None,
        variant: str | None,
        house: str | None,
        name: str | None,
    ) -> None:
        try:
            self._variant = None if variant is None else parse_variant(variant)
            self._house = None if house is None else parse_house(house)
        except OptionError as error:
            raise Problem(sentence(error)) from error
        self._edition = None if edition is None else _full_name(edition)
        self._players = players
        self._name = None if name is None else _checked_name(name)

    def table(self, seed: int | None) -> Table:
        """The table for a new game: as wished, and otherwise as usual."""
        edition = self._edition or BOOK_EDITIONS[0]
        players = DEFAULT_PLAYERS if self._players is None else self._players
        variant = self._variant or STANDARD
        house = self._house or frozenset[str]()
        try:
            Rules(find_edition(edition), variant, house).check_players(players)
        except OptionError as error:
            raise Problem(sentence(error)) from error
        return Table(edition, names_at_table(self._name or "You", players), variant, house, seed)

    def table_of(self, saved: Game) -> Table:
        """The table of the saved game, which cannot be changed: refuse wishes that do not fit."""
        box = saved.rules.edition
        house = saved.rules.house - frozenset(box.house)
        differs = [
            option
            for option, wish, is_so in (
                ("--edition", self._edition, box.source or box.name),
                ("--players", self._players, len(saved.names)),
                ("--variant", self._variant, saved.rules.variant),
                ("--house", self._house, house),
                ("--name", self._name, saved.names[0]),
            )
            if wish is not None and wish != is_so
        ]
        if differs:
            raise Problem(
                f"A saved game is going on, and {' and '.join(differs)} would not fit it: "
                "go on with 'phaseten play', or add --new to start afresh."
            )
        return Table(box.source or box.name, saved.names, saved.rules.variant, house)


def _full_name(edition: str) -> str:
    """The edition so that it is found from any folder."""
    box = find_edition(edition)
    return str(Path(edition).resolve()) if box.source else edition


def _checked_name(name: str) -> str:
    stripped = name.strip()
    if not stripped or len(stripped) > LONGEST_NAME or not stripped.isprintable():
        raise Problem(f"A name has 1 to {LONGEST_NAME} letters that can be printed: {name!r}.")
    return stripped


def _never_fail_to_read() -> None:
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
