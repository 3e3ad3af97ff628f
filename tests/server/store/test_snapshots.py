"""A table kept whole is the table that its log makes."""

import json
import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phaseten.rules.editions import BOOK_EDITIONS
from phaseten.server.store import snapshots
from phaseten.server.store.codec import read_events
from phaseten.server.store.snapshots import (
    EVERY,
    DamagedSnapshotError,
    is_due,
    read_table,
    write_table,
)
from phaseten.table.commands import (
    CallOff,
    CallRematch,
    ClearSeat,
    Command,
    LeaveSeat,
    PauseGame,
    ResumeGame,
    Say,
    SeatStandIn,
    StartGame,
    SwitchChat,
    TakeSeat,
    TakeSeatBack,
    Undo,
)
from phaseten.table.decisions import decide
from phaseten.table.fold import apply
from phaseten.table.options import Options
from phaseten.table.state import Table, empty_table
from tests.table.sitting import Sitting

OWN_EDITION = """
based_on = "classic"
deal = 5
phases = ["set 2", "color 3"]
"""


@dataclass(frozen=True)
class Evening:
    """All that decides what happens at a table."""

    edition: str
    seats: int
    pace: int
    seed: int
    steps: int


evenings = st.builds(
    Evening,
    st.sampled_from([*BOOK_EDITIONS, ""]),
    st.integers(2, 4),
    st.sampled_from([0, 100]),
    st.integers(0, 2**32),
    st.integers(1, 160),
)


def disturbances(sitting: Sitting, rng: random.Random) -> list[tuple[str, Command]]:
    """What somebody may do that is no move."""
    version = sitting.table.version
    return [
        ("beto", Say(f"hello {version}")),
        ("ana", TakeSeat(1, f"Ana {version}")),
        ("ana", PauseGame()),
        ("ana", ResumeGame()),
        ("ana", SeatStandIn(2, "rookie")),
        ("beto", TakeSeatBack()),
        ("ana", SwitchChat(rng.random() < 0.8)),
        ("ana", CallOff() if rng.random() < 0.2 else PauseGame()),
        ("ana", CallRematch(rng.randbytes(32))),
        ("ana", StartGame()),
        ("cleo", TakeSeat(2, "Cleo")),
        ("cleo", LeaveSeat()),
        ("ana", ClearSeat(2) if rng.random() < 0.1 else StartGame()),
    ]


def spend(evening: Evening) -> list[Table]:
    """The table after every step of an evening."""
    rng = random.Random(evening.seed)
    own = OWN_EDITION if not evening.edition else ""
    options = Options(
        edition=evening.edition or "classic", custom=own, seats=evening.seats, pace=evening.pace
    )
    sitting = Sitting(options, seed=rng.randbytes(32))
    sitting.seat("ana", "beto")
    tables = [sitting.table]
    while len(tables) < evening.steps:
        turn = sitting.table.turn
        owner = sitting.table.places[turn - 1].owner if turn else ""
        asked = [
            *disturbances(sitting, rng),
            *[(owner, Undo(sitting.table.version))] * 4,
        ]
        who, command = rng.choice(asked)
        playing = sitting.table.stage == "playing" and not sitting.table.paused
        if playing and rng.random() < 0.8:
            sitting.act(rng)
        elif isinstance(decide(sitting.table, who, command), tuple):
            sitting.ask(who, command)
        else:
            continue
        tables.append(sitting.table)
    assert sitting.replayed() == sitting.table
    return tables


@settings(max_examples=12, deadline=None)
@given(evenings)
def test_folding_from_a_snapshot_equals_folding_from_the_start(evening: Evening) -> None:
    for table in spend(evening):
        assert read_table(write_table(table)) == table


def test_a_game_goes_on_from_a_snapshot() -> None:
    sitting = Sitting(Options(edition="deluxe", seats=3, pace=0))
    sitting.seat("ana", "beto")
    sitting.start()
    sitting.play_on(random.Random(1), 200)
    table = empty_table("TEST")
    for at, text in sitting.log:
        table = read_table(write_table(apply(table, at, read_events(text))))
    assert table == sitting.table


def test_what_can_be_taken_back_is_taken_back_after_a_snapshot() -> None:
    """The law must not hold because nothing of this ever happens."""
    found = [
        spend(Evening(name, 2, 100, seed, 160)) for name in ("express", "") for seed in range(4)
    ]
    tables = [table for evening in found for table in evening]
    assert any(len(table.undo) > 1 for table in tables)
    assert any(table.games > 1 for table in tables)
    assert any(table.paused for table in tables)
    assert any(table.barred for table in tables)
    assert any(table.ended for table in tables)
    assert {table.stage for table in tables} == {"waiting", "playing", "finished"}


@pytest.mark.parametrize(
    "damage",
    [
        lambda table: table.update(version="1"),
        lambda table: table.update(more=1),
        lambda table: table.pop("seatings"),
        lambda table: table["options"].update(edition="nobody's"),
        lambda table: table["game"]["board"].update(turn=None),
        lambda table: table["game"].update(draw_pile=["R77"]),
    ],
)
def test_what_is_damaged_is_refused_and_tells_no_cards(damage: object) -> None:
    sitting = Sitting(Options(seats=2, pace=0))
    sitting.seat("ana", "beto")
    sitting.start()
    data = json.loads(write_table(sitting.table))
    assert callable(damage)
    damage(data["table"])
    with pytest.raises(DamagedSnapshotError) as caught:
        read_table(json.dumps(data))
    assert "R77" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"table": {}, "seen": [], "ended": []}', "x"])
def test_what_is_no_snapshot(text: str) -> None:
    with pytest.raises(DamagedSnapshotError):
        read_table(text)


def test_other_fields_are_another_form(monkeypatch: pytest.MonkeyPatch) -> None:
    form = snapshots._form()
    assert form == snapshots.FORM
    monkeypatch.setitem(Table.__annotations__, "mood", "str")
    assert snapshots._form() != form


def test_tables_that_begin_together_are_not_kept_whole_together() -> None:
    codes = [f"{number:06X}" for number in range(64 * EVERY)]
    tables = [empty_table(code) for code in codes]
    for version in range(1, EVERY + 1):
        due = sum(is_due(table._replace(version=version), ()) for table in tables)
        assert due < 2 * len(tables) / EVERY, version


@given(code=st.text("ABCDEFGHJKMNPQRSTUVWXYZ", min_size=6, max_size=6), begun=st.integers(1, 500))
def test_every_table_is_kept_whole_once_in_so_many_steps(code: str, begun: int) -> None:
    table = empty_table(code)
    steps = range(begun, begun + EVERY)
    assert sum(is_due(table._replace(version=version), ()) for version in steps) == 1
