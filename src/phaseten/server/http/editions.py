"""Requests about editions of one's own."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from phaseten.rules.editions import EditionError
from phaseten.server.http.bodies import read_text
from phaseten.server.http.drafts import ReadEdition, problem_of, read_draft
from phaseten.server.http.guard import Guard
from phaseten.server.http.openapi import TEXT, Body, Operation
from phaseten.server.http.responses import json_response, language_of, table_problem
from phaseten.table.options import MOST_CUSTOM


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
            return json_response(read_draft(text, language_of(request)))
        except EditionError as error:
            values = {"problem": problem_of(error, text)}
            raise table_problem(422, "bad-options", request, values) from error


_EditionText = Annotated[
    str, Meta(max_length=MOST_CUSTOM, description="An edition, as docs/editions.md has it.")
]
