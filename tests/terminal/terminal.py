"""The real command at a pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

from tests.patience import PATIENCE


class Terminal:
    """A person at a pseudo-terminal of 80x24."""

    def __init__(self, folder: Path, *arguments: str, **variables: str) -> None:
        self.shown = ""
        command = [sys.executable, "-m", "phaseten", *arguments]
        environment = os.environ | {
            "XDG_DATA_HOME": str(folder),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **variables,
        }
        self.pid, self._end = pty.fork()
        if not self.pid:
            os.execve(sys.executable, command, environment)
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def read(self, seconds: float = 0.05) -> bool:
        """Take what is shown; False when the other end is closed."""
        ready, _, _ = select.select([self._end], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self._end, 1 << 16)
        except OSError:  # the other end is closed
            return False
        self.shown += data.decode("utf-8", "replace")
        return bool(data)

    def until(self, condition: Callable[[], object]) -> None:
        limit = time.monotonic() + PATIENCE
        while not condition():
            if not self.read() or time.monotonic() > limit:
                raise AssertionError(f"waited in vain: {self.shown[-2000:]!r}")

    def wait_for(self, text: str) -> None:
        """Wait until a text is shown that was not there before."""
        start = len(self.shown)
        self.until(lambda: text in self.shown[start:])

    def type(self, keys: str) -> None:
        os.write(self._end, keys.encode())

    def end(self) -> int:
        """The exit code, once everything is read."""
        limit = time.monotonic() + PATIENCE
        while self.read():
            assert time.monotonic() < limit, "it does not end"
        os.close(self._end)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        assert self.end() == -signal.SIGKILL
