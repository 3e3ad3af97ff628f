"""``phaseten arena`` as its user meets it: results, interruptions, refusals."""

import csv
import importlib
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from phaseten.cli import arena as command
from phaseten.cli.arena_report import format_duration
from phaseten.rules.editions import BOOK_EDITIONS
from tests.cli.command import Answer, Caller, assert_refused
from tests.patience import PATIENCE, wait_until

SMALL = ("arena", "sharp", "casual", "rookie", "--edition", "express")


def results(folder: Path) -> Path:
    """The only file of games, in the cache folder of the test's user."""
    [path] = (folder / "cache" / "phaseten" / "arena").glob("*.jsonl")
    return path


def without_clocks(path: Path) -> dict[str, Any]:
    data = json.loads(path.read_text())
    for bot in data["bots"]:
        del bot["milliseconds"]
    return data


def test_a_tournament(call: Caller, tmp_path: Path) -> None:
    answer = call(
        *SMALL, "--players", "2,4", "--games", "20", "--workers", "1",
        "--csv", "games.csv", "--json", "result.json", "--svg", "result.svg",
    )  # fmt: skip
    assert answer.code == 0
    assert answer.err == ""
    assert "Express, 2 players" in answer.out
    assert "Express, 4 players" in answer.out
    assert "sharp - casual " in answer.out
    assert "sharp is stronger" in answer.out
    assert "rating" in answer.out
    assert f"The games are in {results(tmp_path)}." in " ".join(answer.out.split())
    table = list(csv.DictReader(io.StringIO((tmp_path / "games.csv").read_text())))
    assert len(table) == 3 * 20 * 2 + 3 * 20 * 4
    summary = json.loads((tmp_path / "result.json").read_text())
    assert summary["settings"]["seed"] == 0
    assert [match["games"] for match in summary["matches"]] == [20] * 6
    for match in summary["matches"]:
        games = [
            r
            for r in table
            if (r["match"], int(r["players"])) == (match["match"], match["players"])
        ]
        for share in match["shares"]:
            won = sum(float(r["won"]) for r in games if r["bot"] == share["bot"])
            assert share["value"] == pytest.approx(won / 20, abs=1e-5)
            assert share["low"] <= share["value"] <= share["high"]
    assert [rating["bot"] for rating in summary["ratings"]] == ["sharp", "casual", "rookie"]
    assert {bot["bot"] for bot in summary["bots"]} == {"sharp", "casual", "rookie"}
    assert all(bot["milliseconds"] > 0 for bot in summary["bots"])
    assert (tmp_path / "result.svg").read_text().startswith("<svg")


def test_again_with_more_games(call: Caller, tmp_path: Path) -> None:
    call("arena", "sharp", "casual", "--games", "6", "--workers", "1", "--csv", "first.csv")
    first = results(tmp_path).read_text()
    call("arena", "sharp", "casual", "--games", "6", "--workers", "1", "--csv", "again.csv")
    assert results(tmp_path).read_text() == first  # nothing was left to play
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "first.csv").read_text()
    call("arena", "sharp", "casual", "--games", "10", "--workers", "1", "--csv", "more.csv")
    assert results(tmp_path).read_text().startswith(first)
    more = (tmp_path / "more.csv").read_text()
    assert more.startswith((tmp_path / "first.csv").read_text())
    assert len(more.splitlines()) == 1 + 20
    answer = call("arena", "sharp", "casual", "--games", "6", "--workers", "1", "--csv", "-")
    assert answer.out == (tmp_path / "first.csv").read_text()  # fewer are shown if fewer are asked


def test_the_current_folder_is_not_littered(call: Caller, tmp_path: Path) -> None:
    words = ("arena", "sharp", "casual", "--games", "2", "--workers", "1", "--csv", "-")
    first = call(*words)
    assert first.err == ""
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]
    assert results(tmp_path).name.startswith("sharp-casual-")
    again = call(*words)
    assert again.out == first.out
    assert again.err == (
        f"phaseten: All 2 games come from {results(tmp_path)}: they were played before.\n"
    )


