"""Compiles the kernel while the package is built or installed.

The kernel's modules are Python that also runs uncompiled: where there is no compiler the package
is built without it, and says so when the kernel is first used.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNEL = Path("src/phaseten/kernel")
MODULES = (
    "book",
    "engine",
    "legality",
    "laying",
    "policies",
    "expert",
    "rookie",
    "players",
    "knowledge",
    "search",
    "single",
    "many",
)


class KernelBuildHook(BuildHookInterface[Any]):
    """Builds the kernel's extension modules beside their sources."""

    PLUGIN_NAME = "kernel"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and tell hatchling that the wheel is for this machine."""
        del version
        if self.target_name != "wheel" or os.environ.get("PHASETEN_PURE"):
            return
        root = Path(self.root)
        try:
            if not is_built(root):  # pip asks twice in one installation
                build_kernel(root)
        except Exception as error:  # noqa: BLE001 - any compiler can fail in any way; Python still works
            sys.stderr.write(f"phaseten: the kernel was not compiled and will be slow: {error}\n")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += [f"{KERNEL}/*.so", f"{KERNEL}/*.pyd"]


def is_built(root: Path) -> bool:
    """Whether the compiled modules are all there and newer than what they are made from."""
    folder = root / KERNEL
    ending = sysconfig.get_config_var("EXT_SUFFIX")
    made = [folder / f"{name}{ending}" for name in MODULES]
    sources = [root / "hatch_build.py", *folder.glob("*.py"), *folder.glob("*.pxd")]
    return all(path.exists() for path in made) and min(path.stat().st_mtime for path in made) > max(
        path.stat().st_mtime for path in sources
    )


def build_kernel(root: Path, directives: dict[str, Any] | None = None) -> None:
    """Compile the kernel in place. ``directives`` override those in the sources."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    here = Path.cwd()
    os.chdir(root)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            flags = (
                [] if os.name == "nt" else ["-O3", "-fno-strict-aliasing", "-Wno-unused-function"]
            )
            flags += os.environ.get("PHASETEN_CFLAGS", "").split()
            extensions = cythonize(
                [
                    Extension(
                        f"phaseten.kernel.{name}",
                        [str(KERNEL / f"{name}.py")],
                        extra_compile_args=flags,
                        extra_link_args=os.environ.get("PHASETEN_LDFLAGS", "").split(),
                    )
                    for name in MODULES
                ],
                build_dir=scratch,
                include_path=["src"],
                compiler_directives=directives or {},
                quiet=True,
            )
            distribution = Distribution({"ext_modules": extensions, "package_dir": {"": "src"}})
            command = build_ext(distribution)
            command.inplace = True
            command.parallel = os.cpu_count() or 1
            command.build_temp = scratch
            command.ensure_finalized()
            command.run()
    finally:
        os.chdir(here)


if __name__ == "__main__":
    build_kernel(Path(__file__).parent)
