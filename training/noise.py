"""How much of what a window teaches is chance: ``python -m training.noise CHECKPOINT [--players 4] ...``.

Each window is small and says in which direction the policy should go, a direction in as many dimensions as there are
weights. What two windows agree on, on average over all pairs, is what there is to learn; the rest is chance. Their
ratio says from how many decisions on a step is more than chance. No weights change.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import torch
from torch import Tensor

from training.learning import Learner
from training.rollout import Group, play
from training.run import Run
from training.settings import Play, Settings, Table

PART = 8192
"""Decisions that are looked at together."""


def direction(learner: Learner, group: Group) -> Tensor:
    """Where the decisions of a window would take the policy, each counting the same."""
    parts = learner.weigh(group, group.windows[0], labels=False)
    weights = list(learner.policy.parameters())
    count = len(parts["actions"])
    found = [torch.zeros_like(weight) for weight in weights]
    for rows in torch.arange(count, device=learner.device).split(PART):
        logs = learner.policy(parts["features"][rows], parts["masks"][rows], learner.kind)
        chosen = logs.gather(1, parts["actions"][rows].unsqueeze(1)).squeeze(1)
        gain = (chosen * parts["gains"][rows]).sum() / count
        steps = torch.autograd.grad(gain, weights)
        found = [before + step for before, step in zip(found, steps, strict=True)]
    return torch.cat([part.flatten() for part in found])


def agreement(directions: Tensor) -> tuple[float, float, float]:
    """What windows agree on (squared length), the error of that, and what each has beside it."""
    products = directions @ directions.T
    count = len(directions)
    pairs = products[torch.ones(count, count).triu(1).bool()]
    signal = float(pairs.mean())
    error = 1.96 * float(pairs.std()) / len(pairs) ** 0.5
    return signal, error, float(products.diag().mean()) - signal


def main() -> None:
    """Play some windows and print what they agree on."""
    parser = argparse.ArgumentParser(prog="python -m training.noise", description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--windows", type=int, default=40)
    parser.add_argument("--slots", type=int, default=2048)
    parser.add_argument("--trace", type=float, default=0.9)
    parser.add_argument("--share", type=float, default=0.6, help="of the games with sharp")
    parser.add_argument("--device", help="cpu or cuda; the best there is if not given")
    given = parser.parse_args()
    about = json.loads((given.checkpoint / "about.json").read_text())["settings"]
    table = Table(given.edition, given.players, given.slots, steps=16, share=given.share)
    settings = Settings(
        "noise", (table,), about["width"], about["layers"], play=Play(trace=given.trace)
    )
    with tempfile.TemporaryDirectory() as folder:
        run = Run(settings, Path(folder), given.device, 1e9)
    run.resume(given.checkpoint)
    found: list[Tensor] = []
    for _ in range(given.windows):
        play(run.groups, 0, run.learner.actor, run.learner.kind)
        found.append(direction(run.learner, run.groups[0]).cpu())
    signal, error, noise = agreement(torch.stack(found))
    size = table.slots * table.steps
    print(f"{given.windows} windows of {size:,} decisions: agreed on {signal:.2e} ± {error:.1e}")
    print(f"chance in one window {noise:.2e}")
    least = size * noise / max(signal + error, 1e-12)
    print(f"a step is as much chance as learning with {least / 1e6:.0f} M decisions, or more")


if __name__ == "__main__":
    main()
