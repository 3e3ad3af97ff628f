"""The lines that a GPU runs, run by a processor, against those of the environment: every row, step by step."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from phaseten.kernel.setup import find_setup

if TYPE_CHECKING:
    from training.gpu import GpuTables
    from training.host import HostTables

ROOT = Path(__file__).resolve().parent.parent.parent
KINDS = [
    ("classic", 0, 2),
    ("classic", 0, 4),
    ("anniversary", 1, 3),
    ("elchavo", 3, 5),
    ("express", 4, 6),
]
SLOTS = 96

pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("torch_is_there"),
    pytest.mark.xdist_group("training"),  # whoever waits for the compiler waits alone
]


@pytest.fixture(scope="module")
def lines_are_translated() -> None:
    """The one file for a GPU, from this tree's own sources."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing: it compiles what a GPU runs for this machine")
    subprocess.run([sys.executable, "-m", "training.build", "translated"], cwd=ROOT, check=True)


def same_tables(edition: str, number: int, players: int) -> tuple[GpuTables, HostTables]:
    from training.gpu import GpuTables
    from training.host import HostTables

    torch = importlib.import_module("torch")
    layout = find_setup(edition, players).layout
    return (
        GpuTables(layout, number, SLOTS, torch.device("cpu")),
        HostTables(layout, number, SLOTS, 1),
    )


@pytest.mark.usefixtures("lines_are_translated")
@pytest.mark.parametrize(("edition", "number", "players"), KINDS)
def test_a_gpu_plays_what_processors_play(edition: str, number: int, players: int) -> None:
    torch = importlib.import_module("torch")
    both = same_tables(edition, number, players)
    for tables in both:
        tables.set_share(0.5)
        tables.start(7)
        tables.play_on(300, 3)
    chance = torch.Generator().manual_seed(1)
    ends = 0
    for step in range(200):
        for name in ("features", "secrets", "masks", "turns", "ends"):
            assert torch.equal(*(getattr(tables, name) for tables in both))
        ended = both[0].ends > 0
        ends += int(ended.sum())
        assert torch.equal(*(tables.after[ended] for tables in both))
        actions: Any = torch.zeros(SLOTS, dtype=torch.int32)
        both[step % 2].choose(actions)
        if step % 3 == 0:
            luck = torch.rand(both[0].masks.shape, generator=chance)
            actions = (both[0].masks * luck).argmax(dim=1).int()
        for tables in both:
            tables.step(actions)
    assert ends > 20
    assert [int(tables.wrong) for tables in both] == [0, 0]


@pytest.mark.usefixtures("lines_are_translated")
def test_a_gpu_records_the_same_games() -> None:
    torch = importlib.import_module("torch")
    both = [tables.record_games(5, 64) for tables in same_tables("classic", 0, 2)]
    for one, other in zip(*both, strict=True):
        assert torch.equal(one, other)
    assert (both[0][2] > 0).all()
