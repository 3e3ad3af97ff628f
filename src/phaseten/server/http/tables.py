"""Requests about tables."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from phaseten.server.http.bodies import read_json
from phaseten.server.http.guard import Guard
from phaseten.server.http.invitations import Invitation, Reach, qr_form, reach
from phaseten.server.http.openapi import TEXT, Body, Operation
from phaseten.server.http.responses import (
    file_response,
    json_response,
    language_of,
    table_problem,
)
from phaseten.server.running.codes import is_code
from phaseten.server.running.services import Services
from phaseten.server.settings import Settings
from phaseten.server.socket.messages import TableForm
from phaseten.server.socket.updates import table_form
from phaseten.server.store.listings import ListedTable, MyTable, listed_table
from phaseten.server.store.records import record_of
from phaseten.table.beginnings import MOST_POSITION
from phaseten.table.options import Options, OptionsError
from phaseten.table.state import PLAYING, Table
from phaseten.table.viewers import may_look, viewer_of

MOST_BODY: Final = 16_384
MOST_LISTED: Final = 100
MOST_LOOKED_AT: Final = 5
"""Of one's own tables, so many are looked at to say whose turn it is: those where something happened last."""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table that somebody wants to open."""

    name: Annotated[str, Meta(max_length=100, description="The host's name.")]
    options: Options = Options()
    position: Annotated[
        str,
        Meta(
            max_length=MOST_POSITION,
            description="The line of a position in which games begin there; it says by which rules "
            "and for how many. Empty: they begin with a deal.",
        ),
    ] = ""


class Opened(Struct, frozen=True):
    """A table that was opened."""

    code: str


class Address(Struct, frozen=True):
    """Where others find this server."""

    base: Annotated[str, Meta(description="What links to this server begin with.")]
    warning: Annotated[str, Meta(description="Why others cannot come this way, or empty.")]


class TableRoutes:
    """Lists tables, opens them, and finds them by their code."""

    def __init__(self, settings: Settings, guard: Guard, services: Services) -> None:
        self._settings = settings
        self._guard = guard
        self._services = services

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked for."""
        return (*self._of_many, *self._of_one)

    @property
    def _of_many(self) -> tuple[Operation, ...]:
        """What is asked about tables, and about finding them."""
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
                answer=list[MyTable],
            ),
        )

    @property
    def _of_one(self) -> tuple[Operation, ...]:
        """What is asked about one table."""
        return (
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
                "before that as one's own seat knows it.",
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
        self._guard.limit_requests(connection)
        guesses = self._guard.guesses_of(connection)
        code: str = connection.path_params["code"]
        table = None
        if is_code(code):
            table = await self._services.node.registry.table(code)
        if guesses.is_empty and not self._is_at(table, connection):
            raise self._guard.too_fast(
                connection
            )  # also for a right code, or it could be told from a wrong one
        if table is None:
            guesses.take()
            raise table_problem(404, "no-table", connection)
        return table

    def _is_at(self, table: Table | None, connection: HTTPConnection) -> bool:
        """Whether somebody sits there who asks for the own table: that is no guess."""
        return table is not None and self._guard.guest(connection).owner in table.owners

    async def _list(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        found = await self._services.store.public_tables(MOST_LISTED)
        return json_response([listed_table(listed) for listed in found])

    async def _mine(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        guest = self._guard.guest(request)
        found = await self._services.store.tables_of(guest.owner, MOST_LISTED)
        looked_at = [one.table for one in found if one.stage == PLAYING][:MOST_LOOKED_AT]
        mine: list[MyTable] = []
        for one in found:
            table = None
            if one.table in looked_at:
                table = await self._services.node.registry.table(one.table)
            mine.append(_my_table(listed_table(one), table, guest.owner))
        # Who comes back keeps the seats for another year.
        renewed = self._guard.cookie(guest.token) if guest.is_cookie_due else None
        return json_response(mine, headers=None if guest.is_new else renewed)

    async def _open(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        self._guard.check_origin(request)
        wanted = await read_json(request, NewTable, MOST_BODY)
        self._guard.limit_creation(request)
        guest = self._guard.guest(request)
        try:
            code = await self._services.node.registry.open(
                guest.owner, wanted.name, wanted.options, wanted.position
            )
        except OptionsError as error:
            raise table_problem(422, "bad-options", request, {"problem": error.mistake}) from error
        if not isinstance(code, str):
            raise table_problem(422, code.reason, request, code.values)
        return json_response(
            Opened(code), 201, self._guard.cookie(guest.token) if guest.is_new else None
        )

    async def _address(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        found = reach_of(request, self._settings)
        return json_response(Address(found.base, warning_of(found, request)))

    async def _show(self, request: Request) -> Response:
        table = await self.find(request)
        form = table_form(table, self._services.node.audience.present(table.code))
        if not may_look(table, viewer_of(table, self._guard.guest(request).owner)):
            form = replace(form, server_seed=None)  # the name of the game follows from it
        return json_response(form)

    async def _record(self, request: Request) -> Response:
        table = await self.find(request)
        viewer = viewer_of(table, self._guard.guest(request).owner)
        if not may_look(table, viewer):
            raise table_problem(403, "no-watchers", request)
        text = record_of(
            table, await self._services.node.registry.steps(table, table.since), viewer.seat
        )
        if text is None:
            raise table_problem(404, "no-game", request)
        return file_response(text, f"{table.code}.p10")

    async def _invite(self, request: Request) -> Response:
        table = await self.find(request)
        found = reach_of(request, self._settings)
        link = f"{found.base}/join/{table.code}"
        qr = None if found.trouble else qr_form(link)
        return json_response(Invitation(table.code, link, qr, warning_of(found, request)))


def reach_of(request: Request, settings: Settings) -> Reach:
    """Where others find the server that was reached by this request."""
    scheme = "https" if settings.secure else request.url.scheme
    return reach(scheme, request.headers.get("host", ""), settings.host)


def warning_of(found: Reach, request: Request) -> str:
    """Why others do not find it there, or nothing."""
    if not found.trouble:
        return ""
    return language_of(request).say(f"serve.invitation.{found.trouble}")


def _my_table(listed: ListedTable, table: Table | None, owner: str) -> MyTable:
    """The table in the list of that guest."""
    seat = table.turn if table is not None and table.stage == PLAYING else None
    name = table.places[seat - 1].name if table is not None and seat is not None else ""
    yours = table is not None and seat is not None and table.seat_of(owner) == seat
    return MyTable(listed.code, listed.stage, listed.changed, listed.about, name, yours)
