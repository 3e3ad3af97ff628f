"""What bots' decisions are worth, one by one, where ``deep`` plays everything else.

    python -m training.decisions master@400 sharp --edition classic --players 2 --seconds 300

``deep`` plays games against itself. At some of its decisions each bot is asked too; where somebody would do something
else, what both would do is played on some times, with ``deep`` in all seats, to the end of the hand. The
difference in the chance to win is what that decision is worth. All else is equal, so that far fewer are needed
than whole games. Everybody keeps the true cards, and only the draw pile is shuffled anew: in worlds
that a bot imagines itself, whatever it supposes about the others' cards would seem to be true.
A bot is one of the ladder, or ``module:Class``. What all decisions of a game are worth together is more than what they win:
who plays worse all the time has less to lose.
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
from phaseten.kernel.players.network.weights import input_of, load_network, load_sheet_chances
from training.truth import play_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from phaseten.bots.builtin import BuiltIn

SHARE = 0.12
"""Of the decisions, at which the bots are asked: those of one hand are alike."""
TIMES = 24
"""That a decision is played on."""
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
    bots: Sequence[BuiltIn], edition: str, players: int, seed: int, times: int = TIMES
) -> Iterator[Decision | None]:
    """Deep's games without an end: at every decision what the bots' are worth, or None where they were not asked."""
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
            yield compare(game, own, bots, chance, times) if asked else None
            result = game.step(own)


def compare(
    game: Game, own: int, bots: Sequence[BuiltIn], chance: random.Random, times: int
) -> Decision:
    """What the bots' choices are worth against deep's own."""
    seed = chance.getrandbits(60)  # whoever is asked: other bots meet the same decisions
    choices = [bot.choose_in(game) for bot in bots]
    actions = [own, *sorted({*choices} - {own})]
    values = np.zeros((times, len(actions)))
    edition = input_of(game.rules, game.players)
    assert edition is not None
    if len(actions) > 1:
        numbers = np.array(actions, np.int32)
        experts = load_network(), edition, load_sheet_chances()
        play_on(game.setup.layout, game.save(), numbers, values, seed, *experts)
    gains = dict(zip(actions, (values - values[:, :1]).mean(axis=0).tolist(), strict=True))
    return Decision(tuple(gains[choice] for choice in choices))


def report(words: Sequence[str], found: Sequence[Decision]) -> str:
    """A line for each bot: what a decision is worth against deep's, and against the first bot's."""
    gains = 100 * np.array([decision.gains for decision in found])
    lines = [f"{len(found)} decisions; what one is worth, in percent of a game, ± 1.96 errors:"]
    for i, word in enumerate(words):
        parts = [f"  {word}: does something else at {np.mean(gains[:, i] != 0):.1%}"]
        compared = {"deep": gains[:, i]} | ({words[0]: gains[:, i] - gains[:, 0]} if i else {})
        for name, column in compared.items():
            error = 1.96 * column.std() / len(column) ** 0.5
            parts.append(f"against {name} {column.mean():+.3f} ± {error:.3f}")
        lines.append("; ".join(parts))
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
    for decision in decisions(bots, given.edition, given.players, given.seed):
        if decision is not None:
            found.append(decision)
        is_over = time.monotonic() > end
        if found and (is_over or time.monotonic() > shown + 30):
            print(report(given.bots, found), flush=True)
            shown = time.monotonic()
        if is_over:
            break


if __name__ == "__main__":
    main()
