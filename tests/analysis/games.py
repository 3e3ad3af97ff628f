"""Games to analyse: short ones, played by bots."""

from collections.abc import Sequence
from functools import cache

from phaseten.bots.ladder import make_bot
from phaseten.game import Game


@cache
def record_of(
    bots: tuple[str, ...] = ("casual", "rookie"),
    edition: str = "express",
    variant: str = "phases=2",
    seed: int = 1,
) -> str:
    """The record of a game between these bots."""
    return play(Game(edition, players=len(bots), variant=variant, seed=seed), bots).record()


def play(game: Game, bots: Sequence[str], most: int = 10_000) -> Game:
    """Let bots play a game to its end, or so many actions."""
    seated = [make_bot(name, seed=number) for number, name in enumerate(bots)]
    while game.turn is not None and most:
        game.play(seated[game.turn - 1].choose(game.view()))
        most -= 1
    return game