def test_how_many_games_come_from_the_file(call: Caller, tmp_path: Path) -> None:
    words = ("arena", "sharp", "casual", "--workers", "1", "--games")
    call(*words, "4")
    path = results(tmp_path)
    said = " ".join(call(*words, "10").out.split())
    assert f"4 of the 10 games come from {path}: they were played before." in said
    said = " ".join(call(*words, "10", "--fresh").out.split())
    assert f"The games are in {path}." in said
    assert path.read_text().count("\n") == 11


BOT = """
from phaseten.bots.ladder import make_bot

class Edited:
    def __init__(self, seed):
        self.bot = make_bot("LEVEL", seed=seed)

    def choose(self, view):
        return self.bot.choose(view)
"""


def test_a_bot_that_was_edited_plays_anew(call: Caller, tmp_path: Path) -> None:
    """Its games are kept by what is in its file, not by its name."""
    bot = tmp_path / "edited_bot.py"
    words = ("arena", "sharp", "edited_bot:Edited", "-n", "8", "--workers", "1", "--csv", "-")

    def play(level: str, *more: str) -> Answer:
        bot.write_text(BOT.replace("LEVEL", level))
        sys.modules.pop("edited_bot", None)  # each command is a new process
        importlib.invalidate_caches()
        return call(*words, *more)

    rookie, sharp = play("rookie"), play("sharp")
    assert rookie.err == sharp.err == ""
    assert sharp.out != rookie.out
    again = play("rookie")
    assert again.out == rookie.out
    assert "All 8 games come from " in again.err
    assert play("rookie", "--out", "r.jsonl").code == 0
    assert_refused(
        play("sharp", "--out", "r.jsonl"),
        "r.jsonl was played before Edited changed",
        "--out",
        "--fresh",
    )
    assert play("sharp", "--out", "r.jsonl", "--fresh").out == sharp.out


