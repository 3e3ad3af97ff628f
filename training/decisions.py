"""What bots' decisions are worth, one by one, where ``deep`` plays everything else.

    python -m training.decisions master@400 sharp --edition classic --players 2 --seconds 300

``deep`` plays games against itself. At some of its decisions each bot is asked too; where somebody would do something
else, what both would do is played on in imagined worlds, with ``deep`` in all seats, to the end of the hand. The
difference in the chance to win is what that decision is worth. Whole games need a hundred times as many to
tell the same difference, because here all else is equal. A bot is one of the ladder, or ``module:Class``.
"""

from __future__ import annotations

import argparse
import pkgutil
import random
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phaseten.bots.deep import Deep
from phaseten.bots.ladder import make_bot
from phaseten.kernel import Game
from phaseten.kernel.players.search import Search

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from phaseten.bots.builtin import BuiltIn

SHARE = 0.12
"""Of the decisions, at which the bots are asked: those of one hand are alike."""
WORLDS = 40
"""In which a decision is played on."""
OVER = 2
"""What a step of the kernel answers when the game is over."""


class Decision(NamedTuple):
    """One at which the bots were asked."""

    gains: tuple[float, ...]
    """What each bot's choice is worth more than deep's, in chance to win; exactly 0 where it is the same."""


def parse_bot(word: str) -> BuiltIn:
    """A bot by its name, or by where its class is."""
    return pkgutil.resolve_name(word)() if ":" in word else make_bot(word)


def decisions(
    bots: Sequence[BuiltIn], edition: str, players: int, seed: int, worlds: int = WORLDS
) -> Iterator[tuple[int, Decision | None]]:
    """Every decision of deep's games without an end: the number of the game, and what the bots' are worth if they were asked."""
    deep = Deep()
    number = 0
    while True:
        number += 1
        chance = random.Random(f"{seed} {number}")
        game = Game(edition, players, seed=chance.getrandbits(60))
        result = 0
        while result != OVER:
            own = deep.choose_in(game)
            asked = chance.random() < SHARE and len(game.legal()) > 1
            yield (
                number,
                compare(game, own, bots, chance.getrandbits(60), worlds) if asked else None,
            )
            result = game.step(own)


def compare(game: Game, own: int, bots: Sequence[BuiltIn], seed: int, worlds: int) -> Decision:
    """What the bots' choices are worth against deep's own."""
    choices = [bot.choose_in(game) for bot in bots]
    others = sorted({*choices} - {own})
    search = Search(game.setup.layout, game.save(), seed)
    gains = dict.fromkeys(others, 0.0) | {own: 0.0}
    for i in range(worlds if others else 0):
        world = search.world(i)
        without = play_on(game, world, own)
        for action in others:
            gains[action] += (play_on(game, world, action) - without) / worlds
    return Decision(tuple(gains[choice] for choice in choices))


def play_on(game: Game, world: bytes, action: int) -> float:
    """The chance to win of who is on turn in that world, when the hand is over."""
    seat, deep, trial = game.turn, Deep(), game.copy()
    assert seat is not None
    trial.restore(world)
    result = trial.step(action)
    while not result:
        result = trial.step(deep.choose_in(trial))
    return float(trial.winner == seat) if result == OVER else trial.chances()[seat - 1]


def report(words: Sequence[str], found: Sequence[Decision], share: float) -> str:
    """A line for each bot, and how much more each is worth than the first."""
    gains = np.array([decision.gains for decision in found])
    lines = [
        f"{len(found)} decisions; a seat has {share:.0f} of them in a game. In percent of a game, ± 1.96 errors:"
    ]
    for i, word in enumerate(words):
        parts = [f"  {word}: does something else at {np.mean(gains[:, i] != 0):.1%}"]
        for name, column in (
            ("worth against deep", gains[:, i]),
            (f"against {words[0]}", gains[:, i] - gains[:, 0]),
        ):
            error = 1.96 * column.std() / len(column) ** 0.5
            parts.append(
                f"{name} {100 * column.mean():+.3f} ± {100 * error:.3f} each, "
                f"{100 * share * column.mean():+.1f} ± {100 * share * error:.1f} in a game"
            )
        lines.append("; ".join(parts[: 2 if i == 0 else 3]))
    return "\n".join(lines)


def main() -> None:
    """Ask, play on, and report every half minute."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bots", nargs="+", metavar="BOT")
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    end, shown = time.monotonic() + given.seconds, time.monotonic()
    bots = [parse_bot(word) for word in given.bots]
    found: list[Decision] = []
    for game, decision in decisions(bots, given.edition, given.players, given.seed):
        if decision is not None:
            found.append(decision)
        is_over = time.monotonic() > end
        if found and (is_over or time.monotonic() > shown + 30):
            share = len(found) / SHARE / game / given.players
            print(report(given.bots, found, share), flush=True)
            shown = time.monotonic()
        if is_over:
            break


if __name__ == "__main__":
    main()
