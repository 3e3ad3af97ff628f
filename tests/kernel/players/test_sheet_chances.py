"""What score sheets are worth: the network that says it, and that its papers are in order."""

from __future__ import annotations

import hashlib
import json
from array import array
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from phaseten.kernel import Game
from phaseten.kernel.convert import DEALER
from phaseten.kernel.players.network.sheet_chances import SheetChances
from phaseten.kernel.players.network.weights import (
    ABOUT,
    EDITIONS,
    WEIGHTS,
    about,
    load_network,
    load_sheet_chances,
)
from phaseten.kernel.players.search import Search
from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.rules.options import Rules
from tests.kernel.twins import make_edition

ROOT = Path(__file__).resolve().parents[3]
CARD = ROOT / "docs" / "model-card.md"
NAME = "sheet_chances"


def chances(
    done: list[int], totals: list[int], dealer: int = 0, name: str = "classic"
) -> list[float]:
    """Everybody's chance to win, when so many Phases are made and who deals next."""
    game = Game(name, len(done), seed=1)
    layout, state = game.setup.layout, bytearray(game.save())
    for seat, (count, total) in enumerate(zip(done, totals, strict=True)):
        left = (1 << 10) - (1 << count)
        state[layout.o_left + 3 * seat : layout.o_left + 3 * seat + 3] = left.to_bytes(3, "little")
        at = layout.o_totals + 3 * seat
        state[at : at + 3] = total.to_bytes(3, "little")
    state[DEALER] = dealer
    return load_sheet_chances().chances(layout, bytes(state), EDITIONS.index(name))


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_they_add_up_to_one_and_fall_with_the_place(name: str, players: int) -> None:
    found = chances([9, 7, 5, 4, 3, 2][:players], [60 * seat for seat in range(players)], name=name)
    assert sum(found) == pytest.approx(1)
    assert found == sorted(found, reverse=True)
    assert found[0] > 0.7


@pytest.mark.parametrize("players", range(2, 7))
def test_whoever_sits_where_it_is_the_order_of_playing_that_counts(players: int) -> None:
    done, totals = [3, 5, 4, 4, 6, 2][:players], [90, 10, 55, 60, 5, 120][:players]
    found = chances(done, totals, dealer=players - 1)
    for turn in range(1, players):
        moved = chances(
            [*done[-turn:], *done[:-turn]], [*totals[-turn:], *totals[:-turn]], dealer=turn - 1
        )
        assert moved == pytest.approx([*found[-turn:], *found[:-turn]], abs=1e-6)


@pytest.mark.parametrize("name", ["classic", "express"])
@pytest.mark.parametrize("players", range(2, 7))
def test_near_the_end_a_phase_and_fewer_points_are_worth_something(name: str, players: int) -> None:
    done, totals = [8] * players, [160] * players
    even = chances(done, totals, name=name)[0]
    assert chances([9, *done[1:]], totals, name=name)[0] > even + 0.2
    assert chances(done, [210, *totals[1:]], name=name)[0] < even
    assert chances(done, [260, *totals[1:]], name=name)[0] < 0.95 * even


def test_the_same_is_worth_about_as_much_to_each_where_nobody_is_ahead() -> None:
    assert chances([0] * 4, [0] * 4) == pytest.approx([0.25] * 4, abs=0.02)


def test_search_counts_by_it() -> None:
    game = Game("classic", 2, seed=3)
    search = Search(game.setup.layout, game.save(), 1)
    actions = np.array(game.legal()[:2], np.int32)
    found: list[list[float]] = []
    for sheets in (None, load_sheet_chances()):
        for network in (None, load_network("pupil")):
            values = np.zeros((12, 2))
            search.run(actions, 0, values, network=network, edition=0, sheets=sheets)
            assert ((values > 0) & (values < 1)).all()
            found.append(values.ravel().tolist())
    assert len({tuple(values) for values in found}) == 4


def test_a_game_that_is_over_is_won_or_lost() -> None:
    """Whoever plays their last card in Phase 10 has won, whatever the sheet would say."""
    game = Game("express", 2, seed=2)
    before = game.copy()
    while game.winner is None:
        before = game.copy()
        game.step(game.pick("sharp"))
    action = np.array([before.pick("sharp")], np.int32)
    values = np.zeros((4, 1))
    search = Search(before.setup.layout, before.save(), 1)
    search.run(action, 0, values, edition=4, sheets=load_sheet_chances())
    assert set(values.ravel()) <= {0.0, 0.5, 1.0}


def test_what_is_no_such_network_or_sheet_is_refused() -> None:
    with pytest.raises(ValueError, match="not the weights of such a network"):
        SheetChances(array("f", [0.0] * 100))
    game = Game("classic", 2)
    with pytest.raises(ValueError, match="not saved in a game"):
        load_sheet_chances().chances(game.setup.layout, b"", 0)
    many = Game(Rules(make_edition(phases=", ".join(["set 2"] * 11))), 2)
    with pytest.raises(ValueError, match="ten Phases at most"):
        load_sheet_chances().chances(many.setup.layout, many.save(), 0)


@pytest.mark.parametrize("edition", [-1, len(EDITIONS), 10**6])
def test_an_edition_that_there_is_none_of_is_refused(edition: int) -> None:
    """Its number is a place in the input."""
    game = Game("classic", 2, seed=1)
    layout, saved = game.setup.layout, game.save()
    with pytest.raises(ValueError, match="no edition that a network knows"):
        load_sheet_chances().chances(layout, saved, edition)
    actions = np.array(game.legal()[:1], np.int32)
    for experts in ({"sheets": load_sheet_chances()}, {"network": load_network("pupil")}):
        with pytest.raises(ValueError, match="no edition that a network knows"):
            Search(layout, saved, 1).run(
                actions, 0, np.zeros((1, 1)), edition=edition, **cast("Any", experts)
            )


def test_weights_hash_and_card_agree() -> None:
    content = WEIGHTS.with_stem(NAME).read_bytes()
    known = json.loads(ABOUT.with_stem(NAME).read_text())
    assert hashlib.sha256(content).hexdigest() == known["sha256"]
    assert len(content) == known["bytes"]
    assert known["pupil"] == about("pupil")["sha256"]
    card = CARD.read_text()
    for fact in (known["sha256"], known["pupil"], known["command"]):
        assert f"`{fact}`" in card
    for one in known["losses"].values():
        assert f"{one['rule_of_thumb']:.4f} | {one['network']:.4f} |" in card


def test_it_knows_better_than_the_rule_of_thumb_at_all_tables_that_deep_plays() -> None:
    losses = about(NAME)["losses"]
    for name, counts in about()["plays"].items():
        for players in counts:
            kind = f"{name if name == 'express' else 'classic'}-{players}"
            assert losses[kind]["network"] < losses[kind]["rule_of_thumb"]
