"""The coach's figures: what it is fitted to, how fast it is, and whether its values are honest.

python -m benchmarks.coach fit                       writes src/phaseten/analysis/stakes.json
python -m benchmarks.coach laws --processes 2        2,000 games: luck, sums, losses of each bot
python -m benchmarks.coach confirm --processes 2     200 mistakes, played on in 20,000 worlds
python -m benchmarks.coach speed
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from math import sqrt
from multiprocessing import Pool
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import phaseten
from phaseten.analysis.coach import EFFORTS, analyse
from phaseten.analysis.stakes import FITTED
from phaseten.bots.ladder import make_bot
from phaseten.kernel import Game
from phaseten.kernel.players import policy_number
from phaseten.kernel.setup import find_setup

EDITIONS = ("classic", "elchavo", "anniversary", "express")
"""Deluxe plays like Classic."""
BOTS = ("rookie", "casual", "sharp", "master@48")
PAIRS = [
    ("sharp", "casual"),
    ("casual", "sharp"),
    ("rookie", "casual"),
    ("casual", "rookie"),
    ("rookie", "sharp"),
    ("sharp", "master@48"),
    ("master@48", "casual"),
    ("sharp", "rookie"),
]
"""Every rung in both seats; the master, which takes longest, a little less often."""
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


# -- laws: whether the values are honest -----------------------------------------------------------


class Judged(NamedTuple):
    """One seat of one analysed game."""

    bot: str
    seat: int
    luck: float
    play: float
    others: float
    result: float
    off: float
    """By how much the sums do not add up."""
    given_away: float
    decisions: int


def judge_game(edition: str, worlds: int, number: int) -> list[Judged]:
    """Let bots play a game, and analyse it."""
    bots = PAIRS[number % len(PAIRS)]
    game = phaseten.Game(edition, players=len(bots), seed=number, dealer=number % len(bots) + 1)
    seated = [make_bot(bot, seed=number * 7 + seat) for seat, bot in enumerate(bots)]
    while game.turn is not None:
        game.play(seated[game.turn - 1].choose(game.view()))
    analysis = analyse(game.record(), worlds=worlds, seed=number)
    for _ in analysis:
        pass
    return [
        Judged(
            bots[player.seat - 1],
            player.seat,
            player.luck,
            player.play,
            player.others,
            player.result,
            player.start + player.luck + player.play + player.others - player.result,
            player.given_away,
            player.decisions,
        )
        for player in analysis.report().players
    ]


def run_laws(games: int, worlds: int, edition: str, kept: Path, processes: int) -> None:
    """Play and analyse games; what is kept already is not played again."""
    done = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    judge = partial(judge_game, edition, worlds)
    with kept.open("a") as file, Pool(processes) as pool:
        for rows in pool.imap(judge, range(len(done), games)):
            done.append(rows)
            file.write(json.dumps(rows) + "\n")
            file.flush()
    rows = [Judged(*row) for game in done[:games] for row in game]
    print(
        f"{games} games of {edition}, {worlds} worlds; largest sum that is off: "
        f"{max(abs(row.off) for row in rows):.1e}"
    )
    for title, groups in (
        ("seat", {str(seat): [r for r in rows if r.seat == seat] for seat in (1, 2)}),
        ("bot", {bot: [r for r in rows if r.bot == bot] for bot in BOTS}),
    ):
        for name, group in groups.items():
            luck = np.array([row.luck for row in group])
            loss = np.array([row.given_away / row.decisions for row in group])
            print(
                f"{title} {name}: games {len(group)}, won {np.mean([r.result for r in group]):.3f}, "
                f"luck {luck.mean():+.4f} ± {luck.std() / sqrt(len(group)):.4f}, "
                f"play {np.mean([r.play for r in group]):+.4f}, "
                f"others {np.mean([r.others for r in group]):+.4f}, "
                f"loss for each decision {100 * loss.mean():.4f} % "
                f"± {100 * loss.std() / sqrt(len(group)):.4f}"
            )


# -- confirm: whether what is called a mistake is one ------------------------------------------------


def run_confirm(count: int, worlds: int, edition: str, kept: Path, processes: int) -> None:
    """Take mistakes by more than four errors, and play on from both actions in other worlds."""
    done = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    number = done[-1]["game"] + 1 if done else 0
    confirm = partial(confirm_game, edition, worlds)
    with kept.open("a") as file, Pool(processes) as pool:
        # One mistake of each player at most; where there are fewer, the next games are asked.
        while len(done) < count:
            asked = range(number, number + processes)
            for entries in pool.imap(confirm, asked):
                done += entries
                file.writelines(json.dumps(entry) + "\n" for entry in entries)
                file.flush()
            number = asked.stop
    held = done[:count]
    confirmed = sum(entry["again"] > 0 for entry in held)
    print(
        f"{len(held)} mistakes by more than 4 errors, each played on in {worlds} other worlds: "
        f"{confirmed} confirmed ({100 * confirmed / len(held):.1f} %)"
    )


def confirm_game(edition: str, worlds: int, number: int) -> list[dict[str, float]]:
    """One mistake of each player, if there is one by more than four errors."""
    bots = PAIRS[number % len(PAIRS)]
    game = phaseten.Game(edition, players=len(bots), seed=10**6 + number)
    seated = [make_bot(bot, seed=number * 7 + seat) for seat, bot in enumerate(bots)]
    while game.turn is not None:
        game.play(seated[game.turn - 1].choose(game.view()))
    analysis = analyse(game.record(), worlds=EFFORTS["quick"], seed=number)
    for _ in analysis:
        pass
    found: list[dict[str, float]] = []
    for player in analysis.report().players:
        clear = [each for each in player.mistakes if each.loss > 4 * each.error]
        for decision in clear[number % 3 : number % 3 + 1]:  # not always the worst
            study = next(s for s in analysis.studies if decision.step in s.questions)
            question = study.questions[decision.step]
            best = question.actions.index(decision.best)
            outlook = study.outlook(question.known, seed=10**9 + number)
            values = np.empty((worlds, 2, study.seats))
            rows = question.rows[[best, question.played]]
            outlook.imagine(rows, 0, values)
            gaps = values[:, 0, decision.seat - 1] - values[:, 1, decision.seat - 1]
            found.append(
                {
                    "game": number,
                    "step": decision.step,
                    "loss": decision.loss,
                    "error": decision.error,
                    "again": float(gaps.mean()),
                    "again_error": float(gaps.std() / sqrt(worlds)),
                }
            )
    return found


# -- speed -----------------------------------------------------------------------------------------


def run_speed(edition: str) -> None:
    """How long the analysis of a game of about 420 actions takes on one core."""
    game = phaseten.Game(edition, players=2, seed=3)
    seated = [make_bot("sharp"), make_bot("casual")]
    while game.turn is not None:
        game.play(seated[game.turn - 1].choose(game.view()))
    record = game.record()
    for effort, worlds in EFFORTS.items():
        begun = process_time()
        analysis = analyse(record, worlds=worlds)
        for _ in analysis:
            pass
        analysis.report()
        used = process_time() - begun
        memory = getrusage(RUSAGE_SELF).ru_maxrss / 1024
        steps = analysis.game.steps
        print(
            f"{effort}: {steps} steps, {worlds} worlds, {used:.1f} s of one core, {memory:.0f} MB"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["fit", "laws", "confirm", "speed"])
    parser.add_argument("--games", type=int, help="games to fit to, or to analyse")
    parser.add_argument("--mistakes", type=int, default=200)
    parser.add_argument("--worlds", type=int)
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--processes", type=int, default=1, help="how many work side by side")
    parser.add_argument("--kept", type=Path, help="where results are kept, to go on later")
    given = parser.parse_args()
    match given.what:
        case "fit":
            run_fit(given.games or 8_000, FITTED)
        case "laws":
            kept = given.kept or Path("coach-laws.jsonl")
            run_laws(given.games or 2_000, given.worlds or 64, given.edition, kept, given.processes)
        case "confirm":
            kept = given.kept or Path("coach-confirm.jsonl")
            run_confirm(
                given.mistakes, given.worlds or 20_000, given.edition, kept, given.processes
            )
        case _:
            run_speed(given.edition)
    return 0


if __name__ == "__main__":
    sys.exit(main())
