from pathlib import Path

import pytest

from phaseten import Game
from phaseten.bots.ladder import make_bot
from tests.cli.command import Caller, assert_refused, process
from tests.example_record import RECORD

LEGAL = {
    "ok": True,
    "finished": False,
    "winner": None,
    "hands": [{"hand": 1, "out": 2, "points": {"1": 5, "2": 0}, "made": {"1": 1, "2": 1}}],
    "totals": {"1": 5, "2": 0},
    "phases": {"1": 2, "2": 2},
    "turn": None,
    "state": None,
}


@pytest.fixture
def records(tmp_path: Path) -> dict[str, str]:
    texts = {
        "legal": RECORD,
        "illegal": RECORD.replace("2 D H G3>1.1 -Y4", "2 D H Y4>1.1"),
        "syntax": RECORD.replace("1 *", "1 banana"),
        "empty": "",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.p10").write_text(text, encoding="utf-8")
    (tmp_path / "binary.p10").write_bytes(b"\xff\x00\xfe" * 100)
    return {name: str(tmp_path / f"{name}.p10") for name in (*texts, "binary")}


def test_verdict_is_one_line_of_json(call: Caller, records: dict[str, str]) -> None:
    answer = call("referee", records["legal"])
    assert answer.code == 0
    assert answer.lines == [LEGAL]


def test_illegal_move(call: Caller, records: dict[str, str]) -> None:
    answer = call("referee", records["illegal"])
    assert answer.code == 1
    assert answer.json["message"]
    assert {key: answer.json[key] for key in ("ok", "line", "seat", "rule")} == {
        "ok": False,
        "line": 15,
        "seat": 2,
        "rule": "T-HIT",
    }


@pytest.mark.parametrize("name", ["syntax", "empty", "binary"])
def test_what_cannot_be_read(call: Caller, records: dict[str, str], name: str) -> None:
    answer = call("referee", records[name])
    assert answer.code == 2
    assert answer.json["rule"] == "SYNTAX"


def test_several_files_give_a_line_each_and_the_worst_code(
    call: Caller, records: dict[str, str], tmp_path: Path
) -> None:
    answer = call("referee", records["legal"], records["illegal"], records["legal"])
    assert answer.code == 1
    assert [line["ok"] for line in answer.lines] == [True, False, True]
    assert [line["file"] for line in answer.lines] == [
        records["legal"],
        records["illegal"],
        records["legal"],
    ]
    assert "file" not in call("referee", records["legal"]).json
    answer = call("referee", records["illegal"], "nowhere.p10", str(tmp_path), records["legal"])
    assert answer.code == 2
    assert [line.get("rule") for line in answer.lines] == ["T-HIT", "SYNTAX", "SYNTAX", None]
    assert "nowhere.p10 cannot be opened: " in answer.err
    assert f"{tmp_path} cannot be opened: " in answer.err


def test_standard_input(call: Caller) -> None:
    assert call("referee", "-", stdin=RECORD.encode()).json == LEGAL


def test_names_that_are_no_names(call: Caller) -> None:
    assert call("referee", "a\0b").json["rule"] == "SYNTAX"
    assert call("referee", "x" * 5000).json["rule"] == "SYNTAX"
    assert_refused(call("referee"), "Name a record")


def test_in_words(call: Caller, records: dict[str, str]) -> None:
    answer = call("referee", "--text", *records.values())
    assert answer.code == 2
    legal, illegal, *_ = answer.out.splitlines()
    assert "legal; 1 finished hand; the next hand is not dealt yet; seat 1 5 points" in legal
    assert illegal.endswith("(T-HIT)")
    assert "line 15, seat 2" in illegal
    started = call("referee", "--text", "-", stdin=RECORD.partition("2 D H")[0].encode())
    assert "hand 1, seat 2 is to draw" in started.out


def test_finished_game_in_words(call: Caller) -> None:
    game, bot = Game("express", ["Ana", "Beto"], variant="phases=1", seed=3), make_bot("casual")
    while game.winner is None:
        game.play(bot.choose(game.view()))
    answer = call("referee", "--text", "-", stdin=game.record().encode())
    assert f"seat {game.winner} has won" in answer.out


def test_edition_file_beside_the_record(call: Caller, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "my.toml").write_text('based_on = "express"\nname = "my"\ntitle = "My"\n')
    record = folder / "game.p10"
    record.write_text(RECORD.replace('"express"', '"my.toml"'))
    assert call("referee", str(record)).json == LEGAL
    record.write_text(RECORD.replace('"express"', '"other.toml"'))
    assert call("referee", str(record)).json["rule"] == "SYNTAX"


@pytest.mark.parametrize("name", ["a\0b.toml", f"{'x' * 5000}.toml", "/.toml", "games.toml"])
def test_strange_edition_names(call: Caller, tmp_path: Path, name: str) -> None:
    (tmp_path / "games.toml").mkdir()
    text = RECORD.replace('"express"', f'"{name}"')
    assert call("referee", "-", stdin=text.encode()).json["rule"] == "SYNTAX"


def test_edition_file_nested_too_deeply(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text(f"a = {'[' * 50_000}")
    text = RECORD.replace('"express"', '"deep.toml"')
    assert call("referee", "-", stdin=text.encode()).json["rule"] == "SYNTAX"


def test_as_a_process(records: dict[str, str]) -> None:
    answer = process("referee", "-", records["illegal"], stdin=RECORD.encode())
    assert answer.code == 1
    assert answer.lines[0] == {"file": "-"} | LEGAL
    assert answer.err == ""


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_file_without_an_end(call: Caller) -> None:
    answer = call("referee", "/dev/zero")
    assert answer.code == 2
    assert answer.json["rule"] == "SYNTAX"
    assert answer.json["message"] == "/dev/zero is larger than 16 MiB: no file of ours is."


def test_standard_input_without_an_end(call: Caller) -> None:
    answer = call("referee", "-", stdin=bytes(16 * 2**20 + 1))
    assert answer.json["message"] == "Standard input is larger than 16 MiB: no file of ours is."
