"""Reading what is named on the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from phaseten.cli.common import Problem, reason
from phaseten.rules.editions import Edition, EditionError, edition

STANDARD_INPUT: Final = "-"


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
            return sys.stdin.buffer.read()
        return Path(name).read_bytes()
    except OSError as error:
        raise Problem(f"{name} cannot be opened: {reason(error)}.") from error
    except ValueError as error:  # a NUL in the name
        raise Problem(f"{name!r} is not the name of a file.") from error


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


def _edition(name: str) -> Edition:
    try:
        return edition(name)
    except EditionError:
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


def sentence(error: Exception) -> str:
    """An exception's message as a sentence."""
    text = str(error)
    if text.split(" ", 1)[0].isalpha():  # not the name of a file, say
        text = text[:1].upper() + text[1:]
    return text + ("" if text.endswith((".", "!", "?")) else ".")
