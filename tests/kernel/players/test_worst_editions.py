"""Editions that ask for the most: a decision takes its time there too, and no longer."""

from __future__ import annotations

import time

import pytest

from phaseten.bots.ladder import make_bot
from phaseten.game import Game
from phaseten.kernel.game import game_of
from phaseten.rules.actions import LayPhase
from phaseten.rules.cards import parse_cards
from phaseten.rules.editions import Edition
from phaseten.rules.laying import ways_to_lay
from phaseten.rules.options import Rules
from phaseten.rules.views import legal_actions, view_of
from tests.kernel.twins import make_edition
from tests.rulebook.situations import situation

WORST = ("run 8 + even 10", "color 8 + run 9", "odd 9 + even 9")
MOST_SECONDS = 2.0
"""Of this process's own time, for what takes a fiftieth of it. It took up to a minute."""


def worst(phases: str, **changes: object) -> Edition:
    values: dict[str, object] = {"deal": 20, "highest": 12, "copies": 3, "wilds": 20, "skips": 4}
    return make_edition(phases=phases, **(values | changes))


@pytest.mark.parametrize("phases", WORST)
def test_every_decision_keeps_its_time(phases: str) -> None:
    game = Game(worst(f"{phases}, {phases}, {phases}"), [str(seat) for seat in range(1, 7)], seed=3)
    lays = 0
    for step in range(45):
        view = game.view()
        for level in ("rookie", "casual", "master@0.02s"):
            if level == "rookie" or step % 5 == 0:
                began = time.process_time()
                chosen = make_bot(level, seed=step).choose(view)
                assert time.process_time() - began < MOST_SECONDS
                assert game.why_not(chosen) is None
        began = time.process_time()
        assert legal_actions(view, 2_000)
        assert time.process_time() - began < MOST_SECONDS
        chosen = make_bot("sharp", seed=step).choose(view)
        lays += isinstance(chosen, LayPhase)
        game.play(chosen)
    assert lays


REDS_FOR_THE_COLOR = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 G1 G2 G3 G4 G5 G6 G7 G8 B12 Y12"
"""For ``run 8 + color 10`` every red is wanted for the colour: all beginnings of the run but one lead nowhere."""


@pytest.mark.parametrize(
    ("phases", "held", "wilds"),
    [
        ("run 8 + color 10", REDS_FOR_THE_COLOR, 0),
        ("color 10 + run 8", REDS_FOR_THE_COLOR, 0),
        ("run 8 + color 10", REDS_FOR_THE_COLOR.replace("R3", "Y3"), 0),
        ("run 8 + color 10", REDS_FOR_THE_COLOR.replace("R3", "W"), 1),
    ],
)
def test_looking_ahead_overlooks_no_way(phases: str, held: str, wilds: int) -> None:
    box = worst(phases, copies=2, wilds=wilds)
    state = situation(box, held={1: held})
    expected = [
        tuple([meld.cards for meld in melds])
        for melds in ways_to_lay(box.phases[0], parse_cards(held), Rules(box))
    ]
    game = game_of(view_of(state, 1))
    actions = [game.action(number) for number in game.legal()]
    assert [action.melds for action in actions if isinstance(action, LayPhase)] == expected
    assert bool(expected) == ("Y3" not in held)


def test_one_way_is_offered_where_all_that_are_tried_are_illegal() -> None:
    """Phase 1 must show a 9; there is one, and ten thousand ways without it come first."""
    box = worst("even 11 + run 3", copies=2, wilds=0, must_show={1: 9})
    held = "B12 B2 B8 B4 B2 B10 B6 B6 B12 B8 B10 B4 B9 G12 B7 R2 Y4 R8 G2 B3"
    view = view_of(situation(box, held={1: held}), 1)
    lays = [action for action in legal_actions(view, 60) if isinstance(action, LayPhase)]
    assert len(lays) == 1
    assert any(card.number == 9 for row in lays[0].melds for card in row)
