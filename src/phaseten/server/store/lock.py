"""One server for one file: who serves it says so beside it, for as long as the process lives.

The lock is the operating system's, and goes with the process, however that ends. What is written into the file
beside the database only tells whose it is.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import msgspec
from msgspec import Struct

from phaseten.file_lock import lock
from phaseten.server.store.interface import StoreError, StoreUnavailableError

SUFFIX: Final = ".server"


class Keeper(Struct, frozen=True):
    """Who serves a file."""

    process: int = 0
    address: str = ""
    """Where it is found on this machine; empty while it starts."""


class InUseError(StoreError):
    """Another server serves the file."""

    def __init__(self, path: Path, keeper: Keeper) -> None:
        who = f" (process {keeper.process})" if keeper.process else ""
        there = f" at {keeper.address}" if keeper.address else ""
        super().__init__(
            f"{path} is served already by another phaseten{who}{there}: use that one, end it, or choose "
            "another --database."
        )
        self.path = path
        self.keeper = keeper


class Claim:
    """The right to serve a file."""

    def __init__(self, beside: IO[bytes]) -> None:
        self._beside = beside
        self.tell("")

    def tell(self, address: str) -> None:
        """Say where this server is found."""
        self._beside.seek(0)
        self._beside.write(msgspec.json.encode(Keeper(os.getpid(), address)))
        self._beside.truncate()
        self._beside.flush()


@contextmanager
def claimed(path: Path) -> Generator[Claim]:
    """Be the only server of that file, as long as the block runs; an InUseError where there is another."""
    beside = path.with_name(path.name + SUFFIX)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.fdopen(os.open(beside, os.O_RDWR | os.O_CREAT, 0o644), "r+b")
    except OSError as error:
        why = error.strerror or error
        raise StoreUnavailableError(f"{beside} cannot be used: {why}.") from error
    with file:
        if not lock(file):
            raise InUseError(path, _keeper(beside))
        yield Claim(file)


def _keeper(beside: Path) -> Keeper:
    try:
        return msgspec.json.decode(beside.read_bytes(), type=Keeper)
    except (OSError, msgspec.DecodeError):  # it has only just begun
        return Keeper()
