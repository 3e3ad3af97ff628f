"""The HTTP API does what its description says, whatever is sent."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import (
    allow_header_conformance,
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from schemathesis.generation.case import Case

from phaseten.server.app import Server
from phaseten.server.settings import Settings
from tests.effort import LONG
from tests.patience import PATIENCE
from tests.server.finished import games_of, played
from tests.server.service import FAST, Service, run
from tests.server.test_play import ANA

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "server.md"
OPERATIONS = Server(Settings("none.sqlite")).operations
WEB_SOCKET = ("GET", "/api/tables/CODE/play")
"""OpenAPI has no words for it."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
    allow_header_conformance,
]


class House(NamedTuple):
    """A server at which a game has been played."""

    service: Service
    real: dict[str, str]
    """Values for the addresses that exist."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    database = tmp_path_factory.mktemp("api") / "tables.sqlite"
    with Service(str(database), *FAST, "--limit=guesses=1000000/100000") as running:
        real: dict[str, str] = {}

        async def main() -> None:
            real["code"], _ = await played(running, ANA)
            (game,) = await games_of(running, ANA)
            real["id"] = game["id"]
            # The coach takes its time once: then what it said is kept.
            address = f"{running.url}/api/games/{game['id']}/analysis"
            assert (await asyncio.to_thread(httpx.get, address, timeout=PATIENCE)).is_success

        run(main)
        yield House(running, real)


@pytest.fixture(scope="module")
def described(house: House) -> Any:
    return schemathesis.openapi.from_url(f"{house.service.url}/api/openapi.json")


schema = schemathesis.pytest.from_fixture("described")


@schema.parametrize()  # pyright: ignore[reportUntypedFunctionDecorator]
@settings(
    max_examples=6 if LONG else 3, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_every_answer_is_as_described(case: Case, house: House) -> None:
    case.call_and_validate(checks=CHECKS, headers={"connection": "close"})
    known = {name: house.real[name] for name in case.path_parameters or {} if name in house.real}
    if known and case.method != "DELETE":
        case.path_parameters = known
        headers = {"connection": "close", "cookie": f"phaseten={ANA}"}
        case.call_and_validate(checks=CHECKS, headers=headers)


def test_the_document_lists_what_there_is() -> None:
    listed = re.findall(r"^\| `([A-Z]+) (/\S*?)(?:\?\S*)?`", DOCUMENT.read_text(), re.MULTILINE)
    there = {
        (operation.method, re.sub(r"\{(\w+)\}", lambda m: m[1].upper(), operation.path))
        for operation in OPERATIONS
    }
    assert set(listed) == there | {WEB_SOCKET}
    assert len(listed) == len(set(listed))


def test_other_methods_are_refused_with_those_that_are_allowed(house: House) -> None:
    by_path: dict[str, set[str]] = {}
    for operation in OPERATIONS:
        allowed = {operation.method, "HEAD"} if operation.method == "GET" else {operation.method}
        by_path.setdefault(operation.path, set()).update(allowed)
    with httpx.Client(base_url=house.service.url, verify=False, timeout=PATIENCE) as http:
        for path, allowed in by_path.items():
            there = re.sub(r"\{\w+\}", "x", path)
            for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - allowed:
                answer = http.request(method, there, headers={"accept-language": "pt"})
                assert answer.status_code == 405, (method, path)
                assert set(answer.headers["allow"].split(", ")) == allowed
                assert answer.json()["sentence"] == "Isso não se faz neste endereço."


def test_metrics_cover_what_an_operator_asks(house: House) -> None:
    text = httpx.get(f"{house.service.url}/metrics", verify=False).text
    for name in (
        "tables", "connections", "tables_opened_total", "games_finished_total 1.0",
        'steps_total{by="people"}', "append_seconds_bucket", "action_seconds_bucket",
        "bot_seconds_bucket", "bots_waiting", "refusals_total", "conflicts_total", "failures_total",
    ):  # fmt: skip
        assert f"phaseten_{name}" in text
    assert house.real["code"] not in text
    assert house.real["id"] not in text
