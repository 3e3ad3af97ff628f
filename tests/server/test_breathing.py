"""What takes long beside the play of others gives way on its own: nobody has to wait until it is made to."""

from collections.abc import Callable
from pathlib import Path

import pytest

from phaseten.language import language
from phaseten.notation.records import parse_record
from phaseten.server import breathing
from phaseten.server.http.analyses import check_sent
from phaseten.server.http.replays import moment, replay

GAMES = Path(__file__).parents[1] / "golden" / "games"
TEXT = (GAMES / "classic-2p-standard-seeds.p10").read_text(encoding="utf-8")
STEPS = 100
"""The record has more."""
LONG_WORK: dict[str, Callable[[], object]] = {
    "film": lambda: replay(parse_record(TEXT), None, language("en")),
    "moment": lambda: moment(parse_record(TEXT), None, STEPS),
    "check": lambda: check_sent(TEXT),
}


@pytest.mark.parametrize("name", LONG_WORK)
def test_others_have_their_turn(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    breaths: list[float] = []
    monkeypatch.setattr(breathing.time, "sleep", breaths.append)
    LONG_WORK[name]()
    assert len(breaths) >= STEPS // breathing.BREATH


def test_nothing_is_lost() -> None:
    assert list(breathing.breathing(range(100))) == list(range(100))
