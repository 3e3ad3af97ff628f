"""The command `phaseten stats`, end to end."""

from __future__ import annotations

import csv
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from phaseten.arena.statistics import TOPICS
from phaseten.cli import stats as command
from phaseten.terminal.printer import Printer
from tests.cli.command import Caller, assert_refused
from tests.patience import PATIENCE, wait_until

QUICK = ("stats", "--edition", "express", "--games", "12", "--workers", "1")
DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_table(call: Caller) -> None:
    answer = call(*QUICK)
    assert answer.code == 0
    assert answer.err == ""
    lines = answer.out.splitlines()
    assert lines[0] == "Express · 2 players · standard · bot sharp"
    assert max(map(len, lines)) <= 80
    for definitions in TOPICS.values():
        for each in definitions:
            assert any(each.words in line for line in lines), each.words
    assert [line.split() for line in lines if line.startswith("  games  ")] == [["games", "12"]]
    assert "  10: 4 cards of one colour" in answer.out
    assert "95 % interval" in answer.out


def test_every_combination_stands_side_by_side(call: Caller) -> None:
    answer = call(
        *("stats", "--edition", "express,classic", "--players", "3, 2,3", "--games", "2"),
        *("--variant", "phases=1", "--variant", "ten-hands,phases=1", "--workers", "1"),
    )
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == "bot sharp"
    assert max(map(len, lines)) <= 80
    heading = [line.split("  ") for line in lines if "Express" in line or "Classic" in line]
    titles = [word.strip() for line in heading for word in line if word.strip()]
    assert titles == ["Express"] * 4 + ["Classic"] * 4
    assert any(line.endswith(" ten-hands,") for line in lines)
    # Ten hands of one Phase are one hand, unless it is tied.
    hands = [line for line in lines if line.startswith("  hands per game")]
    assert all("1.0 ± 0.0" in line for line in hands)


def rows(answer: Any) -> dict[tuple[str, int | None], dict[str, Any]]:
    return {(row["figure"], row["of"]): row for row in answer}


def test_figures_for_programs(call: Caller, tmp_path: Path) -> None:
    answer = call(*QUICK, "--json", "-")
    found = rows(answer.json)
    assert len(found) == len(answer.json)
    hands = found["hands", None]
    assert (hands["edition"], hands["players"], hands["variant"]) == ("express", 2, "standard")
    assert (hands["bot"], hands["games"], hands["cases"]) == ("sharp", 12, 12)
    assert 10 <= hands["low"] < hands["value"] < hands["high"] < 20
    assert {of for figure, of in found if figure == "made"} == set(range(1, 11))
    assert {of for figure, of in found if figure == "out_by_wilds"} == set(range(5))
    quartiles = [found[f"laid_on_quartile_{part}", 8]["value"] for part in (1, 2, 3)]
    assert quartiles == sorted(quartiles)
    assert 0 <= found["made", 3]["value"] <= 1

    table = call(*QUICK, "--csv", "figures.csv", "--json", "figures.json", "--markdown", "f.md")
    assert "hands per game" in table.out
    with (tmp_path / "figures.csv").open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file))
    assert len(listed) == len(answer.json)
    assert [row["value"] for row in listed] == [
        "" if row["value"] is None else str(row["value"]) for row in answer.json
    ]
    assert (tmp_path / "figures.json").read_text("utf-8") == answer.out
    markdown = (tmp_path / "f.md").read_text("utf-8")
    assert "| Express, 2 players, standard, bot sharp |" in markdown
    assert "| most Skips used: goes out | most turns lost: goes out |" in markdown
    assert "|  | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |" in markdown
    assert call(*QUICK, "--markdown", "-").out == markdown


def test_the_same_seed_gives_the_same_figures_whatever_the_number_of_workers(call: Caller) -> None:
    asked = ("stats", "--edition", "express,classic", "--games", "25", "--json", "-")
    alone = call(*asked, "--seed", "5", "--workers", "1").json
    assert call(*asked, "--seed", "5", "--workers", "3").json == alone
    assert call(*asked, "--seed", "6", "--workers", "1").json != alone


def test_a_bot_with_a_limit(call: Caller) -> None:
    answer = call(*QUICK, "--variant", "phases=1", "--bot", "sharp,master@1")
    assert answer.code == 0
    assert "bot master@1" in answer.out


def test_pictures(call: Caller, tmp_path: Path) -> None:
    answer = call(*QUICK, "--players", "2,3,4", "--svg", "deep/pictures")
    assert answer.code == 0
    drawn = {path.name: path for path in (tmp_path / "deep" / "pictures").iterdir()}
    assert {"statistics-hands.svg", "statistics-phases-made.svg"} <= set(drawn)
    for name, path in drawn.items():
        words = "".join(ElementTree.parse(path).getroot().itertext())
        for label in ("2 players", "3 players", "4 players", "12 games each"):
            assert label in words, name


