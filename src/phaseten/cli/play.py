"""``phaseten play``."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.bots.ladder import LADDER
from phaseten.cli.completers import offer_bots, offer_editions
from phaseten.cli.files import find_edition
from phaseten.cli.folders import data_folder
from phaseten.cli.options import Flag, one_of
from phaseten.cli.positions import is_position, read_position
from phaseten.cli.problems import Problem
from phaseten.cli.wording import sentence
from phaseten.language import LANGUAGES, from_environment
from phaseten.language import language as in_language
from phaseten.notation.positions import format_position
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.options import STANDARD, OptionError, parse_house, parse_variant
from phaseten.rules.state import State
from phaseten.rules.views import View
from phaseten.terminal.app import PlayApp
from phaseten.terminal.game_options import GameOptions, last_options, players_called
from phaseten.terminal.pace import PACES
from phaseten.terminal.players import LONGEST_NAME, PERSON, Player, is_name
from phaseten.terminal.saves import SaveError, Saves
from phaseten.terminal.settings import COACH, load_settings

EXAMPLES: Final = """\
Examples:
  phaseten play                            choose a game, or go on with a saved one
  phaseten play --new                      a game like the last one
  phaseten play --bots rookie,sharp        against two bots of these levels
  phaseten play --people Ana,Beto          two people at this keyboard
  phaseten play --edition express --variant phases=5
  phaseten play --from game.p10            play on where a record ends
  phaseten play --house discard_to_go_out,no_rediscard

Every step is saved at once; start again and the game goes on. A saved game is a
record (.p10) in your data folder. It holds everybody's hidden cards: no peeking.
Finished games are kept there too: phaseten replay shows them. NO_COLOR=1 plays in
black and white."""

DEFAULT_PLAYERS: Final = 4
DEFAULT_LEVEL: Final = "casual"


def run(  # noqa: PLR0913 - a game has that many things to choose
    *,
    edition: Annotated[
        str | None, Parameter(name=["--edition", "-e"], completer=offer_editions)
    ] = None,
    players: int | None = None,
    variant: str | None = None,
    house: str | None = None,
    name: str | None = None,
    people: str | None = None,
    bots: Annotated[str | None, Parameter(completer=offer_bots)] = None,
    seed: int | None = None,
    position: Annotated[str | None, Parameter(name="--from")] = None,
    new: Flag = False,
    language: str | None = None,
    pace: str | None = None,
    coach: str | None = None,
) -> int:
    """Play a game, here in the terminal.

    Without options you choose a game or go on with a saved one; options start a new one.

    Args:
        edition: An edition, or your own .toml file (classic).
        players: How many play: 2 to 6 (4).
        variant: Any of ten-hands, phases=5, even, with commas.
        house: House rules, with commas; phaseten rules "house rules" explains them.
        name: Your name.
        people: The names of several people at this keyboard, with commas.
        bots: The levels of the bots, with commas: rookie, casual, sharp, deep, master.
        seed: The same number gives the same cards.
        position: A position or a record (.p10) to play on from.
        new: Start a new game at once, like the last one.
        language: en, es, fr or pt.
        pace: How fast the bots move: slow, normal, fast or none.
        coach: A word after your bad moves, when you play alone against bots: off or on.
    """
    changes = _settings(language, pace, coach)
    given = (edition, players, variant, house, name, people, bots, seed)
    if name is not None and people is not None:
        raise Problem("--name and --people both say who plays: give one of them.")
    options: GameOptions | None = None
    saves = Saves(data_folder())
    settings = load_settings(saves.folder)
    spoken = in_language(language or settings.language or from_environment(os.environ))
    you = spoken.say("terminal.you")
    own = name if name is not None else next(iter(settings.names), you)
    if position is not None:
        if any(option is not None for option in (edition, variant, house)):
            raise Problem("The position says what is played: leave out the rules, or --from.")
        start = read_position(position)
        seats = _players(own, people, bots, players or start.sheet.seats)
        options = _options_from(position, start, seats, seed)
    elif any(option is not None for option in given):
        seats = _players(own, people, bots, players)
        options = _options(edition, seats, variant, house, seed)
    elif new:
        options = last_options(settings, you)
    need_a_terminal("play")
    _open_app(saves, options, changes)
    return 0


def _settings(language: str | None, pace: str | None, coach: str | None) -> dict[str, str]:
    """The settings that were given."""
    given = {
        "language": one_of("--language", language, LANGUAGES),
        "pace": one_of("--pace", pace, tuple(PACES)),
        "coach": one_of("--coach", coach, COACH),
    }
    return {name: value for name, value in given.items() if value is not None}


def _open_app(saves: Saves, options: GameOptions | None, changes: Mapping[str, str]) -> None:
    try:
        with saves.locked():
            app = PlayApp(saves, options, **changes)
            app.run()
            if saves.running():
                print(app.language.say("terminal.bye"))
    except SaveError as error:
        raise Problem(str(error)) from error


def need_a_terminal(command: str) -> None:
    """Say that this command cannot be used in a pipe."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Problem(
            f"phaseten {command} needs a terminal to show the table in: "
            "run it without a pipe and without redirecting its output."
        )


