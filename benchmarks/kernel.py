"""The kernel: whole games in bulk, learners' games, games driven from Python, copies, worlds dealt anew.

Each figure is the best of several rounds, in which all of them take turns, because a busy machine
only ever makes things slower; ratios are those of figures from the same run. Rates are of CPU time;
only the gain of a second thread can but be seen in wall-clock time, and needs two free cores.
``--old TREE`` measures learners' games also with the kernel of another checkout, compiled, in turns with this one.

Fails when a target is missed, or when OpenSpiel is not installed.
"""

from __future__ import annotations

import argparse
import inspect
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from phaseten.kernel import Batch, Game, compiled, simulate

PLAYERS = 4


class Figure(NamedTuple):
    """One line of the table."""

    name: str
    value: float
    unit: str
    target: float | None = None
    most: bool = False
    """The target is the most that the figure may be."""

    @property
    def met(self) -> bool:
        if self.target is None:
            return True
        return self.value <= self.target if self.most else self.value >= self.target


Measure = Callable[[float], float]
"""Measures for about so many seconds."""


# -- whole games in bulk -----------------------------------------------------------------------


class WholeGames:
    """Complete classic games of casual players: actions per second."""

    def __init__(self) -> None:
        self._seed = 0

    def one(self, seconds: float) -> float:
        """Of CPU time."""
        actions, start = 0, time.process_time()
        while (spent := time.process_time() - start) < seconds:
            self._seed += 1
            actions += simulate("classic", PLAYERS, games=100, seed=self._seed, threads=1).actions
        return actions / spent

    def one_thread(self, seconds: float) -> float:
        return self._bursts(seconds, 1)

    def two_threads(self, seconds: float) -> float:
        return self._bursts(seconds, 2)

    def _bursts(self, seconds: float, threads: int) -> float:
        """Of wall-clock time: the best of short bursts.

        On a machine with other work only a short burst after a rest finds both cores free.
        """
        best, end = 0.0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._seed += 1
            time.sleep(0.04)
            start = time.perf_counter()
            done = simulate(
                "classic", PLAYERS, games=50 * threads, seed=self._seed, threads=threads
            ).actions
            best = max(best, done / (time.perf_counter() - start))
        return best


# -- learners' games ---------------------------------------------------------------------------


class Learners:
    """Many classic games of two players: to observe, to mask and to step; any legal action is taken.

    How one is chosen takes time too, which is not counted.
    """

    def __init__(self, games: int) -> None:
        self._games = games
        self._chance = np.random.default_rng(7)
        self._batches: dict[int, Any] = {}

    def one(self, seconds: float) -> float:
        """Actions per second of CPU time on one thread: the best of short bursts."""
        return self._games / min(self._times(1, seconds, time.process_time))

    def one_thread(self, seconds: float) -> float:
        """Of wall-clock time."""
        return self._games / min(self._times(1, seconds, time.perf_counter))

    def two_threads(self, seconds: float) -> float:
        return self._games / min(self._times(2, seconds, time.perf_counter))

    def _times(self, threads: int, seconds: float, clock: Callable[[], float]) -> list[float]:
        """What every game's next action took, and the next, for so long."""
        batch = self._batch(threads)
        seen = np.empty((self._games, batch.observation_size), np.int16)
        mask = np.empty((self._games, batch.actions), np.uint8)
        chances = self._chance.integers(1, 256, (self._games + 64, batch.actions), np.uint8)
        step = step_of(batch, seen, mask)
        mask_of(batch)(mask)
        times: list[float] = []
        while sum(times) < seconds:
            some = len(times) % 64
            actions = (mask * chances[some : some + self._games]).argmax(axis=1).astype(np.int32)
            start = clock()
            step(actions)
            times.append(clock() - start)
        return times

    def _batch(self, threads: int) -> Any:
        if threads not in self._batches:
            batch = Batch("classic", 2, games=self._games, seed=1, threads=threads)
            batch.play("random", 40)  # or all hands would be as they were dealt
            self._batches[threads] = batch
        return self._batches[threads]


