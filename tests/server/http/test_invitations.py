"""Under which address others come to a table."""

import re
import socket
from pathlib import Path

import httpx
import pytest

from phaseten.server.http.invitations import (
    NO_NETWORK,
    ONLY_HERE,
    Reach,
    network_address,
    qr_form,
    reach,
)
from tests.patience import PATIENCE
from tests.server.service import Service, open_table, run
from tests.server.test_play import ANA


@pytest.mark.parametrize(
    ("asked", "base"),
    [
        ("play.example.org", "http://play.example.org"),
        ("192.168.1.5:8010", "http://192.168.1.5:8010"),
        ("[2001:db8::7]:80", "http://[2001:db8::7]:80"),
    ],
)
def test_who_came_by_a_name_of_the_network_invites_by_it(asked: str, base: str) -> None:
    assert reach("http", asked, "127.0.0.1") == Reach(base)


@pytest.mark.parametrize(
    "asked", ["localhost:80", "127.0.0.1:80", "[::1]:80", "a.localhost:80", 'x"><b>']
)
def test_localhost_is_of_no_use_to_others(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phaseten.server.http.invitations.network_address", lambda _: "10.1.2.3")
    port = "" if "<" in asked else ":80"
    assert reach("http", asked, "0.0.0.0") == Reach(f"http://10.1.2.3{port}")
    assert reach("https", asked, "10.9.9.9") == Reach(f"https://10.9.9.9{port}")
    assert reach("http", asked, "127.0.0.1").trouble == ONLY_HERE
    monkeypatch.setattr("phaseten.server.http.invitations.network_address", lambda _: "")
    assert reach("http", asked, "0.0.0.0").trouble == NO_NETWORK
    assert "<" not in reach("http", asked, "0.0.0.0").base


def test_the_network_address_is_one_of_this_machine() -> None:
    address = network_address("0.0.0.0")
    if address:  # a machine in no network has none
        with socket.socket() as probe:
            probe.bind((address, 0))


def test_a_qr_code_is_drawn_module_by_module() -> None:
    import segno  # noqa: PLC0415 - the oracle

    link = "http://192.168.1.5:8010/join/ABCDEFGH"
    form = qr_form(link)
    matrix = segno.make(link, micro=False, error="m").matrix
    dark = {(x, y) for y, row in enumerate(matrix, 4) for x, module in enumerate(row, 4) if module}
    drawn: set[tuple[int, int]] = set()
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", form.path):
        drawn |= {(int(x) + i, int(y)) for i in range(int(width))}
    assert drawn == dark
    assert form.size == len(matrix) + 8
    assert re.fullmatch(r"(M\d+ \d+h(\d+)v1h-\2z)+", form.path), "nothing but a path"


def test_the_server_invites(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite")) as service:

        async def main() -> None:
            code = await open_table(service, ANA)
            async with httpx.AsyncClient(
                base_url=service.url, verify=False, timeout=PATIENCE
            ) as http:
                path = f"/api/tables/{code}/invitation"
                friendly = await http.get(path, headers={"host": "cards.local:8010"})
                assert friendly.json()["link"] == f"http://cards.local:8010/join/{code}"
                assert friendly.json()["warning"] == ""
                assert friendly.json()["qr"]["path"].startswith("M")
                # The tests' server listens to this machine only.
                local = (await http.get(path, headers={"accept-language": "pt"})).json()
                assert local["qr"] is None
                assert local["warning"].startswith("Outros aparelhos")
                assert (await http.get("/api/tables/ABCDEFGH/invitation")).status_code == 404
                friendly = await http.get("/api/address", headers={"host": "cards.local:8010"})
                assert friendly.json() == {"base": "http://cards.local:8010", "warning": ""}
                local = (await http.get("/api/address", headers={"accept-language": "pt"})).json()
                assert local["base"] == service.url
                assert local["warning"].startswith("Outros aparelhos")

        run(main)
