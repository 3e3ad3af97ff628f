"""The example bots that authors start from: they play whole games and do nothing wrong."""

import os
from pathlib import Path

import pytest

from phaseten.arena.entrants import check, entrants
from phaseten.arena.faults import Limits
from phaseten.arena.matches import pairings
from phaseten.arena.playing import Table
from phaseten.arena.working import Chunk, Conduct, play_chunk
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules

BOTS = Path(__file__).parents[2] / "examples" / "bots"
PATIENT = Conduct(Limits(move=20.0, start=60.0))


@pytest.mark.skipif(os.name != "posix", reason="programs play on POSIX systems")
@pytest.mark.parametrize("bot", ["nora:Nora", "./otto.py", "./ida.sh"])
@pytest.mark.parametrize(("box", "players"), [("classic", 2), ("anniversary", 3), ("express", 4)])
def test_it_plays(bot: str, box: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BOTS)
    monkeypatch.syspath_prepend(str(BOTS))
    guests = entrants([bot, "casual"])
    for guest in guests:
        check(guest, PATIENT.limits)
    table = Table(Rules(edition(box)), players, 3)
    [match] = pairings([table], guests)
    match = match._replace(seatings=match.seatings[:2])
    results = [
        [[game.row._replace(seconds=()) for game in deal] for deal in play_chunk(chunk)]
        for chunk in [Chunk(match, (0,), PATIENT)] * (2 if players == 2 else 1)
    ]
    for games in results[0]:
        for row in games:
            assert row.fault is None, row.fault
            assert row.winner is not None
    assert results[0] == results[-1]  # the same cards and seed: the same game
