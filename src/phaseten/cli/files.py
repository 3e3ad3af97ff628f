"""Reading what is named on the command line."""

from __future__ import annotations

import difflib
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from phaseten.cli.options import split_words
from phaseten.cli.problems import Problem, reason
from phaseten.cli.wording import sentence
from phaseten.rules.editions import BOOK_EDITIONS, Edition, EditionError, edition

STANDARD_INPUT: Final = "-"
ALL: Final = "all"
MOST_BYTES: Final = 16 * 2**20
"""No more is read of a file. The record of a long game has some 100 kB."""


def check_names(names: tuple[str, ...], what: str) -> None:
    """Refuse a call without files, and options that do not exist."""
    if not names:
        raise Problem(f"Name {what}, or - for standard input.")
    for name in names:
        if name.startswith("-") and name != STANDARD_INPUT:
            raise Problem(f"Unknown option: {name}. (A file of that name is written ./{name})")


def read_bytes(name: str) -> bytes:
    """The content of a file, or of standard input."""
    try:
        if name == STANDARD_INPUT:
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Problem(f"{name} cannot be opened: {reason(error)}.") from error
    except ValueError as error:  # a NUL in the name
        raise Problem(f"{name!r} is not the name of a file.") from error
    if len(data) > MOST_BYTES:
        where = "Standard input" if name == STANDARD_INPUT else name
        raise Problem(f"{where} is larger than {MOST_BYTES // 2**20} MiB: no file of ours is.")
    return data


def edition_beside(name: str) -> Callable[[str], Edition]:
    """Find editions as a record names them: a path also counts from the record's own folder."""
    folder = None if name == STANDARD_INPUT else Path(name).parent

    def find(wanted: str) -> Edition:
        try:
            return _edition(wanted)
        except EditionError:
            if folder is None or not wanted.endswith(".toml") or _exists(Path(wanted)):
                raise
            beside = folder / wanted
            if not _exists(beside):
                raise
            return _edition(str(beside))

    return find


def find_edition(name: str) -> Edition:
    """The edition of that name or path; a Problem when there is none."""
    try:
        return _edition(name)
    except EditionError as error:
        raise Problem(sentence(error)) from error


def find_editions(text: str) -> list[Edition]:
    """The editions named in a list, or all of the book."""
    names = BOOK_EDITIONS if text.strip() == ALL else split_words(text, "an edition")
    boxes = [find_edition(name) for name in names]
    for name, count in Counter(box.name for box in boxes).items():
        if count > 1:
            raise Problem(f"Two editions are called {name}: give one of them another name.")
    return boxes


def _edition(name: str) -> Edition:
    try:
        return edition(name)
    except EditionError as error:
        near = difflib.get_close_matches(name.lower(), BOOK_EDITIONS, n=1)
        if near and not name.endswith(".toml"):
            raise EditionError(f"there is no edition {name!r}: did you mean {near[0]}?") from error
        raise
    except ValueError as error:  # a NUL in the name
        raise EditionError(f"{name!r} is not the name of a file") from error
    except RecursionError as error:
        raise EditionError(f"{name} is nested too deeply to be an edition") from error


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that is too long, say
        return False
