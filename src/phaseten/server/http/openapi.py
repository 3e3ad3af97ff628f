"""The HTTP API as data: from the same operations come the routes and their description (OpenAPI 3.1)."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib.metadata import version
from typing import Any, Final, Literal, TypedDict, cast

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from phaseten.notation.codec import SEEN, MeldData
from phaseten.notation.shapes import fields_of
from phaseten.rules.melds import Meld
from phaseten.server.http.identity import COOKIE
from phaseten.server.http.responses import Problem
from phaseten.server.running.codes import CODE_LENGTH, CODE_LETTERS
from phaseten.server.socket.messages import EVENT
from phaseten.server.store.games import ID_LENGTH, ID_LETTERS

JSON: Final = "application/json"
TEXT: Final = "text/plain"
ANYWHERE: Final = (429, 503)
"""Who asks too often, and a store that does not answer, can happen to every request of the API."""

Handler = Callable[[Request], Awaitable[Response]]
Schema = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Body:
    """What is sent with a request."""

    kind: Any
    media: str = JSON


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One thing that can be asked for."""

    method: str
    path: str
    handle: Handler
    summary: str
    answer: Any = None
    """The type of the answer; None where there is nothing to say."""
    media: str = JSON
    status: int = 200
    errors: tuple[int, ...] = ()
    body: Body | None = None
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names of what can be asked for in the address, and what they mean."""

    @property
    def is_of_api(self) -> bool:
        """Whether limits and stores stand before it."""
        return self.path.startswith("/api/")


_PATH_PARAMETERS: Final[Mapping[str, tuple[str, str]]] = {
    "code": ("The table's code.", f"^[{CODE_LETTERS}]{{{CODE_LENGTH}}}$"),
    "id": ("The game's name.", f"^[{ID_LETTERS}]{{{ID_LENGTH}}}$"),
    "number": ("The puzzle's number.", "^[1-9][0-9]{0,5}$"),
    "ticket": ("The ticket.", "^[A-Za-z0-9_-]{22}$"),
}
LANGUAGE: Final = "The language of the sentences: en, es, fr or pt; otherwise the browser's."


def routes(operations: Iterable[Operation]) -> list[Route]:
    """One route for each address, so that it knows all the methods that are allowed there."""
    by_path: dict[str, dict[str, Handler]] = {}
    for operation in operations:
        by_path.setdefault(operation.path, {})[operation.method] = operation.handle
    return [Route(path, Endpoint(handlers)) for path, handlers in by_path.items()]


class Endpoint:
    """One address, and what is done there by which method."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self._handlers = dict(handlers)
        if "GET" in handlers:
            self._handlers["HEAD"] = handlers["GET"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive, send)
        handle = self._handlers.get(request.method)
        if handle is None:
            raise HTTPException(405, headers={"allow": ", ".join(sorted(self._handlers))})
        answer = await handle(request)
        await answer(scope, receive, send)


def describe(operations: Sequence[Operation], cookie: str = COOKIE) -> Schema:
    """The description of these operations, for guests with that cookie."""
    events = [_event_type(kind) for kind in SEEN.kinds]
    kinds = {Problem, *events}
    for operation in operations:
        kinds |= {
            kind
            for kind in (operation.answer, operation.body.kind if operation.body else None)
            if kind is not None
        }
    listed = sorted(kinds, key=str)
    schemas, components = msgspec.json.schema_components(
        listed, ref_template="#/components/schemas/{name}"
    )
    by_kind = dict(zip(listed, schemas, strict=True))
    _name_events(components, {"anyOf": [by_kind[event] for event in events]})
    paths: dict[str, Schema] = {}
    for operation in operations:
        described = _operation(operation, by_kind)
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {"title": "phaseten", "version": version("phaseten")},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"guest": {"type": "apiKey", "in": "cookie", "name": cookie}},
        },
        "security": [{}, {"guest": []}],
    }


def _event_type(kind: type) -> Any:
    """The data of an event as a type."""
    fields = {
        name: MeldData if shape.form is Meld else shape.form
        for name, shape in fields_of(kind).shapes.items()
    }
    if "melds" in fields:
        fields["melds"] = tuple[MeldData, ...]
    make_type = cast("Any", TypedDict)
    return make_type(kind.__name__, {SEEN.tag: Literal[kind.__name__], **fields})  # pyright: ignore[reportInvalidTypeForm]


def _name_events(schema: Any, events: Schema) -> None:
    """Say of every list of events which ones there are."""
    if isinstance(schema, dict):
        found = cast("Schema", schema)
        if found.get("title") == EVENT:
            found.update(events)
        for part in found.values():
            _name_events(part, events)
    elif isinstance(schema, list):
        for part in cast("list[Any]", schema):
            _name_events(part, events)


def _operation(operation: Operation, by_kind: Mapping[Any, Schema]) -> Schema:
    errors = {*operation.errors, *(ANYWHERE if operation.is_of_api else ())}
    answers = {str(operation.status): _answer(operation, by_kind)}
    for status in sorted(errors):
        answers[str(status)] = {
            "description": HTTPStatus(status).phrase,
            "content": {JSON: {"schema": by_kind[Problem]}},
        }
    described: Schema = {
        "operationId": f"{operation.method.lower()}{re.sub(r'[^a-z]+', '_', operation.path)}",
        "summary": operation.summary,
        "parameters": _parameters(operation),
        "responses": answers,
    }
    if operation.body is not None:
        body = operation.body
        described["requestBody"] = {
            "required": True,
            "content": {body.media: {"schema": by_kind[body.kind]}},
        }
    return described


def _answer(operation: Operation, by_kind: Mapping[Any, Schema]) -> Schema:
    answer: Schema = {"description": operation.summary}
    if operation.answer is not None:
        answer["content"] = {operation.media: {"schema": by_kind[operation.answer]}}
    return answer


def _parameters(operation: Operation) -> list[Schema]:
    found: list[Schema] = []
    for name in re.findall(r"\{(\w+)\}", operation.path):
        about, pattern = _PATH_PARAMETERS[name]
        schema = {"type": "string", "pattern": pattern}
        found.append(
            {"name": name, "in": "path", "required": True, "description": about, "schema": schema}
        )
    query = {**operation.query, **({"language": LANGUAGE} if operation.is_of_api else {})}
    for name, about in query.items():
        schema = {"type": "string"}
        found.append({"name": name, "in": "query", "description": about, "schema": schema})
    return found
