"""Who somebody is: an unguessable token in a cookie. The server keeps only its hash."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from typing import Final, NamedTuple

from starlette.requests import HTTPConnection

COOKIE: Final = "phaseten"
_YEAR: Final = 365 * 24 * 3600
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")


class Guest(NamedTuple):
    """Somebody with a token."""

    owner: str
    """The hash of the token."""
    new_token: str = ""
    """The token, where it has just been made and the cookie has still to be set."""

    def headers(self, *, secure: bool) -> dict[str, str]:
        """The header that sets the cookie, where one is needed."""
        if not self.new_token:
            return {}
        flags = "; Secure" if secure else ""
        cookie = f"{COOKIE}={self.new_token}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax"
        return {"set-cookie": cookie + flags}


def guest_of(connection: HTTPConnection) -> Guest:
    """Who asks; somebody new, where there is no cookie."""
    token = token_of(connection)
    return Guest(owner_of(token)) if token else new_guest(secrets.token_urlsafe(32))


def token_of(connection: HTTPConnection) -> str:
    """The token of the one who asks, or nothing."""
    token = connection.cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else ""


def new_guest(token: str) -> Guest:
    """Whoever has that token, and has still to be given it."""
    return Guest(owner_of(token), token)


def owner_of(token: str) -> str:
    """What the server knows somebody by."""
    return hashlib.sha256(f"phaseten guest {token}".encode()).hexdigest()[:32]


def is_same_origin(headers: Mapping[str, str], origins: tuple[str, ...]) -> bool:
    """Whether a page of this server asks, or a program that is no browser and names no page."""
    origin = headers.get("origin")
    if origin is None or origin in origins:
        return True
    scheme, _, host = origin.lower().partition("://")
    # A page without an origin ("null") is of no server, whatever the request calls its host.
    return scheme in ("http", "https") and host != "" and host == headers.get("host", "").lower()
