"""How a server is set up: by flags, or by environment variables of the same names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

_RATE: Final = re.compile(r"([1-9][0-9]{0,6})/([0-9]{1,6}(?:\.[0-9]{1,3})?)")
_COUNT: Final = re.compile(r"([1-9][0-9]{0,6})")


ANY_HOST: Final = "*"


class Rate(NamedTuple):
    """So many at once, and then so many a second."""

    burst: float
    per_second: float


class Limits(NamedTuple):
    """What one client, and all together, may use."""

    requests: Rate = Rate(60, 10)
    """HTTP requests and connections of an address."""
    guesses: Rate = Rate(10, 0.1)
    """Codes of tables that do not exist, by an address."""
    tables: Rate = Rate(20, 0.05)
    """Tables opened from an address."""
    messages: Rate = Rate(30, 8)
    """Messages of a guest, over all connections."""
    changes: Rate = Rate(20, 0.5)
    """What a guest changes around the game: names, seats, options, pauses, steps taken back."""
    talk: Rate = Rate(6, 0.5)
    """What a guest says or reacts."""
    hints: Rate = Rate(6, 0.2)
    """Hints and explanations that a guest asks for."""
    needs: Rate = Rate(20, 2)
    """How often a guest asks how far the own cards go."""
    analyses: Rate = Rate(6, 0.05)
    """Games that an address gives to the coach."""
    crowd: int = 20
    """For how many guests an address counts in these."""
    connections: int = 20_000
    connections_of_address: int = 200
    sockets: int = 25_000
    """TCP connections of any kind, from the moment they are accepted; never more than there are file descriptors."""
    sockets_of_address: int = 400
    waiting: int = 200
    """Messages that a slow connection may leave unread before it is closed."""


class LimitError(ValueError):
    """A limit that does not exist or cannot be read, in a sentence."""


def parse_limits(texts: Iterable[str]) -> Limits:
    """The usual limits, but for these, such as ``messages=30/8`` or ``connections=500``."""
    limits = Limits()
    for text in texts:
        name, _, value = text.partition("=")
        if name not in Limits._fields:
            names = ", ".join(Limits._fields)
            raise LimitError(f"There is no limit {name!r}: choose from {names}.")
        is_rate = isinstance(getattr(limits, name), Rate)
        match = (_RATE if is_rate else _COUNT).fullmatch(value)
        if match is None:
            wanted = "messages=30/8: 30 at once, then 8 a second" if is_rate else f"{name}=500"
            raise LimitError(f"{text!r} is not a limit: write it such as {wanted}.")
        parts = [float(part) for part in match.groups()]
        limits = limits._replace(**{name: Rate(*parts) if is_rate else int(parts[0])})
    return limits


class Settings(NamedTuple):
    """All that can be chosen."""

    database: str
    """A file, or a postgresql:// URL."""
    bots: int = 1
    """Processes in which bots think."""
    origins: tuple[str, ...] = ()
    """Other origins, such as https://example.org, whose pages may connect."""
    secure: bool = False
    """Whether browsers reach the server by https only."""
    limits: Limits = Limits()
    host: str = ""
    """The address on which the server listens."""
    hosts: tuple[str, ...] = ()
    """The names by which browsers may call it, beside those that nobody else could give it."""
    expire: int = 60
    """Days after which a table at which nothing happens is given up; 0: never."""
    push_services: tuple[str, ...] = ()
    """Origins of push services, such as http://127.0.0.1:9000, that need neither https nor a public address."""


def allowed_hosts(given: Sequence[str], *, is_behind_proxy: bool) -> tuple[str, ...]:
    """The names by which browsers may call the server. A proxy knows by itself which ones it serves."""
    return tuple(given) or ((ANY_HOST,) if is_behind_proxy else ())


def default_bots() -> int:
    """One core is the server's own."""
    return max(1, (os.cpu_count() or 2) - 1)
