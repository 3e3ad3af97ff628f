"""What is too long to be read in one go is two things."""

import ast
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src" / "phaseten"
MOST_LINES = 500
MOST_OF_A_FUNCTION = 60


def test_no_module_and_no_function_is_too_long() -> None:
    too_long: list[str] = []
    for path in sorted(SOURCES.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(SOURCES)
        if text.count("\n") > MOST_LINES:
            too_long.append(f"{name}: {text.count(chr(10))} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno
                if lines > MOST_OF_A_FUNCTION:
                    too_long.append(f"{name}: {node.name} has {lines} lines")
    assert too_long == []
