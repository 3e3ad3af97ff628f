import tomllib
from pathlib import Path

import pytest

from phaseten import BOOK_EDITIONS, Rules, edition
from phaseten.cli.random_phases import random_edition
from phaseten.rules.editions import EDITIONS_FOLDER, read_edition
from phaseten.terminal.printer import Printer
from tests.cli.command import Caller, assert_refused


def test_the_five_side_by_side(call: Caller) -> None:
    answer = call("editions")
    assert answer.code == 0
    heading = answer.out.splitlines()[0].split()
    assert heading == list(BOOK_EDITIONS)
    for words in ("Players", "Colours", "Dealt", "108", "54", "8 / 4", "Variations", "Phases"):
        assert words in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_one_in_full(call: Caller, name: str) -> None:
    answer = call("editions", name)
    assert answer.code == 0
    assert edition(name).title in answer.out
    assert len(answer.out.partition("Phases\n")[2].splitlines()) == 10


def test_phases_in_words(call: Caller) -> None:
    assert "2  set of 3 + run of 4\n" in call("editions", "classic").out
    assert "10  set of 5 + set of 3, with an 8 or a Wild\n" in call("editions", "elchavo").out
    express = call("editions", "express").out
    for words in (
        "4 odd cards",
        "4 even cards",
        "run of 2 pairs",
        "run of 3 in one colour",
        "run of 4 odd numbers",
        "run of 4 even numbers",
        "4 cards of one colour",
    ):
        assert words in express


def test_json(call: Caller) -> None:
    five = call("editions", "--json").json
    assert [box["name"] for box in five] == list(BOOK_EDITIONS)
    one = call("editions", "elchavo", "--json").json
    assert one == five[2]
    assert one["cards"] == 108
    assert one["phases"][9] == {
        "phase": 10,
        "groups": ["set 5", "set 3"],
        "must_show": 8,
        "words": "set of 5 + set of 3, with an 8 or a Wild",
    }


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_toml_is_a_file_to_start_from(call: Caller, tmp_path: Path, name: str) -> None:
    answer = call("editions", name, "--toml")
    assert answer.out == (EDITIONS_FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    (tmp_path / "my.toml").write_text(answer.out, encoding="utf-8")
    assert call("editions", "my.toml", "--json").json == call("editions", name, "--json").json
    assert call("editions", "my.toml", "--toml").out == answer.out


@pytest.mark.parametrize("seed", [0, 1, 7, -3, 10**30])
def test_random_phases_load_and_can_be_laid(call: Caller, tmp_path: Path, seed: int) -> None:
    answer = call("editions", "--random", str(seed))
    assert answer.code == 0
    assert call("editions", "--random", str(seed)).out == answer.out
    (tmp_path / "random.toml").write_text(answer.out, encoding="utf-8")
    assert call("editions", "random.toml").code == 0
    box = edition("random.toml")
    assert len({phase.text for phase in box.phases}) == 10
    assert [phase.number for phase in Rules(box).phases] == list(range(1, 11))


def test_random_lists_differ() -> None:
    lists = {tuple(tomllib.loads(random_edition(seed))["phases"]) for seed in range(20)}
    assert len(lists) == 20
    for seed in range(20):
        read_edition(random_edition(seed), "random")


def test_own_file_with_house_rules(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(
        'based_on = "classic"\nname = "my"\ntitle = "Mine"\nhouse = ["choose_phase"]\n'
        'phases = ["run 7"]\ncopies = 3\nvariations = []\n'
    )
    answer = call("editions", "my.toml")
    assert "choose_phase" in answer.out
    assert "each 3 times" in answer.out
    assert "none" in answer.out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "missing"),
        ("phases = [", "not valid TOML"),
        ('based_on = "classic"\nphases = ["run 99"]', "line 2"),
        ('based_on = "chess"', "is not one of"),
        ("a = " + "[" * 50_000, "nested too deeply"),
    ],
)
def test_a_bad_file(call: Caller, tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "bad.toml").write_text(content)
    for more in ([], ["--json"], ["--toml"]):
        answer = call("editions", "bad.toml", *more)
        assert answer.code == 2
        assert answer.out == ""
        assert words in answer.err
        assert "bad.toml" in answer.err


def test_refusals(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    assert_refused(call("editions", "nope"), "no edition 'nope'")
    assert_refused(call("editions", "folder.toml"), "folder.toml cannot be read")
    assert_refused(call("editions", "binary.toml"), "not UTF-8")
    assert_refused(call("editions", "nowhere.toml"), "nowhere.toml cannot be read")
    assert_refused(call("editions", "--toml"), "Say which one edition")
    assert_refused(call("editions", "classic", "--random", "3"), "--random stands alone")
    assert_refused(call("editions", "--random", "x"), "whole number")


def test_several_side_by_side(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'based_on = "express"\nname = "own"\ntitle = "Own"\nphases = ["set 3", "run 4"]\n'
        'house = ["choose_phase"]\n'
    )
    answer = call("editions", "classic", "express", "own.toml")
    assert answer.code == 0
    assert answer.out.splitlines()[0].split() == ["classic", "express", "own"]
    assert "2 of its own" in answer.out
    assert "choose_phase" in answer.out
    found = call("editions", "classic", "express", "--json").json
    assert [box["name"] for box in found] == ["classic", "express"]
    assert_refused(call("editions", "classic", "express", "--toml"), "which one edition")


@pytest.mark.parametrize("name", ["clasic", "Classic", "expres", "el chavo"])
def test_did_you_mean(call: Caller, name: str) -> None:
    near = {"Classic": "classic", "clasic": "classic", "expres": "express"}.get(name, "elchavo")
    assert_refused(call("editions", name), f"There is no edition {name!r}: did you mean {near}?")


def test_a_narrow_terminal(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phaseten.cli.editions.printer_for", lambda: Printer(width=40))
    answer = call("editions")
    assert max(map(len, answer.out.splitlines())) <= 40
    assert "\nColours\n  classic: red, blue, yellow, green\n" in answer.out
