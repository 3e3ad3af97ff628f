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
from phaseten.notation.codec import (
    write_action,
    write_board,
    write_rules,
    write_seen,
    write_view,
)
from phaseten.notation.moves import parse_action
from phaseten.notation.shapes import card_texts
from phaseten.rules.needs import Need, needs_of
from phaseten.rules.referee import apply
from phaseten.rules.views import seen_by, view_of

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
    """The frames: how things stand for the learner, who acts, what is done, and what is seen of it."""
    game = Game("classic", ["Ana", OPPONENT], dealer=2, seed=SEED)
    frames: list[dict[str, Any]] = []
    ended = last = game.state
    for move in MOVES:
        seat = game.turn
        assert (seat == LEARNER) == bool(move.step), move
        view, last = game.view(LEARNER), game.state
        events = game.play(move.text)
        for event in events:
            ended, last = last, apply(last, event)
        frames.append(
            {
                "game": msgspec.to_builtins(write_view(view)),
                "aims": [_aim(need) for need in needs_of(view)],
                "seat": seat,
                "action": msgspec.to_builtins(write_action(parse_action(move.text))),
                "step": move.step,
                "events": [
                    msgspec.to_builtins(write_seen(seen_by(event, LEARNER))) for event in events
                ],
            }
        )
    assert last.sheet.hands[0].out == LEARNER
    assert ended.board is not None
    return {
        "opponent": OPPONENT,
        "rules": msgspec.to_builtins(write_rules(game.state.rules)),
        "frames": frames,
        "end": {
            "game": msgspec.to_builtins(write_view(view_of(last, LEARNER))),
            "ended": {
                "board": msgspec.to_builtins(write_board(ended.board)),
                "held": [card_texts(held) for held in ended.held],
            },
        },
    }


def _aim(need: Need) -> dict[str, Any]:
    rows = [[{"card": slot.card.text, "filled": slot.filled} for slot in row] for row in need.rows]
    return {"phase": need.phase.number, "missing": need.missing, "rows": rows, "helpful": []}


if __name__ == "__main__":
    FILE.write_text(json.dumps(make(), separators=(",", ":")) + "\n", "utf-8")
