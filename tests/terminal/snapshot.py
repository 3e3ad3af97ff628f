"""Screens as text files, to be compared with what is shown now.

After a wanted change, write them anew with PHASETEN_SNAPSHOTS=write, and read the difference.
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "snapshots"


def assert_snapshot(name: str, shown: str) -> None:
    """The screen looks as it did when the file was written."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("PHASETEN_SNAPSHOTS") == "write":
        FOLDER.mkdir(exist_ok=True)
        path.write_text(shown.rstrip() + "\n", encoding="utf-8")
    expected = path.read_text(encoding="utf-8").rstrip()
    assert shown.rstrip() == expected, f"{name} looks otherwise:\n{shown}"
