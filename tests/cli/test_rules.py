import re
from pathlib import Path

import pytest

from phaseten.language import LANGUAGES
from phaseten.language.catalogue import rulebook_path
from phaseten.rules import referee
from phaseten.terminal.printer import Printer, visible
from phaseten.terminal.rulebook import rulebook
from tests.cli.command import Caller, assert_refused, process


def listed(code: str) -> list[tuple[str, str]]:
    """The ids and titles of all rules, as the rulebook's file has them."""
    text = rulebook_path(code).read_text(encoding="utf-8")
    return re.findall(r"^### (\S+) · (.+)$", text, re.MULTILINE)


IDS = listed("en")


@pytest.fixture(autouse=True)
def _an_english_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")


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


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("width", [40, 80, 100])
@pytest.mark.parametrize("color", [False, True])
def test_lines_fit_the_screen(width: int, color: bool, code: str) -> None:
    screen = Printer(color=color, shapes=True, width=width)
    book = rulebook(code)
    for section in book.sections:
        text = book.render(section, screen)
        assert ("\x1b" in text) == color
        if "|---" not in section.body and "```" not in section.body:  # tables have a least width
            assert max(map(visible, text.splitlines())) <= width


def test_every_refusal_names_a_rule_that_can_be_read() -> None:
    source = Path(referee.__file__).read_text(encoding="utf-8")
    named = set(re.findall(r'refuse\(\s*"([A-Z-]+)"', source))
    assert len(named) > 10
    for rule in named:
        assert rulebook("en").find(rule), rule


def test_ascii_output() -> None:
    answer = process("rules", "T-HIT", env={"PYTHONIOENCODING": "ascii", "LANGUAGE": "en"})
    assert answer.code == 0
    assert answer.out.isascii()
    assert "?" not in answer.out


# -- other languages -----------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_system_chooses_the_language(
    call: Caller, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setenv("LANGUAGE", code)
    everything = call("rules", "all").out
    assert "".join(everything.split()).count("".join(dict(listed(code))["T-HIT"].split())) == 1
    assert "`" not in everything
    contents = call("rules").out
    for rule, title in listed(code):
        assert re.search(rf"^  {re.escape(rule)} +{re.escape(title)}$", contents, re.MULTILINE)


def test_an_option_chooses_it_too(call: Caller) -> None:
    assert call("rules", "t-hit", "--language", "fr").out.startswith(
        "T-HIT · Ajouter des cartes aux combinaisons\n"
    )
    refused = call("rules", "T-HITT", "--language", "es")
    assert_refused(refused, "No hay ninguna regla 'T-HITT': ¿buscas T-HIT, ")
    refused = call("rules", "zzzzzzzz", "--language", "pt")
    assert_refused(refused, "Não há nenhuma regra 'zzzzzzzz': 'phaseten rules' mostra todas.")
    assert_refused(call("rules", "--language", "tlh"), "--language is one of en, es, fr, pt")


def test_examples_are_marked_in_every_language() -> None:
    screen = Printer(width=80)
    marked = {
        code: sum(
            rulebook(code).render(section, screen).count("\n  > ")
            for section in rulebook(code).sections
        )
        for code in LANGUAGES
    }
    assert marked["en"] > 80
    assert set(marked.values()) == {marked["en"]}


def test_chapters_have_their_own_names_and_the_english_ones(call: Caller) -> None:
    own = call("rules", "la manche", "--language", "fr").out
    assert own.startswith("H-DEAL · La donne\n")
    for name in ("manche", "the hand", "HAND"):
        assert call("rules", name, "--language", "fr").out == own
