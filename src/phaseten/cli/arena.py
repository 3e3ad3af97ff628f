"""``phaseten arena``."""

from __future__ import annotations

import hashlib
import json as json_text
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from cyclopts import Parameter

from phaseten.arena.cluster import ClusterError, play_on_cluster
from phaseten.arena.entrants import HOUSE, Entrant, check, entrants, file_name
from phaseten.arena.exports import csv_text, picture, summary
from phaseten.arena.faults import EntrantError, Limits
from phaseten.arena.matches import Match, free_for_all, pairings
from phaseten.arena.playing import Table
from phaseten.arena.ratings import Rating, rate
from phaseten.arena.results import GameRow, Results, ResultsError
from phaseten.arena.schedule import Schedule
from phaseten.arena.standings import Behaviour, Share, Standing, behaviour, percent, standing
from phaseten.arena.working import Conduct, Played, play_chunk
from phaseten.cli.common import INTERRUPTED, Flag, Optional, Problem, complain, plural
from phaseten.cli.files import find_editions, sentence
from phaseten.cli.many_games import (
    STANDARD_OUTPUT,
    Form,
    Output,
    check_writable,
    outputs,
    player_counts,
    progress_bar,
    show,
    worker_count,
    write,
)
from phaseten.rules.editions import Edition
from phaseten.rules.options import OptionError, Rules, parse_house, parse_variant
from phaseten.terminal.printer import Printer, printer_for, table
from phaseten.workers import WorkerLostError, work

EXAMPLES: Final = """\
Examples:
  phaseten arena sharp casual              1,000 games of Classic, two players
  phaseten arena master sharp casual rookie --players 2,4 --games 4000
  phaseten arena sharp casual rookie --table --svg table.svg
  phaseten arena sharp mybots:Nora ./otto.py 'Eva=cmd:java -jar eva.jar'

A bot is one of the house, a Python class by its import path, or a program that
reads and writes lines: docs/arena.md has the protocol. Ctrl-C stops; the same
command goes on where it stopped, and with more --games it goes further."""

FEWEST_BOTS: Final = 2
_KEPT: Final = "The finished games are kept: the same command goes on."


def run(  # noqa: PLR0913 - all by name
    *bots: str,
    players: Annotated[str | None, Parameter(name=["--players", "-p"])] = None,
    edition: Annotated[str, Parameter(name=["--edition", "-e"])] = "classic",
    variant: str = "standard",
    house: Annotated[str, Optional] = "",
    games: Annotated[int, Parameter(name=["--games", "-n"])] = 1000,
    seed: int = 0,
    table: Flag = False,
    time_limit: float = 1.0,
    workers: Annotated[int | None, Optional] = None,
    out: Annotated[Path | None, Optional] = None,
    csv: Output = None,
    json: Output = None,
    svg: Annotated[str | None, Optional] = None,
    records: Annotated[Path | None, Optional] = None,
    ray: Flag = False,
    ray_address: Annotated[str | None, Optional] = None,
) -> int:
    """Let bots play each other, and say which is stronger.

    Everybody meets everybody else in complete games. Each deal is played several
    times with seats exchanged, so that luck cancels; intervals say how sure it is.

    Args:
        bots: Two bots or more.
        players: Numbers of players, separated by commas (2).
        edition: Editions or .toml files, separated by commas, or all.
        variant: Any of ten-hands, phases=5, even, with commas.
        house: House rules, with commas.
        games: How many games of each pairing at each table.
        seed: The same seed gives the same games.
        table: All bots at one table, instead of pair by pair.
        time_limit: Seconds a bot from outside may think about a move.
        workers: How many processes play; all processors if not said.
        out: Where the games are kept; without it a name made from the command.
        csv: Write every game to this file, as CSV (- for the screen).
        json: Write the results to this file, as JSON (- for the screen).
        svg: Draw the results into this file.
        records: Write every game into this folder, as a record (.p10).
        ray: Play on a Ray cluster.
        ray_address: Where that cluster is; without it, on this machine.
    """
    _check_numbers(games, time_limit)
    count = worker_count(workers)
    contest = _contest(
        bots,
        find_editions(edition),
        player_counts(players or (str(len(bots)) if table else "2")),
        _Options(variant, house, seed, time_limit, table=table),
    )
    files = outputs((csv, _as_csv), (json, _as_json))
    check_writable([*files, svg])
    path = out or Path(f"arena-{contest.digest}.jsonl")
    conduct = Conduct(Limits(move=time_limit), str(path.with_suffix(".logs")), records is not None)

    def source(schedule: Schedule) -> Generator[list[Played]]:
        if ray or ray_address is not None:
            return play_on_cluster(schedule.chunks(), ray_address)
        return work(play_chunk, schedule.chunks(), count)

    try:
        with Results(path, contest.settings, _command()) as results:
            missing = [
                (match, results.missing(match, match.deals(games))) for match in contest.matches
            ]
            finished = _play(Schedule(missing, conduct), missing, results, source, records)
            report = _report(contest, results, games)
    except (ResultsError, ClusterError) as error:
        raise Problem(sentence(error)) from error
    except WorkerLostError as error:
        raise Problem(f"{sentence(error)} {_KEPT}") from error
    if not finished:
        complain(f"Stopped. {_KEPT}")
    if report is not None:
        _tell(report, files, svg)
    return 0 if finished else INTERRUPTED


