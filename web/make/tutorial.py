"""Writes web/src/learn/data/tutorial.json: the guided first hand, played by the real referee.

Run with the Python of the virtual environment: .venv/bin/python web/make/tutorial.py
The hand was found among many: it has a Skip, a Wild, a card taken from the discard pile, cards added
to one's own and to the other's melds, and the learner goes out. The sentences that explain it are
``web_learn.step.…`` in the catalogues.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from phaseten.game import Game
from phaseten.notation.codec import write_action, write_view
from phaseten.notation.moves import parse_action

FILE: Final = Path(__file__).parents[1] / "src/learn/data/tutorial.json"
SEED: Final = 2396
LEARNER: Final = 1
OPPONENT: Final = "Mia"


class Move(NamedTuple):
    """What is done, and for the learner the name of the sentence that explains it."""

    text: str
    step: str = ""


MOVES: Final = (
    Move("D", "draw"),
    Move("-S@2", "skip"),
    Move("D", "draw_again"),
    Move("-R3", "discard"),
    Move("D"),
    Move("L R4 Y4 G4 / R8 B8 Y8"),
    Move("H G8>2.2"),
    Move("H W=4>2.1"),
    Move("-B1"),
    Move("P", "take"),
    Move("L R10 G10 W=10 / B1 Y1 Y1", "lay"),
    Move("H Y4>2.1", "hit"),
    Move("H B8>2.2", "hit_again"),
    Move("-R6", "discard_again"),
    Move("D"),
    Move("H G4>2.1"),
    Move("-Y3"),
    Move("D", "draw_on"),
    Move("H W=10>1.1", "hit_wild"),
    Move("-B7", "discard_on"),
    Move("D"),
    Move("-Y9"),
    Move("D", "draw_last"),
    Move("H B4>2.1", "hit_last"),
    Move("-G5", "out"),
)


def make() -> dict[str, Any]:
    """The frames: how things stand for the learner, who acts, and what is done."""
    game = Game("classic", ["Ana", OPPONENT], dealer=2, seed=SEED)
    frames: list[dict[str, Any]] = []
    for move in MOVES:
        seat = game.turn
        assert (seat == LEARNER) == bool(move.step), move
        frames.append(
            {
                "game": msgspec.to_builtins(write_view(game.view(LEARNER))),
                "seat": seat,
                "action": msgspec.to_builtins(write_action(parse_action(move.text))),
                "step": move.step,
            }
        )
        game.play(move.text)
    scored = game.state.sheet.hands[0]
    assert scored.out == LEARNER
    return {
        "opponent": OPPONENT,
        "frames": frames,
        "melds": frames[-1]["game"]["board"]["melds"],
        "points": [points for _, points in scored.points],
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(make(), separators=(",", ":")) + "\n", "utf-8")
