"""Requests about tables."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from phaseten.server.http.bodies import read_json
from phaseten.server.http.guard import Gate
from phaseten.server.http.identity import guest_of
from phaseten.server.http.invitations import Invitation, Reach, qr_form, reach
from phaseten.server.http.openapi import TEXT, Body, Operation
from phaseten.server.http.responses import (
    declined,
    file_answer,
    json_answer,
    language_of,
)
from phaseten.server.running.registry import CODE_LENGTH, CODE_LETTERS
from phaseten.server.running.services import Backstage
from phaseten.server.settings import Settings
from phaseten.server.socket.messages import TableForm
from phaseten.server.socket.updates import may_look, table_form, viewer_of
from phaseten.server.store.listings import ListedTable, listed_table
from phaseten.server.store.records import record_of
from phaseten.table.options import Options, OptionsError
from phaseten.table.state import Table

MOST_BODY: Final = 16_384
MOST_LISTED: Final = 100


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table that somebody wants to open."""

    name: Annotated[str, Meta(max_length=100, description="The host's name.")]
    options: Options = Options()


class Opened(Struct, frozen=True):
    """A table that was opened."""

    code: str


class Address(Struct, frozen=True):
    """Where others find this server."""

    base: Annotated[str, Meta(description="What links to this server begin with.")]
    warning: Annotated[str, Meta(description="Why others cannot come this way, or empty.")]


class TableRequests:
    """Lists tables, opens them, and finds them by their code."""

    def __init__(self, settings: Settings, gate: Gate, backstage: Backstage) -> None:
        self._settings = settings
        self._gate = gate
        self._backstage = backstage

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked for."""
        return (
            Operation(
                method="GET",
                path="/api/tables",
                handle=self._list,
                summary="The public tables that are not finished.",
                answer=list[ListedTable],
            ),
            Operation(
                method="POST",
                path="/api/tables",
                handle=self._open,
                summary="Open a table, and be its host.",
                body=Body(kind=NewTable),
                answer=Opened,
                status=201,
                errors=(403, 413, 415, 422),
            ),
            Operation(
                method="GET",
                path="/api/address",
                handle=self._address,
                summary="Where others find this server: for them localhost would be wrong.",
                answer=Address,
            ),
            Operation(
                method="GET",
                path="/api/mine",
                handle=self._mine,
                summary="The tables at which the one who asks sat.",
                answer=list[ListedTable],
            ),
            Operation(
                method="GET",
                path="/api/tables/{code}",
                handle=self._show,
                summary="The table, without the game.",
                answer=TableForm,
                errors=(404,),
            ),
            Operation(
                method="GET",
                path="/api/tables/{code}/record",
                handle=self._record,
                summary="The last game as a record (.p10): whole with its seeds when it is over, "
                "before that as the own seat knows it.",
                answer=str,
                media=TEXT,
                errors=(403, 404),
            ),
            Operation(
                method="GET",
                path="/api/tables/{code}/invitation",
                handle=self._invite,
                summary="How others come to the table: a link, and its QR code.",
                answer=Invitation,
                errors=(404,),
            ),
        )

    async def find(self, connection: HTTPConnection) -> Table:
        """The table of the code in the address. Who guesses codes is slowed down."""
        self._gate.slow_down(connection)
        guesses = self._gate.guesses(connection)
        code: str = connection.path_params["code"]
        table = None
        if len(code) == CODE_LENGTH and not set(code) - set(CODE_LETTERS):
            table = await self._backstage.hall.table(code)
        if table is None:
            guesses.take()
            raise declined(404, "no-table", connection)
        return table

    async def _list(self, request: Request) -> Response:
        self._gate.slow_down(request)
        found = await self._backstage.store.public_tables(MOST_LISTED)
        return json_answer([listed_table(listed) for listed in found])

    async def _mine(self, request: Request) -> Response:
        self._gate.slow_down(request)
        guest = guest_of(request)
        found = await self._backstage.store.tables_of(guest.owner, MOST_LISTED)
        listed = [listed_table(listed) for listed in found]
        return json_answer(listed)

    async def _open(self, request: Request) -> Response:
        self._gate.slow_down(request)
        self._gate.check_origin(request)
        wanted = await read_json(request, NewTable, MOST_BODY)
        self._gate.let_make(request)
        guest = guest_of(request)
        try:
            code = await self._backstage.hall.open(guest.owner, wanted.name, wanted.options)
        except OptionsError as error:
            raise declined(422, "bad-options", request, {"problem": error.mistake}) from error
        if not isinstance(code, str):
            raise declined(422, code.reason, request, code.values)
        return json_answer(Opened(code), 201, self._gate.cookie(guest))

    async def _address(self, request: Request) -> Response:
        self._gate.slow_down(request)
        found = reach_of(request, self._settings)
        return json_answer(Address(found.base, warning_of(found, request)))

    async def _show(self, request: Request) -> Response:
        table = await self.find(request)
        return json_answer(table_form(table, self._backstage.hall.present(table.code)))

    async def _record(self, request: Request) -> Response:
        table = await self.find(request)
        viewer = viewer_of(table, guest_of(request).owner)
        if not may_look(table, viewer):
            raise declined(403, "no-watchers", request)
        text = record_of(table, await self._backstage.hall.steps(table), viewer.seat)
        if text is None:
            raise declined(404, "no-game", request)
        return file_answer(text, f"{table.code}.p10")

    async def _invite(self, request: Request) -> Response:
        table = await self.find(request)
        found = reach_of(request, self._settings)
        link = f"{found.base}/join/{table.code}"
        qr = None if found.trouble else qr_form(link)
        return json_answer(Invitation(table.code, link, qr, warning_of(found, request)))


def reach_of(request: Request, settings: Settings) -> Reach:
    """Where others find the server that was reached by this request."""
    scheme = "https" if settings.secure else request.url.scheme
    return reach(scheme, request.headers.get("host", ""), settings.host)


def warning_of(found: Reach, request: Request) -> str:
    """Why others do not find it there, or nothing."""
    if not found.trouble:
        return ""
    return language_of(request).say(f"serve.invitation.{found.trouble}")
