"""``phaseten stats``."""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.arena.entrants import HOUSE, Entrant, check_entrant, parse_entrants
from phaseten.arena.faults import EntrantError
from phaseten.arena.statistics import GameStatistics
from phaseten.arena.surveys import Setting, survey
from phaseten.bots.peeker import Peeker
from phaseten.cli.completers import offer_bots, offer_editions
from phaseten.cli.figures import (
    FOOTNOTE,
    Sample,
    for_documents,
    for_spreadsheets,
    for_terminal,
    pictures,
    records,
)
from phaseten.cli.files import find_editions
from phaseten.cli.options import (
    Optional,
    Output,
    check_time_limit,
    choose_worker_count,
    parse_player_counts,
    split_words,
)
from phaseten.cli.outputs import (
    STANDARD_OUTPUT,
    Form,
    check_writable,
    plan_outputs,
    show,
    show_progress,
    write_output,
)
from phaseten.cli.problems import INTERRUPTED, Problem, complain
from phaseten.cli.wording import plural, sentence
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
    edition: Annotated[
        str, Parameter(name=["--edition", "-e"], completer=offer_editions)
    ] = "classic",
    players: Annotated[str, Parameter(name=["--players", "-p"])] = "2",
    variant: Annotated[
        list[str] | None, Parameter(name=["--variant", "-v"], negative="", show_default=False)
    ] = None,
    bot: Annotated[str, Parameter(name=["--bot", "-b"], completer=offer_bots)] = "sharp",
    time_limit: float = 1.0,
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
        bot: Bots, with commas: rookie, master@100, mybots:Nora, ./otto.py.
        time_limit: Seconds a bot from outside may think about a move.
        games: How many games of each combination.
        seed: The same seed gives the same games and figures.
        workers: How many processes play; all processors if not said.
        csv: Write every figure to this file, as CSV (- for the screen).
        json: Write every figure to this file, as JSON (- for the screen).
        markdown: Write tables to this file, in Markdown (- for the screen).
        svg: Draw pictures into this folder.
    """
    settings = combine_settings(edition, players, variant or ["standard"], bot, time_limit)
    if games < FEWEST_GAMES:
        raise Problem(f"Statistics need {FEWEST_GAMES} games at least.")
    count = choose_worker_count(workers)
    files = plan_outputs((csv, for_spreadsheets), (json, _as_json), (markdown, for_documents))
    check_writable(files)
    if svg is not None:
        Path(svg).mkdir(parents=True, exist_ok=True)
    samples, finished = play(settings, games, seed=seed, workers=count)
    if not finished:
        played = sum(each.statistics.games for each in samples)
        complain(f"Interrupted after {played:,} of {games * len(settings):,} games.")
    _tell(samples, files, svg)
    return 0 if finished else INTERRUPTED


# ── what is asked for ─────────────────────────────────────────────────────────────────────────


def combine_settings(
    editions: str, players: str, variants: Sequence[str], bots: str, time_limit: float = 1.0
) -> list[Setting]:
    """Every combination of what is named."""
    boxes = find_editions(editions)
    counts = parse_player_counts(players)
    limits = check_time_limit(time_limit)
    try:
        chosen = [Rules(box, parse_variant(v)) for box in boxes for v in variants]
        for rules in chosen:
            for count in counts:
                rules.check_players(count)
        entrants = parse_entrants(dict.fromkeys(split_words(bots, "a bot")))
        for entrant in entrants:
            _check_honest(entrant)
            check_entrant(entrant, limits)
    except (OptionError, EntrantError) as error:
        raise Problem(sentence(error)) from error
    found = [Setting(rules, n, bot, limits) for rules in chosen for n in counts for bot in entrants]
    return list(dict.fromkeys(found))


def _check_honest(entrant: Entrant) -> None:
    if entrant.kind == HOUSE and entrant.what == Peeker.name:
        raise EntrantError(f"{Peeker.name} cheats: it plays in the arena only")


# ── the games ─────────────────────────────────────────────────────────────────────────────────


def play(
    settings: Sequence[Setting], games: int, *, seed: int, workers: int
) -> tuple[list[Sample], bool]:
    """Play so many games of each until all are over, or somebody interrupts; and which it was."""
    samples = [Sample(setting, GameStatistics(setting.players)) for setting in settings]
    finished = False
    try:
        with (
            show_progress() as progress,
            closing(survey(settings, games, seed=seed, workers=workers)) as parts,
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


def _tell(
    samples: Sequence[Sample], files: dict[str, Form[Sequence[Sample]]], svg: str | None
) -> None:
    """Write the files first: whoever reads the screen may stop reading, and they stay whole."""
    texts = {name: form(samples) for name, form in files.items()}
    printed = texts.pop(STANDARD_OUTPUT, None)
    for name, text in texts.items():
        write_output(name, text)
    if svg is not None:
        for name, picture in pictures(samples).items():
            write_output(str(Path(svg) / f"statistics-{name}.svg"), picture)
    for sample in samples:
        if sample.statistics.forfeits:
            complain(_forfeits(sample))
        if sample.statistics.given_up:
            complain(
                f"{plural(sample.statistics.given_up, 'game')} came to no end and do not count."
            )
    if printed is not None:
        write_output(STANDARD_OUTPUT, printed)
        return
    printer = printer_for()
    lines = for_terminal(samples, printer.width, printer.bold)
    show(printer, [*lines, printer.wrap(FOOTNOTE)])


def _forfeits(sample: Sample) -> str:
    statistics, bot = sample.statistics, sample.setting.bot
    return (
        f"{bot.name} forfeited {plural(statistics.forfeits, 'game')}, which do not count: "
        f"{statistics.fault}."
    )


def _as_json(samples: Sequence[Sample]) -> str:
    return json_text.dumps(list(records(samples)), indent=1) + "\n"
