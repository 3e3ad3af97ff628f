"""Where a record comes from: it may be given as itself, as its text, or as the path of its file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from phaseten.notation.records import Record, decode_record, parse_record
from phaseten.rules.editions import Edition, EditionError, edition
from phaseten.rules.mistakes import expect

Source = Record | str | Path


def read_record(source: Source) -> Record:
    """The record. A text of one line that ends in ``.p10`` is the name of a file.

    Raises a RecordSyntaxError where the text is none, and an OSError where there is no file.
    """
    if isinstance(source, Record):
        return source
    path = _path(source)
    if path is not None:
        return parse_record(decode_record(path.read_bytes()))
    return parse_record(str(source))


def editions_beside(source: Source) -> Callable[[str], Edition]:
    """Finds editions as the record names them: a path also counts from the record's own folder."""
    path = None if isinstance(source, Record) else _path(source)
    if path is None:
        return edition

    def find(name: str) -> Edition:
        beside = path.parent / name
        try:
            return edition(name)
        except EditionError:
            if not name.endswith(".toml") or Path(name).exists() or not beside.exists():
                raise
            return edition(str(beside))

    return find


def _path(source: str | Path) -> Path | None:
    """The file that is meant, if it is a file."""
    if isinstance(source, Path):
        return source
    text = expect(source, str, "a record, its text or the path of its file").strip()
    if "\n" in text or not text.endswith(".p10"):
        return None
    return Path(text)
