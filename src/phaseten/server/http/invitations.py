"""The address under which others reach a table, as a link and as a QR code."""

from __future__ import annotations

import re
import socket
from contextlib import closing
from itertools import groupby
from typing import Annotated, Final, NamedTuple

import segno
from msgspec import Meta, Struct

_HOST: Final = re.compile(r"([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?")
_LOOPBACK: Final = re.compile(r"(.+\.)?localhost|127(\.[0-9]{1,3}){3}|\[?::1\]?")
_FAR: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that belong to nobody; nothing is ever sent there."""
_BORDER: Final = 4
"""Light modules around a QR code."""

EVERYWHERE: Final = ("0.0.0.0", "::", "")
"""What a server listens on that can be reached in every way."""
ONLY_HERE: Final = "only-here"
NO_NETWORK: Final = "no-network"


class QrForm(Struct, frozen=True):
    """A QR code: draw the path in a square of that size."""

    size: int
    path: Annotated[str, Meta(description="The d of an SVG path, to be filled.")]


class Invitation(Struct, frozen=True):
    """How others come to a table."""

    code: str
    link: str
    qr: Annotated[QrForm | None, Meta(description="The link; null where it helps nobody.")]
    warning: Annotated[str, Meta(description="Why others cannot come this way, or empty.")]


class Reach(NamedTuple):
    """Where a server is found."""

    base: str
    """Such as ``http://192.168.1.5:8010``."""
    trouble: str = ""
    """ONLY_HERE or NO_NETWORK, where other devices do not find it there."""


def is_loopback(host: str) -> bool:
    """Whether this is a name of the machine for itself."""
    return _LOOPBACK.fullmatch(host) is not None


def reach(scheme: str, asked: str, listens_on: str) -> Reach:
    """Where others find the server that somebody asked by that Host header.

    Whoever sits at the server's own machine calls it localhost; for the others that is wrong.
    """
    match = _HOST.fullmatch(asked)
    host, port = (match[1], match[2]) if match else ("localhost", None)
    base = f"{scheme}://{{}}" + (f":{port}" if port else "")
    if not is_loopback(host):
        return Reach(base.format(host))
    if is_loopback(listens_on):
        return Reach(base.format(host), ONLY_HERE)
    found = network_address(listens_on) if listens_on in EVERYWHERE else bracketed(listens_on)
    return Reach(base.format(found)) if found else Reach(base.format(host), NO_NETWORK)


def network_address(listens_on: str) -> str:
    """This machine's address in its network, or nothing. Finding it out sends nothing."""
    families = (socket.AF_INET, socket.AF_INET6) if ":" in listens_on else (socket.AF_INET,)
    for family in families:
        try:
            with closing(socket.socket(family, socket.SOCK_DGRAM)) as probe:
                probe.connect((_FAR[family], 9))
                address: str = probe.getsockname()[0]
        except OSError:
            continue
        if not is_loopback(address):
            return bracketed(address)
    return ""


def bracketed(address: str) -> str:
    """An address as it stands in a link."""
    return f"[{address}]" if ":" in address else address


def qr_form(link: str) -> QrForm:
    """The QR code of a link."""
    rows = segno.make(link, micro=False, error="m").matrix
    parts: list[str] = []
    for y, row in enumerate(rows, _BORDER):
        x = _BORDER
        for dark, modules in groupby(row):
            width = len(list(modules))
            if dark:
                parts.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return QrForm(len(rows) + 2 * _BORDER, "".join(parts))
