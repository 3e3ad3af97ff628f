"""Editions of one's own: whether they can be played, and what they ask for in words."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct

from phaseten.language import Language
from phaseten.rules.editions import Edition, EditionError, read_edition
from phaseten.rules.mistakes import Mistake
from phaseten.table.options import CUSTOM_NAME


class GroupDraft(Struct, frozen=True):
    """What a Phase asks for."""

    kind: str
    size: int


class PhaseDraft(Struct, frozen=True):
    """A Phase, for an editor."""

    groups: tuple[GroupDraft, ...]
    must_show: Annotated[int, Meta(description="A number that must be shown; 0: none.")]


class EditionDraft(Struct, frozen=True):
    """All that the file says, also what it leaves to an edition that it is based on."""

    name: str
    year: int
    deal: int
    colors: tuple[str, ...]
    highest: int
    copies: int
    wilds: int
    skips: int
    shortest_run: int
    skip_goes_to: str
    variations: tuple[str, ...]
    house: tuple[str, ...]
    phases: tuple[PhaseDraft, ...]


class ReadEdition(Struct, frozen=True):
    """An edition that can be played."""

    title: str
    players: Annotated[tuple[int, int], Meta(description="The fewest and the most.")]
    cards: Annotated[int, Meta(description="How many the deck has.")]
    phases: Annotated[tuple[str, ...], Meta(description="In the reader's language.")]
    draft: Annotated[EditionDraft, Meta(description="For an editor, which cannot read TOML.")]


def read_draft(text: str, language: Language) -> ReadEdition:
    """An edition (TOML) as a table would read it. Raises EditionError."""
    box = read_edition(text, CUSTOM_NAME)
    phases = tuple([language.phase(phase) for phase in box.phases])
    return ReadEdition(box.title, box.players, len(box.deck), phases, _draft(box))


def _draft(box: Edition) -> EditionDraft:
    phases = [
        PhaseDraft(
            tuple([GroupDraft(group.kind.name, group.size) for group in phase.groups]),
            phase.must_show,
        )
        for phase in box.phases
    ]
    return EditionDraft(
        box.name,
        box.year,
        box.deal,
        tuple(box.colors),
        box.highest,
        box.copies,
        box.wilds,
        box.skips,
        box.shortest_run,
        box.skip_goes_to,
        box.variations,
        box.house,
        tuple(phases),
    )


def problem_of(error: EditionError, text: str) -> Mistake:
    """What is wrong, for who has not written the file and knows of no lines."""
    mistake = error.mistake
    if "where" not in mistake.values:
        return mistake
    title = re.search(r'^title = "(.{1,60})"$', text, re.MULTILINE)
    return Mistake(mistake.name, {**mistake.values, "where": title[1] if title else CUSTOM_NAME})
