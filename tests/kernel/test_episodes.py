"""What learners need of many games: episodes and their ends, rewards, resets, opponents, labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from phaseten.kernel import Batch, Game, Sheet
from phaseten.kernel.batch import EPISODES, REWARDS
from phaseten.kernel.convert import LAID
from phaseten.rules.referee import QUIET_TURNS
from tests.effort import LONG

GAMES = 24


def begin(**options: Any) -> Batch:
    """Some games of Express, which are short."""
    given: dict[str, Any] = {"rules": "express", "players": 3, "games": GAMES, "seed": 4}
    return Batch(**given | options)


def eager(batch: Batch, rng: np.random.Generator) -> NDArray[np.int32]:
    """Any legal action in each game, but what sharp does in most; anything where a game is over."""
    mask = batch.mask()
    any_of_them = (mask * (rng.random(mask.shape) + 0.1)).argmax(axis=1)
    chosen = np.where(rng.random(batch.games) < 0.9, batch.pick("sharp"), any_of_them)
    return chosen.astype(np.int32)


def ended(batch: Batch) -> NDArray[np.bool_]:
    return batch.terminated | batch.truncated


def played_to_the_end(batch: Batch, rng: np.random.Generator) -> NDArray[np.float64]:
    """Step until every episode has ended; the sum of what everybody was paid."""
    assert not ended(batch).any()
    paid = np.zeros((batch.games, batch.players))
    while not ended(batch).all():
        batch.step(eager(batch, rng))
        paid += batch.rewards
    return paid


# -- ends --------------------------------------------------------------------------------------


@pytest.mark.parametrize("episode", EPISODES)
def test_without_autoreset_an_episode_stays_as_it_ended(episode: str) -> None:
    batch = begin(episode=episode, autoreset=False)
    rng = np.random.default_rng(1)
    over: dict[int, tuple[bytes, int]] = {}
    while len(over) < GAMES:
        batch.step(eager(batch, rng))
        mask = batch.mask()
        for i in np.flatnonzero(ended(batch)).tolist():
            now = (batch.states[i].tobytes(), int(batch.lengths[i]))
            if i in over:
                assert not batch.rewards[i].any()
            assert over.setdefault(i, now) == now
            assert not mask[i].any()
            assert batch.pick("sharp", games=[i]).tolist() == [-1]
            assert (batch.game(i).winner is not None) or episode == "hand"
            assert batch.game(i).turn is None
    assert batch.terminated.all()
    assert not batch.truncated.any()


@pytest.mark.parametrize("episode", EPISODES)
@pytest.mark.parametrize("most", [0, 15])
def test_autoreset_keeps_how_it_ended(episode: str, most: int) -> None:
    """The same episodes with and without it: what is kept is what one would still see without."""
    on = begin(episode=episode, most_actions=most)
    off = begin(episode=episode, most_actions=most, autoreset=False)
    rng = np.random.default_rng(2)
    seen = np.zeros(GAMES, bool)
    while not seen.all():
        actions = eager(off, rng)
        actions[seen] = on.pick("casual")[seen]
        on.step(actions)
        off.step(actions)
        just = ended(off) & ~seen
        assert (ended(on)[~seen] == just[~seen]).all()
        assert (on.truncated[just] == off.truncated[just]).all()
        assert (on.rewards[~seen] == off.rewards[~seen]).all()
        games = np.flatnonzero(just)
        for seat in range(1, 4):
            kept = on.final_observations(games, seats=seat)
            assert kept.tolist() == off.observe(seats=seat)[just].tolist()
        assert on.final_observations(games).tolist() == off.observe()[just].tolist()
        assert (on.lengths[just] == 0).all()
        seen |= just
    assert not most or off.truncated.any()


def test_an_episode_of_a_hand_goes_on_with_the_next_hand() -> None:
    batch = begin(episode="hand", most_actions=0)
    rng = np.random.default_rng(3)
    hands = games = 0
    for _ in range(400):
        before = batch.sheet()
        batch.step(eager(batch, rng))
        after = batch.sheet()
        new = np.asarray(after.hands) == 0
        for i in np.flatnonzero(batch.terminated):
            hands += 1
            if new[i]:
                games += 1
                assert np.asarray(after.totals)[i].tolist() == [0, 0, 0]
            else:
                assert np.asarray(after.hands)[i] == np.asarray(before.hands)[i] + 1
            assert batch.lengths[i] == 0
        still = ~batch.terminated
        assert all(
            (np.asarray(a)[still] == np.asarray(b)[still]).all()
            for a, b in zip(before, after, strict=True)
        )
    assert hands > 100
    assert games


def test_an_episode_is_truncated_after_so_many_actions() -> None:
    batch = begin(most_actions=10)
    start = batch.states.copy()
    for i in range(1, 31):
        batch.step(batch.pick("casual"))
        assert (batch.truncated == (i % 10 == 0)).all()
        assert (batch.lengths == i % 10).all()
        assert not batch.rewards.any()
    assert batch.final_observations(seats=1).shape == (GAMES, batch.observation_size)
    assert (np.asarray(batch.sheet().hands) == 0).all()
    assert (batch.states != start).any(axis=1).all()


def test_hands_in_which_nothing_moves_end() -> None:
    """Nobody ever lays: after so many turns the hand is over (H-DEAD), and nobody has gone out."""
    batch = begin(players=2, games=4, episode="hand")
    lengths = np.zeros(4, np.int64)
    for _ in range(5 * QUIET_TURNS):
        lengths += 1
        mask = batch.mask()
        mask[:, -1] = 0
        batch.step(mask.argmax(axis=1).astype(np.int32))
        if batch.terminated.any():
            break
    assert batch.terminated.any()
    assert 2 * 2 * QUIET_TURNS - 2 <= lengths[0] <= 2 * 2 * QUIET_TURNS + 2
    assert (batch.chances >= 0).all()


def test_final_observations_are_those_of_episodes_that_ended() -> None:
    batch = begin()
    assert batch.final_observations().shape == (0, batch.observation_size)
    with pytest.raises(ValueError, match="only of episodes that ended just now"):
        batch.final_observations([3])


# -- rewards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
def test_rewards_of_winning(players: int) -> None:
    batch = begin(players=players, autoreset=False)
    paid = played_to_the_end(batch, np.random.default_rng(5))
    assert np.allclose(paid.sum(axis=1), 0, atol=1e-6)
    for i in range(GAMES):
        winner = batch.game(i).winner
        assert winner is not None
        others = [-1 / (players - 1)] * players
        others[winner - 1] = 1
        assert np.allclose(paid[i], others)


@pytest.mark.parametrize("players", [2, 4])
def test_changes_of_the_chance_add_up_to_the_end(players: int) -> None:
    batch = begin(players=players, reward="chance", autoreset=False)
    assert np.allclose(batch.chances, 1 / players)
    paid = played_to_the_end(batch, np.random.default_rng(6))
    for i in range(GAMES):
        winner = batch.game(i).winner
        assert winner is not None
        last = [float(seat == winner) for seat in range(1, players + 1)]
        assert np.allclose(paid[i], np.array(last) - 1 / players, atol=1e-5)
        assert batch.chances[i].tolist() == last


def test_the_chance_is_that_of_the_score_sheet() -> None:
    batch = begin(reward="chance", episode="hand")
    rng = np.random.default_rng(7)
    for _ in range(200):
        before = batch.chances.copy()
        batch.step(eager(batch, rng))
        assert np.allclose(batch.chances.sum(axis=1), 1, atol=1e-6)
        assert np.allclose(batch.rewards.sum(axis=1), 0, atol=1e-6)
        assert not batch.rewards[~batch.terminated].any()
        going = batch.terminated & (np.asarray(batch.sheet().hands) > 0)
        assert np.allclose(batch.rewards[going], (batch.chances - before)[going], atol=1e-6)
        for i in np.flatnonzero(going):
            game = Game("express", 3)
            assert np.allclose(game.chances(), 1 / 3)
            assert batch.lengths[i] == 0
    assert np.allclose(batch.chances[0], batch.game(0).chances(), atol=1e-6)


def test_points_are_taken_off() -> None:
    batch = begin(reward="points", autoreset=False)
    rng = np.random.default_rng(8)
    paid = played_to_the_end(batch, rng)
    totals = [batch.game(i).totals for i in range(GAMES)]
    assert (-paid).tolist() == [list(row) for row in totals]


# -- resets ------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 3])
def test_a_reset_of_some_games_touches_no_other(threads: int) -> None:
    batch = begin(threads=threads)
    batch.play("casual", 200)
    names = ("_states", "_chance", "_seeds", "rewards", "chances", "lengths", "_ended", "_totals")
    before = {name: getattr(batch, name).copy() for name in names}
    games = np.array([17, 2, 5])
    batch.reset(9, games=games)
    others = np.setdiff1d(np.arange(GAMES), games)
    for name, array in before.items():
        assert (getattr(batch, name)[others] == array[others]).all(), name
    assert (batch.lengths[games] == 0).all()
    fresh = begin(seed=9)
    assert (batch.states[games] == fresh.states[games]).all()
    marked = begin(threads=threads)
    marked.reset(9, games=np.isin(np.arange(GAMES), games))
    assert (marked.states[games] == batch.states[games]).all()


def test_the_same_seed_has_the_same_cards_in_any_game_however_it_is_played() -> None:
    batch = begin(players=2, autoreset=False)
    seeds = np.arange(GAMES) % 3 + 10
    batch.reset(seeds)
    dealt: dict[tuple[int, int], set[bytes]] = {}
    for i in range(200):
        for k in np.flatnonzero(~ended(batch)):
            game = batch.game(int(k))
            state = game.state_now()
            assert state.board is not None
            if state.board.quiet == 0 and game.at(LAID) == 0:  # it has just been dealt
                key = (int(seeds[k]), game.hand)
                cards = (*state.board.discards, *state.draw_pile)
                dealt.setdefault(key, set()).add(" ".join(map(str, cards)).encode())
        batch.play(("casual", "random", "sharp")[i % 3], 1)
        batch.play("sharp", 2, games=np.arange(0, GAMES, 2))
    assert len(dealt) > 9
    assert all(len(found) == 1 for found in dealt.values())


def test_seeds_make_a_batch_from_any_part_of_it() -> None:
    whole, part = begin(seed=0), begin(games=5)
    part.reset(np.int64(3))
    assert (part.states == begin(games=5, seed=3).states).all()
    whole.reset(np.arange(100, 100 + GAMES))
    part.reset(np.arange(110, 115))
    for _ in range(50):
        assert (part.states == whole.states[10:15]).all()
        whole.step(whole.pick("sharp"))
        part.step(part.pick("sharp"))


SHEET = Sheet([[0b1111, 0b1, 0b11]], totals=[[40, 0, 200]], dealers=2, hands=6)


def test_games_begin_from_a_score_sheet() -> None:
    batch = begin(reward="chance")
    batch.reset(3, games=[1, 4], sheet=SHEET)
    for i in (1, 4):
        game = batch.game(i)
        assert game.totals == (40, 0, 200)
        assert game.left == ((1, 2, 3, 4), (1,), (1, 2))
        assert (game.dealer, game.hand) == (2, 7)
        assert batch.chances[i].argmax() == 1
    assert batch.game(0).totals == (0, 0, 0)
    found = batch.sheet()
    assert np.asarray(found.left)[1].tolist() == [0b1111, 0b1, 0b11]
    assert np.asarray(found.totals)[4].tolist() == [40, 0, 200]
    assert np.asarray(found.dealers)[1] == 2
    assert np.asarray(found.hands)[1] == 6
    again = begin()
    again.reset(5, sheet=found)
    assert all(
        (np.asarray(a) == np.asarray(b)).all() for a, b in zip(again.sheet(), found, strict=True)
    )


def test_new_games_begin_from_any_sheet_of_a_batch() -> None:
    left = [[0b11, 0b1, 0b11], [0b1, 0b1, 0b1]]
    batch = begin(sheets=Sheet(left, totals=[[5, 10, 15], [0, 0, 70]]))
    rng = np.random.default_rng(9)
    finished, kinds, dealers = 0, set[tuple[int, ...]](), set[int]()
    for _ in range(600):
        fresh = np.asarray(batch.sheet().hands) == 0
        for i in np.flatnonzero(fresh & (batch.lengths == 0)):
            kinds.add(batch.game(int(i)).totals)
            dealers.add(batch.game(int(i)).dealer)
        batch.step(eager(batch, rng))
        finished += int(batch.terminated.sum())
    assert finished > GAMES
    assert kinds == {(5, 10, 15), (0, 0, 70)}
    assert dealers == {1, 2, 3}


def test_a_game_of_ten_hands_begins_in_the_middle() -> None:
    batch = begin(variant="ten-hands", reward="chance", autoreset=False)
    phases = len(batch.setup.rules.phases)
    last = 1 << (phases - 1)
    batch.reset(1, sheet=Sheet([[last] * 3], totals=[[10, 50, 90]], hands=phases - 1))
    played_to_the_end(batch, np.random.default_rng(1))
    assert {batch.game(i).hand for i in range(GAMES)} >= {phases}


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        (Sheet([[0, 1, 1]]), "Phases left, as bits, must be from 1 to 1023"),
        (Sheet([[1024, 1, 1]]), "Phases left, as bits, must be from 1 to 1023"),
        (Sheet(1, totals=-5), "points must be from 0"),
        (Sheet(1, dealers=4), "dealers must be from 0 to 3"),
        (Sheet(1, hands=-1), "hands played must be from 0"),
        (Sheet([[1, 1]]), "3 seats in each"),
        (Sheet([[1, 1, 1]] * 2), "a row for each of 3 games"),
    ],
)
def test_sheets_that_no_game_can_have_are_refused(sheet: Sheet, words: str) -> None:
    batch = begin()
    before = batch.states.copy()
    with pytest.raises(ValueError, match=words):
        batch.reset(1, games=[1, 2, 3], sheet=sheet)
    assert (batch.states == before).all()


def test_what_else_is_refused() -> None:
    with pytest.raises(TypeError, match="whole numbers"):
        begin(sheets=Sheet([[1.5, 1, 1]]))
    with pytest.raises(ValueError, match="everybody needs a Phase left for each hand"):
        begin(variant="ten-hands", sheets=Sheet(1))
    with pytest.raises(ValueError, match="no episode 'turn': choose from game, hand"):
        begin(episode="turn")
    with pytest.raises(ValueError, match="no reward 'fun': choose from win, chance, points"):
        begin(reward="fun")
    with pytest.raises(ValueError, match="most_actions must not be below 0"):
        begin(most_actions=-1)
    for opponents in (("sharp",) * 3, (None, "sharp"), "abc"):
        with pytest.raises(ValueError, match="a player or None for each of 3 seats"):
            begin(opponents=opponents)
    batch = begin()
    for games, words in (
        ([0, GAMES], "numbers 0 to 23"),
        ([-1], "numbers 0 to 23"),
        ([2, 2], "meant twice"),
        ([0.5], "a list of numbers"),
        ([[1]], "a list of numbers"),
    ):
        with pytest.raises(ValueError, match=words):
            batch.pick(games=games)
    for seats in (0, 4, [1, 2], [1.0] * GAMES):
        with pytest.raises(ValueError, match="seats"):
            batch.observe(seats=seats)
    with pytest.raises(ValueError, match="a seed for each of 2 games"):
        batch.reset([1, 2, 3], games=[0, 1])
    with pytest.raises(ValueError, match="seeds must be whole numbers"):
        batch.reset([1.5] * GAMES)
    with pytest.raises(ValueError, match="read-only"):
        batch.states[0, 0] = 1


# -- others ------------------------------------------------------------------------------------


def test_any_seat_can_be_looked_at() -> None:
    batch = begin(threads=2)
    batch.play("casual", 60)
    out = np.empty((GAMES, batch.observation_size), np.int16)
    seats = np.arange(GAMES) % 3 + 1
    assert batch.observe(out, seats=seats) is out
    for i in range(GAMES):
        assert out[i].tolist() == batch.game(i).observe(int(seats[i])).tolist()
    assert (batch.observe(seats=2)[1] == batch.game(1).observe(2)).all()
    turns = np.zeros(GAMES, np.uint8)
    assert batch.turns(turns) is turns
    assert turns.tolist() == [batch.game(i).turn for i in range(GAMES)]


@pytest.mark.parametrize("policy", ["random", "rookie", "casual", "sharp"])
def test_picks_are_legal_and_change_nothing(policy: str) -> None:
    batch = begin(threads=2)
    seen: set[bytes] = set()
    for _ in range(60):
        before = (batch.states.tobytes(), batch._chance.tobytes())
        picked = batch.pick(policy)
        assert (batch.mask()[np.arange(GAMES), picked] == 1).all()
        assert batch.pick(policy).tolist() == picked.tolist()
        out = np.empty(4, np.int32)
        games = [9, 1, 20, 4]
        assert batch.pick(policy, games=games, out=out) is out
        assert out.tolist() == picked[games].tolist()
        assert (batch.states.tobytes(), batch._chance.tobytes()) == before
        seen.add(picked.tobytes())
        batch.step(picked)
    assert len(seen) == 60


def test_sharp_is_picked_as_in_a_single_game() -> None:
    batch = begin(rules="classic", players=2)
    same = total = 0
    for _ in range(60):
        picked = batch.pick("sharp")
        for i in range(GAMES):
            game = batch.game(i)
            same += game.relative(game.pick("sharp")) == picked[i]
            total += 1
        batch.step(picked)
    assert same / total > 0.98  # now and then it leaves something to chance


@pytest.mark.parametrize("episode", EPISODES)
def test_opponents_play_until_it_is_your_turn(episode: str) -> None:
    batch = begin(opponents=("sharp", None, "casual"), episode=episode, reward="win")
    rng = np.random.default_rng(4)
    wins = losses = 0
    for _ in range(300):
        assert (batch.turns() == 2).all()
        assert (batch.mask().any(axis=1)).all()
        batch.step(eager(batch, rng))
        paid = batch.rewards.any(axis=1)
        assert (batch.terminated[paid]).all()
        wins += int((batch.rewards[:, 1] == 1).sum())
        losses += int((batch.rewards[:, 1] < 0).sum())
    assert wins > 5
    assert losses > 5


def test_opponents_can_be_others_in_each_game() -> None:
    batch = begin(players=2)
    batch.policies[:, :] = -1
    batch.policies[::2, 0] = 2
    batch.policies[1::2, 1] = 2
    batch.reset(1)
    for _ in range(40):
        assert batch.turns().tolist() == [2, 1] * (GAMES // 2)
        batch.step(batch.pick("casual"))


def test_opponents_are_the_same_players() -> None:
    """What an opponent does is what ``play`` would have done."""
    batch = begin(players=2, opponents=(None, "casual"), autoreset=False)
    other = begin(players=2, autoreset=False)
    for _ in range(400):
        turns = other.turns()
        waiting = ~ended(other) & (turns == 2)
        while waiting.any():
            other.play("casual", games=waiting)
            waiting = ~ended(other) & (other.turns() == 2)
        assert (other.states == batch.states).all()
        actions = batch.pick("sharp")
        batch.step(actions)
        other.step(actions)
        if ended(other).all():
            break


def _everything(threads: int) -> list[bytes]:
    seen: list[bytes] = []
    for episode in EPISODES:
        for reward in REWARDS:
            batch = begin(
                episode=episode, reward=reward, threads=threads, most_actions=150,
                opponents=(None, "sharp", None) if reward == "chance" else None,
                sheets=Sheet([[7, 3, 1], [1, 1, 1]]),
            )  # fmt: skip
            rng = np.random.default_rng(3)
            for i in range(80 if LONG else 40):
                batch.step(eager(batch, rng))
                batch.play("casual", 3, games=np.arange(i % 3, GAMES, 5))
                if i % 9 == 8:
                    batch.reset(i, games=[i % GAMES])
                parts = (
                    batch.states, batch.rewards, batch.chances, batch.terminated, batch.truncated,
                    batch.lengths, batch.mask(), batch.observe(), batch.pick("random"),
                    batch.final_observations(seats=1),
                )  # fmt: skip
                seen += [np.ascontiguousarray(part).tobytes() for part in parts]
    return seen


def test_the_number_of_threads_changes_nothing() -> None:
    one = _everything(1)
    assert one == _everything(2) == _everything(7)
