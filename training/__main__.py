"""The one command: ``python -m training SETTINGS.toml --out FOLDER [--from FOLDER]``."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from training.checkpoint import has_value
from training.run import Run
from training.settings import read_settings


def main() -> None:
    """Train as the settings say."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("settings", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="where checkpoints are written")
    parser.add_argument("--from", dest="start", type=Path, help="a checkpoint to go on from")
    parser.add_argument(
        "--table",
        dest="kinds",
        action="append",
        metavar="EDITION-PLAYERS",
        help="tables of this kind, each like the first of the settings, instead of theirs",
    )
    parser.add_argument("--device", help="cpu or cuda; the best there is if not given")
    parser.add_argument("--limit", type=float, default=1e9, help="seconds after which all ends")
    parser.add_argument("--games", type=int, default=100_000, help="to fit the value to")
    given = parser.parse_args()
    settings = read_settings(given.settings)
    if given.kinds:
        tables = tuple(settings.tables[0].as_kind(kind) for kind in given.kinds)
        settings = dataclasses.replace(settings, tables=tables)
    run = Run(settings, given.out, given.device, given.limit)
    run.say(f"{len(run.groups)} groups on {run.device}, {run.threads} threads")
    run.fill()  # what cannot run should fail now
    if given.start:
        run.resume(given.start)
    is_known = all(map(run.is_known, run.groups))
    if not is_known or not given.start or not has_value(given.start):
        run.fit_value(given.games, max(10, given.games // 20))
    if not is_known and settings.imitation.seconds:
        run.imitate()
    watched = [table for table in settings.tables if table.watched]
    run.measure(settings.evaluation.pairs, watched)
    if settings.play.seconds:
        run.play()
        run.measure(settings.evaluation.last_pairs, settings.tables)
    run.say("done")


if __name__ == "__main__":
    main()