def mask_of(batch: Any) -> Callable[[Any], object]:
    """To mask, as it is called now or was once."""
    return batch.mask if hasattr(batch, "mask") else batch.legal


def step_of(batch: Any, seen: Any, mask: Any) -> Callable[[Any], None]:
    """To step and then to see and to mask, in one go where the kernel can: older ones cannot."""
    if "seen" in inspect.signature(batch.step).parameters:
        return lambda actions: batch.step(actions, seen=seen, mask=mask)
    write_mask = mask_of(batch)

    def step(actions: Any) -> None:
        batch.step(actions)
        batch.observe(seen)
        write_mask(mask)

    return step


def learners_of(tree: str) -> Measure:
    """The same, with the kernel of another checkout, in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(Path(tree, "src").resolve())}

    def measure(seconds: float) -> float:
        command = [sys.executable, __file__, "--learners", "--seconds", str(seconds)]
        result = subprocess.run(
            command, env=environment, check=True, stdout=subprocess.PIPE, text=True
        )
        return float(result.stdout)

    return measure


# -- single games ------------------------------------------------------------------------------


def driven_from_python(seconds: float) -> float:
    """Actions per second of games that ask for the legal actions and take one of them.

    What can be laid or hit is: nobody would finish otherwise. The choice costs time too.
    """
    chance = random.Random(7)
    choose = chance.random
    actions, seed = 0, 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        seed += 1
        game = Game("classic", PLAYERS, seed=seed)
        a_hit = game.setup.layout.a_hit
        legal, step = game.legal, game.step
        result = 0
        while result != 2:
            choices = legal()
            last = choices[-1]  # ways to lay come last, hits first
            if last < a_hit:
                last = choices[0]
                if last < a_hit:
                    last = choices[int(choose() * len(choices))]
            result = step(last)
            actions += 1
    return actions / (time.process_time() - start)


def in_the_middle() -> Game:
    game = Game("classic", PLAYERS, seed=3)
    while game.hand < 3:
        game.step(game.pick())
    for _ in range(20):
        game.step(game.pick())
    return game


def each(call: Callable[[], object], seconds: float) -> float:
    """Seconds that one call takes."""
    count, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in range(1_000):
            call()
        count += 1_000
    return spent / count


def copying(seconds: float) -> float:
    """Microseconds."""
    return 1e6 * each(in_the_middle().copy, seconds)


def dealing_anew(seconds: float) -> float:
    """Microseconds."""
    game = in_the_middle()
    return 1e6 * each(lambda: game.resample(1), seconds)


# -- others ------------------------------------------------------------------------------------


def gin_rummy() -> Measure:
    """OpenSpiel's game most like this one, in C++, driven from Python: actions per second."""
    try:
        pyspiel = import_module("pyspiel")  # of the extra `bench`, which the checks do without
    except ImportError:
        raise SystemExit("OpenSpiel is not installed: run 'make bench'") from None
    game = pyspiel.load_game("gin_rummy")
    choose = random.Random(7).random

    def measure(seconds: float) -> float:
        actions = 0
        start = time.process_time()
        while time.process_time() - start < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                actions += not state.is_chance_node()
                choices = state.legal_actions()
                state.apply_action(choices[int(choose() * len(choices))])
        return actions / (time.process_time() - start)

    return measure


def rlcard_gin_rummy() -> Measure | None:
    """RLCard's, in Python, where it is installed."""
    try:
        import rlcard  # noqa: PLC0415  # pyright: ignore[reportMissingImports]
    except ImportError:
        return None
    env = rlcard.make("gin-rummy", config={"seed": 7})
    choose = random.Random(7).random

    def measure(seconds: float) -> float:
        actions = 0
        start = time.process_time()
        while time.process_time() - start < seconds:
            state, _ = env.reset()
            while not env.is_over():
                choices = list(state["legal_actions"])
                state, _ = env.step(choices[int(choose() * len(choices))])
                actions += 1
        return actions / (time.process_time() - start)

    return measure


