"""Compiles the environment.

python -m training.build           for this machine's processors, in place
python -m training.build plain     the same, soon compiled and slow to run: for tests
python -m training.build translated  the lines that a GPU runs, not yet compiled
python -m training.build gpu       those for a GPU, into training/build/gpu, which can be carried to another machine
python -m training.build carry     the kernel's C files, into training/build/kernel.tar.gz, which can be carried too
python -m training.build carried   there, where neither Cython nor a network is: compile them, in place
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNEL = Path("src/phaseten/kernel")
BUILD = Path("training/build")
CARRIED = BUILD / "carried"
ARCHIVE = BUILD / "kernel.tar.gz"
OURS = ("imitation", "secrets", "tables", "environment", "truth", "games")


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
    """What the compiler needs to know."""
    headers = Path(sysconfig.get_paths()["include"])
    if not (headers / "Python.h").exists():
        headers = ROOT / CARRIED / "include"
    return [
        *["-shared", "-fPIC", level, "-march=native", "-fopenmp", "-fno-strict-aliasing", "-w"],
        *("-I", str(headers)),
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


def pack() -> None:
    """Write the kernel's C files and Python's headers into one archive."""
    folder = ROOT / CARRIED
    shutil.rmtree(folder, ignore_errors=True)
    generate(ROOT, kernel_sources(ROOT), CARRIED / "c")
    headers = Path(sysconfig.get_paths()["include"])
    with tarfile.open(ROOT / ARCHIVE, "w:gz") as archive:
        archive.add(folder / "c", "c")
        archive.add(headers, "include")
    shutil.rmtree(folder)
    print(f"{ARCHIVE}: {(ROOT / ARCHIVE).stat().st_size:,} bytes")


def compile_what_was_carried() -> None:
    """Compile the kernel from the archive that another machine has made."""
    if not (ROOT / ARCHIVE).exists():
        raise SystemExit(f"There is no {ARCHIVE}: `python -m training.build carry` makes it.")
    folder = ROOT / CARRIED
    with tarfile.open(ROOT / ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    found = [path.relative_to(folder / "c") for path in sorted((folder / "c").rglob("*.c"))]
    compile_all(ROOT, [(module_of(path), folder / "c" / path) for path in found])


def main(form: str) -> None:
    """Do what the first argument says."""
    target = BUILD / "c"
    if form == "carry":
        pack()
        return
    if form == "carried":
        compile_what_was_carried()
        return
    if form in {"translated", "gpu"}:
        from training.translate import write

        shutil.rmtree(ROOT / BUILD, ignore_errors=True)
        generate(ROOT, [*kernel_sources(ROOT), *our_sources()], target)
        write(ROOT / target)
    if form == "gpu":
        from training.gpu import compile_for, library_for

        compile_for("cuda")
        print(library_for("cuda"))
    if form in {"translated", "gpu"}:
        return
    level = "-O0" if form == "plain" else "-O3"
    compile_all(ROOT, generate(ROOT, our_sources(), target), level)


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "here")
