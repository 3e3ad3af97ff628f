"""The file of results: nothing finished is lost, and nothing foreign gets in."""

import json
from pathlib import Path
from typing import Any

import pytest

from phaseten.arena.chunks import Chunk, Conduct, play_chunk
from phaseten.arena.entrants import parse_entrants
from phaseten.arena.faults import Fault
from phaseten.arena.gameplay import GameTerms
from phaseten.arena.matches import Match, match_pairs
from phaseten.arena.results import GameRow, Results, ResultsError
from phaseten.rules.editions import edition
from phaseten.rules.options import Rules

SETTINGS: dict[str, Any] = {"seed": 1, "bots": {"sharp": "house:sharp"}}


def a_match(players: int = 2) -> Match:
    tables = [GameTerms(Rules(edition("express")), players, 1)]
    return match_pairs(tables, parse_entrants(["sharp", "casual"]))[0]


def rows_of(match: Match, *deals: int) -> list[list[GameRow]]:
    chunk = Chunk(match, deals, Conduct())
    return [[game.row for game in played] for played in play_chunk(chunk)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "results.jsonl"


def test_what_is_added_is_there_again(path: Path) -> None:
    match = a_match()
    deals = rows_of(match, 0, 1, 4)
    fault = Fault(2, "late", "no answer within 1 s")
    deals[2][1] = deals[2][1]._replace(winner=None, fault=fault)
    with Results(path, SETTINGS, "phaseten arena …") as results:
        assert results.find_missing(match, 5) == [0, 1, 2, 3, 4]
        for rows in deals:
            results.add(rows)
        assert results.find_missing(match, 5) == [2, 3]
        kept = dict(results.rows)
    with Results(path, SETTINGS, "") as again:
        assert again.rows == kept
        assert again.rows[deals[2][1].key].fault == fault
        assert again.find_missing(match, 5) == [2, 3]
    header = json.loads(path.read_text().splitlines()[0])
    assert header["command"] == "phaseten arena …"
    assert header["settings"] == SETTINGS


def test_a_line_that_was_cut_off_is_played_again(path: Path) -> None:
    match = a_match()
    with Results(path, SETTINGS, "") as results:
        for rows in rows_of(match, 0, 1):
            results.add(rows)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 5
    for cut in (1, 20, len(lines[-1]) - 1):
        path.write_bytes(b"".join(lines[:-1]) + lines[-1][:cut])
        with Results(path, SETTINGS, "") as results:
            assert len(results.rows) == 3
            assert results.find_missing(match, 2) == [1]
            results.add(rows_of(match, 1)[0])
        with Results(path, SETTINGS, "") as results:
            assert len(results.rows) == 4
            assert results.find_missing(match, 2) == []


def test_a_header_that_was_cut_off_is_written_again(path: Path) -> None:
    with Results(path, SETTINGS, ""):
        pass
    whole = path.read_bytes()
    for cut in (0, 15, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with Results(path, SETTINGS, ""):
            pass
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({**SETTINGS, "seed": 2}, "its seed is 1, not 2"),
        ({**SETTINGS, "house": ["no_rediscard"]}, r'its house is null, not \["no_rediscard"\]'),
        ({"bots": {"sharp": "house:sharp"}}, "its seed is 1, not null"),
    ],
)
def test_another_command(path: Path, settings: dict[str, Any], words: str) -> None:
    with Results(path, SETTINGS, ""):
        pass
    before = path.read_bytes()
    with pytest.raises(ResultsError, match=f"belongs to another command: {words}.*--out"):
        Results(path, settings, "")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text", ["my diary", "my diary\n", "{}\n", "[]\n", '{"format": "pgn"}\n', '"format"\n', "\n"]
)
def test_another_file(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(ResultsError, match="does not hold results"):
        Results(path, SETTINGS, "")
    assert path.read_text() == text


@pytest.mark.parametrize("line", ["{", "{}", "[]", "7", '{"edition": "x", "fault": null}'])
def test_a_damaged_line(path: Path, line: str) -> None:
    with Results(path, SETTINGS, ""):
        pass
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(ResultsError, match="line 2 is damaged: remove the line"):
        Results(path, SETTINGS, "")
