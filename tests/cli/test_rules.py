import re
from pathlib import Path

import pytest

from phaseten.rules import referee
from phaseten.terminal.rulebook import RULEBOOK, find, render, sections
from phaseten.terminal.screen import Screen, visible
from tests.cli.command import Caller, assert_refused, process

IDS = re.findall(r"^### (\S+) · (.+)$", RULEBOOK.read_text(encoding="utf-8"), re.MULTILINE)


def test_contents_list_every_rule(call: Caller) -> None:
    answer = call("rules")
    assert answer.code == 0
    assert len(IDS) > 40
    for rule, title in IDS:
        assert re.search(rf"^  {re.escape(rule)} +{re.escape(title)}$", answer.out, re.MULTILINE)


@pytest.mark.parametrize("rule", [rule for rule, _ in IDS])
def test_every_rule_is_found(call: Caller, rule: str) -> None:
    answer = call("rules", rule.swapcase())
    assert answer.code == 0
    assert answer.out.startswith(f"{rule} · ")
    assert len(answer.out.splitlines()) > 2


def test_several_rules_a_chapter_and_everything(call: Caller) -> None:
    assert "W-ANY · " in (two := call("rules", "w-any", "W_NATURAL").out)
    assert "\n\nW-NATURAL · " in two
    chapter = call("rules", "the turn").out
    assert chapter == call("rules", "TURN").out
    assert "T-DRAW · " in chapter
    assert "S-PLAY · " not in chapter
    everything = call("rules", "all").out
    assert all(f"{rule} · {title}" in everything for rule, title in IDS)
    assert "Table A" in everything


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("T-HITT", "did you mean T-HIT, "),
        ("skpis", "Skips"),
        ("t", "T-TURN"),
        ("zzzzzzzz", "'phaseten rules' lists them."),
        ("", "There is no rule ''"),
    ],
)
def test_unknown_rule_names_the_nearest(call: Caller, wanted: str, words: str) -> None:
    assert_refused(call("rules", wanted), words)


def test_plain_text_is_plain(call: Caller) -> None:
    text = call("rules", "all").out
    assert "\x1b" not in text
    assert "**" not in text
    assert "`" not in text
    assert "](" not in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("width", [40, 80, 100])
@pytest.mark.parametrize("color", [False, True])
def test_lines_fit_the_screen(width: int, color: bool) -> None:
    screen = Screen(color=color, shapes=True, width=width)
    for section in sections():
        text = render(section, screen)
        assert ("\x1b" in text) == color
        if "|---" not in section.body and "```" not in section.body:  # tables have a least width
            assert max(map(visible, text.splitlines())) <= width


def test_every_refusal_names_a_rule_that_can_be_read() -> None:
    source = Path(referee.__file__).read_text(encoding="utf-8")
    named = set(re.findall(r'refuse\(\s*"([A-Z-]+)"', source))
    assert len(named) > 10
    for rule in named:
        assert find(rule), rule


def test_ascii_output() -> None:
    answer = process("rules", "T-HIT", env={"PYTHONIOENCODING": "ascii"})
    assert answer.code == 0
    assert answer.out.isascii()
    assert "?" not in answer.out