def _options_from(
    source: str, start: State | View, players: tuple[Player, ...], seed: int | None
) -> GameOptions:
    """The game that goes on from there. Who plays alone sits where it is the turn."""
    if len(players) != start.sheet.seats:
        raise Problem(f"This game is for {start.sheet.seats} players, not {len(players)}.")
    if start.sheet.winner is not None:
        raise Problem("This game is over: there is nothing to play on.")
    if sum(player.is_person for player in players) == 1 and start.board is not None:
        turned = start.board.turn - 1
        players = (*players[-turned:], *players[:-turned]) if turned else players
    rules, box = start.rules, start.rules.edition
    text = source if is_position(source) else format_position(start)
    return GameOptions(players, box.source or box.name, rules.variant, rules.house, seed, text)


def _options(
    edition: str | None,
    players: tuple[Player, ...],
    variant: str | None,
    house: str | None,
    seed: int | None,
) -> GameOptions:
    """The game that was asked for: with the given options, and otherwise as usual."""
    try:
        options = GameOptions(
            players,
            BOOK_EDITIONS[0] if edition is None else _full_name(edition),
            STANDARD if variant is None else parse_variant(variant),
            frozenset[str]() if house is None else parse_house(house),
            seed,
        )
        options.check()
    except OptionError as error:
        raise Problem(sentence(error)) from error
    return options


def _players(
    name: str, people: str | None, bots: str | None, players: int | None
) -> tuple[Player, ...]:
    """Who plays. People and bots are counted; where no bots are named, they fill the table."""
    names = _names([name] if people is None else people.split(","))
    levels = None if bots is None else _levels(bots)
    if levels is None:
        alone = people is None
        count = players if players is not None else (DEFAULT_PLAYERS if alone else len(names))
        levels = [DEFAULT_LEVEL] * (count - len(names))
    if players is not None and players != len(names) + len(levels):
        raise Problem(
            f"--players {players} does not fit {len(names)} people and {len(levels)} bots: "
            "leave it out, or give other numbers."
        )
    return players_called(names, (*[PERSON] * len(names), *levels))


def _names(given: Sequence[str]) -> tuple[str, ...]:
    names = tuple(name.strip() for name in given)
    for name in names:
        if not is_name(name):
            raise Problem(f"A name has 1 to {LONGEST_NAME} letters that can be printed: {name!r}.")
    if len({name.casefold() for name in names}) < len(names):
        raise Problem(f"Two people have the same name: {', '.join(names)}.")
    return names


def _levels(text: str) -> list[str]:
    levels = [word.strip() for word in text.split(",") if word.strip()]
    for level in levels:
        one_of("--bots", level, LADDER)
    return levels


def _full_name(edition: str) -> str:
    """The edition so that it is found from any folder."""
    box = find_edition(edition)
    return str(Path(edition).resolve()) if box.source else edition
