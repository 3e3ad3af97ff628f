"""Everybody's chances to win after a hand: run on the uncompiled sources, where they can be asked for.

Prints how many hands were looked at, and by how much the chances of a hand miss 1 at most.
"""

from __future__ import annotations

import random

from phaseten.kernel import Game
from phaseten.kernel.players import playouts
from tests.kernel.twins import RARE, random_table


def chances(game: Game) -> list[float]:
    """What ``chance_to_win`` says for each seat."""
    chance_to_win = playouts.chance_to_win  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
    return [chance_to_win(game.setup.layout, game.save(), seat) for seat in range(game.players)]


def main() -> None:
    rng = random.Random("chances")
    hands, furthest = 0, 0.0
    for table in (*RARE[::4], *(random_table(rng) for _ in range(30))):
        game = Game(table.rules, table.seats, seed=table.seed)
        game.deals_itself = False
        for _ in range(200):
            if game.turn is not None:
                game.step(game.pick("casual"))
                continue
            found = chances(game)
            hands += 1
            furthest = max(furthest, abs(sum(found) - 1))
            assert all(0 <= chance <= 1 for chance in found)
            if game.winner is not None:
                assert found[game.winner - 1] == 1
                break
            game.deal()
    print(hands, furthest)


if __name__ == "__main__":
    main()
