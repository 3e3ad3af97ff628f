"""``phaseten pages``."""

import gzip
import json
import re
from pathlib import Path

import pytest

from phaseten.cli import main, pages


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small site in the place of the built one."""
    site = tmp_path / "site"
    for name, text in {
        "index.html": '<html><head><script src="/assets/a.js"></script></head></html>',
        "index.html.gz": "packed",
        "assets/a.js": "1",
        "assets/a.js.br": "packed",
        ".built": "x",
        "pocket/program.json": json.dumps({"file": "p.zip"}),
    }.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    (site / "assets" / "large.wasm.gz").write_bytes(gzip.compress(b"\0asm", mtime=0))
    monkeypatch.setattr(pages, "SITE", site)
    return site


def test_it_writes_files_that_find_each_other_anywhere(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert site.exists()
    folder = tmp_path / "public"
    assert main(["pages", str(folder)]) == 0
    assert "MB" in capsys.readouterr().out
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    beside = {"pocket/program.json", "pocket/deep.weights"}
    assert written == {"index.html", "assets/a.js", "assets/large.wasm", *beside}
    page = (folder / "index.html").read_text()
    assert not re.search(r'(src|href)="/', page)
    assert pages.MARK in page
    assert "script-src 'self';" in page
    assert (folder / "assets" / "large.wasm").read_bytes() == b"\0asm"


def test_it_writes_again_into_its_own_folder_and_into_no_other(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert site.exists()
    folder = tmp_path / "public"
    assert main(["pages", str(folder)]) == main(["pages", str(folder)]) == 0
    other = tmp_path / "other"
    other.mkdir()
    (other / "precious.txt").write_text("x")
    assert main(["pages", str(other)]) == 2
    assert "other files" in capsys.readouterr().err
    assert (other / "precious.txt").exists()


def test_without_built_pages_it_says_what_to_do(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "pocket" / "program.json").unlink()
    assert main(["pages", str(tmp_path / "public")]) == 2
    assert "install it again" in capsys.readouterr().err
