"""A table is what its log says."""

import random

import pytest

from phaseten.table.options import Options
from tests.table.sitting import Sitting


@pytest.mark.parametrize("seed", range(6))
def test_a_table_is_what_its_log_says(seed: int) -> None:
    rng = random.Random(seed)
    options = Options(
        edition=rng.choice(["express", "classic", "deluxe"]),
        seats=rng.randint(2, 4),
        pace=rng.choice([0, 10]),
        variant=rng.choice(["standard", "phases=2"]),
    )
    sitting = Sitting(options, seed=rng.randbytes(32))
    sitting.seat("ana", "beto")
    sitting.start()
    sitting.play_on(rng, 400)
    assert sitting.replayed() == sitting.table
