"""The manual: no link leads nowhere, and every example in Python runs.

Examples with a prompt, in docstrings, README.md and docs/, are run by pytest's doctest (see
``testpaths`` and ``addopts`` in pyproject.toml); the others are run here.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    path
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("benchmarks/*.md")]
)
EXAMPLE = re.compile(r"^```(?:python|py)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def script() -> ModuleType:
    """docs/site_make.py, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("site_make", ROOT / "docs" / "site_make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    targets = [link.partition("#")[0] for link in LINK.findall(text) if "://" not in link]
    missing = [target for target in targets if target and not (page.parent / target).exists()]
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_without_a_prompt_run_too(page: Path, tmp_path: Path) -> None:
    for example in EXAMPLE.findall(page.read_text(encoding="utf-8")):
        if ">>> " not in example:
            result = subprocess.run(
                [sys.executable, "-c", example],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            )
            assert (result.returncode, result.stderr) == (0, ""), example


# -- the site ------------------------------------------------------------------------------------


def test_the_reference_has_every_public_name(tmp_path: Path) -> None:
    site = script()
    pages = site.write_reference(tmp_path / "api")
    assert {path.stem for path in (tmp_path / "api").iterdir()} == {"index", *pages}
    index = (tmp_path / "api" / "index.md").read_text(encoding="utf-8")
    import phaseten  # noqa: PLC0415 - the names are read from the sources, not from this

    for name in set(phaseten.__all__) - {*phaseten._PACKAGES, "__version__"}:
        assert f"[`{name}`](" in index


def test_a_broken_link_in_the_site_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="b.html#there">1</a><a href="#top">2</a><img src="c.png">'
        '<a href="https://example.org/">3</a><a href="b.html#not-there">4</a><a href="d.html">5</a>'
    )
    (tmp_path / "b.html").write_text('<p id="there">B</p><a href="a.html">back</a>')
    assert sorted(script().broken_links(tmp_path)) == [
        "a.html: b.html#not-there has no such heading",
        "a.html: c.png is not there",
        "a.html: d.html is not there",
    ]


def test_links_to_files_of_the_repository_become_pages() -> None:
    linked: set[str] = set()
    pages = {"docs/bots.md": "bots.md", "README.md": "index.md"}
    mend = script().mend_links
    text = (
        "[a](../README.md#play) [b](../deploy/nginx.conf) [c](bots.md) ![d](images/x.svg) [e](#f)"
    )
    assert mend(text, "docs/server.md", pages, linked) == (
        "[a](index.md#play) [b](files/deploy/nginx.conf.md) [c](bots.md) ![d](images/x.svg) [e](#f)"
    )
    assert linked == {"deploy/nginx.conf"}
