"""The environments for learners beside those of others: steps a second with random legal actions.

The columns say how often a row goes into each of ours. Every step gives an observation and what is legal, and chooses one of the legal actions. Rates are of CPU time, all
threads together. Everybody takes turns; a figure is the median of the rounds, a ratio that of the rounds' ratios.

Others are compared where they are installed; RLCard, pgx and PettingZoo's gin rummy (which its version 1.27 has no
more) come with: pip install rlcard pgx 'pettingzoo[classic]<1.27'
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode

from phaseten.envs import PhasetenEnv, PhasetenVectorEnv, phaseten_v0
from phaseten.kernel import Batch, compiled

GAMES = 8_192
CHANCE = random.Random(7)


class Contestant(NamedTuple):
    """Something that can be stepped."""

    kind: str
    name: str
    steps: Iterator[int]
    """Goes on for ever; each number says how many steps were made since the one before."""


def choose(choices: Any) -> int:
    """Any of them."""
    return int(choices[int(CHANCE.random() * len(choices))])


# -- one game at a time ------------------------------------------------------------------------


def gymnasium_env() -> Iterator[int]:
    env = PhasetenEnv("classic", opponents="random")
    _, info = env.reset(seed=1)
    while True:
        _, _, terminated, truncated, info = env.step(choose(info["action_mask"].nonzero()[0]))
        if terminated or truncated:
            _, info = env.reset()
        yield 1


def pettingzoo_env(make: Callable[[], Any]) -> Iterator[int]:
    env = make()
    while True:
        env.reset(seed=1)
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            over = termination or truncation
            env.step(None if over else choose(observation["action_mask"].nonzero()[0]))
            yield 1


def openspiel(name: str) -> Iterator[int]:
    game = import_module("pyspiel").load_game(name)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                faces, likely = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(CHANCE.choices(faces, likely)[0])
            else:
                state.observation_tensor(state.current_player())
                state.apply_action(choose(state.legal_actions()))
                yield 1


def rlcard_env() -> Iterator[int]:
    env = import_module("rlcard").make("gin-rummy", config={"seed": 7})
    while True:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(choose(list(state["legal_actions"])))
            yield 1


# -- many games at a time ----------------------------------------------------------------------


def vector_env() -> Iterator[int]:
    envs = PhasetenVectorEnv(
        "classic",
        GAMES,
        opponents="random",
        autoreset_mode=AutoresetMode.SAME_STEP,
        threads=1,
    )
    envs.reset(seed=1)
    while True:
        envs.step(envs.batch.pick("random"))
        yield GAMES


def batch() -> Iterator[int]:
    games = Batch("classic", games=GAMES, seed=1, threads=1)
    mask, seen = games.mask(), games.observe()
    actions = np.empty(GAMES, np.int32)
    while True:
        games.mask(mask)
        games.observe(seen)
        games.step(games.pick("random", out=actions))
        yield GAMES


def pgx_env(name: str) -> Iterator[int]:
    """All in one compiled function: a random legal action, the step, a new game where one is over."""
    jax, pgx = import_module("jax"), import_module("pgx")
    auto_reset = import_module("pgx.experimental").auto_reset
    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    def go(state: Any, key: Any) -> Any:
        key, one, two = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(one, logits)
        return jax.vmap(step)(state, actions, jax.random.split(two, GAMES)), key

    compiled_go = jax.jit(go)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), GAMES))
    key = jax.random.PRNGKey(2)
    while True:
        state, key = compiled_go(state, key)
        state.observation.block_until_ready()
        yield GAMES


# -- the table ---------------------------------------------------------------------------------

SINGLE, MANY = "one game at a time", f"{GAMES:,} games at a time"

OURS: dict[str, list[tuple[str, Callable[[], Iterator[int]]]]] = {
    SINGLE: [
        ("phaseten, Gymnasium", gymnasium_env),
        ("phaseten, PettingZoo", lambda: pettingzoo_env(phaseten_v0.env)),
        ("phaseten, OpenSpiel", lambda: openspiel("phaseten")),
    ],
    MANY: [
        ("phaseten, VectorEnv", vector_env),
        ("phaseten, kernel.Batch", batch),
    ],
}
THEIRS: dict[str, list[tuple[str, Callable[[], Iterator[int]]]]] = {
    SINGLE: [
        (
            "PettingZoo, gin_rummy_v4",
            lambda: pettingzoo_env(import_module("pettingzoo.classic.gin_rummy_v4").env),
        ),
        ("RLCard, gin-rummy", rlcard_env),
        ("OpenSpiel, gin_rummy (C++)", lambda: openspiel("gin_rummy")),
        ("OpenSpiel, block dominoes (Python)", lambda: openspiel("python_block_dominoes")),
    ],
    MANY: [
        (f"pgx, {name}", lambda name=name: pgx_env(name))
        for name in ("leduc_holdem", "sparrow_mahjong", "backgammon", "2048")
    ],
}


def gather() -> tuple[list[Contestant], list[str]]:
    """Those that can be measured, each after its first step, and the names of those that cannot."""
    for registers in ("phaseten.envs.openspiel", "open_spiel.python.games"):
        import_module(registers)  # games that are written in Python
    found, lacking = [], []
    for kind in (SINGLE, MANY):
        for name, make in (*OURS[kind], *THEIRS[kind]):
            steps = make()
            try:
                next(steps)
            except ImportError:
                lacking.append(name)
            else:
                found.append(Contestant(kind, name, steps))
    return found, lacking


def measure(contestant: Contestant, seconds: float) -> float:
    """Steps a second of CPU time."""
    count, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        count += next(contestant.steps)
    return count / spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each figure in each round")
    options = parser.parse_args()
    if not compiled:
        raise SystemExit("the kernel is not compiled: install a C compiler, then run 'make bench'")
    contestants, lacking = gather()
    rounds: dict[str, list[float]] = {contestant.name: [] for contestant in contestants}
    for _ in range(options.rounds):
        for contestant in contestants:
            rounds[contestant.name].append(measure(contestant, options.seconds))
    print(
        f"steps a second of CPU time, the median of {options.rounds} rounds, {os.cpu_count()} cores"
    )
    for kind in (SINGLE, MANY):
        ours = [name for name, _ in OURS[kind]]
        heads = "".join(f"{our.partition(', ')[2]:>14}" for our in ours)
        print(f"\n{kind:<38}{'steps/s':>12}{heads}")
        for contestant in contestants:
            if contestant.kind == kind:
                print_row(contestant.name, rounds, ours)
    if lacking:
        print(f"\nnot installed: {', '.join(lacking)}")
    return 0


def print_row(name: str, rounds: dict[str, list[float]], ours: list[str]) -> None:
    """A contestant's rate, and how often it goes into each of ours."""
    ratios = [
        statistics.median(a / b for a, b in zip(rounds[our], rounds[name], strict=True))
        for our in ours
    ]
    row = "".join(f"{ratio:>13,.2f}x" for ratio in ratios)
    print(f"{name:<38}{statistics.median(rounds[name]):>12,.0f}{row}")


if __name__ == "__main__":
    sys.exit(main())
