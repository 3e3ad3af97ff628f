"""Whole games of built-in players in bulk, and what happened in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from phaseten.kernel.players import policy_number
from phaseten.kernel.setup import find_setup
from phaseten.kernel.simulation_core import Simulator
from phaseten.rules.options import Rules

_NO_LIMIT = 2**62
_COUNTERS = 8


class Simulation(NamedTuple):
    """What happened in many games."""

    games: int
    """Games played to their end."""
    unfinished: int
    """Games given up after ``most_actions``, where that was asked for."""
    hands: int
    turns: int
    actions: int
    wins: tuple[int, ...]
    """Games won by each seat."""
    first_player_wins: int
    """Games won by the player who began the first hand."""
    points: int
    """All points scored, tie-break hands left out."""
    made: tuple[int, ...]
    """How often each Phase of the game was laid, tie-break hands left out."""


def simulate(  # noqa: PLR0913 - a simulation has that many things to choose, by name
    rules: str | Rules = "classic",
    players: int = 2,
    *,
    games: int,
    policies: str | Sequence[str] = "casual",
    variant: str = "standard",
    house: Iterable[str] = (),
    seed: int = 0,
    threads: int | None = None,
    most_actions: int | None = None,
) -> Simulation:
    """Play games of built-in players: one policy for all players, or one for each.

    The same seed gives the same games, whatever the number of threads. They are not those of
    ``Game(seed=…)``: for speed, chance is a stream of its own here. Every game is played to its end,
    unless ``most_actions`` says when to give one up. The house rule ``endless_hands`` needs that.
    """
    setup = find_setup(rules, players, variant, house)
    names = [policies] * players if isinstance(policies, str) else list(policies)
    if len(names) != players:
        raise ValueError(f"{players} players need {players} policies, not {len(names)}")
    if games < 0 or (most_actions is not None and most_actions < 1):
        raise ValueError("games and most_actions cannot be negative")
    if most_actions is None and setup.rules.endless_hands:
        raise ValueError("with the house rule endless_hands games may never end: say most_actions")
    chosen = np.array([policy_number(name) for name in names], np.int32)
    workers = max(1, min(threads or os.cpu_count() or 1, games))
    edges = [games * i // workers for i in range(workers + 1)]
    counts = np.zeros((workers, _COUNTERS + players + len(setup.rules.phases)), np.int64)
    simulator = Simulator(setup.layout)
    with ThreadPoolExecutor(workers) as pool:
        parts = [
            pool.submit(
                simulator.run,
                edges[i],
                edges[i + 1] - edges[i],
                seed & (2**64 - 1),
                chosen,
                most_actions or _NO_LIMIT,
                counts[i],
            )
            for i in range(workers)
        ]
        for part in parts:
            part.result()
    total = [int(count) for count in counts.sum(axis=0)]
    return Simulation(
        games=total[0],
        unfinished=total[6],
        hands=total[1],
        turns=total[2],
        actions=total[3],
        wins=tuple(total[_COUNTERS : _COUNTERS + players]),
        first_player_wins=total[4],
        points=total[5],
        made=tuple(total[_COUNTERS + players :]),
    )