def test_a_file_that_is_something_else_is_not_removed(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("dear diary")
    answer = call("arena", "sharp", "casual", "--out", "notes.txt", "--fresh")
    assert_refused(answer, "notes.txt does not hold results")
    assert (tmp_path / "notes.txt").read_text() == "dear diary"


def test_files_are_written_before_anything_is_shown(tmp_path: Path) -> None:
    """Whoever reads one line and goes away (``| head -1``) still gets whole files."""
    code = subprocess.run(
        f"{sys.executable} -m phaseten arena sharp casual -n 2 --workers 1 --out r.jsonl --csv r.csv "
        "--json r.json --svg r.svg >&-",
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert code.stderr == b""
    for name, start in (("r.csv", "edition,"), ("r.json", "{"), ("r.svg", "<svg")):
        assert (tmp_path / name).read_text().startswith(start)


def test_one_table_for_all(call: Caller) -> None:
    answer = call(*SMALL, "--table", "--games", "30", "--workers", "1", "--json", "-")
    [match] = answer.json["matches"]
    assert match["players"] == 3
    assert match["fair"] == pytest.approx(1 / 3)
    assert sum(share["value"] for share in match["shares"]) == pytest.approx(1)
    text = call(*SMALL, "--table", "--games", "30", "--workers", "1").out
    assert "Even would be 33.3 %" in text


def test_all_editions(call: Caller) -> None:
    answer = call(
        "arena", "sharp", "casual", "-e", "all", "-n", "2", "--workers", "1", "--json", "-"
    )
    assert [match["edition"] for match in answer.json["matches"]] == list(BOOK_EDITIONS)


def test_a_bot_against_itself(call: Caller) -> None:
    answer = call("arena", "casual", "casual", "--games", "40", "--workers", "1", "--json", "-")
    [match] = answer.json["matches"]
    assert match["match"] == "casual - casual (2)"
    assert [share["value"] for share in match["shares"]] == [0.5, 0.5]
    assert match["verdict"].startswith("no difference found between casual and casual (2): 50.0 %")


def test_the_one_who_sees_all_cards_and_the_one_who_searches(call: Caller) -> None:
    words = ("arena", "peeker", "master@2", "-e", "express", "--variant", "phases=2", "-n", "4")
    [match] = call(*words, "--workers", "1", "--json", "-").json["matches"]
    assert match["match"] == "peeker - master@2"
    assert match["forfeits"] == match["given_up"] == 0


def test_records(call: Caller, tmp_path: Path) -> None:
    call("arena", "sharp", "casual", "--games", "4", "--workers", "1", "--records", "games")
    records = sorted((tmp_path / "games").iterdir())
    assert [path.name for path in records] == [
        f"classic-2-sharp_-_casual-00000{deal}-{seating}.p10"
        for deal in (0, 1)
        for seating in (1, 2)
    ]
    answer = call("referee", *map(str, records))
    assert [verdict["ok"] for verdict in answer.lines] == [True] * 4
    assert call("verify", str(records[0])).code == 0


CHEAT = """
from phaseten.bots.ladder import make_bot
from phaseten.rules.actions import DrawNothing

class Cheat:
    def choose(self, view):
        return DrawNothing() if view.board.hand == 3 else make_bot("casual").choose(view)
"""


def test_a_guest_that_misbehaves(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "cheating_bots.py").write_text(CHEAT)
    words = ("arena", "casual", "cheating_bots:Cheat", "--games", "4", "--workers", "1")
    answer = call(*words)
    assert answer.code == 0
    assert "casual - Cheat: 4 games forfeited." in answer.out
    assert "Cheat forfeited 4 games (illegal). In deal 0 of casual - Cheat" in answer.out
    assert "N is not legal: " in answer.out
    assert "(T-DRAW)" in answer.out
    summary = call(*words, "--json", "-").json
    assert summary["matches"][0]["forfeits"] == 4
    assert summary["matches"][0]["shares"][0]["value"] == 1.0
    [cheat] = [bot for bot in summary["bots"] if bot["bot"] == "Cheat"]
    assert len(cheat["faults"]) == 4


@pytest.mark.skipif(os.name != "posix", reason="programs play on POSIX systems")
def test_a_program_that_misbehaves(call: Caller, tmp_path: Path) -> None:
    path = tmp_path / "oops.sh"
    path.write_text(
        """#!/bin/sh\nread -r line\necho '{"type":"hello","protocol":2}'\nread -r line\n"""
        "read -r line\necho 'I am lost' >&2\nexit 3\n"
    )
    path.chmod(0o755)
    answer = call(
        "arena", "casual", "./oops.sh", "--games", "2", "--workers", "1", "--out", "o.jsonl"
    )
    assert "oops forfeited 2 games (crashed)." in answer.out
    assert "it ended with exit code 3" in answer.out
    assert "Its error output is in o.logs/oops.log." in answer.out
    assert (tmp_path / "o.logs" / "oops.log").read_text() == "I am lost\n" * 2


CRASHING = """
class Crashing:
    def choose(self, view):
        return view.nothing
"""


def test_a_class_that_crashes_says_where(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "crashing_bot.py").write_text(CRASHING)
    answer = call(
        "arena", "casual", "crashing_bot:Crashing", "-n", "2", "--workers", "1", "--out", "c"
    )
    said = " ".join(answer.out.split())
    assert "choose raised AttributeError: 'View' object has no attribute 'nothing'" in said
    assert "(crashing_bot.py, line 4)" in said
    assert "Its error output is in c.logs/Crashing.log." in said
    assert (tmp_path / "c.logs" / "Crashing.log").read_text().count("Traceback") == 2


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "0 µs"),
        (0.00000462, "4.62 µs"),
        (0.0000998, "99.8 µs"),
        (0.0009994, "999 µs"),
        (0.0009996, "1.00 ms"),
        (0.2345, "234 ms"),
        (0.99949, "999 ms"),
        (0.9999, "1.00 s"),
        (12.3456, "12.3 s"),
        (1234.5, "1,234 s"),
    ],
)
def test_durations(seconds: float, words: str) -> None:
    assert format_duration(seconds) == words


# -- a test that stops by itself -----------------------------------------------------------------

TEST = ("arena", "sharp", "rookie", "-e", "express", "--variant", "phases=2", "--workers", "1")


