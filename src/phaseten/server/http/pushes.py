"""Requests of browsers that want to hear of turns when their page is closed."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from phaseten.server.clock import now
from phaseten.server.http.bodies import read_json
from phaseten.server.http.guard import Guard
from phaseten.server.http.openapi import Body, Operation
from phaseten.server.http.responses import json_response, language_of, server_problem, table_problem
from phaseten.server.http.tables import reach_of
from phaseten.server.running.services import Services
from phaseten.server.settings import Settings
from phaseten.server.store.interface import Subscription

MOST_BYTES: Final = 4_000
MOST_ENDPOINT: Final = 1_000


class PushKey(Struct, frozen=True):
    """With which a browser subscribes."""

    key: Annotated[str, Meta(description="In base64url; empty where this server sends nothing.")]


class PushAddress(Struct, frozen=True, forbid_unknown_fields=True):
    """Where messages to a browser go."""

    endpoint: Annotated[str, Meta(max_length=MOST_ENDPOINT)]


class PushSubscriber(PushAddress, frozen=True, forbid_unknown_fields=True):
    """A browser that has subscribed."""

    p256dh: Annotated[str, Meta(max_length=100, description="Its public key, in base64url.")]
    auth: Annotated[str, Meta(max_length=40, description="Its secret, in base64url.")]


class PushRoutes:
    """Keeps where messages go, and forgets it."""

    def __init__(self, settings: Settings, guard: Guard, services: Services) -> None:
        self._settings = settings
        self._guard = guard
        self._services = services

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked for."""
        return (
            Operation(
                method="GET",
                path="/api/push",
                handle=self._key,
                summary="The key with which a browser subscribes to messages about turns.",
                answer=PushKey,
            ),
            Operation(
                method="POST",
                path="/api/push",
                handle=self._keep,
                summary="Tell a browser of its owner's turns, at tables with much time for each.",
                body=Body(kind=PushSubscriber),
                status=204,
                errors=(401, 403, 404, 413, 415, 422),
            ),
            Operation(
                method="DELETE",
                path="/api/push",
                handle=self._forget,
                summary="Tell it nothing any more.",
                body=Body(kind=PushAddress),
                status=204,
                errors=(401, 403, 413, 415, 422),
            ),
        )

    async def _key(self, request: Request) -> Response:
        self._guard.limit_requests(request)
        sender = self._services.sender
        return json_response(PushKey(sender.public if sender is not None else ""))

    async def _keep(self, request: Request) -> Response:
        owner = self._owner(request)
        self._guard.limit_creation(request)
        sender = self._services.sender
        if sender is None:
            raise server_problem(404, "no-push", request)
        asked = await read_json(request, PushSubscriber, MOST_BYTES)
        site = "https://" + reach_of(request, self._settings).base.partition("://")[2]
        subscription = Subscription(
            asked.endpoint, asked.p256dh, asked.auth, language_of(request).code, site
        )
        try:
            sender.check(subscription)
        except ValueError as error:
            raise table_problem(422, "malformed", request) from error
        await self._services.store.keep_subscription(owner, subscription, now())
        return Response(status_code=204)

    async def _forget(self, request: Request) -> Response:
        owner = self._owner(request)
        asked = await read_json(request, PushAddress, MOST_BYTES)
        await self._services.store.forget_subscription(owner, asked.endpoint)
        return Response(status_code=204)

    def _owner(self, request: Request) -> str:
        """Who asks; somebody who has played here."""
        self._guard.limit_requests(request)
        self._guard.check_origin(request)
        guest = self._guard.returning_guest(request)
        if guest is None:
            raise server_problem(401, "nobody-to-tell", request)
        return guest.owner
