"""``phaseten pages``: the game as files for any web host."""

from __future__ import annotations

import gzip
import re
import shutil
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from phaseten.cli.problems import Problem
from phaseten.server.http.pages import BESIDE, INDEX
from phaseten.server.http.pages import FOLDER as SITE
from phaseten.server.http.responses import HEADERS

EXAMPLES: Final = """\
Examples:
  phaseten pages public                    write the files into the folder public
  python -m http.server --directory public try them here, at http://localhost:8000"""

OURS: Final = "pocket/program.json"
"""A folder that has it was written by this command, and may be written again."""
MARK: Final = '<meta name="phaseten-pages" content="yes" />'
"""By this the client knows that there is no server behind it."""
_PACKED: Final = (".br", ".gz")
_FROM_ROOT: Final = re.compile(r'(href|src)="/')


def run(
    folder: Annotated[Path, Parameter(help="Where to write them; it is made if need be.")],
) -> int:
    """Write the game as files that any web host can serve.

    There is no server behind them, and the folder can lie under any address. What is played stays on the player's device; playing with friends on
    other devices needs a server (phaseten serve).
    """
    if not (SITE / OURS).exists():
        raise Problem(
            "The pages for browsers were not built when phaseten was installed: "
            "install it again when npm's packages can be reached."
        )
    if folder.exists() and any(folder.iterdir()) and not (folder / OURS).exists():
        raise Problem(f"{folder} has other files in it: give the name of a new or an empty folder.")
    write_pages(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"Written to {folder}: {size / 1e6:.1f} MB. Put its files on any web host.")
    return 0


def write_pages(folder: Path) -> None:
    """Write everything that belongs there, and take away what an earlier version has written."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in sorted(SITE.rglob("*")):
        if not path.is_file() or path.name.startswith("."):
            continue
        target = folder / path.relative_to(SITE)
        if path.suffix not in _PACKED:
            data = path.read_bytes()
        elif path.suffix == ".gz" and not path.with_suffix("").exists():
            target, data = target.with_suffix(""), gzip.decompress(path.read_bytes())
        else:  # web hosts pack by themselves, or not at all
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    for name, path in BESIDE.items():
        shutil.copyfile(path, folder / name)
    index = folder / INDEX
    index.write_text(_without_server(index.read_text(encoding="utf-8")), encoding="utf-8")


def _without_server(page: str) -> str:
    """The first page, for a client that lies anywhere and has no server behind it."""
    policy = HEADERS["content-security-policy"].replace("; frame-ancestors 'none'", "")
    meta = f'<meta http-equiv="content-security-policy" content="{policy}" />'
    page = _FROM_ROOT.sub(r'\1="./', page)
    return page.replace("<head>", f"<head>\n    {MARK}\n    {meta}", 1)
