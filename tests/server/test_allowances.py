"""Whoever opens many connections has not many times as much."""

from pathlib import Path

from phaseten.server.allowances import MOST_SEATS, Allowances, Who
from phaseten.server.settings import Limits, Rate
from tests.server.service import Client, Service, open_table, run

ANA = "a" * 43
TIGHT = Limits(changes=Rate(3, 0.000001), talk=Rate(2, 0.000001), crowd=2)


def granted(allowances: Allowances, *people: Who) -> int:
    return sum(allowances.take(who, "changes") for who in people)


def test_a_guest_has_one_measure_wherever_that_one_is() -> None:
    allowances = Allowances(TIGHT)
    assert granted(allowances, *[Who("ana", f"addr {n}", f"table {n}") for n in range(9)]) == 3
    assert allowances.take(Who("ana", "addr", "table"), "talk"), "each use has its own"


def test_an_address_has_the_measure_of_a_crowd() -> None:
    allowances = Allowances(TIGHT)
    guests = [Who(f"guest {n}", "here", f"table {n}") for n in range(50)]
    assert granted(allowances, *guests) == 2 * 3
    assert granted(allowances, Who("other", "elsewhere", "table")) == 1


def test_a_table_has_the_measure_of_a_full_one() -> None:
    allowances = Allowances(TIGHT)
    guests = [Who(f"guest {n}", f"addr {n}", "table") for n in range(50)]
    assert granted(allowances, *guests) == MOST_SEATS * 3
    assert all(allowances.take(who, "messages") for who in guests), "to ask harms nobody there"


def test_twenty_connections_of_one_guest_rename_no_more_than_one(tmp_path: Path) -> None:
    limits = ("--limit=requests=99/99", "--limit=messages=99/99", "--limit=changes=5/0.001")
    with Service(str(tmp_path / "tables.sqlite"), *limits) as service:

        async def main() -> None:
            code = await open_table(service, ANA)
            clients = [Client(service, code, ANA) for _ in range(20)]
            for client in clients:
                await client.connect()

            for number, client in enumerate(clients):
                await client.send("sit", seat=1, name=f"n{number}", id=7)
            reasons = [await refusal(client) for client in clients]
            assert reasons.count("") == 5
            assert reasons.count("too-fast") == 15

        async def refusal(client: Client) -> str:
            """Why the client's own request was refused, or nothing where it was done."""
            await client.send("undo", at=0, id=8)  # which is always refused
            found = ""
            while True:
                message = await client.receive_any()
                if message["type"] == "refused" and message.get("id") == 8:
                    return found
                if message["type"] == "refused":
                    found = message["reason"]

        run(main)
