"""The program as it is kept on a device after its first start: compiled, so that the next start need not do that again.

The browser gets Python's text, the same bytes for every version of Python; what was compiled of it on the device is
of use there alone.
"""

from __future__ import annotations

import io
import zipfile
from importlib.util import cache_from_source
from pathlib import Path


def packed(root: str) -> bytes:
    """Everything in the folder, with the compiled form of what has been imported in place of its text."""
    folder, made = Path(root), io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.suffix == ".py":
                compiled = Path(cache_from_source(str(path)))
                is_there = compiled.exists()
                archive.write(compiled if is_there else path, f"{name}c" if is_there else name)
            elif path.is_file() and path.suffix != ".pyc":  # what is read beside them
                archive.write(path, name)
    return made.getvalue()
