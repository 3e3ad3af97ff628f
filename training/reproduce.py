"""Trains what a file of settings says with several seeds, or checks that it brings what it once brought.

    python -m training.reproduce training/small.toml --seeds 5      train, and write small.json beside it
    python -m training.reproduce training/small.toml --check        train with one more seed, and compare

Two trainings by the same settings differ by chance: by the games of the evaluation, and by what each has met. So the
shares that several seeds have won are the measure: one more seed must come out like them, within their error.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import tempfile
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, NamedTuple

from training.run import Run
from training.settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

GAMES = 500
"""Of sharp, to which the chance to win by the score sheet is fitted at first."""
TIMES_ERROR: dict[int, float] = {3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36}
"""By the number of seeds: standard deviations within which 95 % of further ones lie (Student)."""


class Spread(NamedTuple):
    """What several trainings won, and between what and what one more is to be expected."""

    mean: float
    within: float

    @classmethod
    def of(cls, shares: Sequence[float]) -> Spread:
        """The spread of what so many have won."""
        times = TIMES_ERROR[len(shares)] * (1 + 1 / len(shares)) ** 0.5
        return cls(fmean(shares), times * stdev(shares))

    def holds(self, share: float) -> bool:
        """Whether one more training has come out like the others."""
        return abs(share - self.mean) <= self.within


def train(path: Path, seed: int, device: str | None) -> dict[str, float]:
    """Train by the settings with that seed; the share of the games won against sharp, by kind of table."""
    settings = dataclasses.replace(read_settings(path), seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(settings, Path(folder), device, 1e9)
        run.fit_value(GAMES, GAMES // 5)
        run.imitate()
        run.play()
        results = run.measure(settings.evaluation.last_pairs, settings.tables)
    return {kind: result.share for kind, result in results.items()}


def publish(path: Path, seeds: int, device: str | None) -> None:
    """Train with so many seeds, and write what each has won beside the settings."""
    if seeds not in TIMES_ERROR:
        raise SystemExit(f"{seeds} seeds: {min(TIMES_ERROR)} to {max(TIMES_ERROR)} are needed.")
    found = [train(path, seed, device) for seed in range(1, seeds + 1)]
    shares = {kind: [one[kind] for one in found] for kind in found[0]}
    path.with_suffix(".json").write_text(json.dumps({"shares": shares}, indent=1) + "\n")
    for kind, each in shares.items():
        spread = Spread.of(each)
        print(f"{kind}: {spread.mean:.1%} against sharp; one more within {spread.within:.1%}")


def check(path: Path, device: str | None) -> bool:
    """Whether one more seed comes out like those that were published."""
    published = path.with_suffix(".json")
    if not published.exists():
        raise SystemExit(f"There is no {published} to compare with: train without --check first.")
    known: dict[str, Any] = json.loads(published.read_text())["shares"]
    found = train(path, 1 + max(map(len, known.values())), device)
    good = True
    for kind, share in found.items():
        spread = Spread.of(known[kind])
        good &= spread.holds(share)
        print(
            f"{kind}: {share:.1%} against sharp; published {spread.mean:.1%} ± {spread.within:.1%}: "
            + ("reproduced" if spread.holds(share) else "NOT reproduced")
        )
    return good


def main() -> None:
    """Publish, or check."""
    parser = argparse.ArgumentParser(prog="python -m training.reproduce", description=__doc__)
    parser.add_argument("settings", type=Path)
    parser.add_argument("--device", help="cpu or cuda; the best there is if not given")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if not given.check:
        publish(given.settings, given.seeds, given.device)
    elif not check(given.settings, given.device):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
