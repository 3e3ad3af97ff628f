"""The trained network: what it sees and does, in the kernel; and that its papers are in order."""

from __future__ import annotations

import hashlib
import json
from array import array
from pathlib import Path

import pytest

from phaseten.kernel import Game
from phaseten.kernel.convert import QUIET
from phaseten.kernel.game import LAY_THIS
from phaseten.kernel.players.network.look import Network, see, sizes
from phaseten.kernel.players.network.plain import PlainLook
from phaseten.kernel.players.network.weights import (
    ABOUT,
    EDITIONS,
    WEIGHTS,
    about,
    input_of,
    load_network,
    read_weights,
)
from phaseten.rules.editions import BOOK_EDITIONS, edition
from phaseten.rules.options import Rules
from tests.kernel.twins import make_edition

NAMES = ("deep", "pupil")
ROOT = Path(__file__).resolve().parents[3]
CARD = ROOT / "docs" / "model-card.md"
SEEN_BEFORE = {
    ("classic", 2): "03916d81e924f7f4",
    ("anniversary", 3): "dbb60e0371b0058c",
    ("deluxe", 5): "7e599b5700c87b11",
    ("elchavo", 4): "8e2af2f0c1dab122",
    ("express", 6): "afeb2b38420d4297",
}
"""What networks saw, and could do, in these games when the first of them was trained."""


def played(name: str, players: int, steps: int) -> list[Game]:
    """A game after each of some actions, of which some are by lot."""
    game = Game(name, players, seed=players)
    found: list[Game] = []
    for i in range(steps):
        if game.turn is None:
            break
        found.append(game.copy())
        game.step(game.pick("sharp" if i % 5 else "random"))
    return found


def look_at(game: Game) -> tuple[bytes, bytes]:
    return see(game.setup.layout, game.save(), EDITIONS.index(game.rules.edition.name))


@pytest.mark.parametrize(("name", "players"), SEEN_BEFORE)
def test_it_sees_what_it_was_trained_with(name: str, players: int) -> None:
    """Weights mean nothing to other eyes."""
    digest = hashlib.sha256()
    for game in played(name, players, 300):
        digest.update(b"".join(look_at(game)))
    assert digest.hexdigest()[:16] == SEEN_BEFORE[name, players]


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_what_is_not_known_is_not_seen(name: str) -> None:
    for game in played(name, 2 + BOOK_EDITIONS.index(name), 200)[::7]:
        other = game.copy()
        other.resample(game.turn or 0)
        assert look_at(other) == look_at(game)


@pytest.mark.parametrize("players", range(2, 7))
def test_every_choice_is_legal(players: int) -> None:
    network = load_network()
    for name in BOOK_EDITIONS:
        game = Game(name, players, seed=players)
        for _ in range(120):
            layout, number = game.setup.layout, EDITIONS.index(name)
            found = network.decide(layout, game.save(), number)
            assert found is not None
            action, way = found
            assert (action == LAY_THIS) == bool(way)
            game.step(game.number_of(way) if way else action)  # which refuses what is not legal


@pytest.mark.parametrize("name", NAMES)
def test_compiled_and_plain_looks_like_the_same(name: str) -> None:
    network = load_network(name)
    plain = PlainLook(read_weights(name).tolist(), network.width, network.layers, sizes(6)[0])
    for players in (2, 4, 6):
        for game in played("classic", players, 200)[5::66]:
            features, mask = look_at(game)
            liked = [0.0] * len(mask)
            plain.weigh(features + bytes(sizes(6)[0] - len(features)), mask, liked, 1e-5)
            assert network.like(features, mask, players) == pytest.approx(liked, abs=1e-4)


def test_what_it_likes_best_is_its_choice() -> None:
    network = load_network()
    for game in played("express", 3, 120):
        layout, saved = game.setup.layout, game.save()
        likings = network.likings(layout, saved, 4)
        assert {number for number, _ in likings} <= {*game.legal(), LAY_THIS}
        found = network.decide(layout, saved, 4)
        assert found is not None
        assert found[0] == max(likings, key=lambda each: each[1])[0]


def test_of_a_hand_that_stands_still_it_has_no_idea() -> None:
    game = Game("classic", 2, seed=1)
    network, layout = load_network(), game.setup.layout
    saved = bytearray(game.save())
    saved[QUIET] = 39
    assert network.decide(layout, bytes(saved), 0) is not None
    saved[QUIET] = 40
    assert network.decide(layout, bytes(saved), 0) is None


def test_weights_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="not the weights of such a network"):
        Network(array("f", [0.0] * 100), 512, 3)
    with pytest.raises(ValueError, match="a layer of 1024 numbers"):
        Network(array("f", [0.0] * 100), 1024, 3)


def test_games_that_a_network_cannot_tell_of_are_refused() -> None:
    small = Game(Rules(make_edition(phases="set 2")), 2)
    with pytest.raises(ValueError, match="48 numbered cards"):
        see(small.setup.layout, small.save(), 0)
    game = Game("classic", 2)
    with pytest.raises(ValueError, match="not saved in a hand"):
        see(game.setup.layout, game.save()[1:], 0)
    with pytest.raises(ValueError, match="for 3 players"):
        load_network().like(b"", b"", 3)


# -- which tables it knows -----------------------------------------------------------------------


def test_it_knows_the_tables_that_it_has_met() -> None:
    for name, counts in about()["met"].items():
        for players in counts:
            assert input_of(Rules(name), players) == EDITIONS.index(name)


def test_the_pupil_plays_where_deep_does() -> None:
    assert about("pupil")["plays"] == about()["plays"]


def test_it_does_not_know_what_was_changed() -> None:
    assert input_of(Rules("classic", "ten-hands"), 2) is None
    assert input_of(Rules("classic", house=frozenset({"no_rediscard"})), 2) is None
    own = make_edition(phases="set 2", name="classic", deal=10)
    assert own != edition("classic")
    assert input_of(Rules(own), 2) is None


# -- its papers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_weights_hash_and_card_agree(name: str) -> None:
    content = WEIGHTS.with_stem(name).read_bytes()
    known = json.loads(ABOUT.with_stem(name).read_text())
    assert hashlib.sha256(content).hexdigest() == known["sha256"]
    assert len(content) == known["bytes"]
    card = CARD.read_text()
    for fact in (known["sha256"], known["policy"], known["command"], *known["made_by"]):
        assert f"`{fact}`" in card
    for one in known["strength"].values():
        assert f"{100 * one['share']:.1f} % ± {100 * one['error']:.1f}" in card


def test_all_weights_together_are_no_more_than_may_ship() -> None:
    assert (
        sum(WEIGHTS.with_stem(name).stat().st_size for name in (*NAMES, "sheet_chances")) <= 4 << 20
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_weights_are_the_checkpoint_in_training(name: str) -> None:
    known = about(name)
    checkpoint = ROOT / known["command"].split()[3]
    if not checkpoint.exists():
        pytest.skip("the source package has no checkpoints")
    kept = json.loads((checkpoint / "about.json").read_text())
    assert kept["sha256"]["policy"] == known["policy"]
