"""By which names a server may be called."""

from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from phaseten.server.http.hosts import is_own_name, name_in
from phaseten.server.settings import allowed_hosts
from tests.server.service import FAST, Service, browser, open_table, run
from tests.server.test_play import ANA


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1:8010", True),
        ("192.168.1.5", True),
        ("[2001:db8::5]:8010", True),
        ("[::1]", True),
        ("localhost:8010", True),
        ("LOCALHOST", True),
        ("app.localhost", True),
        ("my-laptop:8010", True),
        ("my-laptop.local:8010", True),
        ("my-laptop.local.:8010", True),
        ("my-laptop.lan", True),
        ("living-room.test", True),
        ("phaseten.default.svc.cluster.local:80", True),
        ("cards.example.org", True),
        ("cards.example.org:443", True),
        ("evil.example", False),
        ("evil.example:8010", False),
        ("www.cards.example.org", False),
        ("cards.example.org.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("local.evil.example", False),
        ("127.0.0.1:80:80", False),
        ("a b", False),
        ("evil.example/.local", False),
        ("", False),
    ],
)
def test_names_that_nobody_else_can_give(host: str, own: bool) -> None:
    assert is_own_name(name_in(host), ("cards.example.org",)) == own


def test_a_proxy_knows_its_names_by_itself() -> None:
    assert allowed_hosts((), is_behind_proxy=False) == ()
    (everything,) = allowed_hosts((), is_behind_proxy=True)
    assert is_own_name("evil.example", (everything,))
    assert allowed_hosts(("a.example",), is_behind_proxy=True) == ("a.example",)


def test_a_page_that_has_its_name_point_here_gets_nothing(tmp_path: Path) -> None:
    options = (*FAST, "--allow-host", "Cards.example.org")
    with Service(str(tmp_path / "tables.sqlite"), *options) as own:

        async def main() -> None:
            code = await open_table(own, ANA)
            evil = {"host": f"evil.example:{own.port}", "origin": f"http://evil.example:{own.port}"}
            async with browser(own) as http:
                for path in ("/", "/api/mine", f"/api/tables/{code}", "/metrics"):
                    answer = await http.get(path, headers={**evil, "accept-language": "fr"})
                    assert answer.status_code == 421
                    assert "--allow-host evil.example" in answer.json()["sentence"]
                    assert answer.headers["x-frame-options"] == "DENY"
                for name in ("cards.example.org", "192.168.1.5:8010", "my-laptop.local"):
                    answer = await http.get("/api/mine", headers={"host": name})
                    assert answer.status_code == 200
            with pytest.raises(InvalidStatus) as caught:
                await connect(
                    f"ws://evil.example:{own.port}/api/tables/{code}/play",
                    host="127.0.0.1",
                    port=own.port,
                )
            assert caught.value.response.status_code == 421

        run(main)
