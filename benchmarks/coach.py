"""The coach's figures: what it is fitted to, how fast it is, and whether its values are honest.

python benchmarks/coach.py fit                       writes src/phaseten/analysis/stakes.json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phaseten.analysis.stakes import FITTED
from phaseten.kernel import Game
from phaseten.kernel.players import policy_number
from phaseten.kernel.setup import find_setup

EDITIONS = ("classic", "elchavo", "anniversary", "express")
"""Deluxe plays like Classic."""
PHASES = 10
TIED = 13
"""Where a state says who plays a tie-break hand."""
RIDGE = 3.0
"""How strongly figures that few games speak of are drawn to the bots' rule of thumb."""


# -- fit: what a score sheet is worth ------------------------------------------------------------


def play_hands(edition: str, players: int, games: int) -> NDArray[np.int64]:
    """Sheets before every hand of sharp games: Phases done, points, who begins, who won."""
    sharp = policy_number("sharp")
    rows: list[list[int]] = []
    for number in range(games):
        game = Game(edition, players, seed=10**6 + number, dealer=number % players + 1)
        game.deals_itself = False
        sheets: list[list[int]] = []
        result = 0
        while result != 2:
            if not game.at(TIED):
                done = [PHASES - len(left) for left in game.left]
                sheets.append([*done, *game.totals, game.dealer % players])
            result = 0
            while result == 0:
                result = game.step(game.choose(sharp))
            if result == 1:
                game.deal()
        rows += [[*sheet, (game.winner or 0) - 1] for sheet in sheets]
    return np.array(rows)


def fit(edition: str, players: int, games: int) -> dict[str, object]:
    """A softmax over the seats, fitted by Newton's method."""
    data = play_hands(edition, players, games)
    done, totals = data[:, :players], data[:, players : 2 * players].astype(float)
    first, winner = data[:, -2], data[:, -1]
    layout = find_setup(edition, players).layout
    lead = done.max(axis=1, keepdims=True)
    scale = 1 / np.sqrt(1.0 + PHASES - lead)
    points = totals - totals.mean(axis=1, keepdims=True)
    base = -(layout.phase_worth * (lead - done) + layout.point_worth * points) * scale
    cells, behind = lead * PHASES + done, (done < lead).astype(float)
    order = (np.arange(players)[None] - first[:, None]) % players
    places = (cells, PHASES**2 + cells, 2 * PHASES**2 + order)
    values = (behind, points / 100, np.ones_like(points))
    found = _newton(base, places, values, winner, 2 * PHASES**2 + players)
    grid = np.arange(PHASES)
    thumb = 1 / np.sqrt(1.0 + PHASES - grid)[:, None]
    gaps = np.maximum(grid[:, None] - grid[None, :], 0)
    lag = -layout.phase_worth * gaps * thumb + found[: PHASES**2].reshape(PHASES, PHASES)
    weight = layout.point_worth * thumb - found[PHASES**2 : 2 * PHASES**2].reshape(lag.shape) / 100
    return {
        "games": games,
        "lag": [[round(float(x), 4) for x in row] + [0.0] for row in lag] + [[0.0] * (PHASES + 1)],
        "points": [[round(float(x), 6) for x in row] + [0.0] for row in weight]
        + [[0.0] * (PHASES + 1)],
        "first": [round(float(x), 4) for x in found[2 * PHASES**2 :]],
    }


def _newton(
    base: NDArray[np.float64],
    places: tuple[NDArray[np.int64], ...],
    values: tuple[NDArray[np.float64], ...],
    winner: NDArray[np.int64],
    size: int,
) -> NDArray[np.float64]:
    players = base.shape[1]
    found = np.zeros(size)
    won = np.arange(players)[None] == winner[:, None]
    for _ in range(15):
        worth = base + sum(v * found[p] for p, v in zip(places, values, strict=True))
        chances = np.exp(worth - worth.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        slope, bend = -RIDGE * found, np.eye(size) * RIDGE
        for p, v in zip(places, values, strict=True):
            slope += np.bincount(p.ravel(), (v * (won - chances)).ravel(), size)
            for q, w in zip(places, values, strict=True):
                for s in range(players):
                    for t in range(players):
                        weight = chances[:, s] * ((s == t) - chances[:, t]) * v[:, s] * w[:, t]
                        bend += np.bincount(p[:, s] * size + q[:, t], weight, size * size).reshape(
                            size, size
                        )
        step = np.linalg.solve(bend, slope)
        found += step
        if np.abs(step).max() < 1e-4:
            break
    return found


def run_fit(games: int, target: Path) -> None:
    found: dict[str, dict[str, object]] = {}
    for edition in EDITIONS:
        for players in range(2, 7):
            found.setdefault(edition, {})[str(players)] = fit(edition, players, games)
            print(edition, players, flush=True)
    target.write_text(_written(found), encoding="utf-8")


def _written(found: dict[str, dict[str, object]]) -> str:
    """One line for every number of players."""
    editions = [
        f' "{edition}": {{\n'
        + ",\n".join(f'  "{players}": {json.dumps(entry)}' for players, entry in entries.items())
        + "\n }"
        for edition, entries in found.items()
    ]
    return "{\n" + ",\n".join(editions) + "\n}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["fit"])
    parser.add_argument("--games", type=int, default=8_000)
    arguments = parser.parse_args()
    run_fit(arguments.games, FITTED)
    return 0


if __name__ == "__main__":
    sys.exit(main())
