"""Makes a network that plays like another: ``python -m training.distil CHECKPOINT --out FOLDER``.

At each decision, at tables of many kinds, the teacher says how much it likes each action, and its pupil learns
to like the same. At half of the tables the teacher plays, by its chances, at the others the pupil: so it learns
where its own play takes it, too. ``master`` lets a small pupil play hands out, where many looks count for more
than deep ones. ``--teacher classic-2=FOLDER`` is another teacher for one kind of table: so what was learned at
each alone comes together in one network, which ``--from`` lets begin with what it knows.
"""

from __future__ import annotations

import argparse
import copy
import dataclasses
import json
import math
import shlex
import sys
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from training.checkpoint import load_policy, save_weights
from training.evaluation import evaluate
from training.network import Policy, chances_of, draw
from training.rollout import LONGEST_PAST, make_tables

if TYPE_CHECKING:
    from training.evaluation import Result
    from training.host import HostTables

KINDS = "classic-2:4 classic-4:3 express-2:2 express-4:2 classic-3:1 classic-6:1 express-3:1 express-6:1"
"""Kinds of tables, and how many shares of the decisions each has."""
AVERAGE = 0.999
"""How much of the averaged weights is kept at each update."""
WARM_UP = 200
"""Updates with rising rates."""


@dataclasses.dataclass
class Kind:
    """The tables of one kind."""

    edition: str
    players: int
    tables: HostTables
    part: float
    """Of all decisions."""
    teacher: Policy


def make_kinds(
    words: str, slots: int, threads: int, teachers: dict[str, Policy], sharp: float
) -> list[Kind]:
    """Tables of each kind, so many for each share; the teacher of all that have none of their own is ``""``.

    ``sharp`` is in how many of the games half the seats are sharp's.
    """
    shares = {word.split(":")[0]: int(word.split(":")[1]) for word in words.split()}
    found: list[Kind] = []
    for number, (name, share) in enumerate(shares.items()):
        edition, _, players = name.rpartition("-")
        tables = make_tables(edition, int(players), slots * share, torch.device("cpu"), threads)
        tables.set_share(sharp)
        tables.start(number)
        tables.play_on(LONGEST_PAST, number)
        teacher = teachers.get(name, teachers[""])
        found.append(Kind(edition, int(players), tables, share / sum(shares.values()), teacher))
    return found


class Distillery:
    """The network that learns, and the tables with its teachers."""

    def __init__(self, pupil: Policy, kinds: list[Kind]) -> None:
        self.pupil, self.kinds = pupil, kinds
        self.average = copy.deepcopy(pupil).requires_grad_(requires_grad=False)
        self.chance = torch.Generator()
        self.chance.manual_seed(1)
        self.optimiser = torch.optim.AdamW(self.pupil.parameters(), lr=1e-3, weight_decay=0.01)
        self.decisions = 0

    def step(self, rate: float) -> tuple[float, float]:
        """One decision at every table, and an update by all of them: how far they are apart, and how often they agree."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        apart, agreed = 0.0, 0.0
        for kind in self.kinds:
            features, masks = kind.tables.features, kind.tables.masks
            with torch.no_grad():
                wanted = kind.teacher(features, masks, torch.bfloat16)
            found = self.pupil(features, masks, torch.bfloat16)
            loss = (chances_of(wanted) * (wanted - found)).sum(dim=1).mean()
            (kind.part * loss).backward()
            apart += kind.part * float(loss.detach())
            same = wanted.argmax(dim=1) == found.argmax(dim=1)
            agreed += kind.part * float(same.float().mean())
            half = len(features) // 2
            with torch.no_grad():
                chances = chances_of(torch.cat((wanted[:half], found[half:])))
                kind.tables.step(draw(chances, self.chance).int())
            self.decisions += len(features)
        torch.nn.utils.clip_grad_norm_(self.pupil.parameters(), 1.0)
        self.optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(
                list(self.average.parameters()), list(self.pupil.parameters()), 1 - AVERAGE
            )
        return apart, agreed

    def run(self, seconds: float, rate: float) -> None:
        """Learn for so long, at a rate that falls to nothing."""
        begun = shown = time.monotonic()
        recent: deque[tuple[float, float]] = deque(maxlen=100)
        number = 0
        while (part := (time.monotonic() - begun) / seconds) < 1:
            number += 1
            falling = (1 + math.cos(math.pi * part)) / 2
            recent.append(self.step(rate * min(1.0, number / WARM_UP) * falling))
            if time.monotonic() > shown + 20:
                shown = time.monotonic()
                apart, agreed = (sum(column) / len(recent) for column in zip(*recent, strict=True))
                print(
                    f"{shown - begun:6.0f} s  {self.decisions / 1e6:.1f} M decisions, "
                    f"{apart:.4f} apart, the same choice at {agreed:.2%}",
                    flush=True,
                )


def measure(
    kinds: list[Kind], pairs: int, threads: int, policy: Policy | None
) -> dict[str, Result]:
    """How it does against sharp, or each kind's teacher."""
    found: dict[str, Result] = {}
    for kind in kinds:
        found[f"{kind.edition}-{kind.players}"] = evaluate(
            policy or kind.teacher,
            edition=kind.edition,
            players=kind.players,
            pairs=pairs,
            seed=1,
            threads=threads,
            kind=torch.float32,
        )
    return found


