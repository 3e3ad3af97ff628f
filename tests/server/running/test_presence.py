"""Who is connected: counted here, told without a new version, and shared between nodes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from phaseten.server.running import presence
from phaseten.server.running.presence import AWAY, EXPIRE, LINGER, NOBODY, Attendance, Present
from phaseten.server.socket.updates import table_form
from phaseten.table.commands import SeatBot
from phaseten.table.options import Options
from tests.server.service import Client, Data, Service, open_table, run
from tests.server.test_play import ANA, BETO, CLEO
from tests.table.sitting import Sitting


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def three_seats() -> Sitting:
    sitting = Sitting(Options(seats=3))
    sitting.seat("ana", "beto")
    return sitting


# -- counting ----------------------------------------------------------------------------------


def test_who_comes_and_goes() -> None:
    clock, table = Clock(), three_seats().table
    attendance = Attendance(clock)
    assert attendance.present(table) == NOBODY
    for owner in ("ana", "ana", "beto", "cleo", "dora", "dora"):
        attendance.arrive(owner)
    assert attendance.present(table) == Present(frozenset({1, 2}), host=True, watchers=2)
    attendance.depart("ana")
    attendance.depart("beto")
    attendance.depart("cleo")
    clock.now += LINGER / 2
    attendance.settle()
    assert attendance.present(table) == Present(frozenset({1, 2}), host=True, watchers=2)
    attendance.arrive("cleo")
    clock.now += LINGER
    attendance.settle()
    assert attendance.present(table) == Present(frozenset({1}), host=True, watchers=2)


def test_a_host_without_a_seat_watches() -> None:
    table = Sitting().table
    attendance = Attendance(Clock())
    attendance.arrive("ana")
    assert attendance.present(table) == Present(frozenset(), host=True, watchers=1)


def test_other_nodes_are_believed_for_a_while() -> None:
    clock, table = Clock(), three_seats().table
    attendance = Attendance(clock)
    attendance.arrive("beto")
    there = Present(frozenset({1}), host=True, watchers=3)
    assert attendance.hear("node", there)
    assert not attendance.hear("node", there)
    assert attendance.present(table) == Present(frozenset({1, 2}), host=True, watchers=3)
    assert attendance.here(table) == Present(frozenset({2}))
    clock.now += EXPIRE - 1
    attendance.settle()
    assert attendance.is_shared
    clock.now += 2
    attendance.settle()
    assert not attendance.is_shared
    assert attendance.present(table) == Present(frozenset({2}))
    attendance.hear("node", there)
    attendance.hear("node", NOBODY)
    assert attendance.present(table) == Present(frozenset({2}))


@pytest.mark.parametrize("present", [NOBODY, Present(frozenset({1, 6}), host=True, watchers=12)])
def test_what_nodes_tell_each_other_comes_back(present: Present) -> None:
    assert presence.parse_present(present.text) == present
    assert len(present.text) < 30


def test_when_the_host_counts_as_gone() -> None:
    clock, sitting = Clock(), three_seats()
    attendance = Attendance(clock)
    clock.now += AWAY - 1
    assert not attendance.is_host_gone(sitting.table), "this node has not looked for long enough"
    attendance.arrive("ana")
    attendance.present(sitting.table)
    clock.now += 10 * AWAY
    assert not attendance.is_host_gone(sitting.table)
    attendance.depart("ana")
    clock.now += LINGER + 1
    attendance.settle()
    attendance.present(sitting.table)
    clock.now += AWAY - 1
    assert not attendance.is_host_gone(sitting.table)
    clock.now += 1
    assert attendance.is_host_gone(sitting.table)
    attendance.hear("node", Present(host=True))
    assert not attendance.is_host_gone(sitting.table)


def test_a_table_shows_who_is_there() -> None:
    sitting = three_seats()
    sitting.ask("ana", SeatBot(3, "sharp"))
    form = table_form(sitting.table, Present(frozenset({2}), host=True, watchers=3))
    assert [seat.connected for seat in form.seats] == [False, True, True], "bots always are"
    assert (form.host_connected, form.watchers) == (True, 3)


# -- telling -----------------------------------------------------------------------------------


def there(update: Data) -> tuple[list[bool], bool, int]:
    table = update["table"]
    connected = [seat["connected"] for seat in table["seats"]]
    return connected, table["host_connected"], table["watchers"]


async def until_there(client: Client, wanted: tuple[list[bool], bool, int]) -> Data:
    while there(client.update) != wanted:
        await client.receive_any()
    return client.update


def test_everybody_sees_who_is_connected(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite")) as service:

        async def main() -> None:
            code = await open_table(service, ANA, seats=3)
            ana, beto, cleo = (Client(service, code, token) for token in (ANA, BETO, CLEO))
            await ana.connect()
            assert there(ana.update) == ([False] * 3, True, 1)
            await beto.connect()
            assert there(beto.update) == ([False] * 3, True, 2)
            told = await ana.receive_any()
            assert (told["steps"], told["version"], there(told)[2]) == ([], 1, 2)
            await ana.ask("sit", seat=1, name="Ana")
            await ana.ask("bot", seat=3, level="sharp")
            await beto.until(lambda update: update["version"] == 3)
            await beto.ask("sit", seat=2, name="Beto")
            await until_there(ana, ([True] * 3, True, 0))
            version = ana.update["version"]
            await beto.close()
            gone = await until_there(ana, ([True, False, True], True, 0))
            assert (gone["steps"], gone["version"]) == ([], version)
            await beto.connect()
            await until_there(ana, ([True] * 3, True, 0))
            await cleo.connect()
            await until_there(ana, ([True] * 3, True, 1))
            answer = await beto.ask("claim_host")
            assert answer["reason"] == "host-here"

        run(main)


def test_nodes_tell_each_other_who_is_connected(new_database: Callable[[], str]) -> None:
    url = new_database()
    with Service(url) as one, Service(url) as two:

        async def main() -> None:
            code = await open_table(one, ANA, seats=2)
            ana, beto = Client(one, code, ANA), Client(two, code, BETO)
            await ana.connect()
            await ana.ask("sit", seat=1, name="Ana")
            await beto.connect()
            await until_there(beto, ([True, False], True, 1))
            await until_there(ana, ([True, False], True, 1))
            await beto.ask("sit", seat=2, name="Beto")
            await until_there(beto, ([True, True], True, 0))
            await until_there(ana, ([True, True], True, 0))
            await ana.close()
            await until_there(beto, ([False, True], False, 0))
            await ana.connect()
            await until_there(beto, ([True, True], True, 0))
            two.stop()
            await until_there(ana, ([True, False], True, 0))

        run(main)
        for service in (one, two):
            assert '"level": "error"' not in service.stop()
