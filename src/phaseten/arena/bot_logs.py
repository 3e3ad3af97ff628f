"""What bots from outside say when they fail: kept beside the results, for their authors."""

from __future__ import annotations

from pathlib import Path
from typing import Final

MOST_LOGGED: Final = 1_000_000
"""Bytes that are kept of each bot."""


def append_log(path: Path, data: bytes) -> None:
    """Add to the log of a bot, unless it is full."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(data[: max(0, MOST_LOGGED - file.tell())])
