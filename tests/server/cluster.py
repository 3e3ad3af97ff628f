"""A private PostgreSQL for the tests: Debian's programs, a free port, a user other than root."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.patience import PATIENCE, wait_until

USERS = ("postgres", "nobody")
"""Who may run it where the tests run as root: initdb refuses root."""


PLACES = (
    "usr/lib/postgresql/*/bin",  # Debian and Ubuntu
    "opt/homebrew/opt/postgresql*/bin",  # Homebrew
    "usr/local/opt/postgresql*/bin",
)
"""Where packages put the programs that are not on the path."""


def programs() -> Path | None:
    """The folder with initdb and postgres, or None where they are not installed."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = [folder for place in PLACES for folder in sorted(Path("/").glob(place), reverse=True)]
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


PORTS = range(20_000, 32_000)
"""Below those that the system gives to outgoing connections: a server that is restarted finds its own one free."""


def free_port() -> int:
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Cluster:
    """A database server of our own, which can be stopped and started again."""

    def __init__(
        self, bin_folder: Path, *, durable: bool = False, folder: Path | None = None
    ) -> None:
        self._bin = bin_folder
        # Usually without fsync: the tests kill processes, not machines.
        self._fsync = "on" if durable else "off"
        self._folder = folder or Path(tempfile.mkdtemp(prefix="phaseten-postgres-"))
        self._as_user: list[str] = []
        if os.geteuid() == 0:
            user = next(user for user in USERS if _exists(user))
            shutil.chown(self._folder, user)
            self._as_user = ["runuser", "-u", user, "--"]
        self.port = free_port()
        self._run("initdb", "-D", self._data, "-U", "phaseten", "-A", "trust", "-E", "UTF8")
        self._databases = 0
        self.start()

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def start(self) -> None:
        options = (
            f"-p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1 -c fsync={self._fsync}"
        )
        log = str(self._folder / "log")
        wait = ("-w", "-t", str(int(PATIENCE)))
        self._run("pg_ctl", "-D", self._data, *wait, "-l", log, "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop")

    def ensure(self) -> None:
        """Wait until it answers; where it has not survived, or dies of it only now, start it."""
        wait_until(self._answers_or_is_started, "that the database answers")

    def _answers_or_is_started(self) -> bool:
        if not self.processes():
            self.start()
        ready = [str(self._bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(ready, check=False).returncode == 0

    def processes(self) -> list[int]:
        """Its processes, the first one first; none where it does not run. Linux only."""
        try:
            first = int(Path(self._data, "postmaster.pid").read_text().split()[0])
            return [first, *_children(first)]
        except OSError:
            return []

    def new_database(self) -> str:
        """The URL of a new, empty database."""
        self._databases += 1
        name = f"test{self._databases}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "phaseten", name)
        return f"postgresql://phaseten@127.0.0.1:{self.port}/{name}"

    def remove(self) -> None:
        pid = Path(self._data, "postmaster.pid")
        if pid.exists():
            os.kill(int(pid.read_text().split()[0]), signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [*self._as_user, str(self._bin / program), *arguments],
            check=True,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
        )


def _children(process: int) -> list[int]:
    """The processes that a running process has started."""
    return [
        int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()
    ]


def _exists(user: str) -> bool:
    return subprocess.run(["id", user], check=False, capture_output=True).returncode == 0


if __name__ == "__main__":  # asked by .ci/services
    sys.exit(programs() is None)