# -- the table ---------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each figure in each round")
    parser.add_argument("--old", metavar="TREE", help="a checkout with another kernel, compiled")
    parser.add_argument("--learners", action="store_true", help="only actions/s of learners' games")
    parser.add_argument("--games", type=int, default=8_192, help="learners' games side by side")
    options = parser.parse_args()
    if not compiled:
        raise SystemExit("the kernel is not compiled: install a C compiler, then run 'make bench'")
    bulk, learners = WholeGames(), Learners(options.games)
    if options.learners:
        print(learners.one(options.seconds))
        return 0
    measures: dict[str, Measure] = {
        "bulk": bulk.one,
        "bulk, 1 thread": bulk.one_thread,
        "bulk, 2 threads": bulk.two_threads,
        "learners": learners.one,
        "learners, 1 thread": learners.one_thread,
        "learners, 2 threads": learners.two_threads,
        "single": driven_from_python,
        "copy": copying,
        "resample": dealing_anew,
        "OpenSpiel": gin_rummy(),
    }
    if options.old:
        measures["old learners"] = learners_of(options.old)
    if (other := rlcard_gin_rummy()) is not None:
        measures["RLCard"] = other
    rounds: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(options.rounds):
        for name, measure in measures.items():
            rounds[name].append(measure(options.seconds))
    fastest = {
        name: (min if name in ("copy", "resample") else max)(values)
        for name, values in rounds.items()
    }
    return show(fastest, options.rounds)


def show(fastest: dict[str, float], rounds: int) -> int:
    """Print the table; 1 when a target is missed."""
    one, many, peer = fastest["bulk"], fastest["learners"], fastest["OpenSpiel"]
    sizes = [Game("classic", players).setup.layout.state_size for players in range(2, 7)]
    figures = [
        Figure(f"casual classic games in bulk, {PLAYERS} players, one core", one, "actions/s", 3e6),
        Figure("  against 6,000,000 actions/s", one / 6e6, "x"),
        Figure(
            "  two threads against one",
            fastest["bulk, 2 threads"] / fastest["bulk, 1 thread"],
            "x",
            1.8,
        ),
        Figure("learners' games, 2 players: observe, mask, step", many, "actions/s", 3e6),
        Figure(
            "  two threads against one",
            fastest["learners, 2 threads"] / fastest["learners, 1 thread"],
            "x",
            1.8,
        ),
        Figure("single games from Python: legal, step", fastest["single"], "actions/s", 6e5),
        Figure("copy of a game", fastest["copy"], "us", 1.0, most=True),
        Figure("hidden cards dealt anew", fastest["resample"], "us", 3.0, most=True),
        Figure("bytes of a state, 2 to 6 players: most", max(sizes), "bytes", 1024, most=True),
        Figure("OpenSpiel gin_rummy (C++) from Python", peer, "actions/s"),
        Figure("  bulk against it", one / peer, "x", 100),
        Figure("  single games against it", fastest["single"] / peer, "x"),
    ]
    if "old learners" in fastest:
        old = fastest["old learners"]
        figures += [
            Figure("learners' games with the old kernel", old, "actions/s"),
            Figure("  with this one against that", many / old, "x"),
        ]
    if "RLCard" in fastest:
        figures += [
            Figure("RLCard gin-rummy (Python)", fastest["RLCard"], "actions/s"),
            Figure("  bulk against it", one / fastest["RLCard"], "x"),
            Figure("  single games against it", fastest["single"] / fastest["RLCard"], "x"),
        ]
    print(f"best of {rounds} rounds on {os.cpu_count()} cores")
    for figure in figures:
        digits = 0 if figure.value >= 1000 else 2
        target = ""
        if figure.target is not None:
            sign, verdict = "<=" if figure.most else ">=", "met" if figure.met else "MISSED"
            target = f"{sign} {figure.target:,.{0 if figure.target >= 100 else 1}f}  {verdict}"
        print(f"{figure.name:<58}{figure.value:>14,.{digits}f} {figure.unit:<10}{target}")
    return int(not all(figure.met for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
