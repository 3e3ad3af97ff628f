"""Writes web/src/learn/data/figures.json: the numbers of the pages on odds and statistics.

Run with the Python of the virtual environment: .venv/bin/python web/make/figures.py
The games are those of docs/statistics.md, by the same seed, so that both say the same; the odds are
counted exactly.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from phaseten.arena.odds import odds
from phaseten.cli.figures import Sample, records
from phaseten.cli.options import count_processors
from phaseten.cli.stats import combine_settings, play
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.options import Rules

FILE: Final = Path(__file__).parents[1] / "src/learn/data/figures.json"
SEED: Final = 1
BOT: Final = "sharp"
PLAYERS: Final = (2, 4, 6)
ONE: Final = (
    "hands",
    "winner_points",
    "tie_breaks",
    "turns",
    "points",
    "phases_made",
    "first_out",
    "skips_decide",
    "wilds_decide",
)
"""Figures with one value each."""
MANY: Final = ("made", "laid_on", "made_by_wilds")
"""Figures with a value for each Phase, or for each number of Wilds."""


def make(games: int, workers: int) -> dict[str, Any]:
    """Everything that the pages show."""
    settings = combine_settings("all", ",".join(map(str, PLAYERS)), ["standard"], BOT)
    samples, _ = play(settings, games, seed=SEED, workers=workers)
    return {
        "games": games,
        "bot": BOT,
        "players": PLAYERS,
        "odds": {name: _odds(name) for name in BOOK_EDITIONS},
        "measured": {name: _measured(name, samples) for name in BOOK_EDITIONS},
    }


def _odds(name: str) -> list[float]:
    """The share of the deals with which each Phase can be laid at once."""
    rules = Rules(edition(name))
    found = [odds(rules, phase) for phase in rules.phases]
    return [_short(each.layable / each.deals) for each in found]


def _measured(name: str, samples: Sequence[Sample]) -> dict[str, Any]:
    """By figure: for each number of players the value with its interval; of some, a list of them."""
    rows = [row for row in records(samples) if row["edition"] == name]

    def of(figure: str, players: int) -> list[list[float]]:
        chosen = [row for row in rows if (row["figure"], row["players"]) == (figure, players)]
        return [
            [_short(row[column]) for column in ("value", "low", "high")]
            for row in chosen
            if row["value"] is not None
        ]

    one = {figure: [of(figure, players)[0] for players in PLAYERS] for figure in ONE}
    many = {figure: [of(figure, players) for players in PLAYERS] for figure in MANY}
    return one | many


def _short(value: float) -> float:
    """More digits than anybody can see in a chart, and not more."""
    return float(f"{value:.5g}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3000, help="games of each setting")
    parser.add_argument("--workers", type=int, default=count_processors())
    parser.add_argument("--file", type=Path, default=FILE)
    chosen = parser.parse_args()
    text = json.dumps(make(chosen.games, chosen.workers), separators=(",", ":"))
    chosen.file.write_text(text + "\n", "utf-8")
