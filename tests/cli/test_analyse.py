"""``phaseten analyse``."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from phaseten import Game
from tests.analysis.games import play, record_of
from tests.cli.command import Caller, assert_refused


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.p10"
    path.write_text(record_of(), encoding="utf-8")
    return str(path)


def test_the_report_in_words(call: Caller, record: str) -> None:
    answer = call("analyse", record, "--worlds", "32")
    assert answer.code == 0
    for words in ("chance at the start", "luck", "own play", "result", "Turning points", "Hand 1"):
        assert words in answer.out
    assert "100.0 %" in answer.out


@pytest.mark.parametrize(
    ("code", "words"),
    [("es", "suerte"), ("fr", "chance"), ("pt", "sorte")],
)
def test_in_every_language(call: Caller, record: str, code: str, words: str) -> None:
    answer = call("analyse", record, "--worlds", "32", "--language", code)
    assert words in answer.out


def test_json_and_a_picture(call: Caller, record: str, tmp_path: Path) -> None:
    data, picture = tmp_path / "game.json", tmp_path / "game.svg"
    answer = call("analyse", record, "--worlds", "32", "--json", str(data), "--svg", str(picture))
    assert (answer.code, answer.out) == (0, "")
    report = json.loads(data.read_text())
    for player in report["players"]:
        parts = player["start"] + player["luck"] + player["play"] + player["others"]
        assert parts == pytest.approx(player["result"], abs=1e-4)
    decisions = [each for each in report["findings"] if each["find"] == "decision"]
    assert all(each["options"][0]["action"] == each["best"] for each in decisions)
    assert len(report["curve"]) == len(report["findings"]) + 1
    root = ElementTree.fromstring(picture.read_text())
    assert root.tag.endswith("svg")
    assert len(root.findall("{http://www.w3.org/2000/svg}polyline")) == 2


def test_it_stops_by_the_clock(call: Caller, record: str) -> None:
    assert call("analyse", record, "--seconds", "0.1", "--json", "-").json["winner"] in (1, 2)


def test_what_cannot_be_analysed(call: Caller, record: str, tmp_path: Path) -> None:
    redacted = tmp_path / "seen.p10"
    game = play(Game("express", players=2, seed=2), ("casual", "casual"), most=9)
    redacted.write_text(game.record(seat=1))
    assert_refused(call("analyse", str(redacted)), "full record")
    assert_refused(call("analyse", record, "--worlds", "33"), "even number")
    assert_refused(call("analyse", record, "--effort", "huge"), "quick, full")
    assert_refused(call("analyse", record, "--seconds", "0"), "more than 0")
    assert_refused(call("analyse", str(tmp_path / "none.p10")), "cannot be opened")
