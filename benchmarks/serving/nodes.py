"""Server processes, and what they use."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from phaseten.server.running.bot_processes import BEHIND_MOVES
from serving.people import Address, keep_key

RATES = ("requests", "tables", "messages", "changes", "guesses", "analyses")
COUNTS = ("connections", "connections_of_address", "sockets", "sockets_of_address")
LIMITS = [
    *[f"--limit={name}=1000000/100000" for name in RATES],
    *[f"--limit={name}=1000000" for name in COUNTS],
]
CORES = sorted(os.sched_getaffinity(0))


class Node(NamedTuple):
    """A server process."""

    process: int
    address: Address

    @property
    def seconds(self) -> float:
        """What it has used of the processor."""
        return _used(_stat(Path(f"/proc/{self.process}")))

    @property
    def _coach(self) -> dict[int, list[str]]:
        """The processes of its own that give way to everything else, and what the system says of them."""
        found = {
            int(path.name): _stat(path) for path in Path("/proc").iterdir() if path.name.isdigit()
        }
        own = str(self.process)
        return {
            number: fields
            for number, fields in found.items()
            if fields and fields[1] == own and int(fields[16]) >= BEHIND_MOVES
        }

    @property
    def seconds_of_the_coach(self) -> float:
        """What the coach has used of the processor."""
        return sum(_used(fields) for fields in self._coach.values())

    def let_the_coach_work(self, *, on: bool) -> None:
        """Let the coach's processes go on, or stand still."""
        for number in self._coach:
            os.kill(number, signal.SIGCONT if on else signal.SIGSTOP)

    @property
    def kilobytes(self) -> float:
        """Its memory."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1000

    def measure(self, name: str) -> float:
        """What it says of itself."""
        with urlopen(f"http://127.0.0.1:{self.address.port}/metrics") as answer:
            found = re.search(rf"^{name} (\S+)", answer.read().decode(), re.MULTILINE)
        assert found, f"there is no measure {name}"
        return float(found[1])


class IdleProgram:
    """Keeps the server's core busy with nothing, and gives way to everything else as the coach does."""

    _PROGRAM = "from phaseten.server.running.coaching import give_way; give_way()\nwhile True: pass"

    def __enter__(self) -> IdleProgram:
        self._process = subprocess.Popen(_pinned(["-c", self._PROGRAM], CORES[:1]))
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def let_it_work(self, *, on: bool) -> None:
        """Let it go on, or stand still."""
        self._process.send_signal(signal.SIGCONT if on else signal.SIGSTOP)


def _pinned(command: Sequence[str], cores: Iterable[int]) -> list[str]:
    """A command for Python that runs on these cores alone, where the system can do that."""
    own = [sys.executable, *command]
    return ["taskset", "-c", ",".join(map(str, cores)), *own] if shutil.which("taskset") else own


def _stat(process: Path) -> list[str]:
    """What the system says of a process; nothing, where it has just ended."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _used(fields: list[str]) -> float:
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds_stolen() -> float:
    """What the host of a virtual machine has taken away from all cores since they started."""
    fields = Path("/proc/stat").read_text().partition("\n")[0].split()
    return int(fields[8]) / os.sysconf("SC_CLK_TCK")


def allow_many_connections() -> None:
    """As many open files as the system permits, here and in the processes that are started."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def keep_off_the_servers_core() -> None:
    """One core is the server's alone, where there are two."""
    if len(CORES) > 1:
        os.sched_setaffinity(0, CORES[1:])


@contextmanager
def _started(command: Sequence[str], cores: Iterable[int], path: str) -> Generator[Node]:
    with subprocess.Popen(_pinned(command, cores), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"port (\d+)", process.stdout.readline())
        assert found, "the server did not start"
        try:
            yield Node(process.pid, Address(int(found[1]), path))
        finally:
            process.terminate()


@contextmanager
def serving(database: str, cores: Iterable[int] = CORES[:1]) -> Generator[Node]:
    """A server of ours."""
    with ThreadPoolExecutor(1) as aside:  # there may be a loop already
        aside.submit(asyncio.run, keep_key(database)).result()
    command = ["-m", "phaseten", "serve", "--host", "127.0.0.1", "--port", "0", "--bots", "1"]
    with _started([*command, "--database", database, *LIMITS], cores, Address(0).path) as node:
        node.measure("phaseten_tables")  # it answers as soon as it has started
        yield node


@contextmanager
def serving_bare() -> Generator[Node]:
    """The peer."""
    with _started([str(Path(__file__).with_name("bare.py"))], CORES[:1], "/play/{}") as node:
        yield node
