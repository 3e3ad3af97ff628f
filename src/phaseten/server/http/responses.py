"""How HTTP requests are answered: JSON, problems in a sentence, and the headers of every answer."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from phaseten.language import LANGUAGES, Language, language, preferred
from phaseten.server.logs import log, where
from phaseten.server.store.interface import OutcomeUnknownError

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",  # codes stand in addresses
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_GZIP_LEVEL: Final = 5

HTTPS_ONLY: Final = {
    "strict-transport-security": "max-age=31536000",
    # Without https browsers do not heed it, and complain on their consoles.
    "cross-origin-opener-policy": "same-origin",
}


class Problem(Struct, frozen=True):
    """Why a request was not carried out."""

    reason: Annotated[str, Meta(description="The name of the sentence.")]
    sentence: Annotated[str, Meta(description="Why, in the language of the one who asks.")]


class ProblemError(Exception):
    """A request that is not carried out."""

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__(problem.reason)
        self.status = status
        self.problem = problem


def table_problem(
    status: int, reason: str, connection: HTTPConnection, values: Mapping[str, object] | None = None
) -> ProblemError:
    """A request that is not carried out, with the table's sentence of that name."""
    sentence = language_of(connection).explain(f"table.refusal.{reason}", values or {})
    return ProblemError(status, Problem(reason, sentence))


def server_problem(
    status: int, reason: str, connection: HTTPConnection, **values: object
) -> ProblemError:
    """A request that is not carried out, with the server's own sentence of that name."""
    sentence = language_of(connection).say(f"serve.problem.{reason}", **values)
    return ProblemError(status, Problem(reason, sentence))


def language_of(connection: HTTPConnection) -> Language:
    """The language that was asked for, or that the browser prefers."""
    asked = connection.query_params.get("language", "")
    if asked in LANGUAGES:
        return language(asked)
    return language(preferred(connection.headers.get("accept-language", "").split(",")))


def json_response(
    value: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """The value as JSON."""
    return Response(msgspec.json.encode(value), status, headers, media_type="application/json")


def packed_response(
    value: object, connection: HTTPConnection, headers: Mapping[str, str] | None = None
) -> Response:
    """The value as JSON, compressed for whoever can read that: it is long."""
    if not accepts(connection, "gzip"):
        return json_response(value, 200, headers)
    body = gzip.compress(msgspec.json.encode(value), _GZIP_LEVEL)
    more = {"content-encoding": "gzip", "vary": "accept-encoding"}
    return Response(body, 200, {**(headers or {}), **more}, media_type="application/json")


def accepts(connection: HTTPConnection, encoding: str) -> bool:
    """Whether the client can read answers in that encoding."""
    for part in connection.headers.get("accept-encoding", "").split(","):
        name, _, weight = part.partition(";")
        if name.strip().lower() == encoding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def file_response(text: str, name: str) -> Response:
    """A text to be kept as a file of that name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, 200, headers, media_type="text/plain; charset=utf-8")


def text_response(text: str, status: int = 200) -> Response:
    """One line for programs that look after the server."""
    return Response(f"{text}\n", status, media_type="text/plain")


async def respond_to_problem(_request: HTTPConnection, error: Exception) -> Response:
    """The answer to a request that is not carried out."""
    assert isinstance(error, ProblemError)
    return json_response(error.problem, error.status)


async def respond_to_http_error(request: HTTPConnection, error: Exception) -> Response:
    """The answer to an address or a method that does not exist."""
    assert isinstance(error, HTTPException)
    reason = "no-method" if error.status_code == 405 else "no-page"
    problem = server_problem(error.status_code, reason, request).problem
    return json_response(problem, error.status_code, error.headers)


async def respond_to_store_error(request: HTTPConnection, error: Exception) -> Response:
    """The answer while nothing can be read or kept."""
    log.warning("failed", extra={"what": "store", "why": str(error)})
    reason = "unknown" if isinstance(error, OutcomeUnknownError) else "unavailable"
    return await respond_to_problem(request, table_problem(503, reason, request))


async def respond_to_failure(request: HTTPConnection, error: Exception) -> Response:
    """The answer where the program has a mistake."""
    log.error("failed", extra={"what": "request", "why": where(error)})
    return await respond_to_problem(request, server_problem(500, "failure", request))


class WithHeaders:
    """Adds the headers that every answer has."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._headers = HEADERS | (HTTPS_ONLY if secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)
