"""No rule without a test, no refusal without a rule, no sentence without a use."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from phaseten.rules.refusals import SENTENCES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Mutation testing works in a copy whose sources are full of mutants: the true ones lie above it.
SOURCES = (ROOT.parent if ROOT.name == "mutants" else ROOT) / "src" / "phaseten"
HEADING = re.compile(r"^### (\S+) · .+$", re.MULTILINE)
RULES = HEADING.findall((ROOT / "docs" / "rules.md").read_text(encoding="utf-8"))
RULE_ID = re.compile(r"[A-Z]-[A-Z]+(?:-[A-Z]+)*")


def normal(name: str) -> str:
    return name.lower().replace("-", "_")


def trees(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(folder.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def rule_of(test: str) -> str | None:
    """The rule a test is named after: the longest one its name begins with."""
    named = [rule for rule in RULES if f"{test}_".startswith(f"test_{normal(rule)}_")]
    return max(named, key=len, default=None)


TESTED = {
    rule_of(node.name)
    for _, tree in trees(HERE)
    for node in ast.walk(tree)
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
}


@cache
def refusals() -> list[tuple[str, ast.Call]]:
    """Every call of ``refuse`` in the law, and where it stands."""
    return list(_refusals())


def _refusals() -> Iterator[tuple[str, ast.Call]]:
    for path, tree in trees(SOURCES / "rules"):
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "refuse"
            ):
                yield f"{path.name}:{node.lineno}", node


def texts(node: ast.AST) -> set[str]:
    return {
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


def test_the_rules_page_was_read() -> None:
    assert len(RULES) == len(set(RULES)) >= 44
    assert {"M-SET", "T-HIT-WILD", "S-ONCE-A-ROUND", "V3", "choose_phase"} <= set(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_test(rule: str) -> None:
    assert rule in TESTED


def test_every_refusal_names_a_rule_of_the_page() -> None:
    named = {rule for _, call in refusals() for rule in texts(call.args[0])}
    assert named
    assert named <= set(RULES)


def test_every_rule_id_in_the_sources_is_on_the_page() -> None:
    """Also where a rule is named by a kind of meld, or chosen before it is refused."""
    found = {
        text
        for _, tree in trees(SOURCES / "rules")
        for text in texts(tree)
        if RULE_ID.fullmatch(text)
    }
    assert {"M-PAIRRUN", "T-HIT-WILD"} <= found
    assert found <= set(RULES)


def test_every_refusal_has_a_sentence_with_its_values() -> None:
    """Each refusal gives just the values that its sentence asks for: none can fail to be formatted."""
    for where, call in refusals():
        given = {keyword.arg for keyword in call.keywords}
        reasons = texts(call.args[1])
        assert reasons, where
        for reason in reasons:
            assert reason in SENTENCES, where
            assert set(re.findall(r"{(\w+)}", SENTENCES[reason])) == given, f"{where}: {reason}"


def test_every_sentence_is_used() -> None:
    used = {reason for _, call in refusals() for reason in texts(call.args[1])}
    assert set(SENTENCES) == used


def test_sentences_are_sentences() -> None:
    for sentence in SENTENCES.values():
        assert re.fullmatch(r"[A-Z{].*\.", sentence)