def keep(
    pupil: Policy, kinds: list[Kind], teachers: dict[str, Path], folder: Path, known: dict[str, Any]
) -> None:
    """Write the weights, and what is known of them and of who taught them."""
    taught_by = {
        name or "others": json.loads((path / "about.json").read_text())["sha256"]["policy"]
        for name, path in teachers.items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        **known,
        "taught_by": taught_by,
        "met": [{"edition": kind.edition, "players": kind.players} for kind in kinds],
        "sha256": {"policy": save_weights(pupil, folder / "policy.npz")},
    }
    (folder / "about.json").write_text(json.dumps(about, indent=1) + "\n")


def main() -> None:
    """Learn, measure and keep."""
    parser = argparse.ArgumentParser(prog="python -m training.distil", description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--slots", type=int, default=512, help="for each share of a kind")
    parser.add_argument("--from", dest="start", type=Path, help="who learns: a checkpoint")
    parser.add_argument(
        "--teacher",
        dest="teachers",
        action="append",
        default=[],
        metavar="EDITION-PLAYERS=CHECKPOINT",
        help="another teacher at tables of this kind",
    )
    parser.add_argument("--sharp", type=float, default=0, help="in how many games sharp plays too")
    parser.add_argument("--kinds", default=KINDS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=1024)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.manual_seed(1)
    paths = {"": given.checkpoint}
    for word in given.teachers:
        name, _, path = word.partition("=")
        if name not in [part.split(":")[0] for part in given.kinds.split()] or not path:
            parser.error(f"{word}: --teacher takes one of --kinds and a checkpoint")
        paths[name] = Path(path)
    teachers = {name: load_policy(path) for name, path in paths.items()}
    kinds = make_kinds(given.kinds, given.slots, given.threads, teachers, given.sharp)
    pupil = Policy(given.width, given.layers)
    if given.start:
        pupil = load_policy(given.start).requires_grad_()
    still = Distillery(pupil, kinds)
    still.run(given.seconds, given.rate)
    results = {
        name: measure(kinds, given.pairs, given.threads, policy)
        for name, policy in (("teacher", None), ("pupil", still.average))
    }
    for name, found in results.items():
        for kind, result in found.items():
            print(f"{kind}, {name}: {result}, lays {result.laid:.3f}", flush=True)
    known = {
        "settings": {"width": pupil.trunk.bias.numel(), "layers": len(pupil.trunk.layers)},
        "command": shlex.join(["python", "-m", "training.distil", *sys.argv[1:]]),
        "decisions": still.decisions,
        "strength": {kind: result._asdict() for kind, result in results["pupil"].items()},
    }
    keep(still.average, kinds, paths, given.out, known)


if __name__ == "__main__":
    main()