def test_a_sequential_test_stops_when_it_is_clear(call: Caller, tmp_path: Path) -> None:
    answer = call(*TEST, "--sprt", "elo0=0", "elo1=200", "--json", "r.json")
    assert answer.code == 0
    said = " ".join(answer.out.split())
    assert "won1 accepted" in said
    assert "Sequential test: sharp wins 76.0 % rather than 50.0 % (won1 accepted)" in said
    summary = json.loads((tmp_path / "r.json").read_text())
    test = summary["sprt"]
    assert test["accepted"] == "won1"
    assert test["ratio"] >= test["upper"]
    assert test["games"] == 2 * test["deals"] == summary["matches"][0]["games"] < 200
    again = call(*TEST, "--sprt", "elo0=0,elo1=200", "--json", "-")
    assert again.json["sprt"] == test
    assert "All" in again.err
    swapped = call(*TEST[:1], "rookie", "sharp", *TEST[3:], "--sprt", "won1=60", "--json", "-")
    assert swapped.json["sprt"]["accepted"] == "won0"


def test_a_sequential_test_that_is_not_decided(call: Caller) -> None:
    answer = call(*TEST, "--sprt", "won0=90", "won1=90.1", "--games", "4")
    said = " ".join(answer.out.split())
    assert answer.code == 0
    assert "not decided yet. After 4 games the log-likelihood ratio is" in said


def test_processes_do_not_change_the_answer_of_a_test(call: Caller) -> None:
    words = (*TEST[:-1], "2", "--sprt", "elo1=250", "--json", "-", "--fresh")
    one = call(*TEST, *words[-5:]).json
    two = call(*words).json
    assert one["sprt"] == two["sprt"]
    assert one["matches"] == two["matches"]


# -- interruptions -----------------------------------------------------------------------------

LONG = (*SMALL, "--out", "r.jsonl", "--csv", "r.csv", "--json", "r.json", "--games")
SOME, ENDLESS = "200", "100000"


def start(folder: Path, games: str, *more: str) -> subprocess.Popen[str]:
    folder.mkdir()
    return subprocess.Popen(
        [sys.executable, "-m", "phaseten", *LONG, games, *more],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_lines(path: Path, count: int) -> None:
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > count, "a game")


