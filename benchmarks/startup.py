"""How long it takes to import phaseten, and to start the command.

Each is a new process, timed from outside, the start of Python included. The least of the runs is
held against the budget: the others are what else the machine was doing. The CPU time beside it
tells a slow start from a busy machine.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

COMMAND = str(Path(sys.executable).with_name("phaseten"))


class Runs(NamedTuple):
    """Milliseconds, run by run."""

    wall: list[float]
    cpu: list[float]

    def __str__(self) -> str:
        return (
            f"{min(self.wall):4.0f} ms at least, {statistics.median(self.wall):4.0f} median "
            f"(CPU {min(self.cpu):3.0f} at least, {statistics.median(self.cpu):3.0f} median)"
        )


def children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(command: Sequence[str], count: int) -> Runs:
    """So many runs, after one that fills the caches."""
    result = Runs([], [])
    for number in range(count + 1):
        start, cpu = time.perf_counter(), children_cpu()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        if number:
            result.wall.append((time.perf_counter() - start) * 1000)
            result.cpu.append((children_cpu() - cpu) * 1000)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    measured: list[tuple[str, list[str], int | None]] = [
        ("python alone", [sys.executable, "-c", ""], None),
        ("import phaseten", [sys.executable, "-c", "import phaseten"], 100),
        # Names are loaded when they are first used, so the line above loads next to nothing. This
        # is what a program waits for that plays. It has no budget of its own.
        ("… import Game", [sys.executable, "-c", "from phaseten import Game"], None),
    ]
    if Path(COMMAND).exists():
        measured.append(("phaseten --help", [COMMAND, "--help"], 300))
    missed = False
    for name, command, budget in measured:
        runs = measure(command, options.runs)
        verdict = ""
        if budget is not None:
            met = min(runs.wall) < budget
            missed = missed or not met
            verdict = f"; budget {budget} ms: {'met' if met else 'MISSED'}"
        print(f"{name:>18}: {runs}{verdict}", flush=True)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
