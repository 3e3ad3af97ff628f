"""Whose limits count, with and without a proxy in front."""

from pathlib import Path

import httpx

from tests.patience import PATIENCE
from tests.server.service import Service

TIGHT = ("--limit=requests=2/0.001",)


def statuses(service: Service, *forwarded: str) -> list[int]:
    with httpx.Client(base_url=service.url, verify=False, timeout=PATIENCE) as http:
        for _ in range(100):
            try:
                http.get("/healthz")
                break
            except httpx.TransportError:
                continue
        return [
            http.get("/api/tables", headers={"x-forwarded-for": address}).status_code
            for address in forwarded
        ]


def test_anybody_can_say_to_be_somebody_else_and_is_not_believed(tmp_path: Path) -> None:
    with Service(str(tmp_path / "tables.sqlite"), *TIGHT) as service:
        assert statuses(service, "192.0.2.1", "192.0.2.2", "192.0.2.3") == [200, 200, 429]


def test_a_proxy_is_believed_but_not_what_it_was_told(tmp_path: Path) -> None:
    options = (*TIGHT, "--proxies", "127.0.0.1")
    with Service(str(tmp_path / "tables.sqlite"), *options) as service:
        assert statuses(service, *["192.0.2.1"] * 3, "192.0.2.2") == [200, 200, 429, 200]
        # What stands before the proxy's own entry was written by the client.
        spoofed = [f"10.0.0.{number}, 192.0.2.3" for number in range(3)]
        assert statuses(service, *spoofed) == [200, 200, 429]
        # One customer of IPv6 has many addresses.
        assert statuses(service, *[f"2001:db8::{n}" for n in range(1, 4)]) == [200, 200, 429]
