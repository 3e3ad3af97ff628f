"""``phaseten stats``."""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.arena.entrants import ladder_bot
from phaseten.arena.faults import EntrantError
from phaseten.arena.sampling import Setting, sample
from phaseten.arena.statistics import Statistics
from phaseten.cli.common import INTERRUPTED, Optional, Problem, complain
from phaseten.cli.figures import (
    FOOTNOTE,
    Sample,
    for_documents,
    for_spreadsheets,
    for_terminal,
    pictures,
    records,
)
from phaseten.cli.files import find_editions, listed_words, sentence
from phaseten.cli.many_games import (
    STANDARD_OUTPUT,
    Printer,
    check_writable,
    outputs,
    player_counts,
    progress_bar,
    show,
    worker_count,
    write,
)
from phaseten.rules.options import OptionError, Rules, parse_variant
from phaseten.terminal.printer import printer_for
from phaseten.workers import WorkerLostError

EXAMPLES: Final = """\
Examples:
  phaseten stats                           1,000 games of Classic, two players
  phaseten stats --edition classic,express --players 2,4 --games 5000
  phaseten stats --variant standard --variant ten-hands --bot rookie,sharp
  phaseten stats --edition all --svg pictures --csv figures.csv

Every combination of what is named is played. Ctrl-C shows the games so far."""

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
    csv: Printer = None,
    json: Printer = None,
    markdown: Printer = None,
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
        bot: Bots, separated by commas: rookie, casual, sharp, master@100.
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
    count = worker_count(workers)
    files = outputs((csv, for_spreadsheets), (json, _as_json), (markdown, for_documents))
    check_writable(files)
    if svg is not None:
        Path(svg).mkdir(parents=True, exist_ok=True)
    samples, finished = play(settings, games, seed=seed, workers=count)
    if not finished:
        played = sum(each.statistics.games for each in samples)
        complain(f"Interrupted after {played:,} of {games * len(settings):,} games.")
    if STANDARD_OUTPUT not in files:
        screen = printer_for()
        lines = for_terminal(samples, screen.width, screen.bold)
        show(screen, [*lines, screen.wrap(FOOTNOTE)])
    for name, form in files.items():
        write(name, form(samples))
    if svg is not None:
        for name, picture in pictures(samples).items():
            write(str(Path(svg) / f"statistics-{name}.svg"), picture)
    return 0 if finished else INTERRUPTED


# ── what is asked for ─────────────────────────────────────────────────────────────────────────


def combinations(editions: str, players: str, variants: Sequence[str], bots: str) -> list[Setting]:
    """Every combination of what is named."""
    boxes = find_editions(editions)
    counts = player_counts(players)
    names = listed_words(bots, "a bot")
    try:
        chosen = [Rules(box, parse_variant(v)) for box in boxes for v in variants]
        for rules in chosen:
            for count in counts:
                rules.check_players(count)
        for name in names:
            ladder_bot(name)
    except (OptionError, EntrantError) as error:
        raise Problem(sentence(error)) from error
    found = [Setting(rules, n, name) for rules in chosen for n in counts for name in names]
    return list(dict.fromkeys(found))


# ── the games ─────────────────────────────────────────────────────────────────────────────────


def play(
    settings: Sequence[Setting], games: int, *, seed: int, workers: int
) -> tuple[list[Sample], bool]:
    """Play so many games of each until all are over, or somebody interrupts; and which it was."""
    samples = [Sample(setting, Statistics(setting.players)) for setting in settings]
    finished = False
    try:
        with (
            progress_bar() as progress,
            closing(sample(settings, games, seed=seed, workers=workers)) as parts,
        ):
            task = progress.add_task("games", total=games * len(settings))
            for part in parts:
                samples[part.which].statistics.merge(part.statistics)
                progress.advance(task, part.statistics.games)
        finished = True
    except KeyboardInterrupt:
        pass
    except WorkerLostError as error:
        raise Problem(sentence(error)) from error
    return samples, finished


# ── the answer ────────────────────────────────────────────────────────────────────────────────


def _as_json(samples: Sequence[Sample]) -> str:
    return json_text.dumps(list(records(samples)), indent=1) + "\n"
