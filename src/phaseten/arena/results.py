"""The results of a tournament in a file: a line for the command, then a line for every game.

Lines are added as deals are finished, and nothing is ever changed. Whatever ends the program, the
finished deals are kept, and the same command goes on with the others.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, Self, cast

from phaseten.arena.faults import Fault
from phaseten.arena.gameplay import GameResult
from phaseten.arena.matches import Match

FORMAT: Final = "phaseten-arena-2"
_BEGINNING: Final = b'{"format"'

Key = tuple[str, int, str, int, int]
"""What tells a game from the others: edition, players, match, deal and seating."""


class ResultsError(ValueError):
    """A file that is no results, or those of another command."""


class GameRow(NamedTuple):
    """What is kept of a game."""

    edition: str
    players: int
    match: str
    deal: int
    seating: int
    seats: tuple[str, ...]
    """The bots by seat."""
    winner: int | None
    totals: tuple[int, ...]
    phases: tuple[int, ...]
    """How many Phases each seat has made."""
    hands: int
    actions: int
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    fault: Fault | None

    @property
    def key(self) -> Key:
        """What tells the game from the others."""
        return self.edition, self.players, self.match, self.deal, self.seating


def make_row(match: Match, deal: int, seating: int, game: GameResult) -> GameRow:
    """What is kept of that game."""
    made = [
        sum(1 for hand in game.hands if hand.made[seat] and not hand.tiebreak)
        for seat in range(match.terms.players)
    ]
    return GameRow(
        *match.key,
        deal,
        seating,
        tuple(match.names[bot] for bot in match.seatings[seating]),
        game.winner,
        game.totals,
        tuple(made),
        len(game.hands),
        game.actions,
        game.decisions,
        tuple(round(seconds, 6) for seconds in game.seconds),
        game.fault,
    )


def _line(row: GameRow) -> str:
    fault = row.fault._asdict() if row.fault else None
    return json.dumps(row._asdict() | {"fault": fault}, ensure_ascii=False) + "\n"


def _row(data: dict[str, Any]) -> GameRow:
    for name in ("seats", "totals", "phases", "decisions", "seconds"):
        data[name] = tuple(data[name])
    fault = data.pop("fault")
    return GameRow(**data, fault=Fault(**fault) if fault else None)


def _describe_difference(name: str, theirs: object, ours: object) -> str:
    """Why a file with that setting is not ours."""
    if name == "engine":
        return "was played by another phaseten"
    if name == "code" and isinstance(theirs, dict) and isinstance(ours, dict):
        before, now = cast("dict[str, str]", theirs), cast("dict[str, str]", ours)
        changed = [bot for bot in now if bot in before and before[bot] != now[bot]]
        if changed:
            return f"was played before {' and '.join(changed)} changed"
    return f"belongs to another command: its {name} is {json.dumps(theirs)}, not {json.dumps(ours)}"


def forget_results(path: Path) -> None:
    """Remove a file of results; a ResultsError when it is something else."""
    if path.exists():
        with path.open("rb") as file:
            start = file.read(len(_BEGINNING))
        if start and start != _BEGINNING:
            raise _foreign(path)
        path.unlink()


def _foreign(path: Path) -> ResultsError:
    return ResultsError(
        f"{path} does not hold results of phaseten arena: name another file with --out"
    )


class Results:
    """The file, open for more. ``rows`` has every game that is in it."""

    def __init__(self, path: Path, settings: Mapping[str, object], command: str) -> None:
        self.path = path
        self.rows: dict[Key, GameRow] = {}
        self.kept: frozenset[Key] = frozenset()
        """The games that were in the file already."""
        self._file = self._open()
        try:
            lines = self._read_lines()
            if lines:
                self._check_header(lines[0], settings)
                self._load(lines[1:])
                self.kept = frozenset(self.rows)
            else:
                header = {"format": FORMAT, "settings": settings, "command": command}
                self._write(json.dumps(header, ensure_ascii=False) + "\n")
        except BaseException:
            self._file.close()
            raise

    def _open(self) -> IO[bytes]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        file = self.path.open("r+b")
        if not _lock(file):
            file.close()
            raise ResultsError(
                f"{self.path} is in use: the same command is running already; wait for it, or "
                "name another file with --out"
            )
        return file

    def _read_lines(self) -> list[bytes]:
        """The whole lines; a last one that was cut off is removed."""
        data = self._file.read()
        end = data.rfind(b"\n") + 1
        if end == 0 and len(data) and not data.startswith(_BEGINNING):
            raise _foreign(self.path)
        self._file.truncate(end)
        self._file.seek(end)
        return data[:end].splitlines()

    def _check_header(self, line: bytes, settings: Mapping[str, object]) -> None:
        try:
            header: dict[str, Any] = json.loads(line)
            if header["format"] != FORMAT:
                raise _foreign(self.path)
            theirs: dict[str, object] = header["settings"]
        except (ValueError, TypeError, KeyError) as error:
            raise _foreign(self.path) from error
        ours: dict[str, object] = json.loads(json.dumps(settings))
        for name in ours | theirs:
            if ours.get(name) != theirs.get(name):
                raise ResultsError(
                    f"{self.path} {_describe_difference(name, theirs.get(name), ours.get(name))}; "
                    "name another file with --out, or play all games again with --fresh"
                )

    def _load(self, lines: Iterable[bytes]) -> None:
        for number, line in enumerate(lines, 2):
            try:
                row = _row(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise ResultsError(
                    f"{self.path}, line {number} is damaged: remove the line, and its deal will "
                    "be played again"
                ) from error
            self.rows[row.key] = row

    def find_missing(self, match: Match, deals: int) -> list[int]:
        """Those of the match's first deals of which a game has still to be played."""
        seatings = range(len(match.seatings))
        return [
            deal
            for deal in range(deals)
            if not all((*match.key, deal, seating) in self.rows for seating in seatings)
        ]

    def add(self, rows: Iterable[GameRow]) -> None:
        """Keep the games of a deal."""
        kept = list(rows)
        self._write("".join(map(_line, kept)))
        self.rows.update((row.key, row) for row in kept)

    def _write(self, text: str) -> None:
        self._file.write(text.encode())
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


def _lock(file: IO[bytes]) -> bool:
    """Keep others from writing the file, where the system can; whether nobody was doing so."""
    if sys.platform == "win32":
        return True
    import fcntl  # noqa: PLC0415 - not on Windows

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
