"""Break the rules on purpose, and see whether the tests notice.

    python tests/mutation.py [--least 85] [--keep] [MUTANT ...]

Runs mutmut over what `[tool.mutmut]` in pyproject.toml names, prints every mutant that is still alive, and
fails when fewer than `--least` per cent were killed. `--keep` goes on from the results of the last run;
MUTANT is a name or a glob, such as 'phaseten.rules.melds*'.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# mutmut says "interrupted by user" when a mutant already breaks the import of the tests. A run that really was
# interrupted leaves mutants "not checked".
KILLED = {"killed", "timeout", "check was interrupted by user", "caught by type check"}
# Workers that cannot start pytest are reported as timeouts: many of them mean a broken set-up, not good tests.
MOST_TIMEOUTS = 0.1


def mutmut(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments],
        cwd=ROOT,
        env=os.environ | {"PHASETEN_HYPOTHESIS_PROFILE": "mutation"},
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise SystemExit(f"{done.stdout}\nmutmut {' '.join(arguments)} failed.")
    return done.stdout


def judge(status_of: dict[str, str], least: float) -> str | None:
    """What is wrong with these results, if anything."""
    counts = Counter(status_of.values())
    tested = len(status_of) - counts["skipped"]
    if not tested:
        return "mutmut made no mutants: look at [tool.mutmut] in pyproject.toml."
    if counts["not checked"]:
        return f"The run was interrupted: {counts['not checked']} mutants were not checked."
    if counts["timeout"] > MOST_TIMEOUTS * tested:
        return f"{counts['timeout']} of {tested} mutants timed out: can the workers start pytest?"
    percentage = 100 * sum(counts[status] for status in KILLED) / tested
    print(f"{percentage:.1f} % of {tested} mutants killed.")
    return None if percentage >= least else f"That is less than {least:g} %."


def main() -> None:
    parser = argparse.ArgumentParser(description="Mutation testing with a threshold.")
    parser.add_argument("--least", type=float, default=85, help="per cent that must be killed")
    parser.add_argument("--keep", action="store_true", help="go on from the last results")
    parser.add_argument("mutants", nargs="*", help="names or globs of mutants; all by default")
    options = parser.parse_args()

    if not options.keep:
        shutil.rmtree(ROOT / "mutants", ignore_errors=True)
    print("Mutation testing; this takes a while.", flush=True)
    mutmut("run", *options.mutants)

    results = [
        line.strip().partition(": ") for line in mutmut("results", "--all", "1").splitlines()
    ]
    status_of = {
        name: status
        for name, _, status in results
        if not options.mutants or any(fnmatchcase(name, glob) for glob in options.mutants)
    }
    alive = {
        name: status for name, status in status_of.items() if status not in {*KILLED, "skipped"}
    }
    for name, status in sorted(alive.items()):
        print(f"  {name}: {status}")
    if alive:
        print("To see one: .venv/bin/mutmut show NAME")
    raise SystemExit(judge(status_of, options.least))


if __name__ == "__main__":
    main()
