"""What decisions are worth, where deep plays everything else. This needs no torch."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pytest

from phaseten.bots.ladder import make_bot
from phaseten.kernel import Game
from phaseten.kernel.players.network.weights import load_network, load_sheet_chances

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from training.decisions import Decision

pytestmark = [
    pytest.mark.usefixtures("environment_is_built"),
    pytest.mark.xdist_group("training"),  # whoever waits for the compiler waits alone
]


def some(names: list[str], count: int, times: int) -> list[Decision]:
    from training.decisions import decisions

    found = decisions([make_bot(name) for name in names], "classic", 2, seed=3, times=times)
    return list(islice((one for one in found if one is not None), count))


def test_deeps_own_are_worth_nothing_more_and_a_rookies_less() -> None:
    gains = np.array([one.gains for one in some(["deep", "rookie"], 500, times=4)])
    assert (gains[:, 0] == 0).all()
    loss = -gains[:, 1]
    assert loss.mean() > 2 * loss.std() / len(loss) ** 0.5


def test_the_same_seed_gives_the_same_figures() -> None:
    assert some(["sharp"], 6, times=3) == some(["sharp"], 6, times=3)


def test_other_bots_meet_the_same_decisions() -> None:
    both = [one.gains[0] for one in some(["rookie", "casual"], 30, times=2)]
    assert both == [one.gains[0] for one in some(["rookie"], 30, times=2)]


def played_on(game: Game, actions: list[int], seed: int = 1) -> NDArray[np.float64]:
    from training.truth import play_on

    values = np.zeros((6, len(actions)))
    numbers, layout = np.array(actions, np.int32), game.setup.layout
    play_on(layout, game.save(), numbers, values, seed, load_network(), 0, load_sheet_chances())
    return values


def test_the_same_action_is_worth_the_same_and_the_draw_pile_is_shuffled() -> None:
    game = Game("classic", 2, seed=4)
    values = played_on(game, [0, 1, 0])
    assert (values[:, 0] == values[:, 2]).all()
    assert (values[:, 0] != values[:, 1]).any()
    assert len(set(values[:, 0])) > 1
    assert (values == played_on(game, [0, 1, 0])).all()
    assert (values != played_on(game, [0, 1, 0], seed=2)).any()


@pytest.mark.parametrize("action", [-1, 2, 40])
def test_what_is_not_legal_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match=f"{action} is not legal"):
        played_on(Game("classic", 2, seed=4), [0, action])


def test_bots_can_be_classes() -> None:
    from training.decisions import parse_bot

    assert parse_bot("training.old_master:OldMaster").name == "old master"


def test_the_report_names_everybody() -> None:
    from training.decisions import Decision, report

    text = report(["sharp", "casual"], [Decision((0.0, -0.02)), Decision((0.01, 0.0))])
    assert "sharp: does something else at 50.0%; against deep +0.500" in text
    assert "casual: does something else at 50.0%; against deep -1.000" in text
    assert "against sharp -1.500" in text
