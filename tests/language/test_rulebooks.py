"""The rulebook says the same in every language: the same rules, cards and tables, in other words."""

import re

import pytest

from phaseten.language import LANGUAGES, language
from phaseten.language.catalogue import read_rulebook, rulebook_path
from phaseten.rules.editions import BOOK_EDITIONS, edition, read_edition
from phaseten.terminal.rulebook import rulebook

FIRST, *OTHERS = LANGUAGES
MARKS = ("rules.example", "rules.editions")


def lines(code: str) -> list[str]:
    return read_rulebook(code).splitlines()


def pairs(code: str) -> list[tuple[str, str]]:
    """The lines of the English rulebook, each with its translation."""
    return list(zip(lines(FIRST), lines(code), strict=True))


def notation(text: str) -> list[str]:
    """The cards, moves and names that are pictures or code."""
    return re.findall(r"`([^`]*)`", text)


def words(text: str) -> str:
    """What a reader reads, without cards, numbers and the ids of rules."""
    bare = re.sub(r"`[^`]*`|\]\([^)]*\)|\b[A-Z]+(?:-[A-Z]+)+\b|\b(?:\w+_)+\w+\b", "", text)
    return " ".join(re.findall(r"[^\W\d]{3,}", bare))


@pytest.mark.parametrize("code", OTHERS)
def test_the_same_rules_in_the_same_order(code: str) -> None:
    ours, theirs = rulebook(FIRST), rulebook(code)
    assert len([section for section in ours.sections if section.id]) > 40
    assert [section.id for section in theirs.sections] == [section.id for section in ours.sections]
    assert len(theirs.chapters) == len(ours.chapters)


@pytest.mark.parametrize("code", OTHERS)
def test_every_line_is_of_the_same_kind(code: str) -> None:
    kind = re.compile(r"#+ |- |\||```|")

    def shape(line: str, spoken: str) -> tuple[object, ...]:
        mark = [line.startswith(language(spoken).say(name) + " ") for name in MARKS]
        head = kind.match(line)
        return (head and head[0], bool(line), line.count("|"), line.count("**"), *mark)

    assert [shape(theirs, code) for _, theirs in pairs(code)] == [
        shape(ours, FIRST) for ours, _ in pairs(code)
    ]


@pytest.mark.parametrize("code", OTHERS)
def test_the_same_cards_links_and_editions(code: str) -> None:
    for ours, theirs in pairs(code):
        assert notation(theirs) == notation(ours)
        assert re.findall(r"\]\(([^)]*)\)", theirs) == re.findall(r"\]\(([^)]*)\)", ours)
        if ours.startswith(language(FIRST).say("rules.editions")):
            assert theirs.split()[-1:] == ours.split()[-1:]
            assert theirs.partition(":")[2] == ours.partition(":")[2]


@pytest.mark.parametrize("code", OTHERS)
def test_the_same_numbers_in_the_tables(code: str) -> None:
    for ours, theirs in pairs(code):
        if ours.startswith("|"):
            assert re.findall(r"\d+|~~", theirs) == re.findall(r"\d+|~~", ours)


@pytest.mark.parametrize("code", OTHERS)
def test_nothing_is_left_in_english(code: str) -> None:
    same = {
        words(mine)
        for ours, theirs in pairs(code)
        if not ours.startswith(("based_on = ", "phases = ", "```"))
        for mine, other in zip(ours.split("|"), theirs.split("|"), strict=True)
        if words(mine) == words(other)
    }
    assert same <= {"", "Phase", "Phases", "total"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_phases_are_those_of_the_editions_in_the_words_of_the_game(code: str) -> None:
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", read_rulebook(code), re.MULTILINE)
    phases = [*edition("classic").phases, *edition("express").phases]
    assert [int(number) for number, _ in rows] == [phase.number for phase in phases]
    for (_, said), phase in zip(rows, phases, strict=True):
        for part in language(code).phase(phase).split(" + "):
            assert part.removeprefix("2 ") in said


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_edition_of_ones_own_can_be_played(code: str) -> None:
    (listing,) = re.findall(r"```toml\n(.*?)```", read_rulebook(code), re.DOTALL)
    own = read_edition(listing, "the rulebook")
    assert [len(phase.groups) for phase in own.phases] == [2, 1, 1, 2]
    assert own.name not in BOOK_EDITIONS


def test_french_marks_do_not_start_a_line() -> None:
    assert re.search(" [:;!?]", rulebook_path("fr").read_text("utf-8"))
    assert not re.search(" [:;!?]", read_rulebook("fr"))
