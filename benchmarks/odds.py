"""The exact odds of every Phase of every edition: how long they take, and what they are.

Fails when the ten Phases of classic take a minute or more.
"""

from __future__ import annotations

import argparse
import sys
import time

from phaseten.arena.odds import odds
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.options import Rules

BUDGET = 60.0


def count(name: str, *, table: bool) -> float:
    """The CPU seconds for all Phases of the edition."""
    rules = Rules(edition(name))
    seconds = 0.0
    for phase in rules.phases:
        start = time.process_time()
        found = odds(rules, phase)
        took = time.process_time() - start
        seconds += took
        if table:
            print(
                f"  {phase.number:2} {phase.text:15} {found.layable:18,} of {found.deals:,}: "
                f"{found.probability:8.4%}, 1 in {1 / found.probability:,.2f} ({took:.3f} s)",
                flush=True,
            )
    print(f"{name}: {seconds:.2f} s", flush=True)
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--table", action="store_true", help="show the odds too")
    options = parser.parse_args()
    seconds = {name: count(name, table=options.table) for name in BOOK_EDITIONS}
    met = seconds["classic"] < BUDGET
    print(f"classic against its budget of {BUDGET:.0f} s: {'met' if met else 'MISSED'}")
    return int(not met)


if __name__ == "__main__":
    sys.exit(main())
