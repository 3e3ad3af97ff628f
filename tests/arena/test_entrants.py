import os
import stat
import sys
from pathlib import Path

import pytest

from phaseten.arena.entrants import (
    CLASS,
    HOUSE,
    PROGRAM,
    check_entrant,
    parse_entrants,
    prepare_bot,
)
from phaseten.arena.faults import EntrantError
from phaseten.arena.programs import Program
from phaseten.arena.time_limits import TimeLimits
from phaseten.bots.ladder import make_bot

posix = pytest.mark.skipif(os.name != "posix", reason="programs play on POSIX systems")


def script(path: Path, text: str, *, executable: bool = True) -> Path:
    path.write_text(text)
    if executable:
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_kinds_and_names(tmp_path: Path) -> None:
    program = script(tmp_path / "otto.sh", "#!/bin/sh\n")
    plain = script(tmp_path / "eva.py", "", executable=False)
    words = ["sharp", "a.b:Nora", "cmd:java -jar eva.jar", str(program), str(plain), "Me=sharp"]
    assert [tuple(entrant) for entrant in parse_entrants(words)] == [
        ("sharp", HOUSE, "sharp"),
        ("Nora", CLASS, "a.b:Nora"),
        ("eva.jar", PROGRAM, "java -jar eva.jar"),
        ("otto", PROGRAM, str(program)),
        ("eva", PROGRAM, f"{sys.executable} {plain}"),
        ("Me", HOUSE, "sharp"),
    ]


def test_a_program_in_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "otto.sh", "#!/bin/sh\n")
    monkeypatch.chdir(tmp_path)
    [otto] = parse_entrants(["./otto.sh"])
    assert otto.what == str(tmp_path / "otto.sh")


def test_the_same_bot_twice() -> None:
    found = parse_entrants(["sharp", "sharp", "sharp", "casual"])
    assert [entrant.name for entrant in found] == ["sharp", "sharp (2)", "sharp (3)", "casual"]
    assert [entrant.what for entrant in found] == ["sharp"] * 3 + ["casual"]


def test_a_command_may_set_variables() -> None:
    [entrant] = parse_entrants(["cmd:env LEVEL=3 ./otto"])
    assert entrant.what == "env LEVEL=3 ./otto"


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("./nowhere.sh", "there is no program nowhere.sh"),
        ("cmd:", "a command stands after cmd:"),
        ("cmd:'", "is not a command"),
        ("x" * 40 + "=sharp", "1 to 30 printable letters"),
        ("a\x07=sharp", "printable"),
    ],
)
def test_words_that_name_nobody(word: str, words: str) -> None:
    with pytest.raises(EntrantError, match=words):
        parse_entrants([word])


def test_a_file_that_cannot_be_run(tmp_path: Path) -> None:
    path = script(tmp_path / "notes.txt", "", executable=False)
    with pytest.raises(EntrantError, match="make it executable with 'chmod"):
        parse_entrants([str(path)])


@posix
def test_who_can_play(tmp_path: Path) -> None:
    hello = """#!/bin/sh\nread -r line\necho '{"type":"hello","protocol":2}'\nread -r line\n"""
    good = script(tmp_path / "good.sh", hello)
    bad = script(tmp_path / "bad.sh", "#!/bin/sh\nexit 7\n")
    for entrant in parse_entrants(["rookie", "tests.arena.visitor:Visitor", str(good)]):
        check_entrant(entrant, TimeLimits())
    [program] = parse_entrants([str(bad)])
    with pytest.raises(EntrantError, match="the bot bad cannot play: it ended with exit code 7"):
        check_entrant(program, TimeLimits())
    [nobody] = parse_entrants(["nobody"])
    with pytest.raises(EntrantError, match=r"no bot 'nobody': choose from .*or a program such as"):
        check_entrant(nobody, TimeLimits())
    [class_] = parse_entrants(["phaseten.rules.cards:Nobody"])
    with pytest.raises(EntrantError, match="has no Nobody"):
        check_entrant(class_, TimeLimits())


def test_programs_are_for_posix(monkeypatch: pytest.MonkeyPatch) -> None:
    [program] = parse_entrants(["cmd:otto.exe"])
    monkeypatch.setattr("phaseten.arena.entrants.os.name", "nt")
    with pytest.raises(EntrantError, match="on Linux and macOS only"):
        check_entrant(program, TimeLimits())


def test_taking_a_seat(tmp_path: Path) -> None:
    [house, program] = parse_entrants(["sharp", "Eva Maria=cmd:true"])
    bot = prepare_bot(house, 5, TimeLimits(), None)
    assert vars(bot) == vars(make_bot("sharp", seed=5))
    assert isinstance(prepare_bot(program, 5, TimeLimits(), tmp_path), Program)
