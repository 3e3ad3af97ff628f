"""What ``phaseten arena`` answers: in words, for spreadsheets, for programs, and as a picture."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from math import floor, log10
from pathlib import Path
from typing import Final, NamedTuple

from phaseten.arena.entrants import make_file_name
from phaseten.arena.exports import draw_standings, format_csv, summarize
from phaseten.arena.ratings import Rating
from phaseten.arena.results import GameRow
from phaseten.arena.sequential import SequentialTest
from phaseten.arena.standings import Behaviour, Share, Standing, format_percent
from phaseten.cli.wording import plural
from phaseten.terminal.printer import Printer, table

PAIR: Final = 2


class Report(NamedTuple):
    """What the games say."""

    settings: dict[str, object]
    titles: dict[str, str]
    """What the editions are called, by name."""
    path: Path
    kept: int
    """How many of the games were in the file already."""
    rows: list[GameRow]
    standings: list[Standing]
    ratings: list[Rating]
    behaviours: list[Behaviour]
    test: SequentialTest | None = None


def format_report_csv(report: Report) -> str:
    """Every game, for spreadsheets."""
    return format_csv(report.rows)


def format_report_json(report: Report) -> str:
    """The results, for programs."""
    found = summarize(report.standings, report.behaviours, report.ratings)
    test = {} if report.test is None else {"sprt": _describe_test(report.test, report.standings[0])}
    return json.dumps({"settings": report.settings} | found | test, indent=1) + "\n"


def _describe_test(test: SequentialTest, standing: Standing) -> Mapping[str, object]:
    return test.hypotheses._asdict() | {
        "ratio": test.ratio,
        "lower": test.hypotheses.lower,
        "upper": test.hypotheses.upper,
        "deals": test.deals,
        "games": standing.games,
        "accepted": test.accepted,
    }


def draw_report(report: Report) -> str:
    """The shares as a picture."""
    titles = [report.titles[name] for name in dict.fromkeys(e.edition for e in report.standings)]
    players = dict.fromkeys(str(each.players) for each in report.standings)
    where = f"{' and '.join(titles)}, {' and '.join(players)} players"
    return draw_standings(report.standings, f"Games won: {where}")


# ── in words ──────────────────────────────────────────────────────────────────────────────────


def write_report(report: Report, printer: Printer) -> list[str]:
    """The results in words: who won how much at which table, and how the bots behaved."""
    lines: list[str] = []
    tables = dict.fromkeys((each.edition, each.players) for each in report.standings)
    for edition, players in tables:
        here = [e for e in report.standings if (e.edition, e.players) == (edition, players)]
        lines += [printer.bold(f"{report.titles[edition]}, {players} players"), ""]
        lines += _shares(here, report.test, printer)
        lines.append("")
    if report.test is not None:
        lines += [printer.wrap(_test_sentence(report.test, report.standings[0])), ""]
    lines += table(_bot_rows(report), printer.width)
    for each in report.behaviours:
        lines += map(printer.wrap, _fault_lines(each, report.path))
    lines += ["", *map(printer.dim, printer.wrap(origin_sentence(report)).splitlines())]
    return lines


def origin_sentence(report: Report) -> str:
    """Where the games are, and how many were not played just now."""
    total = len(report.rows)
    if not report.kept:
        return f"The games are in {report.path}."
    which = "All" if report.kept == total else f"{report.kept:,} of the"
    return f"{which} {plural(total, 'game')} come from {report.path}: they were played before."


def _shares(
    standings: Sequence[Standing], test: SequentialTest | None, printer: Printer
) -> list[str]:
    if len(standings[0].shares) == PAIR:
        rows = [["pairing", "won by the first", "95 % interval", "games", "verdict"]]
        rows += [
            [e.match, *_share_cells(e, e.shares[0]), _short_verdict(e, test)] for e in standings
        ]
        odd = [printer.wrap(line) for each in standings for line in _odd_ends(each)]
        return table(rows, printer.width) + odd
    [each] = standings
    order = sorted(each.shares, key=lambda share: -share.estimate.value)
    rows = [["bot", "won", "95 % interval", "games"]]
    rows += [[share.bot, *_share_cells(each, share)] for share in order]
    verdict = f"Even would be {100 * each.fair:.1f} %: {each.verdict}."
    return [*table(rows, printer.width), *map(printer.wrap, [verdict, *_odd_ends(each)])]


def _share_cells(each: Standing, share: Share) -> list[str]:
    estimate = share.estimate
    return [
        format_percent(estimate),
        f"{100 * estimate.low:.1f} to {100 * estimate.high:.1f} %",
        f"{each.games:,}",
    ]


def _short_verdict(each: Standing, test: SequentialTest | None) -> str:
    if test is not None:
        return f"{test.accepted} accepted" if test.accepted else "not decided yet"
    verdict = each.verdict.partition(":")[0]
    return "no difference found" if verdict.startswith("no ") else verdict.partition(" than")[0]


def _test_sentence(test: SequentialTest, standing: Standing) -> str:
    first = standing.shares[0].bot
    asked = test.hypotheses
    won0, won1 = f"{100 * asked.won0:.1f} %", f"{100 * asked.won1:.1f} %"
    figures = (
        f"after {plural(standing.games, 'game')} the log-likelihood ratio is {test.ratio:+.2f}, "
        f"and the bounds are {asked.lower:+.2f} and {asked.upper:+.2f}"
    )
    if test.accepted is None:
        return (
            f"Sequential test, {first} wins {won0} (won0) or {won1} (won1): not decided yet. "
            f"{figures[0].upper()}{figures[1:]}. The same command with more --games goes on."
        )
    chosen, other = (won1, won0) if test.accepted == "won1" else (won0, won1)
    return (
        f"Sequential test: {first} wins {chosen} rather than {other} ({test.accepted} accepted); "
        f"{figures}. The share above leans to that side, because the test stopped when it was clear."
    )


def _odd_ends(each: Standing) -> list[str]:
    lines: list[str] = []
    if each.given_up:
        lines.append(
            f"{each.match}: {plural(each.given_up, 'game')} without an end, counted as even."
        )
    if each.forfeits:
        lines.append(f"{each.match}: {plural(each.forfeits, 'game')} forfeited.")
    return lines


def _bot_rows(report: Report) -> list[list[str]]:
    found = {each.bot: each for each in report.behaviours}
    rows = [["bot", "rating", "games", "time for a decision", "forfeited"]]
    for rating in report.ratings:
        each = found[rating.bot]
        rows.append(
            [
                rating.bot,
                f"{rating.mean:.2f} ± {rating.deviation:.2f}",
                f"{each.games:,}",
                format_duration(each.milliseconds / 1000),
                f"{len(each.faults):,}" if each.faults else "",
            ]
        )
    if not any(row[-1] for row in rows[1:]):
        rows = [row[:-1] for row in rows]
    return rows


def format_duration(seconds: float) -> str:
    """A time with three digits, in the unit that suits it: ``4.62 µs``, ``1.00 s``."""
    value, unit = seconds * 1e6, "µs"
    if seconds >= 0.9995:
        value, unit = seconds, "s"
    elif seconds >= 0.0009995:
        value, unit = seconds * 1e3, "ms"
    decimals = 2 - floor(log10(value)) if value > 0 else 0
    return f"{value:,.{max(0, min(2, decimals))}f} {unit}"


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
    log = path.with_suffix(".logs") / f"{make_file_name(each.bot)}.log"
    if faults and log.exists():
        lines.append(f"Its error output is in {log}.")
    return ["", *lines] if lines else []