def test_pictures_of_many_settings_are_drawn_by_edition(call: Caller, tmp_path: Path) -> None:
    asked = ("--edition", "classic,express", "--players", "2,3,4,5", "--variant", "phases=1")
    answer = call("stats", *asked, "--games", "3", "--workers", "1", "--svg", "drawn")
    assert answer.code == 0
    names = {path.name for path in (tmp_path / "drawn").iterdir()}
    assert {
        "statistics-phases-made-classic.svg",
        "statistics-phases-made-express.svg",
        "statistics-hands.svg",
    } <= names
    assert "statistics-phases-made.svg" not in names


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--edition", "clasic"], ["no edition 'clasic': did you mean classic?"]),
        (["--edition", ","], ["Name an edition"]),
        (["--players", "7"], ["Classic is for 2 to 6 players, not 7"]),
        (["--players", "two"], ["'two' is not a number of players"]),
        (["--players", "²"], ["not a number of players"]),
        (["--variant", "twelve"], ["'twelve' is not a variation"]),
        (["--variant", "phases=11"], ["phases=11"]),
        (["--bot", "peeker"], ["Peeker cheats: it plays in the arena only."]),
        (
            ["--bot", "sharp,grand"],
            [
                "no bot 'grand': choose from rookie, casual, sharp, deep, master; or name a Python class"
            ],
        ),
        (
            ["--bot", "master@"],
            ["'master@' names no budget", "such as master@0.05s, or worlds, such as master@100"],
        ),
        (["--edition", "classic,classic"], ["Two editions are called classic"]),
        (["--csv", "x", "--markdown", "x"], ["cannot go to the same place"]),
        (["--games", "1"], ["2 games at least"]),
        (["--games", "many"], ["whole number"]),
        (["--workers", "0"], ["At least one worker"]),
        (["--csv", "no/such/folder.csv"], ["folder.csv cannot be used"]),
        (["--svg", "taken"], ["taken cannot be used"]),
    ],
)
def test_refusals_come_before_the_games(
    call: Caller, tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    (tmp_path / "taken").write_text("a file, not a folder", encoding="utf-8")
    many = () if "--games" in arguments else ("--games", "1000000")
    assert_refused(call("stats", *many, *arguments), *words)


@pytest.mark.parametrize("seconds", [0.2, 2.0])  # while the workers start, and while they play
def test_an_interrupt_shows_the_games_so_far(tmp_path: Path, seconds: float) -> None:
    command = [sys.executable, "-m", "phaseten", "stats", "--edition", "express", "--json", "f"]
    process = subprocess.Popen(
        [*command, "--games", "1000000", "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        start_new_session=True,
    )
    wait_until((tmp_path / "f").exists, "the file")  # made just before the games begin
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does: to the workers too
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err.startswith("phaseten: Interrupted after ")
    assert err.count("\n") == 1
    shown = next(line.split()[1] for line in out.splitlines() if line.startswith("  games  "))
    assert f"after {shown} of 1,000,000 games." in err
    assert (tmp_path / "f").stat().st_size


def test_the_document_can_be_made_again(tmp_path: Path) -> None:
    shutil.copy(DOCS / "statistics.md", tmp_path)
    (tmp_path / "images").mkdir()
    script = [sys.executable, str(DOCS / "statistics_make.py"), "--folder", str(tmp_path)]
    subprocess.run([*script, "--games", "2", "--workers", "1"], check=True, timeout=PATIENCE)
    before = (DOCS / "statistics.md").read_text("utf-8")
    text = (tmp_path / "statistics.md").read_text("utf-8")
    assert text != before
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in before.splitlines() if line.startswith("#")
    ]
    for line in text.splitlines():
        if line.startswith("!["):
            name = line.partition("(")[2].removesuffix(")")
            assert (tmp_path / name).is_file()
            assert (DOCS / name).is_file()


BOTS = """
from phaseten.bots.ladder import make_bot

class Calm:
    def __init__(self, seed):
        self.bot = make_bot("sharp", seed=seed)

    def choose(self, view):
        return self.bot.choose(view)

class Careless(Calm):
    def choose(self, view):
        if view.board.hand > 2 and view.seat == 1:
            raise RuntimeError("enough")
        return super().choose(view)
"""


def test_bots_of_ones_own(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "stats_bots.py").write_text(BOTS)
    answer = call(*QUICK, "--bot", "stats_bots:Calm,rookie", "--json", "-")
    assert (answer.code, answer.err) == (0, "")
    assert {row["bot"] for row in answer.json} == {"Calm", "rookie"}
    table = call(*QUICK, "--bot", "Nora=stats_bots:Calm").out
    assert table.startswith("Express · 2 players · standard · bot Nora\n")


@pytest.mark.skipif(os.name != "posix", reason="programs play on POSIX systems")
def test_a_program(call: Caller) -> None:
    otto = DOCS.parent / "examples" / "bots" / "otto.py"
    words = ("stats", "-e", "express", "--variant", "phases=1", "-n", "3", "--workers", "1")
    answer = call(*words, "--time-limit", "60", "--bot", str(otto), "--json", "-")
    assert answer.code == 0
    assert {row["bot"] for row in answer.json} == {"otto"}


def test_forfeited_games_do_not_count(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "stats_bots.py").write_text(BOTS)
    answer = call(*QUICK, "--bot", "stats_bots:Careless", "--json", "-")
    assert answer.code == 0
    assert all(row["value"] is None for row in answer.json)
    assert answer.err == (
        "phaseten: Careless forfeited 12 games, which do not count: "
        "choose raised RuntimeError: enough (stats_bots.py, line 14).\n"
    )


def test_files_are_written_before_anything_is_shown(tmp_path: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m phaseten {' '.join(QUICK)} --csv s.csv --svg pictures >&-",
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.stderr == b""
    assert (tmp_path / "s.csv").read_text().startswith("edition,")
    assert list((tmp_path / "pictures").iterdir())


def test_a_narrow_terminal(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is cut off, and no word is broken."""
    monkeypatch.setattr(command, "printer_for", lambda: Printer(width=40, shapes=True))
    narrow = call(*QUICK, "--players", "2,3").out
    assert max(map(len, narrow.splitlines())) <= 40
    monkeypatch.setattr(command, "printer_for", lambda: Printer(width=100, shapes=True))
    words = call(*QUICK, "--players", "2,3").out.split()
    assert not any(word.endswith("…") for word in narrow.split())
    assert {word.strip(":") for word in words} <= {word.strip(":") for word in narrow.split()}
