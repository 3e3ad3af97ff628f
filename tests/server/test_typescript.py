"""The browser's types are the server's."""

from pathlib import Path

from phaseten.server.typescript import FILE, module

ROOT = Path(__file__).parents[2]


def test_the_browsers_types_are_those_of_the_server() -> None:
    kept = (ROOT / FILE).read_text(encoding="utf-8")
    assert kept == module(), "run: python -m phaseten.server.typescript"


def test_requests_answers_events_and_http_are_in_it() -> None:
    text = module()
    for line in (
        'export interface DrawData {\n  do: "draw";\n}',
        'export interface SeatTaken {\n  event: "SeatTaken";\n  seat: number;\n  name: string;\n}',
        "export interface Opened {\n  code: string;\n}",
    ):
        assert line in text
