"""What a shell is offered after an option or a command, when somebody presses Tab."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from glob import escape, glob
from os import sep
from pathlib import Path

from cyclopts.completion import CompletionContext

from phaseten.rules.editions import BOOK_EDITIONS


def offer_editions(context: CompletionContext) -> list[str]:
    """The editions of the book, and .toml files."""
    return [*_after_commas(context, BOOK_EDITIONS), *_files(context.incomplete, ".toml")]


def offer_bots(context: CompletionContext) -> list[str]:
    """The ladder, and files that could be programs."""
    from phaseten.bots.ladder import LADDER  # noqa: PLC0415 - it takes time

    programs = _files(context.incomplete) if sep in context.incomplete else ()
    return [*_after_commas(context, LADDER), *programs]


def offer_rules(_context: CompletionContext) -> list[str]:
    """The ids of the rules."""
    from phaseten.terminal.rulebook import rulebook  # noqa: PLC0415 - only when asked

    return [section.id for section in rulebook("en").sections if section.id]


def offer_records(context: CompletionContext) -> list[str]:
    """Game records, and folders that may have some."""
    return list(_files(context.incomplete, ".p10"))


def _after_commas(context: CompletionContext, words: Iterable[str]) -> list[str]:
    """The words, after those that stand there already."""
    before, comma, _ = context.incomplete.rpartition(",")
    return [f"{before}{comma}{word}" for word in words]


def _files(start: str, ending: str = "") -> Iterator[str]:
    for name in sorted(glob(f"{escape(start)}*")):  # noqa: PTH207 - as it was typed
        if Path(name).is_dir():
            yield name + sep
        elif name.endswith(ending):
            yield name
