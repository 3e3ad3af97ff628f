"""Each rung is stronger than the one below. The figures are in docs/bots.md; this is the guard."""

from __future__ import annotations

import pytest

from phaseten.bots.ladder import make_bot
from phaseten.kernel import Game


def wins(one: str, other: str, deals: int, edition: str, variant: str = "standard") -> float:
    """The part of the games that the first wins; every deal is played from both chairs."""
    won = played = 0
    for deal in range(deals):
        for chair in (1, 2):
            game = Game(edition, 2, variant=variant, seed=deal)
            names = (one, other) if chair == 1 else (other, one)
            bots = [make_bot(name, seed=4 * deal + chair + 2 * i) for i, name in enumerate(names)]
            for _ in range(4_000):
                if game.turn is None:
                    break
                game.step(bots[game.turn - 1].choose_in(game))
            if game.winner is not None:
                played += 1
                won += game.winner == chair
    assert played > 1.9 * deals
    return won / played


def test_casual_beats_rookie() -> None:
    assert wins("casual", "rookie", 150, "classic") > 0.82


def test_sharp_beats_casual() -> None:
    assert wins("sharp", "casual", 200, "classic") > 0.66


def test_sharp_beats_rookie_at_express() -> None:
    assert wins("sharp", "rookie", 100, "express") > 0.84


def test_deep_beats_sharp() -> None:
    assert wins("deep", "sharp", 20, "classic") > 0.5


@pytest.mark.long
def test_master_is_no_worse_than_sharp() -> None:
    assert wins("master@48", "sharp", 4_000, "express", "phases=3") > 0.5
