"""Results for other programs: a table of all games, and a summary."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from phaseten.arena.pictures import Interval, draw_intervals
from phaseten.arena.ratings import Rating
from phaseten.arena.results import GameRow
from phaseten.arena.standings import Behaviour, Standing, divide_win

COLUMNS: Final = (
    "edition",
    "players",
    "match",
    "deal",
    "seating",
    "seat",
    "bot",
    "won",
    "points",
    "phases",
    "hands",
    "actions",
    "fault",
)


def format_csv(rows: Iterable[GameRow]) -> str:
    """One line for every seat of every game, in a fixed order, without what clocks measured.

    ``won`` is the part of the win that went to the seat: 1 or 0, or a fraction where a game was
    forfeited or could not end.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in sorted(rows, key=lambda row: row.key):
        for seat, bot in enumerate(row.seats, 1):
            writer.writerow(
                (
                    *row.key,
                    seat,
                    bot,
                    f"{_part(row, seat):.6g}",
                    row.totals[seat - 1],
                    row.phases[seat - 1],
                    row.hands,
                    row.actions,
                    row.fault.sentence if row.fault and row.fault.seat == seat else "",
                )
            )
    return out.getvalue()


def _part(row: GameRow, seat: int) -> float:
    if row.winner is not None:
        return float(row.winner == seat)
    bot = row.seats[seat - 1]
    return divide_win(row).get(bot, 0.0) / row.seats.count(bot)


def summarize(
    standings: Iterable[Standing], behaviours: Iterable[Behaviour], ratings: Iterable[Rating]
) -> dict[str, object]:
    """The results in plain data."""
    return {
        "matches": [
            {
                "edition": standing.edition,
                "players": standing.players,
                "match": standing.match,
                "games": standing.games,
                "deals": standing.deals,
                "given_up": standing.given_up,
                "forfeits": standing.forfeits,
                "fair": standing.fair,
                "shares": [
                    {"bot": share.bot} | share.estimate._asdict() for share in standing.shares
                ],
                "verdict": standing.verdict,
            }
            for standing in standings
        ],
        "ratings": [rating._asdict() | {"safe": rating.safe} for rating in ratings],
        "bots": [
            {
                "bot": each.bot,
                "games": each.games,
                "decisions": each.decisions,
                "milliseconds": round(each.milliseconds, 4),
                "faults": [
                    {
                        "edition": row.edition,
                        "players": row.players,
                        "match": row.match,
                        "deal": row.deal,
                        "seating": row.seating,
                    }
                    | (row.fault._asdict() if row.fault else {})
                    for row in each.faults
                ],
            }
            for each in behaviours
        ],
    }


def draw_standings(standings: Sequence[Standing], title: str) -> str:
    """The shares with their intervals, as SVG: for a pairing, that of the bot named first."""
    several_editions = len({standing.edition for standing in standings}) > 1
    several_sizes = len({standing.players for standing in standings}) > 1
    rows: list[Interval] = []
    for standing in standings:
        where = [standing.edition] if several_editions else []
        where += [f"{standing.players} players"] if several_sizes else []
        shown = standing.shares if len(standing.shares) > 2 else standing.shares[:1]
        for share in shown:
            name = " against ".join(each.bot for each in standing.shares)
            name = share.bot if len(standing.shares) > 2 else name
            rows.append(Interval(", ".join([name, *where]), *share.estimate.scaled(100)))
    fair = 100 * standings[0].fair
    games = sorted({standing.games for standing in standings})
    count = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    note = (
        f"{count} games each. Bars: 95 % intervals. The dashed line: {fair:.4g} %, equally strong."
    )
    return draw_intervals(title, rows, reference=fair, note=note)
