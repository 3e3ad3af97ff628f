"""What a training run is told, from one TOML file."""

from __future__ import annotations

import dataclasses
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from phaseten.kernel.players.network.weights import EDITIONS

PRECISIONS = ("float32", "bfloat16")


@dataclass(frozen=True)
class Table:
    """A group of tables of one kind that are played side by side."""

    edition: str = "classic"
    players: int = 2
    slots: int = 16384
    steps: int = 32
    """Decisions at each table in a window."""
    minibatch: int = 32768
    """Decisions that the policy learns from in one update."""
    judged: int = 0
    """The same for the critic; 0: as many as the policy."""
    share: float = 0.0
    """In how many of the games half the seats are sharp's."""
    watched: bool = True
    """Whether it is measured on the way too, not only at the end."""

    def most_updates(self) -> int:
        """How many updates there is enough in a window for."""
        return self.slots * self.steps // max(self.minibatch, self.judged)

    def as_kind(self, kind: str) -> Table:
        """Such a group of another kind: ``express-4`` are tables of Express with four players."""
        edition, _, players = kind.rpartition("-")
        if edition not in EDITIONS or players not in {"2", "3", "4", "5", "6"}:
            raise SystemExit(
                f"{kind}: a kind of table is an edition ({', '.join(EDITIONS)}) and two to six "
                "players, as in express-4."
            )
        return dataclasses.replace(self, edition=edition, players=int(players))


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
    """What was done with at least this chance teaches next to nothing, and is left out but for what fills the minibatches.
    Curiosity does not reach what is left out: whoever is to become curious again needs 1.
    """
    updates: int = 0
    """Updates by what is in a window; 0: as many as there is enough for."""
    epochs: int = 1
    """How often that is done with each window."""
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
    precision: str = "float32"
    """Of what processors multiply; ``bfloat16`` is some times faster where they know it. A GPU always takes that."""
    imitation: Imitation = field(default_factory=Imitation)
    play: Play = field(default_factory=Play)
    evaluation: Evaluation = field(default_factory=Evaluation)

    def updates(self) -> int:
        """Updates by what is in a window."""
        return self.play.updates or min(table.most_updates() for table in self.tables)


def read_settings(path: Path) -> Settings:
    """The settings in a file; what it does not say is as above."""
    settings = _read(path)
    if settings.precision not in PRECISIONS:
        raise SystemExit(
            f"{path}: a precision is {' or '.join(PRECISIONS)}, not {settings.precision}."
        )
    for table in settings.tables:
        if settings.updates() > table.most_updates():
            raise SystemExit(
                f"{path}: a window of {table.edition} with {table.players} players has enough for "
                f"{table.most_updates()} updates, not for {settings.updates()}."
            )
    return settings


def _read(path: Path) -> Settings:
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
