"""A bot that is a program of its own, spoken to over its standard input and output.

One JSON object a line, both ways; ``docs/arena.md`` has the protocol. The program is not trusted:
it has a time limit, it may say no more than it was asked for, and what it answers is judged by the
rules. It runs in a process group of its own, which is ended with it.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, cast

from phaseten.arena.bot_logs import append_log
from phaseten.arena.faults import CRASHED, FLOOD, LATE, NONSENSE, Fault, FaultError
from phaseten.arena.gameplay import GameTerms
from phaseten.arena.time_limits import TimeLimits
from phaseten.notation.codec import (
    DataError,
    read_action,
    write_action,
    write_rules,
    write_seen,
    write_view,
)
from phaseten.notation.shapes import Data
from phaseten.rules.actions import Action
from phaseten.rules.views import View, legal_actions

PROTOCOL: Final = 2
LONGEST_LINE: Final = 65_536
_GRACE: Final = 0.5
"""Seconds a program has to end by itself when its input is closed."""


class Program:
    """Plays by asking a program. It is started for its first game, and again after a fault."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str,
        limits: TimeLimits = TimeLimits(),  # noqa: B008 - immutable
        log: Path | None = None,
    ) -> None:
        self.name = name
        self._command = list(command)
        self._limits = limits
        self._log = log
        self._pipe: _Pipe | None = None
        self._seat = 0
        self._fault: FaultError | None = None

    # -- a game --------------------------------------------------------------------------------

    def game_begins(self, terms: GameTerms, seat: int, seed: int) -> None:
        """Start the program where none runs, and tell it about the game.

        A program that does not start loses the game on its first turn.
        """
        self._seat = seat
        self._fault = None
        try:
            pipe = self._pipe or self.start()
        except FaultError as error:
            self._fault = error
            return
        pipe.tell(
            {
                "type": "game",
                "seat": seat,
                "players": terms.players,
                "seed": seed,
                "rules": write_rules(terms.rules),
            }
        )

    def choose(self, view: View) -> Action:
        """Ask the program; a FaultError when it does not answer with an action."""
        if self._fault is not None:
            raise self._fault
        if self._pipe is None:
            raise ValueError("the program was not told that a game begins")
        seen = view.board.seen if view.board is not None else ()
        request: Data = {
            "type": "turn",
            "view": write_view(view),
            "seen": [write_seen(event) for event in seen],
            "actions": [write_action(action) for action in legal_actions(view)],
        }
        try:
            answer = self._pipe.ask(request, self._limits.move)
            return _action(answer)
        except FaultError:
            self.close()
            raise

    def hand_ends(self, view: View) -> None:
        """Tell the program how a hand ended."""
        if self._pipe is not None:
            sheet = view.sheet
            scored = write_seen(sheet.hands[-1])
            self._pipe.tell({"type": "hand", "scored": scored, "totals": sheet.totals})

    def game_ends(self, winner: int | None, fault: Fault | None) -> None:
        """Tell the program how the game ended. After a fault of its own it is ended as well."""
        if self._pipe is None:
            return
        forfeit = {"seat": fault.seat, "reason": fault.sentence} if fault else None
        self._pipe.tell({"type": "end", "winner": winner, "forfeit": forfeit})
        if fault is not None and fault.seat == self._seat:
            self.close()

    # -- the process ---------------------------------------------------------------------------

    def start(self) -> _Pipe:
        """Start the program and hear its hello; a FaultError when it does not say it."""
        pipe = _Pipe(self._command, self._log)
        hello: Data = {"type": "hello", "protocol": PROTOCOL, "time_limit": self._limits.move}
        try:
            _check_hello(pipe.ask(hello, self._limits.start))
        except FaultError:
            pipe.close()
            raise
        self._pipe = pipe
        return pipe

    def close(self) -> None:
        """End the program."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


def _check_hello(answer: Data) -> None:
    if answer.get("type") != "hello" or answer.get("protocol") != PROTOCOL:
        raise FaultError(
            NONSENSE,
            f"it said {_short(json.dumps(answer))} where "
            f'{{"type": "hello", "protocol": {PROTOCOL}}} was expected; docs/arena.md tells what '
            "has changed",
        )


def _action(answer: Data) -> Action:
    try:
        return read_action(answer.get("action"))
    except DataError as error:
        raise FaultError(NONSENSE, f"it said {_short(json.dumps(answer))}: {error}") from error


class _Pipe:
    """A running program: lines in, lines out, and neither side can make the other wait for ever."""

    def __init__(self, command: Sequence[str], log: Path | None) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise FaultError(CRASHED, f"{command[0]} cannot be started: {reason}") from error
        self._log = log
        self._unsent = bytearray()
        self._heard = bytearray()
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = (
            stream.fileno() for stream in streams if stream is not None
        )
        self._selector = selectors.DefaultSelector()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)

    def tell(self, message: Data) -> None:
        """Something that needs no answer: it goes out at once, or with the next question."""
        self._unsent += _line(message)
        self._send()

    def ask(self, message: Data, seconds: float) -> Data:
        """Send a question and wait for its answer."""
        deadline = time.monotonic() + seconds
        self._listen(0)
        if self._heard:
            raise FaultError(FLOOD, f"it spoke without being asked: {_short(self._heard)}")
        self._unsent += _line(message)
        self._send()
        while b"\n" not in self._heard:
            if len(self._heard) > LONGEST_LINE:
                raise FaultError(
                    FLOOD, f"it wrote more than {LONGEST_LINE:,} characters without a line end"
                )
            left = deadline - time.monotonic()
            if left <= 0:
                raise FaultError(LATE, self._excuse(seconds))
            self._listen(left)
        line, _, rest = bytes(self._heard).partition(b"\n")
        self._heard.clear()
        if rest:
            raise FaultError(FLOOD, f"it wrote more than the one line asked for: {_short(rest)}")
        return _read(line)

    def _excuse(self, seconds: float) -> str:
        if self._heard:
            return f"it wrote {_short(self._heard)} but no line end within {seconds:g} s"
        return f"no answer within {seconds:g} s (does it flush its output after each line?)"

    def _send(self) -> None:
        """Write what the program takes now; the rest waits."""
        if self._unsent:
            try:
                del self._unsent[: os.write(self._stdin, self._unsent)]
            except BlockingIOError:
                pass
            except BrokenPipeError:
                self._unsent.clear()  # it has closed its input; reading will show whether it lives
        waiting = self._stdin in self._selector.get_map()
        if self._unsent and not waiting:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        elif waiting and not self._unsent:
            self._selector.unregister(self._stdin)

    def _listen(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            if key.fd == self._stdin:
                self._send()
                continue
            data = os.read(key.fd, LONGEST_LINE)
            if key.fd == self._stderr:
                self._keep(data)
            elif data:
                self._heard += data
            else:
                raise FaultError(CRASHED, self._last_words())

    def _keep(self, data: bytes) -> None:
        """Add to the log what the program wrote to its standard error."""
        if not data:
            self._selector.unregister(self._stderr)
        elif self._log is not None:
            append_log(self._log, data)

    def _last_words(self) -> str:
        """How it ended."""
        end = self._wait_for_end()
        if end is None:
            return "it closed its standard output"
        if end.si_code == os.CLD_EXITED:
            return f"it ended with exit code {end.si_status} in the middle of a game"
        return f"it was ended by {signal.Signals(end.si_status).name}"

    def _wait_for_end(self) -> os.waitid_result | None:
        """How the program ended by itself, or None when it did not.

        It is left unreaped, so that the number of its process group stays its own.
        """
        deadline = time.monotonic() + _GRACE
        while True:
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            end = os.waitid(os.P_PID, self._process.pid, options)
            if end is not None or time.monotonic() > deadline:
                return end
            time.sleep(0.005)

    def _drain(self) -> None:
        with suppress(BlockingIOError):
            while data := os.read(self._stderr, LONGEST_LINE):
                self._keep(data)

    def close(self) -> None:
        """End the program and everything it started."""
        process = self._process
        if process.stdin is not None:
            process.stdin.close()
        self._wait_for_end()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self._drain()
        self._selector.close()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def _line(message: Data) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _read(line: bytes) -> Data:
    try:
        data: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FaultError(NONSENSE, f"it said {_short(line)}, which is not JSON") from error
    if not isinstance(data, dict):
        raise FaultError(NONSENSE, f"it said {_short(line)}, which is not a JSON object")
    return cast("Data", data)


def _short(text: str | bytes | bytearray) -> str:
    """The beginning of what it said, safe to print."""
    words = text if isinstance(text, str) else bytes(text[:200]).decode("utf-8", "replace")
    return repr(words if len(words) <= 60 else words[:57] + "...")
