"""Everything the kernel can do, for a build that checks itself: run in a process of its own.

Prints one line of figures that depend on nothing but the arguments, so that builds can be compared.
"""

from __future__ import annotations

import hashlib
import random
import sys
from array import array

import numpy as np

from phaseten.kernel import Batch, Game, Sheet, compiled, simulate
from phaseten.kernel.batch import EPISODES, REWARDS
from phaseten.kernel.players import POLICIES
from phaseten.kernel.players.network.look import Network, see
from phaseten.kernel.players.network.weights import EDITIONS, load_network, load_sheet_chances
from phaseten.kernel.players.search import Search
from phaseten.rules.editions import BOOK_EDITIONS
from tests.kernel.twins import RARE, play, random_table


def compare(actions: int, seed: str) -> int:
    """Both engines on random tables."""
    rng = random.Random(seed)
    done = 0
    for table in RARE[:: max(1, 4_000 // actions)]:
        done += sum(1 for _ in play(table, 40))
    while done < actions:
        done += sum(1 for _ in play(random_table(rng), min(300, actions)))
    return done


def worlds(tables: int, seed: str) -> bytes:
    """Observations and worlds dealt anew, for every seat."""
    rng = random.Random(seed)
    digest = hashlib.sha256()
    for _ in range(tables):
        table = random_table(rng)
        game = Game(table.rules, table.seats, seed=table.seed)
        for i in range(60):
            if game.winner is not None:
                break
            game.step(game.pick(list(POLICIES)[i % len(POLICIES)]))
            if game.turn is not None and i % 5 == 0:
                for seat in range(1, game.players + 1):
                    other = game.copy()
                    other.resample(seat)
                    digest.update(game.observe(seat).tobytes() + other.save())
    return digest.digest()


def batches(steps: int) -> bytes:
    """Games side by side, on two threads."""
    digest = hashlib.sha256()
    chance = np.random.default_rng(1)
    for seats, name in enumerate(BOOK_EDITIONS, 2):
        batch = Batch(name, seats, games=9, seed=seats, threads=2)
        for _ in range(steps):
            mask = batch.mask()
            batch.step((mask * chance.random(mask.shape)).argmax(axis=1).astype(np.int32))
            batch.play("casual", 2)
            digest.update(batch.states.tobytes() + batch.observe().tobytes())
            digest.update(batch.rewards.tobytes() + batch.terminated.tobytes())
    return digest.digest()


def episodes(steps: int) -> bytes:
    """Learners' games: every sort of episode and reward, with opponents, from a score sheet."""
    digest = hashlib.sha256()
    for episode in EPISODES:
        for i, reward in enumerate(REWARDS):
            batch = Batch(
                BOOK_EDITIONS[i], 3, games=3, seed=i, threads=2, episode=episode, reward=reward,
                most_actions=19, autoreset=i != 1, opponents=(None, "casual", None),
                sheets=Sheet([[1, 3, 1], [3, 1, 2]], [[10, 0, 5]]),
            )  # fmt: skip
            for j in range(steps):
                batch.step(batch.pick(list(POLICIES)[j % len(POLICIES)]))
                digest.update(batch.states.tobytes() + batch.rewards.round(4).tobytes())
                digest.update(batch.chances.round(4).tobytes() + batch.terminated.tobytes())
                digest.update(batch.final_observations(seats=1).tobytes() + batch.mask().tobytes())
                digest.update(batch.observe(seats=[1, 2, 3]).tobytes())
                if j % 8 == 7:
                    batch.reset([j], games=[1])
    return digest.digest()


def bulks(size: int) -> bytes:
    """Whole games of every policy in every edition; of few and of many players, if there is time."""
    digest = hashlib.sha256()
    games = size // 2_000 + 1
    for i, name in enumerate(BOOK_EDITIONS):
        for j, policy in enumerate(POLICIES):
            for seats in (2, 6) if size >= 400 else (2 if (i + j) % 2 else 6,):
                result = simulate(
                    name, seats, games=games, policies=policy, seed=1, threads=2, most_actions=4_000
                )
                digest.update(repr(tuple(result)).encode())
    return digest.digest()


def searches(tables: int, seed: str) -> bytes:
    """Actions tried in other worlds, and in the true one."""
    rng = random.Random(seed)
    digest = hashlib.sha256()
    for table in (*RARE[:: len(RARE) // 8], *(random_table(rng) for _ in range(tables))):
        game = Game(table.rules, table.seats, seed=table.seed)
        for i in range(30):
            if game.turn is None:
                break
            if i % 6 == 5:
                search = Search(game.setup.layout, game.save(), i)
                actions = np.array(search.candidates(4), np.int32)
                values = np.empty((2, len(actions)))
                search.run(actions, 0, values)
                digest.update(actions.tobytes() + values.round(9).tobytes() + search.world(0))
                digest.update(bytes([search.peek(2, 3) % 251]))
            seeds = [game.choose_seeded(number, i) for number in POLICIES.values()]
            digest.update(np.array(seeds, np.int32).tobytes())
            game.step(game.pick(list(POLICIES)[i % len(POLICIES)]))
    return digest.digest()


def looks(steps: int) -> bytes:
    """What a network sees in every edition with few and many players, what it does, and where that leads."""
    digest = hashlib.sha256()
    weights = np.random.default_rng(1).normal(size=16 * 1833 + 16 * 17 + 296)
    small = Network(array("f", weights), 16, 1)
    for number, name in enumerate(EDITIONS):
        for seats in (2 + number % 3, 6 - number % 2):
            game = Game(name, seats, seed=number)
            for i in range(steps):
                if game.turn is None:
                    game = Game(name, seats, seed=i)
                layout, saved = game.setup.layout, game.save()
                digest.update(b"".join(see(layout, saved, number)))
                if i % 40 == number:
                    digest.update(repr(load_network().decide(layout, saved, number)).encode())
                    values = np.empty((2, 2))
                    actions = np.array(game.legal()[-2:] * 2, np.int32)[:2]
                    Search(layout, saved, i).run(actions, 0, values, 1e9, small, number)
                    digest.update(values.round(9).tobytes())
                    chances = load_sheet_chances().chances(layout, saved, number)
                    digest.update(np.array(chances).round(4).tobytes())
                game.step(game.pick("sharp" if i % 5 else "random"))
    return digest.digest()


def main() -> None:
    size = int(sys.argv[1])
    parts = hashlib.sha256(worlds(size // 200 + 2, "w") + batches(size // 400 + 2))
    parts.update(
        bulks(size)
        + episodes(size // 4 + 12)
        + searches(size // 400 + 2, "s")
        + looks(size // 4 + 80)
    )
    print("compiled" if compiled else "plain", compare(size, "c"), parts.hexdigest())


if __name__ == "__main__":
    main()
