"""Where the commands keep things, on each system."""

import sys
from pathlib import Path

import pytest

from phaseten.cli.folders import cache_folder, data_folder


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ana"))


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/phaseten"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "/home/ana/.local/share/phaseten"),
        ("linux", {}, "/home/ana/.local/share/phaseten"),
        ("darwin", {}, "/home/ana/Library/Application Support/phaseten"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/phaseten"),
        ("win32", {}, "/home/ana/AppData/Roaming/phaseten"),
    ],
)
def test_the_place_for_data(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert data_folder() == Path(expected)


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/fast"}, "/fast/phaseten"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/ana/.cache/phaseten"),
        ("linux", {}, "/home/ana/.cache/phaseten"),
        ("darwin", {}, "/home/ana/Library/Caches/phaseten"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/phaseten/Cache"),
        ("win32", {}, "/home/ana/AppData/Local/phaseten/Cache"),
    ],
)
def test_the_place_for_what_can_be_made_again(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == Path(expected)
