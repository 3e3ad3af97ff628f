"""Editions of one's own: whether they can be played, and what they ask for in words."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct

from phaseten.language import Language
from phaseten.rules.editions import EditionError, read_edition
from phaseten.rules.mistakes import Mistake
from phaseten.table.options import CUSTOM_NAME


class ReadEdition(Struct, frozen=True):
    """An edition that can be played."""

    title: str
    players: Annotated[tuple[int, int], Meta(description="The fewest and the most.")]
    cards: Annotated[int, Meta(description="How many the deck has.")]
    phases: Annotated[tuple[str, ...], Meta(description="In the reader's language.")]


def read_draft(text: str, language: Language) -> ReadEdition:
    """An edition (TOML) as a table would read it. Raises EditionError."""
    box = read_edition(text, CUSTOM_NAME)
    phases = tuple([language.phase(phase) for phase in box.phases])
    return ReadEdition(box.title, box.players, len(box.deck), phases)


def problem_of(error: EditionError, text: str) -> Mistake:
    """What is wrong, for who has not written the file and knows of no lines."""
    mistake = error.mistake
    if "where" not in mistake.values:
        return mistake
    title = re.search(r'^title = "(.{1,60})"$', text, re.MULTILINE)
    return Mistake(mistake.name, {**mistake.values, "where": title[1] if title else CUSTOM_NAME})
