"""How fast tables are: ``python -m training.speed classic-2 express-4 [--slots 65536]``, on a GPU where there is one.

Whoever is on turn does anything that is legal; what networks see is written after every step.
"""

from __future__ import annotations

import argparse
import os
import time

import torch

from training.rollout import LONGEST_PAST, finish, make_tables
from training.settings import Table

STEPS = 40


def steps_a_second(kind: str, slots: int, device: torch.device, threads: int) -> float:
    """How many decisions a second are carried out at such tables."""
    table = Table().as_kind(kind)
    tables = make_tables(table.edition, table.players, slots, device, threads)
    tables.start(1)
    tables.play_on(LONGEST_PAST, 1)
    spent = 0.0
    for _ in range(STEPS):
        luck = torch.rand(tables.masks.shape, device=device)
        actions = (luck * tables.masks).argmax(dim=1).int()
        finish(device)
        started = time.monotonic()
        tables.step(actions)
        finish(device)
        spent += time.monotonic() - started
    return slots * STEPS / spent


def main() -> None:
    """Print a line for each kind of table."""
    parser = argparse.ArgumentParser(
        prog="python -m training.speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kinds", nargs="+", metavar="EDITION-PLAYERS")
    parser.add_argument("--slots", type=int, default=65536)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    for kind in given.kinds:
        found = steps_a_second(kind, given.slots, torch.device(given.device), given.threads)
        print(
            f"{kind}: {found / 1e6:.2f} M decisions a second at {given.slots} tables on "
            f"{given.device}",
            flush=True,
        )


if __name__ == "__main__":
    main()
