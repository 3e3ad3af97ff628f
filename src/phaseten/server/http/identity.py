"""Who somebody is: an unguessable token in a cookie. The server keeps only its hash."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Mapping
from typing import Final, NamedTuple

COOKIE: Final = "phaseten"
SECURE_COOKIE: Final = "__Host-phaseten"
"""A browser takes it over https alone, and from no other host, not even one of the same domain."""
_YEAR: Final = 365 * 24 * 3600
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_TIME_BYTES: Final = 4
_CHANCE_BYTES: Final = 14
_SIGNED_BYTES: Final = _TIME_BYTES + _CHANCE_BYTES
_SIGNATURE_BYTES: Final = 14
_DAY: Final = 24 * 60
_RENEWAL: Final = 30 * _DAY
"""When a cookie is older than that, it is set again; minutes."""


class Guest(NamedTuple):
    """Somebody with a token."""

    token: str
    issued: int
    """When, in minutes since 1970."""
    is_new: bool = False
    """Whether the token has just been made, and the cookie has still to be set."""

    @property
    def owner(self) -> str:
        """What the server knows somebody by: the hash of the token."""
        return owner_of(self.token)

    @property
    def is_known(self) -> bool:
        """Whether somebody has been here for a day: guests that are made to guess codes have not."""
        return not self.is_new and time.time() / 60 - self.issued >= _DAY

    @property
    def is_cookie_due(self) -> bool:
        """Whether to set the cookie: a new one, or one that a browser would forget a year after it was first set."""
        return self.is_new or time.time() / 60 - self.issued >= _RENEWAL


class Tokens:
    """Makes tokens, and tells those from others. A token carries a signature, so that no list of them is needed."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def new(self) -> Guest:
        """Somebody new."""
        return self.sign(int(time.time() / 60), secrets.token_bytes(_CHANCE_BYTES))

    def sign(self, issued: int, chance: bytes) -> Guest:
        """Whoever gets the token of that time and those random bytes."""
        signed = issued.to_bytes(_TIME_BYTES) + chance
        token = base64.urlsafe_b64encode(signed + self._signature(signed)).rstrip(b"=").decode()
        return Guest(token, issued, is_new=True)

    def find(self, token: str) -> Guest | None:
        """Whoever has that token, if it was made here."""
        if not _TOKEN.fullmatch(token):
            return None
        data = base64.urlsafe_b64decode(token + "=")
        signed = data[:_SIGNED_BYTES]
        issued = int.from_bytes(signed[:_TIME_BYTES])
        # Compared as a text: the last letter has bits to spare, and would make four tokens of one.
        made = self.sign(issued, signed[_TIME_BYTES:]).token
        return Guest(token, issued) if hmac.compare_digest(made, token) else None

    def _signature(self, signed: bytes) -> bytes:
        return hmac.digest(self._key, b"phaseten guest " + signed, "sha256")[:_SIGNATURE_BYTES]


def cookie_name(*, secure: bool) -> str:
    """In which cookie the token is."""
    return SECURE_COOKIE if secure else COOKIE


def cookie_header(token: str, *, secure: bool) -> dict[str, str]:
    """The header that sets the cookie, for a year from now."""
    flags = "; Secure" if secure else ""
    name = cookie_name(secure=secure)
    cookie = f"{name}={token}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax"
    return {"set-cookie": cookie + flags}


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
