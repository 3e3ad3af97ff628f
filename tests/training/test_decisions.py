"""What decisions are worth, where deep plays everything else. This needs neither torch nor a compiler."""

from __future__ import annotations

from itertools import islice

import numpy as np

from phaseten.bots.ladder import make_bot
from training.decisions import Decision, decisions, parse_bot, report


def some(names: list[str], count: int, times: int) -> list[Decision]:
    found = decisions([make_bot(name) for name in names], "classic", 2, seed=3, times=times)
    return list(islice((one for one in found if one is not None), count))


def test_deeps_own_are_worth_nothing_more_and_a_rookies_less() -> None:
    gains = np.array([one.gains for one in some(["deep", "rookie"], 500, times=4)])
    assert (gains[:, 0] == 0).all()
    loss = -gains[:, 1]
    assert loss.mean() > 2 * loss.std() / len(loss) ** 0.5


def test_the_same_seed_gives_the_same_figures() -> None:
    assert some(["sharp"], 6, times=3) == some(["sharp"], 6, times=3)


def test_bots_can_be_classes() -> None:
    assert parse_bot("training.old_master:OldMaster").name == "old master"


def test_the_report_names_everybody() -> None:
    text = report(["sharp", "casual"], [Decision((0.0, -0.02)), Decision((0.01, 0.0))])
    assert "sharp: does something else at 50.0%; against deep +0.500" in text
    assert "casual: does something else at 50.0%; against deep -1.000" in text
    assert "against sharp -1.500" in text
