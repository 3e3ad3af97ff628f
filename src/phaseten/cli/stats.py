"""``phaseten stats``."""

from __future__ import annotations

import json as json_text
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from phaseten.arena.sampling import Setting, sample
from phaseten.arena.statistics import Statistics
from phaseten.bots.ladder import LADDER
from phaseten.cli import INTERRUPTED
from phaseten.cli.common import Optional, Problem, complain
from phaseten.cli.figures import (
    FOOTNOTE,
    Sample,
    for_documents,
    for_spreadsheets,
    for_terminal,
    pictures,
    records,
)
from phaseten.cli.files import find_edition, sentence
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.options import OptionError, Rules, parse_variant
from phaseten.terminal.screen import screen_for

EXAMPLES: Final = """\
Examples:
  phaseten stats                           1,000 games of Classic, two players
  phaseten stats --edition classic,express --players 2,4 --games 5000
  phaseten stats --variant standard --variant ten-hands --bot rookie,sharp
  phaseten stats --edition all --svg pictures --csv figures.csv

Every combination of what is named is played. Ctrl-C shows the games so far."""

ALL: Final = "all"
STANDARD_OUTPUT: Final = "-"
Output = Annotated[str | None, Parameter(show_default=False, allow_leading_hyphen=True)]
"""A file to write, or - for standard output."""
FEWEST_GAMES: Final = 2
"""One game says nothing about how games differ."""


def run(  # noqa: PLR0913 - all by name
    *,
    edition: Annotated[str, Parameter(name=["--edition", "-e"])] = "classic",
    players: Annotated[str, Parameter(name=["--players", "-p"])] = "2",
    variant: Annotated[
        list[str] | None, Parameter(name=["--variant", "-v"], negative="", show_default=False)
    ] = None,
    bot: Annotated[str, Parameter(name=["--bot", "-b"])] = "sharp",
    games: Annotated[int, Parameter(name=["--games", "-n"])] = 1000,
    seed: int = 0,
    workers: Annotated[int | None, Optional] = None,
    csv: Output = None,
    json: Output = None,
    markdown: Output = None,
    svg: Annotated[str | None, Optional] = None,
) -> int:
    """Play games between bots and show the statistics of the game.

    How long games and hands are, how often and how fast each Phase is made,
    what sitting first is worth, and how much Skips and Wilds decide: each
    figure with its error. The same bot sits in every seat.
    docs/statistics.md says what the figures mean.

    Args:
        edition: Editions or .toml files, separated by commas, or all.
        players: Numbers of players, separated by commas.
        variant: A variation such as ten-hands,even; the option may be repeated.
        bot: Bots, separated by commas: rookie, casual, sharp, master.
        games: How many games of each combination.
        seed: The same seed gives the same games and figures.
        workers: How many processes play; all processors if not said.
        csv: Write every figure to this file, as CSV (- for the screen).
        json: Write every figure to this file, as JSON (- for the screen).
        markdown: Write tables to this file, in Markdown (- for the screen).
        svg: Draw pictures into this folder.
    """
    settings = combinations(edition, players, variant or ["standard"], bot)
    if games < FEWEST_GAMES:
        raise Problem(f"Statistics need {FEWEST_GAMES} games at least.")
    if workers is not None and workers < 1:
        raise Problem("At least one worker has to play.")
    wanted = ((csv, for_spreadsheets), (json, _as_json), (markdown, for_documents))
    outputs = [(name, write) for name, write in wanted if name is not None]
    _check_writable([name for name, _ in outputs if name != STANDARD_OUTPUT], svg)
    samples, finished = play(settings, games, seed=seed, workers=workers or processors())
    if not finished:
        played = sum(each.statistics.games for each in samples)
        complain(f"Interrupted after {played:,} of {games * len(settings):,} games.")
    if all(name != STANDARD_OUTPUT for name, _ in outputs):
        _show(samples)
    for name, write in outputs:
        _write(name, write(samples))
    if svg is not None:
        for name, picture in pictures(samples).items():
            _write(str(Path(svg) / f"statistics-{name}.svg"), picture)
    return 0 if finished else INTERRUPTED


# ── what is asked for ─────────────────────────────────────────────────────────────────────────


def combinations(editions: str, players: str, variants: Sequence[str], bots: str) -> list[Setting]:
    """Every combination of what is named."""
    boxes = BOOK_EDITIONS if editions.strip() == ALL else _words(editions, "an edition")
    try:
        chosen = [Rules(find_edition(box), parse_variant(v)) for box in boxes for v in variants]
        counts = [_count(word) for word in _words(players, "a number of players")]
        for rules in chosen:
            for count in counts:
                rules.check_players(count)
    except OptionError as error:
        raise Problem(sentence(error)) from error
    names = _words(bots, "a bot")
    for name in names:
        if name not in LADDER:
            raise Problem(f"There is no bot {name!r}: choose from {', '.join(LADDER)}.")
    found = [Setting(rules, n, name) for rules in chosen for n in counts for name in names]
    return list(dict.fromkeys(found))


def _words(text: str, what: str) -> list[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise Problem(f"Name {what}, or several separated by commas.")
    return words


def _count(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) < 3):
        raise Problem(f"{word!r} is not a number of players: write 4, or 2,4,6 for several.")
    return int(word)


def processors() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# ── the games ─────────────────────────────────────────────────────────────────────────────────


def play(
    settings: Sequence[Setting], games: int, *, seed: int, workers: int
) -> tuple[list[Sample], bool]:
    """Play so many games of each until all are over, or somebody interrupts; and which it was."""
    samples = [Sample(setting, Statistics(setting.players)) for setting in settings]
    finished = False
    try:
        with _progress() as progress:
            task = progress.add_task("games", total=games * len(settings))
            for part in sample(settings, games, seed=seed, workers=workers):
                samples[part.which].statistics.merge(part.statistics)
                progress.advance(task, part.statistics.games)
        finished = True
    except KeyboardInterrupt:
        pass
    return samples, finished


def _progress() -> Progress:
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


# ── the answer ────────────────────────────────────────────────────────────────────────────────


def _show(samples: Sequence[Sample]) -> None:
    screen = screen_for()
    lines = for_terminal(samples, screen.width, screen.bold)
    text = screen.text("\n".join([*lines, screen.wrap(FOOTNOTE)]))
    print(text if screen.shapes else _in_ascii(text))


def _in_ascii(text: str) -> str:
    return text.replace("±", "+-").replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-")


def _as_json(samples: Sequence[Sample]) -> str:
    return json_text.dumps(list(records(samples)), indent=1) + "\n"


def _check_writable(names: Sequence[str], folder: str | None) -> None:
    """Find out before the games, not after them; the system's refusals are told by ``main``."""
    for name in names:
        with Path(name).open("a", encoding="utf-8"):
            pass
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)


def _write(name: str, text: str) -> None:
    if name == STANDARD_OUTPUT:
        print(text, end="")
    else:
        Path(name).write_text(text, encoding="utf-8")
