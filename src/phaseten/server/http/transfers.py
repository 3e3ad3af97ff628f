"""Coming back on another device: a ticket that gives its bearer a guest's token, once and soon.

The database has the ticket's hash, and the token under a key that follows from the ticket; so
nobody gets in with the database alone.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct

from phaseten.server.http.invitations import QrForm

MINUTES: Final = 10
_TICKET: Final = re.compile(r"[A-Za-z0-9_-]{22}")


class DeviceTransfer(Struct, frozen=True):
    """How to come back on another device."""

    link: str
    qr: Annotated[QrForm | None, Meta(description="The link; null where it helps nobody.")]
    warning: Annotated[str, Meta(description="Why others cannot come this way, or empty.")]
    expires: Annotated[int, Meta(description="When, in milliseconds since 1970.")]


class Sealed(NamedTuple):
    """What the database keeps of a ticket."""

    name: str
    token: str


def new_ticket() -> str:
    """A ticket that nobody can guess."""
    return secrets.token_urlsafe(16)


def is_ticket(text: str) -> bool:
    """Whether this could be a ticket."""
    return _TICKET.fullmatch(text) is not None


def seal(ticket: str, token: str) -> Sealed:
    """The token as it is kept under that ticket."""
    return Sealed(ticket_name(ticket), _mixed(ticket, token.encode()).hex())


def unseal(ticket: str, sealed: str) -> str:
    """The token that was kept under that ticket."""
    return _mixed(ticket, bytes.fromhex(sealed)).decode()


def ticket_name(ticket: str) -> str:
    """What the database knows the ticket by."""
    return hashlib.sha256(f"phaseten ticket {ticket}".encode()).hexdigest()


def _mixed(ticket: str, text: bytes) -> bytes:
    """The text under the ticket's key, or out from under it: each ticket is used for one text only."""
    key = hashlib.shake_256(f"phaseten ticket key {ticket}".encode()).digest(len(text))
    return bytes(a ^ b for a, b in zip(text, key, strict=True))
