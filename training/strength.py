"""How strong a checkpoint is: ``python -m training.strength CHECKPOINT [--players 4] ...``."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import torch

from training.checkpoint import load_weights
from training.evaluation import LAY, evaluate
from training.network import Policy

OPPONENTS = {"random": 0, "casual": 1, "sharp": 2, "rookie": 3}


def main() -> None:
    """Play duplicated games and print the share that was won."""
    parser = argparse.ArgumentParser(prog="python -m training.strength", description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opponent", choices=sorted(OPPONENTS), default="sharp")
    parser.add_argument("--lay-at-once", action="store_true", help="never hold a Phase back")
    given = parser.parse_args()
    about = json.loads((given.checkpoint / "about.json").read_text())
    policy = Policy(about["settings"]["width"], about["settings"]["layers"])
    load_weights(policy, given.checkpoint / "policy.npz")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    result = evaluate(
        policy.to(device),
        edition=given.edition,
        players=given.players,
        pairs=given.pairs,
        seed=given.seed,
        threads=os.cpu_count() or 1,
        kind=torch.float32,
        opponent=OPPONENTS[given.opponent],
        always=LAY if given.lay_at_once else None,
    )
    print(
        f"{given.edition}, {given.players} players, against {given.opponent}: {result}; "
        f"lays at {100 * result.laid:.1f} % of its chances"
    )


if __name__ == "__main__":
    main()
