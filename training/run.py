"""A whole training run, resumable: value, imitation, play against oneself, evaluation."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from training import checkpoint
from training.curves import draw
from training.evaluation import Result, evaluate
from training.learning import FIGURES, Learner
from training.rollout import Group, finish, play
from training.value import fit, record_sheets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from training.settings import Settings, Table

SLOWER, FASTER = 0.9, 1.03
"""The rate is multiplied by these after a window that moved the policy too far, or little."""
SLOWEST = 0.05


class Progress:
    """How much of a stage is done, by the clock or by iterations, whichever is further."""

    def __init__(self, seconds: float, iterations: int) -> None:
        self.started = time.monotonic()
        self.seconds = seconds
        self.iterations = iterations
        self.number = 0

    def gone(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    def part(self) -> float:
        """0 at the start, 1 at the end."""
        return max(self.gone() / self.seconds, self.number / self.iterations)


class Run:
    """One run: the tables, the learner, the clock and what was measured."""

    def __init__(self, settings: Settings, out: Path, device: str | None, limit: float) -> None:
        self.begun = time.monotonic()
        self.limit = limit
        self.settings = settings
        self.out = out
        torch.backends.cuda.matmul.allow_tf32 = True
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self.threads = settings.threads or os.cpu_count() or 1
        self.groups = [
            Group(table, self.device, self.threads, settings.seed + i)
            for i, table in enumerate(settings.tables)
        ]
        self.learner = Learner(settings, self.groups, self.device)
        self.known: set[tuple[str, int]] = set()
        """Editions and numbers of players that the networks have met."""
        self.pace = 1.0
        """What part of the rate is used, so that the policy does not jump."""
        self.curve: list[dict[str, Any]] = []
        self.decisions = 0
        self.earlier = 0.0
        """Seconds of play in the runs that this one goes on from."""
        self.played = 0.0
        self.spent = {"playing": 0.0, "learning": 0.0}
        """Seconds of play that went into each."""
        out.mkdir(parents=True, exist_ok=True)

    def say(self, text: str) -> None:
        """A line with the seconds since the start."""
        print(f"{time.monotonic() - self.begun:7.1f} s  {text}", flush=True)

    def time_left(self) -> float:
        """Seconds until the run must be over."""
        return self.limit - (time.monotonic() - self.begun)

    def resume(self, folder: Path) -> None:
        """Go on from a checkpoint."""
        about = checkpoint.resume(self.learner, folder)
        self.curve = about.get("curve", [])
        if self.curve:
            self.earlier = self.played = self.curve[-1]["seconds"]
            self.decisions = self.curve[-1]["decisions"]
        tables = [*about["settings"].get("tables", []), *about.get("met", [])]
        ours = {table.edition for table in self.settings.tables}
        met = {(table["edition"], table["players"]) for table in tables}
        self.known = {(edition, players) for edition, players in met if edition in ours}
        self.learner.policy.take_after({players for _, players in self.known})
        self.learner.average.load_state_dict(self.learner.policy.state_dict())
        self.say(f"goes on from {folder}, which knows {sorted(self.known)}")

    def is_known(self, group: Group) -> bool:
        """Whether the networks have met such tables before."""
        return (group.table.edition, group.table.players) in self.known

    # -- stages -----------------------------------------------------------------------------------

    def fit_value(self, games: int, steps: int) -> None:
        """Learn the chance to win between hands from games of sharp."""
        kinds = sorted({(table.edition, table.players) for table in self.settings.tables})
        found = [
            record_sheets(edition, players, games, self.device, self.threads, self.settings.seed)
            for edition, players in kinds
        ]
        self.say(f"value: {games} games each of {kinds}")
        losses = fit(self.learner.value, found, steps=steps)
        self.say(f"value: log-loss {', '.join(f'{loss:.4f}' for loss in losses)}")

    def imitate(self) -> None:
        """Learn to do what sharp does."""
        stage, learner = self.settings.imitation, self.learner
        progress = Progress(stage.seconds, stage.iterations)
        while (part := progress.part()) < 1:
            learner.rate.fill_(stage.rate * max(0.02, 1 - part))
            learner.critic_rate.copy_(learner.rate)
            for group in self.groups:
                group.follow_sharp(stage.random)
            learner.learn("imitate")
            learner.settle(0.9)
            if progress.number % 10 == 0:
                self.report(f"imitate {progress.number}", ("same", "loss"))
            progress.number += 1
        learner.settle(0.0)
        self.report("imitate", ("same", "loss"))

    def play(self) -> None:
        """Learn by playing against oneself."""
        stage, learner = self.settings.play, self.learner
        progress = Progress(min(stage.seconds, self.time_left()), stage.iterations)
        last = 0.0
        before = self.decisions
        while (part := progress.part()) < 1:
            rate = (stage.rate + part * (stage.last_rate - stage.rate)) * self.pace
            learner.rate.fill_(rate * float(part >= stage.warm_up))
            learner.critic_rate.fill_(stage.critic_rate * (1 - 0.8 * part) or rate)
            learner.entropy.fill_(stage.entropy + part * (stage.last_entropy - stage.entropy))
            self.fill()
            self.learn()
            learner.settle(stage.average if part >= stage.warm_up else 0.0)
            self.keep_pace(stage.most_moved)
            progress.number += 1
            self.played = self.earlier + progress.gone()
            if progress.number in {1, 2, 4, 8} or progress.number % 20 == 0:
                self.report(f"play {progress.number}")
                self.say(
                    f"{(self.decisions - before) / progress.gone() / 1e6:.2f} M decisions a second; "
                    f"pace {self.pace:.2f}; seconds: "
                    + ", ".join(f"{name} {value:.1f}" for name, value in self.spent.items())
                )
            if progress.gone() - last > stage.evaluate_every:
                last = progress.gone()
                watched = [table for table in self.settings.tables if table.watched]
                self.measure(self.settings.evaluation.pairs, watched)

    def keep_pace(self, most: float) -> None:
        """Slow down where the policy moves too far in one window, and then go on as before."""
        moved = self.learner.moved()
        if moved > most:
            self.pace = max(SLOWEST, self.pace * SLOWER)
        elif moved < most / 2:
            self.pace = min(1.0, self.pace * FASTER)

    def fill(self) -> None:
        """Fill a window of each group."""
        started = time.monotonic()
        self.decisions += sum(group.table.slots * group.table.steps for group in self.groups)
        graphs = self.device.type == "cuda" and self.settings.speed != "eager"
        play(self.groups, self.learner.policy, self.learner.kind, graphs=graphs)
        finish(self.device)
        self.spent["playing"] += time.monotonic() - started

    def learn(self) -> None:
        """Learn from what was played."""
        started = time.monotonic()
        self.learner.learn("play")
        finish(self.device)
        self.spent["learning"] += time.monotonic() - started

    # -- what was measured ------------------------------------------------------------------------

    def report(self, stage: str, names: tuple[str, ...] = FIGURES) -> None:
        """Print how the learning goes."""
        for group, row in zip(self.groups, self.learner.figures.tolist(), strict=True):
            parts = [f"{name} {value:.4f}" for name, value in zip(names, row, strict=False)]
            kind = f"{group.table.edition} {group.players}"
            self.say(
                f"{stage} [{kind}] {' '.join(parts)} "
                f"decisions {self.decisions / 1e6:.1f} M wrong {int(group.tables.wrong)}"
            )

    def measure(self, pairs: int, tables: Sequence[Table]) -> dict[str, Result]:
        """Save, play against sharp at such tables, and keep the figures."""
        self.save()
        found: dict[str, Result] = {}
        for table in tables:
            kind = f"{table.edition}-{table.players}"
            if kind not in found:
                found[kind] = evaluate(
                    self.learner.average,
                    edition=table.edition,
                    players=table.players,
                    pairs=pairs,
                    seed=self.settings.evaluation.seed,
                    threads=self.threads,
                    kind=self.learner.kind,
                )
                self.say(f"against sharp, {kind}: {found[kind]}, lays {found[kind].laid:.3f}")
        self.curve.append(
            {
                "seconds": round(self.played, 1),
                "decisions": self.decisions,
                "results": {kind: result._asdict() for kind, result in found.items()},
            }
        )
        self.save()
        (self.out / "curve.svg").write_text(draw(self.settings.name, self.curve))
        return found

    def save(self) -> None:
        """Write a checkpoint with what was measured so far."""
        now = {(table.edition, table.players) for table in self.settings.tables}
        met = [{"edition": name, "players": players} for name, players in sorted(self.known | now)]
        figures = {"met": met, "curve": self.curve}
        checkpoint.save(self.learner, self.out, figures, shlex.join(sys.argv))
