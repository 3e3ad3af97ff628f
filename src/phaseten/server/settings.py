"""How a server is set up: by flags, or by environment variables of the same names."""

from __future__ import annotations

import os
from typing import NamedTuple


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
    """Messages of a connection."""
    talk: Rate = Rate(6, 0.5)
    """What a connection says or reacts."""
    connections: int = 20_000
    connections_of_address: int = 200
    waiting: int = 200
    """Messages that a slow connection may leave unread before it is closed."""


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


def default_bots() -> int:
    """One core is the server's own."""
    return max(1, (os.cpu_count() or 2) - 1)
