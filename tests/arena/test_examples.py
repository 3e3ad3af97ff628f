"""The example bots that authors start from: they play whole games and do nothing wrong."""

import os
from pathlib import Path

import pytest

from phaseten.arena.chunks import Chunk, Conduct, play_chunk
from phaseten.arena.entrants import check_entrant, parse_entrants
from phaseten.arena.gameplay import GameTerms
from phaseten.arena.matches import match_pairs
from phaseten.arena.time_limits import TimeLimits
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules, parse_variant

BOTS = Path(__file__).parents[2] / "examples" / "bots"
PATIENT = Conduct(TimeLimits(move=20.0, start=60.0))


@pytest.mark.skipif(os.name != "posix", reason="programs play on POSIX systems")
@pytest.mark.parametrize(
    ("bot", "box", "players"),
    [
        pytest.param(bot, *table, marks=() if number == place else pytest.mark.long)
        for number, bot in enumerate(["nora:Nora", "./ida.sh", "./otto.py"])
        for place, table in enumerate([("classic", 2), ("anniversary", 3), ("express", 4)])
    ],
)
def test_it_plays(bot: str, box: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BOTS)
    monkeypatch.syspath_prepend(str(BOTS))
    guests = parse_entrants([bot, "casual"])
    for guest in guests:
        check_entrant(guest, PATIENT.limits)
    table = GameTerms(Rules(edition(box), parse_variant("phases=5")), players, 3)
    [match] = match_pairs([table], guests)
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
