"""The compiled program: what was imported needs its text no longer, what was not is still there."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

from phaseten.pocket.packing import packed


def run(folder: Path, code: str) -> str:
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r}); {code}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_what_was_imported_is_compiled_and_the_rest_comes_as_it_is(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    (first / "thing").mkdir(parents=True)
    (first / "thing" / "__init__.py").write_text("")
    (first / "thing" / "used.py").write_text("from pathlib import Path\nhere = Path(__file__)\n")
    (first / "thing" / "unused.py").write_text("here = 2\n")
    (first / "thing" / "words.toml").write_text("a = 1\n")
    (first / "thing" / "core.pxd").write_text("")
    run(first, "sys.dont_write_bytecode = False; import thing.used")
    with zipfile.ZipFile(io.BytesIO(packed(str(first)))) as archive:
        names = set(archive.namelist())
        archive.extractall(second)
    compiled = {"thing/__init__.pyc", "thing/used.pyc"}
    assert names == compiled | {"thing/unused.py", "thing/words.toml", "thing/core.pxd"}
    told = run(
        second,
        "from thing.used import here; from thing.unused import here as two;"
        "print(here.with_name('words.toml').read_text().strip(), two)",
    )
    assert told == "a = 1 2\n"