# ── what is asked for ─────────────────────────────────────────────────────────────────────────


class _Options(NamedTuple):
    variant: str
    house: str
    seed: int
    time_limit: float
    table: bool


class _Contest(NamedTuple):
    """Who plays whom, and what tells this command from others."""

    matches: list[Match]
    settings: dict[str, object]

    @property
    def titles(self) -> dict[str, str]:
        """What the editions are called, by name."""
        boxes = [match.table.rules.edition for match in self.matches]
        return {box.name: box.title for box in boxes}

    @property
    def digest(self) -> str:
        """A short name for the command."""
        text = json_text.dumps(self.settings, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:8]


def _check_numbers(games: int, time_limit: float) -> None:
    if games < 1:
        raise Problem("Let them play one game at least: --games 1000, say.")
    if not 0.001 <= time_limit <= 3600:
        raise Problem("A time limit lies between 0.001 and 3600 seconds.")


def _contest(
    words: Sequence[str], boxes: Sequence[Edition], counts: Sequence[int], options: _Options
) -> _Contest:
    try:
        variant, house = parse_variant(options.variant), parse_house(options.house)
        tables = [
            Table(Rules(box, variant, house), count, options.seed)
            for box in boxes
            for count in counts
        ]
        for each in tables:
            each.rules.check_players(each.players)
        if len(words) < FEWEST_BOTS:
            raise Problem("Name two bots or more, such as 'phaseten arena sharp casual'.")
        guests = entrants(words)
        _check_table(guests, counts, options)
        for guest in guests:
            check(guest, Limits(move=options.time_limit))
    except (OptionError, EntrantError) as error:
        raise Problem(sentence(error)) from error
    matches = (free_for_all if options.table else pairings)(tables, guests)
    settings: dict[str, object] = {
        "version": version("phaseten"),
        "bots": {guest.name: f"{guest.kind}:{guest.what}" for guest in guests},
        "editions": {box.name: _edition_digest(box) for box in boxes},
        "players": sorted(counts),
        "variant": variant.text,
        "house": sorted(house),
        "seed": options.seed,
        "mode": "table" if options.table else "pairs",
        "time_limit": options.time_limit if any(g.kind != HOUSE for g in guests) else None,
    }
    return _Contest(matches, settings)


def _check_table(guests: Sequence[Entrant], counts: Sequence[int], options: _Options) -> None:
    if options.table and list(counts) != [len(guests)]:
        raise Problem(
            f"At one table {len(guests)} bots make {len(guests)} players: leave --players out, "
            "or leave --table out to let them meet in pairs."
        )


def _edition_digest(box: Edition) -> str:
    """What tells the edition from another one of the same name."""
    return hashlib.sha256(repr(replace(box, source="")).encode()).hexdigest()[:8]


def _command() -> str:
    return shlex.join(["phaseten", *sys.argv[1:]])


# ── the games ─────────────────────────────────────────────────────────────────────────────────


def _play(
    schedule: Schedule,
    missing: Sequence[tuple[Match, Sequence[int]]],
    results: Results,
    source: Callable[[Schedule], Generator[list[Played]]],
    records: Path | None,
) -> bool:
    """Play what is missing, and keep it; whether nobody interrupted."""
    total = sum(len(deals) * len(match.seatings) for match, deals in missing)
    if not total:
        return True
    try:
        with progress_bar() as progress, closing(source(schedule)) as played:
            task = progress.add_task("games", total=total)
            for deal in played:
                if records is not None:
                    _write_records(records, deal)
                rows = [game.row for game in deal]
                results.add(rows)
                schedule.learn(rows)
                progress.advance(task, len(deal))
    except KeyboardInterrupt:
        return False
    return True


