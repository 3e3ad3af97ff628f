"""Sending to a push service, and to nothing else.

Browsers tell us where to send to, and anybody can pretend to be one: the server must not be led to machines that only
it can reach. Names are resolved here, and what is connected to is the very address that was looked at.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Mapping, Sequence
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple
from urllib.parse import urlsplit

SECONDS: Final = 10
"""For all of it: whoever takes longer is not waited for."""
HTTPS: Final = 443
_ENDPOINT: Final = re.compile(r"https?://[A-Za-z0-9._:\[\]-]{1,260}/[!-~]{0,1000}")
_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})[ \r\n]")
_TRANSLATED: Final = IPv6Network("64:ff9b::/96")
"""Addresses of the old kind, written in the new one."""


class ForbiddenEndpointError(Exception):
    """An address to which nothing is sent."""


class Endpoint(NamedTuple):
    """Where a browser's messages go."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """The push service."""
        usual = self.scheme == "https" and self.port == HTTPS
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if usual else f":{self.port}")


def parse_endpoint(text: str, allowed: Sequence[str] = ()) -> Endpoint:
    """The endpoint, if it is at a push service with https on the usual port, or at one of those that are allowed.

    >>> parse_endpoint("https://push.example.org/send/abc").origin
    'https://push.example.org'
    >>> parse_endpoint("http://127.0.0.1:8010/metrics")
    Traceback (most recent call last):
    phaseten.server.push.delivery.ForbiddenEndpointError: Push services are reached by https.
    """
    try:
        parts = urlsplit(text) if _ENDPOINT.fullmatch(text) else None
        host, port = (parts.hostname, parts.port) if parts else (None, None)
    except ValueError:
        parts = host = port = None
    if parts is None or not host or "@" in parts.netloc:
        raise ForbiddenEndpointError("That is no address of a push service.")
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    found = Endpoint(parts.scheme, host, port or (HTTPS if parts.scheme == "https" else 80), path)
    if found.origin not in allowed and (found.scheme, found.port) != ("https", HTTPS):
        raise ForbiddenEndpointError("Push services are reached by https.")
    return found


async def post(
    endpoint: Endpoint, headers: Mapping[str, str], body: bytes, allowed: Sequence[str] = ()
) -> int:
    """Send it; the status of the answer. An OSError where there is none, in good time."""
    async with asyncio.timeout(SECONDS):
        addresses = await _addresses(endpoint, is_allowed=endpoint.origin in allowed)
        reader, writer = await _connected(endpoint, addresses)
        try:
            writer.write(_request(endpoint, headers, len(body)) + body)
            await writer.drain()
            line = await reader.readline()
        except ValueError as error:
            raise OSError("That was no answer.") from error
        finally:
            writer.close()
    found = _STATUS.match(line)
    if found is None:
        raise OSError("That was no answer.")
    return int(found[1])


def _request(endpoint: Endpoint, headers: Mapping[str, str], length: int) -> bytes:
    host = endpoint.origin.partition("://")[2]
    lines = [f"POST {endpoint.path} HTTP/1.1", f"host: {host}", "connection: close"]
    lines += [f"content-length: {length}", *[f"{name}: {value}" for name, value in headers.items()]]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


async def _addresses(endpoint: Endpoint, *, is_allowed: bool) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
    addresses = [str(place[0]) for *_, place in found]
    if not is_allowed and not all(is_public(address) for address in addresses):
        raise ForbiddenEndpointError("That is no public address.")
    return addresses


def is_public(text: str) -> bool:
    """Whether an address is one of the internet's, and not of a machine or a network that only this server sees.

    >>> [is_public(one) for one in ("1.1.1.1", "10.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::a00:1", "fe80::1%eth0")]
    [True, False, False, False, False, False]
    """
    address = ip_address(text)
    if isinstance(address, IPv6Address):
        if address.sixtofour is not None or address.teredo is not None:
            return False  # they lead elsewhere
        inner = address.ipv4_mapped
        if address in _TRANSLATED:
            inner = ip_address(int(address) & 0xFFFF_FFFF)
        address = inner or address
    return address.is_global and not address.is_multicast


async def _connected(
    endpoint: Endpoint, addresses: Sequence[str]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the first of the addresses that answers."""
    is_sealed = endpoint.scheme == "https"
    context = ssl.create_default_context() if is_sealed else None
    problem: OSError = ConnectionError("Nobody is there.")
    for address in addresses:
        try:
            return await asyncio.open_connection(
                address,
                endpoint.port,
                ssl=context,
                server_hostname=endpoint.host if is_sealed else None,
            )
        except OSError as error:
            problem = error
    raise problem
