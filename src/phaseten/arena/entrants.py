"""Who takes part: a bot of the house, a Python class, or a program.

>>> parse_entrants(["sharp", "Nora=sharp"])
[Entrant(name='sharp', kind='house', what='sharp'), Entrant(name='Nora', kind='house', what='sharp')]
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal, NamedTuple, assert_never

from phaseten.arena.class_bots import ClassBot, construct, find_class
from phaseten.arena.faults import EntrantError, FaultError
from phaseten.arena.gameplay import FastBot
from phaseten.arena.programs import Program
from phaseten.arena.time_limits import TimeLimits
from phaseten.bots.bot import Bot
from phaseten.bots.builtin import BuiltIn
from phaseten.bots.ladder import make_bot
from phaseten.bots.peeker import Peeker

EntrantKind = Literal["house", "class", "program", "object"]
HOUSE: Final = "house"
CLASS: Final = "class"
PROGRAM: Final = "program"
OBJECT: Final = "object"
"""An object of this process, which ``contest`` seats itself."""

LONGEST_NAME: Final = 30
_NAMED: Final = re.compile(r"([^=:/\\]+)=(.+)", re.DOTALL)
_IMPORT_PATH: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


class Entrant(NamedTuple):
    """A bot that takes part, by name."""

    name: str
    kind: EntrantKind
    what: str
    """The name of a bot of the house, an import path, or a command."""


def parse_entrants(words: Iterable[str]) -> list[Entrant]:
    """The bots named by these words; those of the same name are numbered."""
    found: list[Entrant] = []
    for word in words:
        entrant = _entrant(word)
        taken = {other.name for other in found}
        name, number = entrant.name, 2
        while name in taken:
            name, number = f"{entrant.name} ({number})", number + 1
        found.append(entrant._replace(name=name))
    return found


def _entrant(word: str) -> Entrant:
    name, what = "", word
    if match := _NAMED.fullmatch(word):
        name, what = match[1].strip(), match[2]
    if what.startswith("cmd:"):
        kind, what = PROGRAM, what.removeprefix("cmd:")
        usual = Path(_words(what)[-1]).name
    elif _IMPORT_PATH.fullmatch(what):
        kind, usual = CLASS, what.rpartition(":")[2]
    elif "/" in what or os.sep in what:
        kind, usual = PROGRAM, Path(what).stem
        what = shlex.join(_by_path(Path(what)))
    else:
        kind, usual = HOUSE, what
    name = name or usual[:LONGEST_NAME]
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise EntrantError(f"a bot's name has 1 to {LONGEST_NAME} printable letters: {name!r}")
    return Entrant(name, kind, what)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EntrantError(f"{command!r} is not a command: {error}") from error
    if not words:
        raise EntrantError("a command stands after cmd: such as 'cmd:python3 mybot.py'")
    return words


def _by_path(path: Path) -> list[str]:
    """How to run the program in that file."""
    if not path.is_file():
        raise EntrantError(f"there is no program {path}")
    if os.access(path, os.X_OK):
        return [str(path.absolute())]
    if path.suffix == ".py":
        return [sys.executable, str(path.absolute())]
    raise EntrantError(
        f"{path} cannot be run: make it executable with 'chmod +x {path}', "
        f"or say how to run it, such as 'cmd:python3 {path}'"
    )


def check_entrant(entrant: Entrant, limits: TimeLimits) -> None:
    """Raise an EntrantError unless the bot can be had and, being a program, says hello."""
    match entrant.kind:
        case "program":
            _check_program(entrant, limits)
        case "class":
            construct(find_class(entrant.what), 0)
        case "house":
            _house_bot(entrant.what, 0)
        case "object":
            raise _unreachable(entrant)
        case _:
            assert_never(entrant.kind)


def _check_program(entrant: Entrant, limits: TimeLimits) -> None:
    if os.name != "posix":
        raise EntrantError(
            f"the bot {entrant.name} is a program, and those can play on Linux and macOS only; "
            "a Python class can play here"
        )
    program = Program(_words(entrant.what), name=entrant.name, limits=limits)
    try:
        program.start()
    except FaultError as error:
        raise EntrantError(f"the bot {entrant.name} cannot play: {error.sentence}") from error
    finally:
        program.close()


def prepare_bot(
    entrant: Entrant, seed: int, limits: TimeLimits, logs: Path | None
) -> Bot | FastBot:
    """The bot, ready for a game with that seed. A program gets its seed with each game."""
    log = logs / f"{make_file_name(entrant.name)}.log" if logs else None
    match entrant.kind:
        case "program":
            return Program(_words(entrant.what), name=entrant.name, limits=limits, log=log)
        case "class":
            return ClassBot(entrant.name, find_class(entrant.what), seed, limits, log)
        case "house":
            return _house_bot(entrant.what, seed)
        case "object":
            raise _unreachable(entrant)
        case _:
            assert_never(entrant.kind)


def _unreachable(entrant: Entrant) -> EntrantError:
    return EntrantError(f"{entrant.name} is an object of another process")


def make_file_name(name: str) -> str:
    """The name, fit to be part of a file's name."""
    return re.sub(r"[^\w.-]+", "_", name)


def make_ladder_bot(name: str, seed: int = 0) -> BuiltIn:
    """A bot of the ladder, by its name; an EntrantError when there is none."""
    try:
        return make_bot(name, seed=seed)
    except ValueError as error:
        raise EntrantError(str(error)) from error


def _house_bot(name: str, seed: int) -> Bot | FastBot:
    if name == Peeker.name:
        return Peeker(seed=seed)
    try:
        return make_ladder_bot(name, seed)
    except EntrantError as error:
        raise EntrantError(
            f"{error}; or name a Python class such as mybots:Nora, "
            "or a program such as ./nora.py or 'cmd:python3 nora.py'"
        ) from error
