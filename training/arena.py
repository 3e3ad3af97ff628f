"""Whole games between two bots for so many seconds, on a machine that has Python and NumPy and nothing else:

    python3 -m training.arena master training.old_master:OldMaster --players 4 --seconds 240

``phaseten arena`` does more: it can be interrupted, and keeps its games; but it needs other packages. Every deal is played
from all sides, and counts once. Where the kernel is not compiled: ``python3 -m training.build carried`` first.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count
from typing import NamedTuple

from phaseten.arena.contest import PATIENCE, match
from phaseten.arena.entrants import parse_entrants, prepare_bot
from phaseten.arena.intervals import estimate_mean
from phaseten.arena.standings import format_percent
from phaseten.kernel.setup import compiled
from phaseten.rules.options import Rules


class Pairing(NamedTuple):
    """Who plays whom, and what."""

    bots: tuple[str, str]
    edition: str
    players: int


class Deal(NamedTuple):
    """What came of one deal."""

    share: float
    """Of its games, what the first bot has won."""
    games: int


def play(pairing: Pairing, seed: int) -> Deal:
    """Play one deal from all sides."""
    contest = match(
        pairing.bots, games=1, edition=pairing.edition, players=pairing.players, seed=seed
    )
    return Deal(contest.shares[contest.rows[0].seats[0]], len(contest.rows))


def play_for(pairing: Pairing, seconds: float, seed: int, workers: int) -> list[Deal]:
    """Play deals until the time is over; what has begun is played to its end, so that short games count no more than long ones."""
    end = time.monotonic() + seconds
    seeds = count(seed)
    found: list[Deal] = []
    with ProcessPoolExecutor(workers) as pool:
        running: set[Future[Deal]] = {
            pool.submit(play, pairing, next(seeds)) for _ in range(workers)
        }
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            found += [future.result() for future in done]
            if time.monotonic() < end:
                running |= {pool.submit(play, pairing, next(seeds)) for _ in done}
    return found


def report(pairing: Pairing, found: list[Deal]) -> str:
    """How much the first bot has won."""
    share = estimate_mean([deal.share for deal in found])
    return (
        f"{' - '.join(pairing.bots)}, {pairing.edition} {pairing.players}: {format_percent(share)} "
        f"of {sum(deal.games for deal in found)} games"
    )


def main() -> None:
    """Play, and report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bots", nargs=2, metavar="BOT")
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    if not compiled:
        parser.error("the kernel is not compiled: python3 -m training.build carried")
    pairing = Pairing(tuple(given.bots), given.edition, given.players)
    try:
        for entrant in parse_entrants(pairing.bots):
            prepare_bot(entrant, 0, PATIENCE, None)
        Rules(given.edition).check_players(given.players)
    except ValueError as error:
        parser.error(str(error))
    print(report(pairing, play_for(pairing, given.seconds, given.seed, given.workers)), flush=True)


if __name__ == "__main__":
    main()