def _write_records(folder: Path, games: Sequence[Played]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for row, record in games:
        edition, players, match, deal, seating = row.key
        name = file_name(f"{edition}-{players}-{match}-{deal:06}-{seating + 1}")
        (folder / f"{name}.p10").write_text(record or "", encoding="utf-8")


# ── the answer ────────────────────────────────────────────────────────────────────────────────


class _Report(NamedTuple):
    """What the games say."""

    contest: _Contest
    path: Path
    rows: list[GameRow]
    standings: list[Standing]
    ratings: list[Rating]
    behaviours: list[Behaviour]


def _report(contest: _Contest, results: Results, games: int) -> _Report | None:
    found = [standing(match, results.rows, match.deals(games)) for match in contest.matches]
    standings = [each for each in found if each is not None]
    if not standings:
        return None
    wanted = {match.key: match.deals(games) for match in contest.matches}
    rows = [row for row in results.rows.values() if row.deal < wanted[row.key[:3]]]
    names = dict.fromkeys(name for match in contest.matches for name in match.names)
    return _Report(
        contest,
        results.path,
        rows,
        standings,
        rate(rows),
        [behaviour(name, rows) for name in names],
    )


def _tell(report: _Report, files: dict[str, Form[_Report]], svg: str | None) -> None:
    if STANDARD_OUTPUT not in files:
        screen = printer_for()
        show(screen, _lines(report, screen))
    for name, form in files.items():
        write(name, form(report))
    if svg is not None:
        write(svg, picture(report.standings, f"Games won: {_where(report)}"))


def _as_csv(report: _Report) -> str:
    return csv_text(report.rows)


def _as_json(report: _Report) -> str:
    found = summary(report.standings, report.behaviours, report.ratings)
    return json_text.dumps({"settings": report.contest.settings} | found, indent=1) + "\n"


def _where(report: _Report) -> str:
    titles = [
        report.contest.titles[name] for name in dict.fromkeys(e.edition for e in report.standings)
    ]
    players = dict.fromkeys(str(each.players) for each in report.standings)
    return f"{' and '.join(titles)}, {' and '.join(players)} players"


def _lines(report: _Report, screen: Printer) -> list[str]:
    lines: list[str] = []
    tables = dict.fromkeys((each.edition, each.players) for each in report.standings)
    for edition, players in tables:
        here = [e for e in report.standings if (e.edition, e.players) == (edition, players)]
        lines += [screen.bold(f"{report.contest.titles[edition]}, {players} players"), ""]
        lines += _shares(here, screen.width)
        lines.append("")
    lines += table(_bot_rows(report), screen.width)
    for each in report.behaviours:
        lines += map(screen.wrap, _fault_lines(each, report.path))
    lines += ["", screen.dim(f"The games are in {report.path}.")]
    return lines


def _shares(standings: Sequence[Standing], width: int) -> list[str]:
    if len(standings[0].shares) == FEWEST_BOTS:
        rows = [["pairing", "won by the first", "95 % interval", "games", "verdict"]]
        rows += [[e.match, *_share_cells(e, e.shares[0]), _short_verdict(e)] for e in standings]
        return table(rows, width) + [line for each in standings for line in _odd_ends(each)]
    [each] = standings
    order = sorted(each.shares, key=lambda share: -share.estimate.value)
    rows = [["bot", "won", "95 % interval", "games"]]
    rows += [[share.bot, *_share_cells(each, share)] for share in order]
    verdict = f"Even would be {100 * each.fair:.1f} %: {each.verdict}."
    return [*table(rows, width), verdict, *_odd_ends(each)]


def _share_cells(each: Standing, share: Share) -> list[str]:
    estimate = share.estimate
    return [
        percent(estimate),
        f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f} %",
        f"{each.games:,}",
    ]


def _short_verdict(each: Standing) -> str:
    verdict = each.verdict.partition(":")[0]
    return "no difference found" if verdict.startswith("no ") else verdict.partition(" than")[0]


def _odd_ends(each: Standing) -> list[str]:
    lines: list[str] = []
    if each.given_up:
        lines.append(
            f"{each.match}: {plural(each.given_up, 'game')} without an end, counted as even."
        )
    if each.forfeits:
        lines.append(f"{each.match}: {plural(each.forfeits, 'game')} forfeited.")
    return lines


def _bot_rows(report: _Report) -> list[list[str]]:
    found = {each.bot: each for each in report.behaviours}
    rows = [["bot", "rating", "games", "time for a decision", "forfeited"]]
    for rating in report.ratings:
        each = found[rating.bot]
        rows.append(
            [
                rating.bot,
                f"{rating.mean:.2f} ± {rating.deviation:.2f}",
                f"{each.games:,}",
                _duration(each.milliseconds),
                f"{len(each.faults):,}" if each.faults else "",
            ]
        )
    if not any(row[-1] for row in rows[1:]):
        rows = [row[:-1] for row in rows]
    return rows


def _duration(milliseconds: float) -> str:
    return f"{milliseconds:.3g} ms" if milliseconds >= 0.1 else f"{1000 * milliseconds:.2g} µs"


def _fault_lines(each: Behaviour, path: Path) -> list[str]:
    """What a bot did wrong: of every kind how often, and the first case."""
    faults = [(row.fault, row) for row in each.faults if row.fault is not None]
    lines: list[str] = []
    for kind, count in Counter(fault.kind for fault, _ in faults).most_common():
        fault, row = next(found for found in faults if found[0].kind == kind)
        lines.append(
            f"{each.bot} forfeited {plural(count, 'game')} ({kind}). In deal {row.deal} of {row.match}, "
            f"{row.edition}, {row.players} players: {fault.sentence}"
        )
    log = path.with_suffix(".logs") / f"{file_name(each.bot)}.log"
    if faults and log.exists():
        lines.append(f"What it wrote to its standard error is in {log}.")
    return ["", *lines] if lines else []
