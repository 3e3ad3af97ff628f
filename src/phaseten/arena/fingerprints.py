"""What tells a bot from the one it was before somebody edited it: a digest of its files.

Results belong to the code that played the games. For a Python class that is the source of its
module, for a program every file that its command names; and, of both, the Python modules beside
them that they import. Other files that a bot reads (a network's weights, say) are not seen.
"""

from __future__ import annotations

import ast
import hashlib
import shlex
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, assert_never

import phaseten
from phaseten.arena.entrants import Entrant

_LENGTH: Final = 16
_INSTALLED: Final = {"site-packages", "dist-packages"}
_ENGINE_FOLDERS: Final = ("rules", "kernel", "bots", "arena")
_COMPILED: Final = {".pyc", ".so", ".pyd", ".c", ".h"}


def fingerprint_bot(entrant: Entrant) -> str:
    """A digest of the files that the bot is made of; a bot of the house is part of the engine."""
    match entrant.kind:
        case "house":
            return fingerprint_engine()
        case "class":
            module = entrant.what.partition(":")[0]
            source = getattr(sys.modules.get(module), "__file__", None)
            if source is None:
                return ""
            root = Path(source).resolve().parents[_depth(module, Path(source))]
            return _digest(_with_imports([Path(source).resolve()], root))
        case "object":
            return ""
        case "program":
            files = [Path(word).resolve() for word in shlex.split(entrant.what) if _is_file(word)]
            found = {file for each in files for file in _with_imports([each], each.parent)}
            return _digest(found)
        case _:
            assert_never(entrant.kind)


@cache
def fingerprint_engine() -> str:
    """A digest of the sources that decide how a game is played."""
    package = Path(phaseten.__file__).parent
    return _digest(
        file
        for folder in _ENGINE_FOLDERS
        for file in (package / folder).rglob("*")
        if file.is_file() and file.suffix not in _COMPILED
    )


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # too long for a name, or a NUL in it
        return False


def _depth(module: str, source: Path) -> int:
    """How many folders above its file the folder is from which the module is imported."""
    return module.count(".") + (source.name == "__init__.py")


def _digest(files: Iterable[Path]) -> str:
    """A digest of what is in the files, and of their names but not of where they lie."""
    digest = hashlib.sha256()
    for file in sorted(files, key=lambda file: (file.name, str(file))):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        digest.update(f"{file.name}:{content}\n".encode())
    return digest.hexdigest()[:_LENGTH]


# -- what a Python file imports from beside it -------------------------------------------------


def _with_imports(files: Iterable[Path], root: Path) -> set[Path]:
    """The files, and the modules under the root that they import, and that those import."""
    found: set[Path] = set()
    waiting = list(files)
    installed = bool(_INSTALLED & set(root.parts))
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        if file.suffix == ".py" and not installed:
            waiting += _imported(file, root)
        elif file.suffix == ".py":  # of what is installed beside it, only its own package
            package = file.relative_to(root).parts[0]
            waiting += [each for each in _imported(file, root) if package in each.parts]
    return found


def _imported(file: Path, root: Path) -> Iterator[Path]:
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _modules(root, alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            base = root if node.level == 0 else [file, *file.parents][node.level]
            words = node.module.split(".") if node.module else []
            yield from _modules(base, words)
            for alias in node.names:
                yield from _modules(base, [*words, alias.name])


def _modules(base: Path, words: list[str]) -> Iterator[Path]:
    """The files that are run when that module is imported."""
    folder = base
    for word in words:
        for file in (folder / f"{word}.py", folder / word / "__init__.py"):
            if file.is_file():
                yield file
        folder /= word
