"""What a training run is told, from one TOML file."""

from __future__ import annotations

import dataclasses
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Table:
    """A group of tables of one kind that are played side by side."""

    edition: str = "classic"
    players: int = 2
    slots: int = 16384
    steps: int = 32
    """Decisions at each table in a window."""
    minibatch: int = 32768
    """Decisions that the policy learns from in one update, and the critic."""
    judged: int = 65536
    share: float = 0.0
    """In how many of the games half the seats are sharp's."""
    watched: bool = True
    """Whether it is measured on the way too, not only at the end."""


@dataclass(frozen=True)
class Imitation:
    """Learning what sharp does, and what comes of it."""

    seconds: float = 60
    iterations: int = 1_000_000
    """It ends with these or with the seconds, whichever comes first."""
    rate: float = 1e-3
    smoothing: float = 0.03
    random: float = 0.04
    """How often a random action is played instead of sharp's."""


@dataclass(frozen=True)
class Play:
    """Playing against oneself."""

    seconds: float = 440
    iterations: int = 1_000_000
    rate: float = 5e-4
    last_rate: float = 5e-5
    critic_rate: float = 0
    """The critic's own, falling to a fifth; 0: as the policy's."""
    most_moved: float = 0.01
    """Where a window moves the policy further than this (KL), the rate falls until it does not."""
    clip: float = 0.2
    plain: float = 1
    """What was done with at least this chance teaches next to nothing, and is left out but for what fills the minibatches."""
    updates: int = 16
    """Updates by what is in a window, and how often over."""
    epochs: int = 1
    trace: float = 0.8
    """Lambda, from one decision of a seat to its own next: for what the policy learns."""
    critic_trace: float = 0.9
    """The same for what the critic learns."""
    entropy: float = 0.01
    last_entropy: float = 0.002
    warm_up: float = 0.02
    """The first part of it, in which only the critic learns."""
    average: float = 0.95
    """How much of the averaged weights is kept at each iteration."""
    value_rate: float = 1e-4
    evaluate_every: float = 60


@dataclass(frozen=True)
class Evaluation:
    """Whole games against sharp, on duplicated deals."""

    pairs: int = 2048
    last_pairs: int = 8192
    seed: int = 20_261_116


@dataclass(frozen=True)
class Settings:
    """Everything."""

    name: str
    tables: tuple[Table, ...]
    width: int = 512
    layers: int = 3
    critic: tuple[int, int] = (768, 3)
    """Width and layers of the critic, which does not ship."""
    seed: int = 1
    threads: int = 0
    """0: as many as there are cores."""
    epsilon: float = 1e-5
    """Of the optimiser; with much less, weights that are rarely used may jump when they are."""
    speed: str = "eager"
    """``eager``, or ``graph``: CUDA graphs."""
    imitation: Imitation = field(default_factory=Imitation)
    play: Play = field(default_factory=Play)
    evaluation: Evaluation = field(default_factory=Evaluation)


def read_settings(path: Path) -> Settings:
    """The settings in a file; what it does not say is as above."""
    with path.open("rb") as file:
        found = tomllib.load(file)
    parts: dict[str, Any] = {
        "imitation": Imitation,
        "play": Play,
        "evaluation": Evaluation,
    }
    made: dict[str, Any] = {}
    for name, value in found.items():
        if name == "tables":
            made[name] = tuple(_make(Table, row, path) for row in value)
        elif name in parts:
            made[name] = _make(parts[name], value, path)
        else:
            made[name] = tuple(value) if isinstance(value, list) else value
    made.setdefault("name", path.stem)
    return _make(Settings, made, path)


def _make(kind: type[Any], values: dict[str, Any], path: Path) -> Any:
    known = {part.name for part in dataclasses.fields(kind)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise SystemExit(f"{path}: {', '.join(unknown)}: there is no such setting.")
    return kind(**values)
