"""What import-linter cannot say: the rules import the standard library and themselves, nothing else."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

RULES = Path(__file__).resolve().parents[1] / "src" / "phaseten" / "rules"


def imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""


@pytest.mark.parametrize("path", sorted(RULES.rglob("*.py")), ids=lambda path: path.name)
def test_rules_import_only_the_standard_library(path: Path) -> None:
    foreign = {
        name
        for name in imported(path.read_text(encoding="utf-8"))
        if name.partition(".")[0] not in sys.stdlib_module_names
        and name != "phaseten.rules"
        and not name.startswith("phaseten.rules.")
    }
    assert not foreign
