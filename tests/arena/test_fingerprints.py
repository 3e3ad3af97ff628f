"""Results belong to the code that played them: when it changes, so does its fingerprint."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from phaseten.arena.entrants import check_entrant, parse_entrants
from phaseten.arena.fingerprints import fingerprint_bot, fingerprint_engine
from phaseten.arena.time_limits import TimeLimits


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def fingerprint(word: str) -> str:
    [entrant] = parse_entrants([word])
    if entrant.kind == "class":
        check_entrant(entrant, TimeLimits())  # it is imported when it is checked
    return fingerprint_bot(entrant)


BOT = "class Bot:\n    def choose(self, view): ...\n"


def test_bots_of_the_house_are_part_of_the_engine() -> None:
    assert fingerprint("sharp") == fingerprint("master@100") == fingerprint_engine()
    assert len(fingerprint_engine()) == 16


def test_a_class_is_known_by_its_module_and_what_that_imports_beside_it(folder: Path) -> None:
    helper = folder / "fp_helper.py"
    further = folder / "fp_further.py"
    other = folder / "fp_other.py"
    module = folder / "fp_bot.py"
    for file in (further, other):
        file.write_text("X = 1\n")
    helper.write_text("import os\n\ndef use():\n    from fp_further import X\n    return X\n")
    module.write_text(f"import fp_helper\n{BOT}")
    seen = [fingerprint("fp_bot:Bot")]
    other.write_text("X = 2\n")
    assert fingerprint("fp_bot:Bot") == seen[0]
    for file in (module, helper, further):
        file.write_text(f"{file.read_text()}# changed\n")
        seen.append(fingerprint("fp_bot:Bot"))
    assert len(set(seen)) == 4


def test_a_class_in_a_package(folder: Path) -> None:
    package = folder / "fp_package" / "inner"
    package.mkdir(parents=True)
    (folder / "fp_package" / "__init__.py").write_text("")
    (package / "__init__.py").write_text(f"from .near import X\nfrom ..up import Y\n{BOT}")
    (package / "near.py").write_text("X = 1\n")
    (folder / "fp_package" / "up.py").write_text("Y = 1\n")
    seen = [fingerprint("fp_package.inner:Bot")]
    for file in (package / "near.py", folder / "fp_package" / "up.py"):
        file.write_text(f"{file.read_text()}# changed\n")
        seen.append(fingerprint("fp_package.inner:Bot"))
    assert len(set(seen)) == 3


def test_what_is_installed_beside_a_class_is_not_followed(folder: Path) -> None:
    site = folder / "site-packages"
    (site / "fp_mine").mkdir(parents=True)
    (site / "fp_mine" / "__init__.py").write_text(f"import fp_theirs\nfrom . import part\n{BOT}")
    (site / "fp_mine" / "part.py").write_text("")
    (site / "fp_theirs.py").write_text("")
    sys.path.insert(0, str(site))
    first = fingerprint("fp_mine:Bot")
    (site / "fp_theirs.py").write_text("# changed")
    assert fingerprint("fp_mine:Bot") == first
    (site / "fp_mine" / "part.py").write_text("# changed")
    assert fingerprint("fp_mine:Bot") != first


def test_a_program_is_known_by_the_files_its_command_names(folder: Path) -> None:
    script = folder / "otto.py"
    script.write_text("import helper\n")
    (folder / "helper.py").write_text("X = 1\n")
    (folder / "eva.jar").write_bytes(b"\x00\xff")
    for word, files in (
        ("./otto.py", [script, folder / "helper.py"]),
        ("cmd:python3 otto.py --level 3", [script, folder / "helper.py"]),
        ("cmd:java -jar eva.jar", [folder / "eva.jar"]),
    ):
        seen = [fingerprint(word)]
        for file in files:
            file.write_bytes(file.read_bytes() + b"#")
            seen.append(fingerprint(word))
        assert len(set(seen)) == len(files) + 1


def test_a_program_that_is_no_file_here() -> None:
    assert fingerprint("cmd:true") == fingerprint(f"cmd:echo {'x' * 5000}")
