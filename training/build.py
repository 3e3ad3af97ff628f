"""Compiles the environment, here or on a machine that has a C compiler but no Cython.

    python -m training.build           everything, in place
    python -m training.build plain     the same, soon compiled and slow to run: for tests
    python -m training.build c         the C files alone, into training/build/, to be carried
    python -m training.build carried   compile the C files that were carried, kernel and all

The third form also copies Python's headers, in case the other machine has none.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNEL = Path("src/phaseten/kernel")
BUILD = Path("training/build")
OURS = ("imitation", "secrets", "environment")


def kernel_sources(root: Path) -> list[Path]:
    """The kernel's modules that are written for the compiler."""
    found = sorted((root / KERNEL).rglob("*.py"))
    return [path.relative_to(root) for path in found if "import cython\n" in path.read_text()]


def our_sources() -> list[Path]:
    """The compiled modules of this package."""
    return [Path("training", f"{name}.pyx") for name in OURS]


def module_of(source: Path) -> str:
    """The name by which a module is imported."""
    parts = source.with_suffix("").parts
    return ".".join(parts[1:] if parts[0] == "src" else parts)


def generate(root: Path, sources: list[Path], target: Path) -> list[tuple[str, Path]]:
    """Write C files; each module with its file."""
    from Cython.Build import cythonize
    from setuptools import Extension

    here = Path.cwd()
    os.chdir(root)
    try:
        made = cythonize(
            [Extension(module_of(source), [str(source)]) for source in sources],
            build_dir=str(target),
            include_path=["src", "."],
            quiet=True,
        )
    finally:
        os.chdir(here)
    return [(extension.name, root / extension.sources[0]) for extension in made]


def compiler_flags(level: str) -> list[str]:
    """What the compiler needs to know, with the first headers of Python that are there."""
    places = [
        Path(sysconfig.get_paths()["include"]),
        Path(f"/usr/include/python3.{sys.version_info.minor}"),
        ROOT / BUILD / "include",
    ]
    found = next((place for place in places if (place / "Python.h").exists()), None)
    if found is None:
        raise SystemExit(f"There is no Python.h in {', '.join(map(str, places))}.")
    return [
        *["-shared", "-fPIC", level, "-march=native", "-fopenmp", "-fno-strict-aliasing", "-w"],
        *("-I", str(found)),
    ]


def compile_all(root: Path, modules: list[tuple[str, Path]], level: str = "-O3") -> None:
    """Compile C files; each module is put where it is imported from."""
    flags = compiler_flags(level)
    ending = sysconfig.get_config_var("EXT_SUFFIX")

    def compile_one(item: tuple[str, Path]) -> None:
        name, source = item
        folder = root if name.startswith("training.") else root / "src"
        target = folder / (name.replace(".", "/") + ending)
        subprocess.run(["gcc", str(source), "-o", str(target), *flags], check=True)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(compile_one, modules))


def carried_modules(root: Path) -> list[tuple[str, Path]]:
    """The C files that another machine has made."""
    folder = root / BUILD / "c"
    found = [path.relative_to(folder) for path in sorted(folder.rglob("*.c"))]
    if not found:
        raise SystemExit(f"There are no C files in {folder}: make them with `build c`.")
    return [(module_of(path), folder / path) for path in found]


def main(form: str) -> None:
    """Do what the first argument says."""
    if form == "carried":
        modules = carried_modules(ROOT)
        made_from = hashlib.sha256(b"".join(path.read_bytes() for _, path in modules)).hexdigest()
        stamp = ROOT / "training" / ".compiled"
        if not stamp.exists() or stamp.read_text() != made_from:
            compile_all(ROOT, modules)
            stamp.write_text(made_from)
        return
    target = BUILD / "c"
    if form == "c":
        shutil.rmtree(ROOT / target, ignore_errors=True)
        generate(ROOT, [*kernel_sources(ROOT), *our_sources()], target)
        headers = Path(sysconfig.get_paths()["include"])
        shutil.copytree(headers, ROOT / BUILD / "include", dirs_exist_ok=True)
        return
    level = "-O0" if form == "plain" else "-O3"
    compile_all(ROOT, generate(ROOT, our_sources(), target), level)


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "here")
