"""How strong a checkpoint is: ``python -m training.strength CHECKPOINT [--players 4] ...``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import torch

from training.checkpoint import load_policy
from training.evaluation import LAY, evaluate

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
    parser.add_argument("--against", type=Path, help="a checkpoint, instead of a built-in player")
    parser.add_argument("--lay-at-once", action="store_true", help="never hold a Phase back")
    given = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    policy = load_policy(given.checkpoint).to(device)
    against = load_policy(given.against).to(device) if given.against else None
    result = evaluate(
        policy,
        edition=given.edition,
        players=given.players,
        pairs=given.pairs,
        seed=given.seed,
        threads=os.cpu_count() or 1,
        kind=torch.float32,
        opponent=OPPONENTS[given.opponent],
        against=against,
        always=LAY if given.lay_at_once else None,
    )
    print(
        f"{given.edition}, {given.players} players, against {given.against or given.opponent}: {result}; "
        f"lays at {100 * result.laid:.1f} % of its chances"
    )


if __name__ == "__main__":
    main()
