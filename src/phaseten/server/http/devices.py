"""Requests of those who come back on another device."""

from __future__ import annotations

import time

from starlette.requests import Request
from starlette.responses import Response

from phaseten.server.http.guard import Gate
from phaseten.server.http.identity import new_guest, token_of
from phaseten.server.http.invitations import qr_form
from phaseten.server.http.openapi import Operation
from phaseten.server.http.responses import json_answer, sorry
from phaseten.server.http.tables import reach_of, warning_of
from phaseten.server.http.transfers import (
    MINUTES,
    MovingForm,
    is_ticket,
    new_ticket,
    seal,
    ticket_name,
    unseal,
)
from phaseten.server.running.services import Backstage
from phaseten.server.settings import Settings


class MoveRequests:
    """Makes tickets, and takes them."""

    def __init__(self, settings: Settings, gate: Gate, backstage: Backstage) -> None:
        self._settings = settings
        self._gate = gate
        self._backstage = backstage

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
                answer=MovingForm,
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
        self._gate.slow_down(request)
        self._gate.check_origin(request)
        token = token_of(request)
        if not token:
            raise sorry(401, "nothing-to-move", request)
        self._gate.let_make(request)
        ticket = new_ticket()
        sealed = seal(ticket, token)
        now = _now()
        expires = now + MINUTES * 60_000
        await self._backstage.store.keep_ticket(sealed.name, sealed.token, now, expires)
        found = reach_of(request, self._settings)
        link = f"{found.base}/move/{ticket}"
        qr = None if found.trouble else qr_form(link)
        return json_answer(MovingForm(link, qr, warning_of(found, request), expires), 201)

    async def _take(self, request: Request) -> Response:
        self._gate.slow_down(request)
        self._gate.check_origin(request)
        guesses = self._gate.guesses(request)
        ticket: str = request.path_params["ticket"]
        sealed = None
        if is_ticket(ticket):
            sealed = await self._backstage.store.take_ticket(ticket_name(ticket), _now())
        if sealed is None:
            guesses.take()
            raise sorry(404, "no-ticket", request, minutes=MINUTES)
        guest = new_guest(unseal(ticket, sealed))
        return Response(status_code=204, headers=self._gate.cookie(guest))


def _now() -> int:
    return time.time_ns() // 1_000_000
