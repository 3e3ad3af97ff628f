"""Requests of those who come back on another device."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from phaseten.server.clock import now
from phaseten.server.http.guard import Guard
from phaseten.server.http.invitations import qr_form
from phaseten.server.http.openapi import Operation
from phaseten.server.http.responses import json_response, server_problem
from phaseten.server.http.tables import reach_of, warning_of
from phaseten.server.http.transfers import (
    MINUTES,
    DeviceTransfer,
    is_ticket,
    new_ticket,
    seal,
    ticket_name,
    unseal,
)
from phaseten.server.running.services import Services
from phaseten.server.settings import Settings


class DeviceRoutes:
    """Makes tickets, and takes them."""

    def __init__(self, settings: Settings, guard: Guard, services: Services) -> None:
        self._settings = settings
        self._guard = guard
        self._services = services

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked for."""
        return (
            Operation(
                method="POST",
                path="/api/moves",
                handle=self._make,
                summary=f"A link that works once, for {MINUTES} minutes: who opens it on another "
                "device is the same guest there.",
                answer=DeviceTransfer,
                status=201,
                errors=(401, 403),
            ),
            Operation(
                method="POST",
                path="/api/moves/{ticket}",
                handle=self._take,
                summary="Use such a link: the cookie is set to the guest's token.",
                status=204,
                errors=(403, 404),
            ),
        )

    async def _make(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        self._guard.check_origin(request)
        guest = self._guard.returning_guest(request)
        if guest is None:
            raise server_problem(401, "nothing-to-move", request)
        self._guard.limit_creation(request)
        ticket = new_ticket()
        sealed = seal(ticket, guest.token)
        at = now()
        expires = at + MINUTES * 60_000
        await self._services.store.keep_ticket(sealed.name, sealed.token, at, expires)
        found = reach_of(request, self._settings)
        link = f"{found.base}/move/{ticket}"
        qr = None if found.trouble else qr_form(link)
        return json_response(DeviceTransfer(link, qr, warning_of(found, request), expires), 201)

    async def _take(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        self._guard.check_origin(request)
        guesses = self._guard.guesses(request)
        ticket: str = request.path_params["ticket"]
        sealed = None
        if is_ticket(ticket):
            sealed = await self._services.store.take_ticket(ticket_name(ticket), now())
        if sealed is None:
            guesses.take()
            raise server_problem(404, "no-ticket", request, minutes=MINUTES)
        return Response(status_code=204, headers=self._guard.cookie(unseal(ticket, sealed)))
