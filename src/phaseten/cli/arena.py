"""``phaseten arena``."""

from __future__ import annotations

import hashlib
import json as json_text
import shlex
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from cyclopts import Parameter

from phaseten.arena.chunks import Conduct, Played, play_chunk
from phaseten.arena.cluster import ClusterError, play_on_cluster
from phaseten.arena.entrants import HOUSE, Entrant, check_entrant, make_file_name, parse_entrants
from phaseten.arena.faults import EntrantError
from phaseten.arena.fingerprints import fingerprint_bot, fingerprint_engine
from phaseten.arena.gameplay import GameTerms
from phaseten.arena.matches import Match, match_all, match_pairs
from phaseten.arena.ratings import rate
from phaseten.arena.results import Results, ResultsError, forget_results
from phaseten.arena.schedule import Schedule
from phaseten.arena.sequential import HypothesesError, SequentialTest, parse_hypotheses
from phaseten.arena.standings import compute_standing, observe_behaviour
from phaseten.arena.time_limits import TimeLimits
from phaseten.cli.arena_report import (
    Report,
    draw_report,
    format_report_csv,
    format_report_json,
    origin_sentence,
    write_report,
)
from phaseten.cli.completers import offer_bots, offer_editions
from phaseten.cli.files import find_editions
from phaseten.cli.folders import cache_folder
from phaseten.cli.options import (
    Flag,
    Optional,
    Output,
    check_time_limit,
    choose_worker_count,
    parse_player_counts,
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
from phaseten.cli.wording import sentence
from phaseten.rules.editions import Edition
from phaseten.rules.options import OptionError, Rules, parse_house, parse_variant
from phaseten.terminal.printer import printer_for
from phaseten.workers import WorkerLostError, work

EXAMPLES: Final = """\
Examples:
  phaseten arena sharp casual              1,000 games of Classic, two players
  phaseten arena master sharp casual rookie --players 2,4 --games 4000
  phaseten arena sharp casual rookie --table --svg table.svg
  phaseten arena sharp mybots:Nora ./otto.py 'Eva=cmd:java -jar eva.jar'
  phaseten arena mybots:New mybots:Old --sprt elo0=0 elo1=20

A bot is one of the house, a Python class by its import path, or a program that
reads and writes lines: docs/arena.md has the protocol. Ctrl-C stops; the same
command goes on where it stopped, and with more --games it goes further. Games
are kept in your cache folder by the content of the bots: a bot that was edited
plays anew."""

FEWEST_BOTS: Final = 2
USUAL_GAMES: Final = 1000
MOST_GAMES: Final = 1_000_000
"""How many games a sequential test may take, if nothing else is said."""
_LONGEST_NAME: Final = 60
_KEPT: Final = "The finished games are kept: the same command goes on."


@Parameter(name="*")
@dataclass(frozen=True)
class GameOptions:
    """What is played."""

    players: Annotated[str | None, Parameter(name=["--players", "-p"], show_default=False)] = None
    """Numbers of players, separated by commas (2)."""
    edition: Annotated[str, Parameter(name=["--edition", "-e"], completer=offer_editions)] = (
        "classic"
    )
    """Editions or .toml files, separated by commas, or all."""
    variant: str = "standard"
    """Any of ten-hands, phases=5, even, with commas."""
    house: Annotated[str, Optional] = ""
    """House rules, with commas."""
    games: Annotated[int | None, Parameter(name=["--games", "-n"], show_default=False)] = None
    """How many games of each pairing at each table (1,000)."""
    seed: int = 0
    """The same seed gives the same games."""
    table: Flag = False
    """All bots at one table, instead of pair by pair."""
    time_limit: float = 1.0
    """Seconds a bot from outside may think about a move."""
    sprt: Annotated[
        list[str] | None, Parameter(negative="", show_default=False, consume_multiple=True)
    ] = None
    """Stop as soon as it is clear: elo0=0 elo1=20, or won0=50 won1=53."""


@Parameter(name="*")
@dataclass(frozen=True)
class FileOptions:
    """Where the games and the answers go."""

    out: Annotated[Path | None, Optional] = None
    """Where the games are kept; without it, in your cache folder."""
    fresh: Flag = False
    """Play all games again, whatever is kept."""
    csv: Output = None
    """Write every game to this file, as CSV (- for the screen)."""
    json: Output = None
    """Write the results to this file, as JSON (- for the screen)."""
    svg: Annotated[str | None, Optional] = None
    """Draw the results into this file."""
    records: Annotated[Path | None, Optional] = None
    """Write every game into this folder, as a record (.p10)."""


_NO_GAME_OPTIONS: Final = GameOptions()
_NO_FILE_OPTIONS: Final = FileOptions()


def run(  # noqa: D417 - the others are described by their own classes
    *bots: Annotated[str, Parameter(completer=offer_bots)],
    game: GameOptions = _NO_GAME_OPTIONS,
    workers: Annotated[int | None, Optional] = None,
    files: FileOptions = _NO_FILE_OPTIONS,
    ray: Flag = False,
    ray_address: Annotated[str | None, Optional] = None,
) -> int:
    """Let bots play each other, and say which is stronger.

    Everybody meets everybody else in complete games. Each deal is played several
    times with seats exchanged, so that luck cancels; intervals say how sure it is.

    Args:
        bots: Two bots or more.
        workers: How many processes play; all processors if not said.
        ray: Play on a Ray cluster.
        ray_address: Where that cluster is; without it, on this machine.
    """
    count = choose_worker_count(workers)
    plan = _make_plan(bots, game)
    answers = plan_outputs((files.csv, format_report_csv), (files.json, format_report_json))
    check_writable([*answers, files.svg])
    path = files.out or cache_folder() / "arena" / f"{plan.name}.jsonl"
    conduct = Conduct(
        TimeLimits(move=game.time_limit),
        str(path.with_suffix(".logs")),
        files.records is not None,
    )

    def source(schedule: Schedule) -> Generator[list[Played]]:
        if ray or ray_address is not None:
            return play_on_cluster(schedule.chunks(), ray_address)
        return work(play_chunk, schedule.chunks(), count)

    try:
        if files.fresh:
            forget_results(path)
        with Results(path, plan.settings, _command()) as results:
            finished = _play(plan, conduct, results, source, files.records)
            report = _report(plan, results)
    except (ResultsError, ClusterError) as error:
        raise Problem(sentence(error)) from error
    except WorkerLostError as error:
        raise Problem(f"{sentence(error)} {_KEPT}") from error
    if not finished:
        complain(f"Stopped. {_KEPT}")
    if report is not None:
        _tell(report, answers, files.svg)
    return 0 if finished else INTERRUPTED


# ── what is asked for ─────────────────────────────────────────────────────────────────────────


class _Plan(NamedTuple):
    """Who plays whom, and what tells this command from others."""

    matches: list[Match]
    games: int
    settings: dict[str, object]
    test: SequentialTest | None

    @property
    def titles(self) -> dict[str, str]:
        """What the editions are called, by name."""
        boxes = [match.terms.rules.edition for match in self.matches]
        return {box.name: box.title for box in boxes}

    @property
    def name(self) -> str:
        """A name for the file: who plays, and what tells the command from others."""
        names = dict.fromkeys(name for match in self.matches for name in match.names)
        text = json_text.dumps(self.settings, sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        return f"{make_file_name('-'.join(names))[:_LONGEST_NAME]}-{digest}"

    def deals(self, match: Match) -> int:
        """How many deals of the match are wanted; a test that is over wants no more."""
        if self.test is not None and self.test.accepted is not None:
            return self.test.deals
        return match.deals(self.games)


def _make_plan(words: Sequence[str], options: GameOptions) -> _Plan:
    games = options.games or (USUAL_GAMES if options.sprt is None else MOST_GAMES)
    if options.games is not None and options.games < 1:
        raise Problem("Let them play one game at least: --games 1000, say.")
    limits = check_time_limit(options.time_limit)
    counts = parse_player_counts(options.players or (str(len(words)) if options.table else "2"))
    boxes = find_editions(options.edition)
    try:
        all_terms = _list_terms(boxes, counts, options)
        if len(words) < FEWEST_BOTS:
            raise Problem("Name two bots or more, such as 'phaseten arena sharp casual'.")
        bots = parse_entrants(words)
        if options.table and counts != [len(bots)]:
            raise Problem(
                f"At one table {len(bots)} bots make {len(bots)} players: leave --players out, "
                "or leave --table out to let them meet in pairs."
            )
        for bot in bots:
            check_entrant(bot, limits)
        matches = (match_all if options.table else match_pairs)(all_terms, bots)
        test = _plan_test(options, matches)
    except (OptionError, EntrantError, HypothesesError) as error:
        raise Problem(sentence(error)) from error
    return _Plan(matches, games, _settings(bots, boxes, counts, options), test)


def _list_terms(
    boxes: Sequence[Edition], counts: Sequence[int], options: GameOptions
) -> list[GameTerms]:
    variant, house = parse_variant(options.variant), parse_house(options.house)
    all_terms = [
        GameTerms(Rules(box, variant, house), count, options.seed)
        for box in boxes
        for count in counts
    ]
    for terms in all_terms:
        terms.rules.check_players(terms.players)
    return all_terms


def _plan_test(options: GameOptions, matches: Sequence[Match]) -> SequentialTest | None:
    if options.sprt is None:
        return None
    hypotheses = parse_hypotheses(options.sprt)
    if len(matches) > 1 or options.table:
        raise Problem(
            "A sequential test is between two bots, with one edition and one number of players."
        )
    return SequentialTest(hypotheses, len(matches[0].seatings))


def _settings(
    bots: Sequence[Entrant], boxes: Sequence[Edition], counts: Sequence[int], options: GameOptions
) -> dict[str, object]:
    """Everything that decides how the games go."""
    return {
        "version": version("phaseten"),
        "engine": fingerprint_engine(),
        "bots": {bot.name: f"{bot.kind}:{bot.what}" for bot in bots},
        "code": {bot.name: fingerprint_bot(bot) for bot in bots if bot.kind != HOUSE},
        "editions": {box.name: _edition_digest(box) for box in boxes},
        "players": sorted(counts),
        "variant": parse_variant(options.variant).text,
        "house": sorted(parse_house(options.house)),
        "seed": options.seed,
        "mode": "table" if options.table else "pairs",
        "time_limit": options.time_limit if any(bot.kind != HOUSE for bot in bots) else None,
    }


def _edition_digest(box: Edition) -> str:
    """What tells the edition from another one of the same name."""
    return hashlib.sha256(repr(replace(box, source="")).encode()).hexdigest()[:8]


def _command() -> str:
    return shlex.join(["phaseten", *sys.argv[1:]])


# ── the games ─────────────────────────────────────────────────────────────────────────────────


def _play(
    plan: _Plan,
    conduct: Conduct,
    results: Results,
    source: Callable[[Schedule], Generator[list[Played]]],
    records: Path | None,
) -> bool:
    """Play what is missing, and keep it; whether nobody interrupted."""
    _advance(plan, results)
    missing = [(match, results.find_missing(match, plan.deals(match))) for match in plan.matches]
    total = sum(len(deals) * len(match.seatings) for match, deals in missing)
    if not total:
        return True
    schedule = Schedule(missing, conduct)
    try:
        with show_progress() as progress, closing(source(schedule)) as played:
            task = progress.add_task("games", total=total)
            for deal in played:
                if records is not None:
                    _write_records(records, deal)
                rows = [game.row for game in deal]
                results.add(rows)
                schedule.learn(rows)
                progress.advance(task, len(deal))
                if plan.test is not None:
                    _advance(plan, results)
                    progress.update(task, description=f"ratio {plan.test.ratio:+.2f}, games")
                    if plan.test.accepted is not None:
                        break
    except KeyboardInterrupt:
        return False
    return True


def _advance(plan: _Plan, results: Results) -> None:
    """Let the test count the deals that have been played."""
    if plan.test is not None:
        [match] = plan.matches
        plan.test.advance(match, results.rows, match.deals(plan.games))


def _write_records(folder: Path, games: Sequence[Played]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for row, record in games:
        edition, players, match, deal, seating = row.key
        name = make_file_name(f"{edition}-{players}-{match}-{deal:06}-{seating + 1}")
        (folder / f"{name}.p10").write_text(record or "", encoding="utf-8")


# ── the answer ────────────────────────────────────────────────────────────────────────────────


def _report(plan: _Plan, results: Results) -> Report | None:
    wanted = {match.key: plan.deals(match) for match in plan.matches}
    found = [compute_standing(match, results.rows, wanted[match.key]) for match in plan.matches]
    standings = [each for each in found if each is not None]
    if not standings:
        return None
    rows = [row for row in results.rows.values() if row.deal < wanted[row.key[:3]]]
    names = dict.fromkeys(name for match in plan.matches for name in match.names)
    return Report(
        plan.settings,
        plan.titles,
        results.path,
        sum(row.key in results.kept for row in rows),
        rows,
        standings,
        rate(rows),
        [observe_behaviour(name, rows) for name in names],
        plan.test,
    )


def _tell(report: Report, answers: dict[str, Form[Report]], svg: str | None) -> None:
    """Write the files first: whoever reads the screen may stop reading, and they stay whole."""
    texts = {name: form(report) for name, form in answers.items()}
    printed = texts.pop(STANDARD_OUTPUT, None)
    for name, text in texts.items():
        write_output(name, text)
    if svg is not None:
        write_output(svg, draw_report(report))
    if printed is None:
        printer = printer_for()
        show(printer, write_report(report, printer))
        return
    if report.kept:
        complain(origin_sentence(report))
    write_output(STANDARD_OUTPUT, printed)
