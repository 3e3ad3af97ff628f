"""Many games at once: the same as single games, whatever the number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from phaseten.kernel import Batch, Game
from phaseten.kernel.convert import RESHUFFLES
from phaseten.rules.options import OptionError

SORTS = [
    ("classic", 2, "standard", ()),
    ("express", 4, "ten-hands", ()),
    ("anniversary", 6, "phases=2", ("choose_phase",)),
    ("elchavo", 3, "even", ("natural_per_meld", "discard_to_go_out", "no_rediscard")),
    ("deluxe", 5, "ten-hands,phases=3", ()),
]


def follows(batch: Batch, i: int, before: Game, game: Game) -> None:
    """The row is what the game has become; but a batch has a chance of its own to shuffle with."""
    row = batch.game(i)
    if row.hand == before.hand and row.at(RESHUFFLES) == before.at(RESHUFFLES):
        assert row.save() == game.save()
        return
    here, there = row.state_now(), game.state_now()
    assert here.sheet == there.sheet
    assert here.board is not None
    assert there.board is not None
    assert here.board.hand == there.board.hand
    assert set(here.board.players) == set(there.board.players)
    assert row.at(RESHUFFLES) == game.at(RESHUFFLES)


def any_legal(batch: Batch, rng: np.random.Generator) -> NDArray[np.int32]:
    """Any legal action in each game; ways to lay and hits before others."""
    mask = batch.mask()
    layout = batch.setup.layout
    weights = mask * rng.random(mask.shape)
    weights[:, layout.a_hit :] *= 10
    return weights.argmax(axis=1).astype(np.int32)


@pytest.mark.parametrize(("name", "seats", "variant", "house"), SORTS)
def test_a_batch_is_so_many_single_games(
    name: str, seats: int, variant: str, house: tuple[str, ...]
) -> None:
    batch = Batch(name, seats, games=12, variant=variant, house=house, seed=5, threads=2)
    rng = np.random.default_rng(1)
    finished = 0
    for _ in range(300):
        batch.play("casual", 7)  # or no game would come to its end
        games = [batch.game(i) for i in range(batch.games)]
        turns, mask = batch.turns(), batch.mask()
        for game, turn, row in zip(games, turns, mask, strict=True):
            assert game.turn == turn
            assert row.tolist() == game.mask().tolist()
            assert np.flatnonzero(row).tolist() == sorted({*map(game.relative, game.legal())})
        actions = any_legal(batch, rng)
        before = [game.copy() for game in games]
        results = [
            game.step(game.absolute(int(action)))
            for game, action in zip(games, actions, strict=True)
        ]
        batch.step(actions)
        for i, (game, result) in enumerate(zip(games, results, strict=True)):
            assert batch.terminated[i] == (result == 2)
            if result == 2:
                finished += 1
                assert game.winner is not None
                rewards = np.full(seats, -1 / (seats - 1), np.float32)
                rewards[game.winner - 1] = 1
                assert batch.rewards[i].tolist() == rewards.tolist()
                _is_new(batch.game(i))
            else:
                assert not batch.rewards[i].any()
                follows(batch, i, before[i], game)
    assert finished or name != "express"


def _is_new(game: Game) -> None:
    """A finished game starts again by itself."""
    state = game.state_now()
    assert state.board is not None
    assert state.board.hand == 1
    assert state.sheet.totals == (0,) * game.players
    assert state.sheet.left == (tuple(phase.number for phase in game.rules.phases),) * game.players
    assert game.winner is None


def _played(threads: int) -> list[bytes]:
    batch = Batch("express", 3, games=17, seed=12, threads=threads)
    rng = np.random.default_rng(3)
    seen: list[bytes] = []
    for i in range(120):
        if i % 3:
            batch.step(any_legal(batch, rng))
        else:
            batch.play(("casual", "random")[i % 2], 5)
        parts = (batch.states, batch.rewards, batch.terminated, batch.mask(), batch.observe())
        seen += [part.tobytes() for part in parts]
    return seen


def test_the_number_of_threads_changes_nothing() -> None:
    one = _played(1)
    assert one == _played(2) == _played(3) == _played(40)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("seat", [None, 2])
@pytest.mark.parametrize("autoreset", [False, True])
def test_what_a_step_writes_is_what_one_would_be_told(
    threads: int, seat: int | None, autoreset: bool
) -> None:
    batch = Batch("express", 2, games=30, seed=6, threads=threads, autoreset=autoreset)
    seen = np.empty((30, batch.observation_size), np.int16)
    mask = batch.mask()
    ended = 0
    for _ in range(1_500):
        actions = batch.pick("sharp")
        batch.step(actions, seen=seen, seats=seat, mask=mask)
        assert (seen == batch.observe(seats=seat)).all()
        assert (mask == batch.mask()).all()
        ended += int(batch.terminated.sum())
    assert ended


def test_a_step_that_is_refused_writes_nothing() -> None:
    batch = Batch("classic", 2, games=10, seed=3, threads=2)
    seen = np.full((10, batch.observation_size), 77, np.int16)
    mask = np.full((10, batch.actions), 77, np.uint8)
    with pytest.raises(ValueError, match="in game 0"):
        batch.step(np.full(10, -1, np.int32), seen=seen, mask=mask)
    assert (seen == 77).all()
    assert (mask == 77).all()
    with pytest.raises(ValueError, match="seen must be an array"):
        batch.step(_legal(batch), seen=seen[:9])
    with pytest.raises(ValueError, match="mask must be an array"):
        batch.step(_legal(batch), mask=mask[:, 1:])
    with pytest.raises(ValueError, match="seats count from 1 to 2"):
        batch.step(_legal(batch), seen=seen, seats=3)
    assert not batch.lengths.any()


def test_the_seed_decides() -> None:
    one, same, other = (Batch("classic", 2, games=5, seed=seed) for seed in (1, 1, 2))
    assert one.states.tobytes() == same.states.tobytes() != other.states.tobytes()
    start = one.states.copy()
    assert len({row.tobytes() for row in start}) == 5
    one.play("casual", 3_000)
    one.reset(1)
    assert one.states.tobytes() == start.tobytes()
    assert not one.terminated.any()
    assert not one.rewards.any()


def test_a_policy_plays_as_it_does_in_a_single_game() -> None:
    batch = Batch("classic", 4, games=6, seed=8)
    for _ in range(150):
        games = [batch.game(i) for i in range(6)]
        batch.play("casual")
        for i, game in enumerate(games):
            before = game.copy()
            if game.step(game.pick("casual")) < 2:
                follows(batch, i, before, game)


def test_games_end_and_rewards_add_up_to_nothing() -> None:
    batch = Batch("express", 3, games=50, seed=1)
    wins = np.zeros(3, np.int64)
    for _ in range(1_500):
        batch.play("casual")
        done = batch.terminated
        assert np.allclose(batch.rewards.sum(axis=1), 0)
        assert (batch.rewards[done].max(axis=1) == 1).all()
        assert not batch.rewards[~done].any()
        wins += (batch.rewards[done] == 1).sum(axis=0)
    assert wins.min() > 10


# -- what is refused ---------------------------------------------------------------------------


def _legal(batch: Batch) -> NDArray[np.int32]:
    return batch.mask().argmax(axis=1).astype(np.int32)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("place", [0, 6, 9])
@pytest.mark.parametrize("action", [-1, 2, 50, 400, 10**6, 2**31 - 1, -(2**31)])
def test_one_illegal_action_and_nothing_happens(threads: int, place: int, action: int) -> None:
    batch = Batch("classic", 2, games=10, seed=3, threads=threads)
    batch.play("casual", 20)
    actions = _legal(batch)
    actions[place] = action
    before = (
        batch.states.copy(),
        batch._chance.copy(),
        batch.rewards.copy(),
        batch.terminated.copy(),
    )
    with pytest.raises(ValueError, match=f"action {action} is not legal in game {place}"):
        batch.step(actions)
    after = (batch.states, batch._chance, batch.rewards, batch.terminated)
    assert all((a == b).all() for a, b in zip(before, after, strict=True))


def test_the_first_of_several_illegal_actions_is_named() -> None:
    batch = Batch("classic", 2, games=10, seed=3, threads=3)
    actions = _legal(batch)
    actions[[4, 8, 9]] = -7
    with pytest.raises(ValueError, match="in game 4"):
        batch.step(actions)


def _wrong_arrays() -> list[Any]:
    return [
        np.zeros(10, np.int64),
        np.zeros(10, np.uint32),
        np.zeros(10, np.float32),
        np.zeros(9, np.int32),
        np.zeros(11, np.int32),
        np.zeros(0, np.int32),
        np.zeros((10, 1), np.int32),
        np.zeros((1, 10), np.int32),
        np.zeros(20, np.int32)[::2],
        np.zeros(10, np.int32)[::-1],
        np.zeros(10, ">i4"),
        np.array(0, np.int32),
    ]


@pytest.mark.parametrize("actions", _wrong_arrays(), ids=lambda a: f"{a.dtype}{a.shape}{a.strides}")
def test_arrays_of_another_sort_are_refused(actions: Any) -> None:
    batch = Batch("classic", 2, games=10)
    before = batch.states.copy()
    with pytest.raises(ValueError, match="actions must"):
        batch.step(actions)
    assert (batch.states == before).all()


@pytest.mark.parametrize("actions", [[0] * 10, None, 0, "0000000000", memoryview(bytes(40))])
def test_what_is_no_array_is_refused(actions: Any) -> None:
    with pytest.raises(TypeError, match="actions must"):
        Batch("classic", 2, games=10).step(actions)


def test_arrays_to_write_into_are_checked_as_well() -> None:
    batch = Batch("classic", 2, games=4)
    mask = np.zeros((4, batch.actions), np.uint8)
    rows = np.zeros((4, batch.observation_size), np.int16)
    assert batch.mask(mask) is mask
    assert batch.observe(rows) is rows
    assert mask.any()
    assert rows.any()
    wrong: list[tuple[Any, Any]] = [
        (batch.mask, np.zeros((4, batch.actions), np.bool_)),
        (batch.mask, np.zeros((4, batch.actions + 1), np.uint8)),
        (batch.mask, np.zeros((batch.actions, 4), np.uint8).T),
        (batch.mask, np.zeros(4 * batch.actions, np.uint8)),
        (batch.observe, np.zeros((4, batch.observation_size), np.int32)),
        (batch.observe, np.zeros((3, batch.observation_size), np.int16)),
        (batch.observe, np.zeros((8, batch.observation_size), np.int16)[::2]),
    ]
    for write, out in wrong:
        with pytest.raises(ValueError, match="out must"):
            write(out)
        assert not out.any()
    rows.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        batch.observe(rows)


@pytest.mark.parametrize("games", [0, -1])
def test_a_batch_has_games(games: int) -> None:
    with pytest.raises(ValueError, match="at least one game"):
        Batch("classic", 2, games=games)


@pytest.mark.parametrize("seats", [0, 1, 7, -3])
def test_two_to_six_play(seats: int) -> None:
    with pytest.raises(OptionError):
        Batch("classic", seats, games=3)


def test_there_is_no_other_policy() -> None:
    with pytest.raises(ValueError, match="no policy"):
        Batch("classic", 2, games=3).play("clever")


def test_one_game_in_many_threads() -> None:
    batch = Batch("classic", 2, games=1, threads=8)
    assert batch.threads == 1
    batch.play("casual", 100)
    assert batch.turns()[0] in (1, 2)
