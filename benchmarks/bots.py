"""How long each bot thinks about a move: in every edition, at tables of two, four and six.

Everybody is given the same views, taken from games of the sharp bot. The quick ones are measured in
CPU time, and each figure is the mean over the views in the best of several rounds, because a busy
machine only ever makes things slower. The master looks at the clock, and so does its measurement:
of each view, the quicker of two answers counts.

Fails when somebody takes longer than allowed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from phaseten.bots.ladder import LADDER, MASTER, make_bot
from phaseten.bots.master import SECONDS
from phaseten.kernel import Game, compiled
from phaseten.kernel.game import game_of
from phaseten.kernel.players.network.weights import load_network
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.views import View

TABLES: Final = (2, 4, 6)
QUICK: Final = tuple(name for name in LADDER if name != MASTER)
MOST_MICROSECONDS: Final = {"casual": 300, "sharp": 1_000, "deep": 1_000}
MOST_LOOK: Final = 200
"""Microseconds for a look of the network, in the kernel."""
SLACK: Final = 0.02
"""Seconds by which the master may be late: worlds are looked at in batches."""


class Row(NamedTuple):
    """One line of the table."""

    edition: str
    players: int
    microseconds: dict[str, float]
    """Of the quick ones, from a view to an action."""
    look: float
    """Of the network alone, in a game of the kernel: microseconds."""
    master: list[float]
    """Of the master, the seconds for each view."""

    @property
    def missed(self) -> list[str]:
        """Who takes too long."""
        slow = [name for name, most in MOST_MICROSECONDS.items() if self.microseconds[name] > most]
        slow += ["look"] if self.look > MOST_LOOK else []
        return [*slow, *(["master"] if max(self.master) > SECONDS + SLACK else [])]


def views_of(edition: str, players: int, count: int) -> list[View]:
    """Views from all over a game."""
    game = Game(edition, players, seed=players)
    views: list[View] = []
    while len(views) < count:
        for _ in range(17):  # neither always drawing nor always the same seat
            if game.winner is not None:
                game = Game(edition, players, seed=len(views) + 7)
            game.step(game.pick("sharp"))
        if game.turn is not None:
            views.append(game.view(game.turn))
    return views


def microseconds(name: str, views: Sequence[View]) -> float:
    """CPU time for a choice."""
    bot = make_bot(name)
    start = time.process_time()
    for view in views:
        bot.choose(view)
    return 1e6 * (time.process_time() - start) / len(views)


def look(views: Sequence[View]) -> float:
    """CPU time for a look of the network, whether it has learned such tables or not."""
    network = load_network()
    games = [game_of(view) for view in views]
    given = [(game.setup.layout, game.save()) for game in games]
    start = time.process_time()
    for layout, saved in given:
        network.decide(layout, saved, 0)
    return 1e6 * (time.process_time() - start) / len(views)


def seconds(view: View) -> float:
    """Time for a choice of the master."""
    bot = make_bot(MASTER)
    times: list[float] = []
    for _ in range(2):
        start = time.perf_counter()
        bot.choose(view)
        times.append(time.perf_counter() - start)
    return min(times)


def measure(edition: str, players: int, rounds: int, views: int) -> Row:
    """One line of the table."""
    given = views_of(edition, players, views)
    many = given * max(1, 200 // views)
    return Row(
        edition,
        players,
        {name: min(microseconds(name, many) for _ in range(rounds)) for name in QUICK},
        min(look(many) for _ in range(rounds)),
        [seconds(view) for view in given],
    )


def show(row: Row) -> None:
    cells = [f"{row.microseconds[name]:8.0f} µs" for name in QUICK]
    cells.append(f"{row.look:8.0f} µs")
    master = f"{1e3 * statistics.fmean(row.master):7.0f} ms{1e3 * max(row.master):9.0f} ms"
    late = f"   MISSED: {', '.join(row.missed)}" if row.missed else ""
    print(f"{row.edition:<13}{row.players:>7}{''.join(cells)}  {master}{late}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--views", type=int, default=20, help="of each edition and table")
    options = parser.parse_args()
    if not compiled:
        raise SystemExit("the kernel is not compiled: install a C compiler, then run 'make bench'")
    heads = "".join(f"{name:>11}" for name in (*QUICK, "look"))
    print(f"{'edition':<13}{'players':>7}{heads}  {'master':>10}{'longest':>12}")
    rows: list[Row] = []
    for edition in BOOK_EDITIONS:
        for players in TABLES:
            rows.append(measure(edition, players, options.rounds, options.views))
            show(rows[-1])
    most = ", ".join(f"{name} {limit} µs" for name, limit in MOST_MICROSECONDS.items())
    print(
        f"allowed: {most}, a look {MOST_LOOK} µs, master {1e3 * SECONDS:.0f} ms and the batch it is at"
    )
    return int(any(row.missed for row in rows))


if __name__ == "__main__":
    sys.exit(main())
