"""Requests about editions of one's own: whether they can be played, and what they ask for in words."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from phaseten.rules.editions import Edition, EditionError, read_edition
from phaseten.rules.mistakes import Mistake
from phaseten.server.http.bodies import read_text
from phaseten.server.http.guard import Guard
from phaseten.server.http.openapi import TEXT, Body, Operation
from phaseten.server.http.responses import json_response, language_of, table_problem
from phaseten.table.options import CUSTOM_NAME, MOST_CUSTOM


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


class EditionRoutes:
    """Reads editions."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked for."""
        return (
            Operation(
                method="POST",
                path="/api/editions",
                handle=self._read,
                summary="Read an edition of one's own (TOML) as a table would: nothing is kept of it.",
                body=Body(kind=_EditionText, media=TEXT),
                answer=ReadEdition,
                errors=(413, 415, 422),
            ),
        )

    async def _read(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        text = (await read_text(request, MOST_CUSTOM)).decode(errors="replace")
        try:
            box = read_edition(text, CUSTOM_NAME)
        except EditionError as error:
            values = {"problem": _plain(error.mistake, text)}
            raise table_problem(422, "bad-options", request, values) from error
        language = language_of(request)
        phases = tuple([language.phase(phase) for phase in box.phases])
        return json_response(
            ReadEdition(box.title, box.players, len(box.deck), phases, _draft(box))
        )


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


_EditionText = Annotated[
    str, Meta(max_length=MOST_CUSTOM, description="An edition, as docs/editions.md has it.")
]


def _plain(mistake: Mistake, text: str) -> Mistake:
    """The same for who has not written the file and knows of no lines."""
    if "where" not in mistake.values:
        return mistake
    title = re.search(r'^title = "(.{1,60})"$', text, re.MULTILINE)
    return Mistake(mistake.name, {**mistake.values, "where": title[1] if title else CUSTOM_NAME})
