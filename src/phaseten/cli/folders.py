"""The folders of this user in which the commands keep things."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """Where this system keeps the data of programs: saved games, tables."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = _chosen("XDG_DATA_HOME") or home / ".local" / "share"
    return base / "phaseten"


def cache_folder() -> Path:
    """Where this system keeps what can be made again: the games of the arena."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
        return base / "phaseten" / "Cache"
    if sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = _chosen("XDG_CACHE_HOME") or home / ".cache"
    return base / "phaseten"


def _chosen(variable: str) -> Path | None:
    """The folder in that variable; the specification says to ignore a relative one."""
    path = Path(os.environ.get(variable, ""))
    return path if path.is_absolute() else None
