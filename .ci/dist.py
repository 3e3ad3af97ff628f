"""What a maintainer releases: the source package, the wheel of this Python, and their hashes, in dist/.

``make dist`` runs it. Everything is built from the last commit in folders of its own, the wheel from
the source package, so that nothing that lies around in the working tree gets in and nothing is missing
in the source package. The same commit with the same pins gives the same bytes; docs/release.md says how
to compare.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

from packaging.metadata import Metadata

ROOT = Path(__file__).resolve().parents[1]
SITE = Path("src/phaseten/server/site")
STAMP = SITE / ".built"
BIN = Path(sys.executable).parent


class ReleaseError(Exception):
    """Why there is nothing to release, in a sentence."""


def main() -> int:
    """Build and check; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="the folder (dist)")
    parser.add_argument("--dirty", action="store_true", help="although there are changes to commit")
    chosen = parser.parse_args()
    try:
        check_commit(allow_changes=chosen.dirty)
        for path in release(chosen.to.resolve()):
            print(f"{path.stat().st_size:>10,}  {path.name}")
    except ReleaseError as error:
        print(f"make dist: {error}", file=sys.stderr)
        return 1
    return 0


def release(to: Path) -> list[Path]:
    """Build the last commit into that folder; what is in it."""
    with tempfile.TemporaryDirectory() as scratch:
        return pack(check_out(Path(scratch, "tree")), to)


def pack(tree: Path, to: Path) -> list[Path]:
    """Build a tree into that folder, check it and hash it; what is in the folder."""
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    source = build_source(tree, to)
    with tempfile.TemporaryDirectory() as scratch:
        inside = unpack(source, Path(scratch, "source"))
        wheel = tag_for_many(build_wheel(inside, Path(scratch, "wheel")), to)
    check_source(source)
    check_wheel(wheel)
    sums = to / "SHA256SUMS"
    made = (source, wheel)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in made]
    sums.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return [*made, sums]


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command; its output. A ReleaseError shows what it said where it fails."""
    result = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        said = f"{result.stdout}{result.stderr}".strip()
        raise ReleaseError(f"{Path(command[0]).name} failed:\n{said}")
    return result.stdout


def environment() -> dict[str, str]:
    """The time of the commit for all that carries a time; the tools of this environment first."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PHASETEN_")}
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    return {"SOURCE_DATE_EPOCH": commit_time()} | kept | {"PATH": path, "PYTHONHASHSEED": "0"}


def commit_time() -> str:
    """When the last commit was made, in seconds since 1970; without a repository, a time long ago."""
    result = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return result.stdout.strip() or "1580601600"


def check_commit(*, allow_changes: bool) -> None:
    """A release is a commit, and its changes are written down."""
    if run("git", "status", "--porcelain") and not allow_changes:
        raise ReleaseError(
            "there are changes that are not committed (or say --dirty: they are left out)."
        )
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "version"
    ]
    if f"## [{version}]" not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        print(f"Note: CHANGELOG.md has no section [{version}] yet.", file=sys.stderr)


def check_out(to: Path) -> Path:
    """The files of the last commit, and the pages for browsers if they are built from these."""
    to.mkdir()
    archive = to.with_suffix(".tar")
    run("git", "archive", "--output", archive, "HEAD")
    with tarfile.open(archive) as files:
        files.extractall(to, filter="data")
    if (ROOT / STAMP).exists():  # hatch_build.py builds them anew if the stamp says so
        shutil.copytree(ROOT / SITE, to / SITE)
    run(sys.executable, "hatch_build.py", "site", cwd=to)
    shutil.rmtree(to / "web" / "node_modules", ignore_errors=True)
    return to


def build_source(tree: Path, to: Path) -> Path:
    """The source package."""
    run(
        sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", to, cwd=tree
    )
    return only(to, "*.tar.gz")


def unpack(source: Path, to: Path) -> Path:
    """The tree in a source package."""
    with tarfile.open(source) as files:
        files.extractall(to, filter="data")
    return only(to, "*")


def build_wheel(tree: Path, to: Path) -> Path:
    """The wheel for this Python and this kind of machine."""
    run(
        sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", to, cwd=tree
    )
    wheel = only(to, "*.whl")
    if wheel.name.endswith("-none-any.whl"):
        raise ReleaseError("the kernel was not compiled: is there a C compiler?")
    return wheel


def tag_for_many(wheel: Path, to: Path) -> Path:
    """On Linux, the wheel with the tag of the oldest systems on which it runs."""
    if not sys.platform.startswith("linux"):
        return Path(shutil.copy(wheel, to))
    run(BIN / "auditwheel", "repair", "--wheel-dir", to, wheel)
    tagged = only(to, "*.whl")
    if "manylinux" not in tagged.name:
        raise ReleaseError(f"{tagged.name} runs on no system but this: see auditwheel show.")
    print(run(BIN / "auditwheel", "show", tagged).strip())
    return tagged


def check_source(source: Path) -> None:
    """The source package says what an index wants to know."""
    with tarfile.open(source) as files:
        (name,) = (name for name in files.getnames() if name.endswith("/PKG-INFO"))
        info = files.extractfile(name)
        assert info is not None
        check_metadata(source, info.read())


def check_wheel(wheel: Path) -> None:
    """What a wheel must have and must not have."""
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        compiled = {name: files.read(name) for name in names if name.endswith((".so", ".pyd"))}
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        check_metadata(wheel, files.read(metadata))
    for name, code in compiled.items():
        if b".debug_info" in code or b".symtab" in code:
            raise ReleaseError(f"{name} has what only debuggers need: it was not stripped.")
        if str(Path.home()).encode() in code or tempfile.gettempdir().encode() + b"/" in code:
            raise ReleaseError(f"{name} tells where it was built.")
    if f"{SITE.relative_to('src').as_posix()}/index.html" not in names:
        raise ReleaseError("the wheel has no pages for browsers: npm's packages were out of reach.")


def check_metadata(package: Path, text: bytes) -> None:
    """What ``twine check`` asks for: valid fields, and a description that can be shown."""
    try:
        metadata = Metadata.from_email(text)
    except ExceptionGroup as errors:
        why = "; ".join(str(error) for error in errors.exceptions)
        raise ReleaseError(f"{package.name} describes itself badly: {why}") from errors
    if metadata.description_content_type != "text/markdown" or not metadata.description:
        raise ReleaseError(f"{package.name} has no description in Markdown.")


def only(folder: Path, pattern: str) -> Path:
    """The one thing in a folder that is called that."""
    found = list(folder.glob(pattern))
    if len(found) != 1:
        raise ReleaseError(f"{folder} should have one {pattern}, and has {len(found)}.")
    return found[0]


if __name__ == "__main__":
    sys.exit(main())