def workers_of(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


def command_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text()


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")
def test_killed_in_the_middle_and_started_again(tmp_path: Path) -> None:
    """kill -9 loses no finished deal; the end is the same as without; nobody is left behind."""
    killed = start(tmp_path / "killed", SOME, "--workers", "2")
    wait_for_lines(tmp_path / "killed" / "r.jsonl", 30)
    os.kill(killed.pid, signal.SIGSTOP)  # who looks at it is in no hurry
    workers = workers_of(killed.pid)
    assert len(workers) >= 2
    killed.kill()
    killed.communicate()
    kept = (tmp_path / "killed" / "r.jsonl").read_text()
    assert 30 < kept.count("\n") < 601
    wait_until(lambda: all(map(gone, workers)), "the end of the workers")
    again = subprocess.run(
        [sys.executable, "-m", "phaseten", *LONG, SOME, "--workers", "1"], cwd=tmp_path / "killed",
        check=True, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    whole = start(tmp_path / "whole", SOME, "--workers", "1")
    out, _ = whole.communicate(timeout=PATIENCE)
    one, other = ((tmp_path / name / "r.csv").read_text() for name in ("killed", "whole"))
    assert one == other
    one, other = (without_clocks(tmp_path / name / "r.json") for name in ("killed", "whole"))
    assert one == other
    assert _shares(again.stdout) == _shares(out)
    assert (tmp_path / "killed" / "r.jsonl").read_text().startswith(kept[: kept.rindex("\n") + 1])


def _shares(text: str) -> list[str]:
    return [line for line in text.splitlines() if " to " in line]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")
def test_a_worker_that_is_killed(tmp_path: Path) -> None:
    process = start(tmp_path / "short", ENDLESS, "--workers", "2")
    wait_for_lines(tmp_path / "short" / "r.jsonl", 20)
    worker = next(pid for pid in workers_of(process.pid) if "spawn_main" in command_of(pid))
    os.kill(worker, signal.SIGKILL)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert err == (
        "phaseten: A worker process ended with code -9: is there enough memory? "
        "The finished games are kept: the same command goes on.\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c(tmp_path: Path) -> None:
    process = start(tmp_path / "stopped", ENDLESS, "--workers", "2")
    wait_for_lines(tmp_path / "stopped" / "r.jsonl", 20)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == "phaseten: Stopped. The finished games are kept: the same command goes on.\n"
    assert "sharp - casual" in out  # how it stands so far


def test_interrupted_before_the_first_deal(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "work", interrupted)
    answer = call("arena", "sharp", "casual", "--workers", "1")
    assert answer.code == 130
    assert answer.out == ""


# -- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sharp"], "Name two bots or more"),
        ([], "Name two bots or more"),
        (["sharp", "nobody"], "no bot 'nobody': choose from"),
        (
            ["sharp", "master@"],
            "write seconds, such as master@0.05s, or worlds, such as master@100",
        ),
        (["sharp", "./nobody.py"], "no program nobody.py"),
        (["sharp", "nobody.nowhere:Bot"], "no module nobody"),
        (["sharp", "cmd:/no/such/thing"], "The bot thing cannot play: /no/such/thing cannot be"),
        (["sharp", "casual", "--players", "1"], "2 to 6 players, not 1"),
        (["sharp", "casual", "--players", "two"], "'two' is not a number of players"),
        (["sharp", "casual", "--players", ","], "Name a number of players"),
        (["sharp", "casual", "--edition", "nope"], "no edition 'nope'"),
        (["sharp", "casual", "--edition", "classic,classic"], "Two editions are called classic"),
        (["sharp", "casual", "--variant", "nope"], "not a variation"),
        (["sharp", "casual", "--house", "nope"], "not a house rule"),
        (["sharp", "casual", "--games", "0"], "one game at least"),
        (["sharp", "casual", "--workers", "0"], "At least one worker"),
        (["sharp", "casual", "--time-limit", "0"], "between 0.001 and 3600"),
        (["sharp", "casual", "--csv", "x", "--json", "x"], "cannot go to the same place"),
        (["sharp", "casual", "--table", "--players", "4"], "2 bots make 2 players"),
        (["sharp", "casual", "--svg", "nowhere/x.svg"], "nowhere/x.svg cannot be used"),
        (["sharp", "casual", "--games", "x"], "whole number"),
        (["sharp", "casual", "--edition", "clasic"], "did you mean classic?"),
        (["--sprt", "elo1=5", "sharp", "casual"], "Name two bots or more"),
        (["sharp", "casual", "--sprt", "elo1=5", "rookie"], "bots stand before --sprt"),
        (["sharp", "casual", "--sprt", "won0=60", "won1=50"], "has to be the larger one"),
        (["sharp", "casual", "rookie", "--sprt", "elo1=5"], "is between two bots"),
        (["sharp", "casual", "--players", "2,4", "--sprt", "elo1=5"], "is between two bots"),
    ],
)
def test_refusals(call: Caller, tmp_path: Path, words: list[str], said: str) -> None:
    assert_refused(call("arena", *words), said)
    assert list(tmp_path.glob("*.jsonl")) == []


def test_results_of_another_command(call: Caller) -> None:
    call("arena", "sharp", "casual", "--games", "2", "--workers", "1", "--out", "r.jsonl")
    answer = call("arena", "sharp", "casual", "--seed", "5", "--out", "r.jsonl")
    assert_refused(answer, "r.jsonl belongs to another command: its seed is 0, not 5", "--out")


def test_an_edition_that_was_changed_is_another_one(call: Caller, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = 'based_on = "express"\nname = "own"\ntitle = "Own"\nphases = ["set 3", "run 4"]\n'
    own.write_text(text)
    words = ("arena", "sharp", "casual", "--edition", "own.toml", "--games", "2", "--workers", "1")
    assert "Own, 2 players" in call(*words, "--out", "r.jsonl").out
    own.write_text(text.replace("run 4", "run 5"))
    assert_refused(call(*words, "--out", "r.jsonl"), "its editions is")


def test_without_ray(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert_refused(call("arena", "sharp", "casual", "--ray", "--games", "2"), "phaseten[ray]")
