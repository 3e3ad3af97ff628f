"""The saved game: one record in the user's data folder, written so that no crash can spoil it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from phaseten.game import Game
from phaseten.notation.recording import record_game
from phaseten.notation.records import (
    Header,
    RecordSyntaxError,
    decode_record,
    format_record,
    parse_record,
)
from phaseten.notation.replay import IllegalRecordError
from phaseten.rules.events import HandDealt

_CURRENT: Final = "game.p10"
_LOCK: Final = "game.lock"


class SaveError(Exception):
    """A saved game that cannot be used, in a sentence."""


def data_folder() -> Path:
    """Where this system keeps the data of programs, for this user."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        chosen = os.environ.get("XDG_DATA_HOME", "")
        base = Path(chosen) if Path(chosen).is_absolute() else home / ".local" / "share"
    return base / "phaseten"


class Saves:
    """The saved game of this user, and the finished ones beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / _CURRENT

    @contextmanager
    def locked(self) -> Generator[None]:
        """Keep others from the saved game. The system lets go of it when this process ends."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file = (self.folder / _LOCK).open("w")
        except OSError:  # no place to save: saving will say so
            yield
            return
        with file:
            if not _lock(file):
                raise SaveError(
                    "A game is already being played in another window: finish it there, "
                    "or quit it there with q."
                )
            yield

    def load(self) -> Game | None:
        """The saved game, or None when there is none."""
        try:
            data = self.path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise SaveError(f"{self.path} cannot be read: {error.strerror or error}.") from error
        try:
            return Game.from_record(parse_record(decode_record(data)))
        except (RecordSyntaxError, IllegalRecordError) as error:
            raise SaveError(
                f"The saved game cannot be read ({self.path}, line {error.line}: {error}). "
                "Start afresh with --new; the old file is kept."
            ) from error

    def save(self, game: Game, *, resumed: bool, durable: bool = True) -> None:
        """Write the game, all of it or nothing. An OSError says why that failed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        try:
            with fresh.open("w", encoding="utf-8", newline="\n") as file:
                file.write(record_text(game, resumed=resumed))
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            fresh.replace(self.path)
        except OSError:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise

    def put_aside(self, kind: str) -> Path | None:
        """Keep the saved game under a name of its own; where it is now."""
        stamp = time.strftime("%Y-%m-%d-%H%M%S")
        target = self.folder / f"{kind}-{stamp}.p10"
        number = 1
        while target.exists():
            number += 1
            target = self.folder / f"{kind}-{stamp}-{number}.p10"
        try:
            self.path.replace(target)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            why = error.strerror or str(error)
            raise SaveError(f"{self.path} cannot be put aside: {why}.") from error
        return target


def record_text(game: Game, *, resumed: bool) -> str:
    """The full record of a game.

    A game that was resumed has been shuffled with more than one seed: its record lists every deck
    instead of giving the seeds.
    """
    if game.winner is not None and not resumed:
        return game.record()
    dealer = next(event.dealer for event in game.events if isinstance(event, HandDealt))
    box = game.rules.edition
    header = Header(
        edition=box.source or box.name,
        names=game.names,
        dealer=dealer,
        variant=game.rules.variant,
        house=game.rules.house | frozenset(box.house),
    )
    return format_record(record_game(header, game.events))


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return True
        return True
