"""Saved games: records in the user's data folder, written so that no crash can spoil one."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from phaseten.file_lock import lock
from phaseten.game import Game
from phaseten.notation.records import (
    Record,
    RecordSyntaxError,
    decode_record,
    parse_record,
)
from phaseten.notation.replay import IllegalRecordError

RUNNING: Final = ("game", "unfinished")
"""How the names of the files begin in which a game goes on; new ones are called ``game``."""
FINISHED: Final = "finished"
ENDED: Final = "ended"
"""Given up by the players."""

_LOCK: Final = "game.lock"
_HAND: Final = re.compile(r"^Hand (\d+)", re.MULTILINE)


class SaveError(Exception):
    """A saved game that cannot be used, in a sentence."""


class SavedGame(NamedTuple):
    """What a list shows of a saved game."""

    path: Path
    names: tuple[str, ...]
    edition: str
    hand: int
    when: float
    """When it was last written, in seconds since 1970."""


class Saves:
    """The saved games of this user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def locked(self) -> Generator[None]:
        """Keep others from the saved games. The system lets go of them when this process ends."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file = (self.folder / _LOCK).open("w")
        except OSError:  # no place to save: saving will say so
            yield
            return
        with file:
            if not lock(file):
                raise SaveError(
                    "A game is already being played in another window: finish it there, "
                    "or quit it there with q."
                )
            yield

    def running(self) -> list[SavedGame]:
        """The games that go on, the one played last first."""
        return self._listed(*RUNNING)

    def over(self) -> list[SavedGame]:
        """The games that are over or were given up, the latest first."""
        return self._listed(FINISHED, ENDED)

    def _listed(self, *kinds: str) -> list[SavedGame]:
        paths = [
            path
            for kind in kinds
            for path in self.folder.glob(f"{kind}*.p10")
            if re.match(rf"{kind}\b", path.stem)
        ]
        games = [game for path in paths if (game := _summary(path)) is not None]
        return sorted(games, key=lambda game: game.when, reverse=True)

    def new_file(self) -> GameFile:
        """The file for a game that begins now."""
        return GameFile(_free_name(self.folder, RUNNING[0]))


class GameFile:
    """The file of one game."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Record:
        """The record in the file."""
        try:
            return parse_record(decode_record(self.path.read_bytes()))
        except OSError as error:
            raise SaveError(f"{self.path} cannot be read: {error.strerror or error}.") from error
        except RecordSyntaxError as error:
            raise SaveError(_spoilt(self.path, error.line, error)) from error

    def load(self) -> tuple[Game, Mapping[str, str]]:
        """The game in the file, ready to be played on, and the tags that are not its own."""
        record = self.read()
        try:
            return Game.from_record(record), record.header.other
        except (RecordSyntaxError, IllegalRecordError) as error:
            raise SaveError(_spoilt(self.path, error.line, error)) from error

    def write(self, text: str, *, durable: bool) -> None:
        """Write all of it or nothing. An OSError says why that failed."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        try:
            with fresh.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            fresh.replace(self.path)
        except OSError:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise

    def rename(self, kind: str) -> None:
        """Keep the game under another kind of name, such as ``finished``."""
        target = _free_name(self.path.parent, kind)
        try:
            self.path.replace(target)
        except OSError as error:
            why = error.strerror or str(error)
            raise SaveError(f"{self.path} cannot be renamed: {why}.") from error
        self.path = target


def _spoilt(path: Path, line: int, error: Exception) -> str:
    return f"This saved game cannot be read ({path.name}, line {line}: {error})."


def _free_name(folder: Path, kind: str) -> Path:
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    target = folder / f"{kind}-{stamp}.p10"
    number = 1
    while target.exists():
        number += 1
        target = folder / f"{kind}-{stamp}-{number}.p10"
    return target


def _summary(path: Path) -> SavedGame | None:
    """What a list shows of the game in that file; None where there is nothing to be read."""
    try:
        text = decode_record(path.read_bytes())
        when = path.stat().st_mtime
        header = parse_record(text.partition("\nHand ")[0]).header
    except (OSError, RecordSyntaxError):
        return None
    hands = [int(number) for number in _HAND.findall(text)]
    edition = Path(header.edition).stem
    return SavedGame(path, header.names, edition, max(hands, default=0), when)


def tagged(record: str, tags: Mapping[str, str]) -> str:
    """The text of a record with further tags in its header."""
    header, gap, hands = record.partition("\n\n")
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    return "\n".join([header, *lines]) + gap + hands
