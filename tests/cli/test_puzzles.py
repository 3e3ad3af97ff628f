"""``phaseten puzzles``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from phaseten.analysis.puzzles import puzzles
from phaseten.cli.puzzles import offer
from tests.cli.command import Caller, assert_refused


def answer_to(number: int, *, right: bool = True) -> str:
    puzzle = puzzles()[number - 1]
    offered = [action.text for action in offer(puzzle)]
    return str(offered.index(puzzle.answer if right else puzzle.tempting) + 1)


def test_a_puzzle_is_solved_and_remembered(call: Caller, tmp_path: Path) -> None:
    said = f"what?\n{answer_to(1, right=False)}\n{answer_to(1)}\n"
    answer = call("puzzles", "--number", "1", stdin=said.encode())
    assert answer.code == 0
    assert "Puzzle 1: " in answer.out
    assert "Not the best: it gives away" in answer.out
    assert "Right! Nothing else comes nearer than" in answer.out
    kept = json.loads((tmp_path / "data" / "phaseten" / "puzzles.json").read_text())
    assert kept == {"1": False}
    assert "Puzzle 2: " in call("puzzles", stdin=b"q\n").out


@pytest.mark.parametrize("code", ["es", "fr", "pt"])
def test_in_every_language(call: Caller, code: str) -> None:
    answer = call("puzzles", "--language", code, stdin=f"{answer_to(1)}\n".encode())
    assert answer.code == 0
    assert "Puzzle" not in answer.out


def test_themes_editions_and_the_day(call: Caller) -> None:
    assert "whom to skip" in call("puzzles", "--theme", "skip").out
    assert "Express" in call("puzzles", "--edition", "express").out
    assert "Puzzle " in call("puzzles", "--day").out
    assert len(call("puzzles", "--list").out.splitlines()) == len(puzzles()) + 2


def test_new_ones_are_found(call: Caller, tmp_path: Path) -> None:
    target = tmp_path / "new.json"
    answer = call("puzzles", "--find", "1", "--edition", "express", "--output", str(target))
    assert answer.code == 0
    assert len(json.loads(target.read_text())["puzzles"]) == 1


def test_what_makes_no_sense(call: Caller) -> None:
    assert_refused(call("puzzles", "--number", "100000"), "no puzzle 100000")
    assert_refused(call("puzzles", "--theme", "chess"), "keep, take")
    assert_refused(call("puzzles", "--find", "3"), "--output")
    assert_refused(call("puzzles", "--find", "0", "--output", "x"), "1 or more")
