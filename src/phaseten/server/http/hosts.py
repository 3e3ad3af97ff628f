"""By which names the server may be called.

A page of another site can have the name of that site point to this machine, and the browser then takes
the two for one (DNS rebinding). But it says by which name it has come: a name that only others can give
is refused. Addresses, names of this machine and names of its own network are nobody else's to give.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from phaseten.server.http.responses import respond_to_problem, server_problem
from phaseten.server.settings import ANY_HOST

_HOST: Final = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253}?)\.?(?::[0-9]{1,5})?")
_NEAR: Final = re.compile(r"[a-z0-9_-]+|.+\.(localhost|local|lan|home|home\.arpa|internal|test)")
"""Names that no site of the internet has: one word, and what ends like a network at home."""


def name_in(host: str) -> str:
    """The name or address in a Host header, without its port; nothing where it is none."""
    match = _HOST.fullmatch(host.lower())
    return match[1].strip("[]") if match else ""


def is_own_name(name: str, allowed: Sequence[str]) -> bool:
    """Whether a browser that says so has come by a name that nobody else could give to this server.

    >>> is_own_name("192.168.1.5", ()), is_own_name("laptop.local", ()), is_own_name("evil.example", ())
    (True, True, False)
    """
    if name in allowed or ANY_HOST in allowed or _NEAR.fullmatch(name):
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class WithHosts:
    """Refuses requests that came by another name."""

    def __init__(self, app: ASGIApp, allowed: Sequence[str]) -> None:
        self._app = app
        self._allowed = tuple(name.lower() for name in allowed if name)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        host = Headers(scope=scope).get("host") if scope["type"] != "lifespan" else None
        # Whoever names no host is no browser.
        if host is None or is_own_name(name_in(host), self._allowed):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        problem = server_problem(421, "host", connection, name=name_in(host) or "?")
        answer = await respond_to_problem(connection, problem)
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(answer)
        else:
            await answer(scope, receive, send)
