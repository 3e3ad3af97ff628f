"""Reading what is sent with a request, and not more than that."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from phaseten.server.http.responses import server_problem, table_problem

T = TypeVar("T")


async def read_json(request: Request, kind: type[T], most: int) -> T:
    """The value in the body, strictly of that type."""
    if _media(request) != "application/json":
        raise table_problem(415, "malformed", request)
    body = await _read(request, most)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise table_problem(422, "malformed", request) from error


async def read_text(request: Request, most: int) -> bytes:
    """The text in the body, as it came."""
    if _media(request) != "text/plain":
        raise server_problem(415, "not-text", request)
    return await _read(request, most)


def _media(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _read(request: Request, most: int) -> bytes:
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise server_problem(413, "too-long", request, most=most)
    except (
        ClientDisconnect
    ) as error:  # or it took too long, and was cut off: nobody reads the answer
        raise table_problem(400, "malformed", request) from error
    return bytes(body)
