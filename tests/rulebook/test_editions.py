"""The five editions by the book, and files of one's own: what they may say and what is wrong."""

from collections import Counter
from pathlib import Path

import pytest

from phaseten.rules.cards import format_cards, parse_card
from phaseten.rules.editions import (
    BOOK_EDITIONS,
    EDITIONS_FOLDER,
    HOUSE_RULES,
    KINDS,
    Edition,
    EditionError,
    Group,
    Kind,
    Phase,
    edition,
    load_edition,
    parse_group,
    parse_groups,
    read_edition,
)
from tests.rulebook.situations import ALL

A = (
    "set 3 + set 3", "set 3 + run 4", "set 4 + run 4", "run 7", "run 8", "run 9", "set 4 + set 4",
    "color 7", "set 5 + set 2", "set 5 + set 3",
)  # fmt: skip
B = (
    "odd 4", "set 2 + set 2", "even 4", "pairrun 2", "set 3", "run 4", "colorrun 3", "oddrun 4",
    "evenrun 4", "color 4",
)  # fmt: skip
V12 = ("ten-hands", "phases")
V123 = (*V12, "even")

# -- the five ----------------------------------------------------------------------------------

BOXES = {
    "classic": ("Classic", 2010, 10, "RBYG", 12, 2, 8, 4, 4, "pile", V123, A),
    "deluxe": ("Deluxe", 2002, 10, "RBYG", 12, 2, 8, 4, 4, "pile", V123, A),
    "elchavo": ("El Chavo", 2008, 10, "RBYG", 12, 2, 8, 4, 4, "pile", V123, A),
    "anniversary": ("40th Anniversary", 2021, 10, "ROYG", 12, 2, 8, 4, 4, "front", V12, A),
    "express": ("Express", 0, 5, "RBYG", 12, 1, 3, 3, 3, "front", V12, B),
}


@pytest.mark.parametrize("name", ALL)
def test_the_five_books(name: str) -> None:
    title, year, deal, colors, highest, copies, wilds, skips, run, style, variations, table = BOXES[
        name
    ]
    phases = tuple(
        Phase(number, parse_groups(text), 8 if (name, number) == ("elchavo", 10) else 0)
        for number, text in enumerate(table, 1)
    )
    assert edition(name) == Edition(
        name, title, year, (2, 6), deal, colors, highest, copies, wilds, skips, run, style,
        variations, (), phases, "",
    )  # fmt: skip
    assert [phase.text for phase in edition(name).phases] == list(table)
    assert edition(name).skips_wait_in_front is (style == "front")


@pytest.mark.parametrize(
    ("name", "numbered", "all_cards"), [(n, 96, 108) for n in ALL[:4]] + [("express", 48, 54)]
)
def test_the_decks(name: str, numbered: int, all_cards: int) -> None:
    box = edition(name)
    deck = box.deck
    assert len(deck) == all_cards
    assert sum(card.is_natural for card in deck) == numbered
    assert Counter(deck)[parse_card("W")] == box.wilds
    assert Counter(deck)[parse_card("S")] == box.skips
    each = Counter(card for card in deck if card.is_natural)
    assert set(each.values()) == {numbered // 48}
    assert {card.color for card in each} == set(box.colors)
    assert {card.number for card in each} == set(range(1, 13))


def test_the_unshuffled_deck_is_in_the_published_order() -> None:
    """By colour in the order of the table, ascending, copies together; then Wilds, then Skips."""
    text = format_cards(edition("anniversary").deck)
    assert text.startswith("R1 R1 R2 R2 R3 R3")
    assert " R12 R12 O1 O1 " in text
    assert " O12 O12 Y1 Y1 " in text
    assert text.endswith("G12 G12 W W W W W W W W S S S S")
    assert format_cards(edition("express").deck).endswith("G11 G12 W W W S S S")


def test_every_kind_of_meld() -> None:
    assert list(KINDS.values()) == [
        Kind("set", "M-SET", False, 1, 1, False, None),
        Kind("run", "M-RUN", True, 1, 1, False, None),
        Kind("color", "M-COLOR", False, 1, 1, True, None),
        Kind("odd", "M-PARITY", False, 1, 1, False, 1),
        Kind("even", "M-PARITY", False, 1, 1, False, 0),
        Kind("pairrun", "M-PAIRRUN", True, 1, 2, False, None),
        Kind("colorrun", "M-COLORRUN", True, 1, 1, True, None),
        Kind("oddrun", "M-STEPRUN", True, 2, 1, False, 1),
        Kind("evenrun", "M-STEPRUN", True, 2, 1, False, 0),
    ]
    assert list(KINDS) == [kind.name for kind in KINDS.values()]


def test_a_phase_by_its_number() -> None:
    classic = edition("classic")
    assert classic.phase(1) is classic.phases[0]
    assert classic.phase(10).text == "set 5 + set 3"
    for number in (0, 11, -1):
        with pytest.raises(EditionError) as error:
            classic.phase(number)
        assert str(error.value) == f"Classic has the Phases 1 to 10, not {number}"


def test_names_of_editions() -> None:
    assert BOOK_EDITIONS == ALL
    with pytest.raises(EditionError) as error:
        edition("clasic")
    assert str(error.value) == (
        "there is no edition 'clasic': choose one of classic, deluxe, elchavo, anniversary, "
        "express, or give the path of your own file ending in .toml"
    )
    with pytest.raises(EditionError, match="there is no edition"):
        edition("../classic")


# -- groups ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(KINDS))
def test_groups_are_read_and_written(kind: str) -> None:
    for size in (2, 5, 12):
        group = parse_group(f"{kind} {size}")
        assert group == Group(KINDS[kind], size)
        assert (group.text, repr(group)) == (f"{kind} {size}", f"{kind} {size}")
        assert group.cards == size * (2 if kind == "pairrun" else 1)
        assert parse_group(f"  {kind}   {size} ") == group


@pytest.mark.parametrize(
    "text",
    [
        "",
        "set",
        "3",
        "set 1",
        "set 0",
        "set x",
        "sets 3",
        "Set 3",
        "set 3 4",
        "set -3",
        "set 100",
        "set3",
    ],
)
def test_what_is_no_group(text: str) -> None:
    with pytest.raises(EditionError) as error:
        parse_group(f" {text}")
    assert str(error.value) == (
        f"{text!r} is not a group: write a kind and a size of 2 or more such as 'set 3'; the kinds "
        "are set, run, color, odd, even, pairrun, colorrun, oddrun, evenrun"
    )


def test_a_phase_has_one_or_two_groups() -> None:
    assert parse_groups("set 3+run 4") == (parse_group("set 3"), parse_group("run 4"))
    assert parse_groups("run 4") == (parse_group("run 4"),)
    with pytest.raises(EditionError) as error:
        parse_groups("set 3 + set 3 + set 3")
    assert str(error.value) == "'set 3 + set 3 + set 3' has 3 groups: a Phase has one or two"


# -- files of one's own ------------------------------------------------------------------------

OWN = """\
name = "own"
title = "My own"
year = 1999
players = [2, 4]
deal = 7
colors = ["G", "O"]
highest = 9
copies = 3
wilds = 1
skips = 0
shortest_run = 2
skip_goes_to = "front"
variations = ["even"]
house = ["no_rediscard"]
phases = [
    "run 2",
    "set 4 + pairrun 2",
]

[must_show]
2 = 9
"""


def test_a_file_that_says_everything() -> None:
    own = read_edition(OWN, "own.toml", source="x/own.toml")
    phases = (Phase(1, parse_groups("run 2")), Phase(2, parse_groups("set 4 + pairrun 2"), 9))
    assert own == Edition(
        "own", "My own", 1999, (2, 4), 7, "GO", 9, 3, 1, 0, 2, "front", ("even",),
        ("no_rediscard",), phases, "x/own.toml",
    )  # fmt: skip
    assert len(own.deck) == 55


def test_what_may_be_left_out() -> None:
    least = "\n".join(
        line
        for line in OWN.splitlines()
        if not line.startswith(("year", "players", "variations", "house"))
    )
    own = read_edition(least, "own.toml")
    assert (own.year, own.players, own.variations, own.house, own.source) == (
        0,
        (2, 6),
        V123,
        (),
        "",
    )


def test_based_on_changes_only_what_is_given() -> None:
    own = read_edition('based_on = "express"\nname = "own"\ndeal = 6\n', "own.toml")
    express = edition("express")
    assert own.phases == express.phases
    assert (own.name, own.title, own.deal) == ("own", "Express", 6)
    assert own.deck == express.deck


def test_based_on_what_a_phase_must_show_belongs_to_its_list() -> None:
    kept = read_edition('based_on = "elchavo"\n', "own.toml")
    assert [phase.must_show for phase in kept.phases] == [0] * 9 + [8]
    other = read_edition('based_on = "elchavo"\nphases = ["set 3"]\n', "own.toml")
    assert [phase.must_show for phase in other.phases] == [0]
    ten = f"phases = {['set 3'] * 10!r}\n"
    assert read_edition(f'based_on = "elchavo"\n{ten}', "o.toml").phase(10).must_show == 0
    own = read_edition(
        'based_on = "elchavo"\nphases = ["set 3"]\n[must_show]\n1 = 12\n', "own.toml"
    )
    assert own.phase(1).must_show == 12


def test_a_file_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    assert edition(str(path)) == load_edition(path) == read_edition(OWN, "", source=str(path))
    assert edition(str(path)).source == str(path)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "none.toml"
    with pytest.raises(EditionError) as error:
        edition(str(missing))
    assert str(error.value) == f"{missing} cannot be read: No such file or directory"
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'name = "\xe9"')
    with pytest.raises(EditionError) as error:
        load_edition(latin)
    assert str(error.value) == f"{latin} is not UTF-8 text: save it as UTF-8"


def test_files_are_read_as_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes('based_on = "classic"\ntitle = "Únser Tísch"\n'.encode())
    assert load_edition(path).title == "Únser Tísch"
    path.write_bytes('based_on = "classic"\ntitel = "Ú"\n'.encode())
    with pytest.raises(EditionError) as error:
        load_edition(path)
    assert str(error.value).startswith(f"{path}, line 2: titel: unknown key")


def test_the_five_lie_beside_the_code() -> None:
    assert sorted(path.stem for path in EDITIONS_FOLDER.glob("*.toml")) == sorted(BOOK_EDITIONS)


SEE = "; see an edition that works with 'phaseten editions classic --toml'"
CHOICES_COLORS = "a list of R, B, Y, G, O"
CHOICES_HOUSE = f"a list of {', '.join(HOUSE_RULES)}"
KEYS = (
    "colors, copies, deal, highest, house, must_show, name, phases, players, shortest_run, "
    "skip_goes_to, skips, title, variations, wilds, year"
)
MISSING = 'missing: add it, or start the file with based_on = "classic"'
PAIR = "a pair such as [2, 6]"
SHOW = "a table of Phases and the number each must show, such as 10 = 8"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # not TOML
        ("deal = 7", "deal = ", ", line 5: not valid TOML: Invalid value" + SEE),
        ("deal = 7", "deal 7", ", line 5: not valid TOML: Expected '=' after a key in a key/value pair" + SEE),
        ("2 = 9\n", '2 = "9', ', line 21: not valid TOML: Unterminated string' + SEE),
        ("2 = 9\n", "2 = 9\n\na = [", ", line 23: not valid TOML: Invalid value" + SEE),
        ("deal = 7", "deal = 7\ndeal = 8", ", line 6: not valid TOML: Cannot overwrite a value" + SEE),
        # keys
        ("deal = 7", "dealt = 7", f", line 5: dealt: unknown key; the keys are {KEYS}"),
        ("deal = 7\n", "", f": deal: {MISSING} (a whole number from 1 to 20)"),
        ('name = "own"\n', "", f": name: {MISSING} (a short text)"),
        ('colors = ["G", "O"]\n', "", f": colors: {MISSING} ({CHOICES_COLORS})"),
        ('skip_goes_to = "front"\n', "", f": skip_goes_to: {MISSING} (one of pile, front)"),
        ("highest = 9\n", "", f": highest: {MISSING} (a whole number from 1 to 12)"),
        # based_on
        (
            'name = "own"', 'name = "own"\nbased_on = "clasic"',
            ", line 2: based_on: 'clasic' is not one of classic, deluxe, elchavo, anniversary, express",
        ),
        ('name = "own"', "based_on = 3", ", line 1: based_on: 3 is not one of classic, deluxe, elchavo, anniversary, express"),
        # texts
        ('title = "My own"', 'title = "  "', ", line 2: title: '  ' is not a short text of up to 60 letters"),
        ('title = "My own"', f'title = "{"x" * 61}"', f", line 2: title: {'x' * 61!r} is not a short text of up to 60 letters"),
        ('title = "My own"', 'title = "a\\tb"', ", line 2: title: 'a\\tb' is not a short text of up to 60 letters"),
        ('title = "My own"', "title = 7", ", line 2: title: 7 is not a short text"),
        # numbers
        ("year = 1999", "year = -1", ", line 3: year: -1 is not a whole number from 0 to 9999"),
        ("year = 1999", "year = 10000", ", line 3: year: 10000 is not a whole number from 0 to 9999"),
        ("deal = 7", "deal = 0", ", line 5: deal: 0 is not a whole number from 1 to 20"),
        ("deal = 7", "deal = 21", ", line 5: deal: 21 is not a whole number from 1 to 20"),
        ("deal = 7", "deal = 7.0", ", line 5: deal: 7.0 is not a whole number from 1 to 20"),
        ("deal = 7", "deal = true", ", line 5: deal: True is not a whole number from 1 to 20"),
        ("deal = 7", 'deal = "7"', ", line 5: deal: '7' is not a whole number from 1 to 20"),
        ("highest = 9", "highest = 13", ", line 7: highest: 13 is not a whole number from 1 to 12"),
        ("highest = 9", "highest = 0", ", line 7: highest: 0 is not a whole number from 1 to 12"),
        ("copies = 3", "copies = 0", ", line 8: copies: 0 is not a whole number from 1 to 3"),
        ("copies = 3", "copies = 4", ", line 8: copies: 4 is not a whole number from 1 to 3"),
        ("wilds = 1", "wilds = -1", ", line 9: wilds: -1 is not a whole number from 0 to 20"),
        ("wilds = 1", "wilds = 21", ", line 9: wilds: 21 is not a whole number from 0 to 20"),
        ("skips = 0", "skips = -1", ", line 10: skips: -1 is not a whole number from 0 to 20"),
        ("skips = 0", "skips = 21", ", line 10: skips: 21 is not a whole number from 0 to 20"),
        ("shortest_run = 2", "shortest_run = 1", ", line 11: shortest_run: 1 is not a whole number from 2 to 12"),
        ("shortest_run = 2", "shortest_run = 13", ", line 11: shortest_run: 13 is not a whole number from 2 to 12"),
        # players
        ("players = [2, 4]", "players = 4", f", line 4: players: 4 is not {PAIR}"),
        ("players = [2, 4]", "players = [4]", f", line 4: players: [4] is not {PAIR}"),
        ("players = [2, 4]", "players = [2, 3, 4]", f", line 4: players: [2, 3, 4] is not {PAIR}"),
        ("players = [2, 4]", 'players = [2, "4"]', f", line 4: players: [2, '4'] is not {PAIR}"),
        ("players = [2, 4]", "players = [1, 4]", f", line 4: players: [1, 4] does not lie between {PAIR}"),
        ("players = [2, 4]", "players = [2, 7]", f", line 4: players: [2, 7] does not lie between {PAIR}"),
        ("players = [2, 4]", "players = [4, 2]", f", line 4: players: [4, 2] does not lie between {PAIR}"),
        # choices
        ('"front"', '"table"', ", line 12: skip_goes_to: 'table' is not one of pile, front"),
        ('"front"', "3", ", line 12: skip_goes_to: 3 is not one of pile, front"),
        ('["G", "O"]', '["G", "P"]', f", line 6: colors: 'P' does not belong in {CHOICES_COLORS}"),
        ('["G", "O"]', '["G", 3]', f", line 6: colors: 3 is not a text: {CHOICES_COLORS}"),
        ('["G", "O"]', '"GO"', f", line 6: colors: 'GO' is not {CHOICES_COLORS}"),
        ('["G", "O"]', '["G", "G"]', ", line 6: colors: the same entry stands there twice: remove one"),
        ('["G", "O"]', "[]", f", line 6: colors: the list is too short: {CHOICES_COLORS}"),
        ('["G", "O"]', '[\n  "G",\n  "Z",\n]', f", line 8: colors: 'Z' does not belong in {CHOICES_COLORS}"),
        ('["even"]', '["odd"]', ", line 13: variations: 'odd' does not belong in a list of ten-hands, phases, even"),
        ('["no_rediscard"]', '["jokers"]', f", line 14: house: 'jokers' does not belong in {CHOICES_HOUSE}"),
        # Phases
        ('"run 2",', '"run two",', ", line 16: phases: 'run two' is not a group: write a kind and a size of 2 or more such as 'set 3'; the kinds are set, run, color, odd, even, pairrun, colorrun, oddrun, evenrun"),
        ('"run 2",', '"run 2 + run 2 + run 2",', ", line 16: phases: 'run 2 + run 2 + run 2' has 3 groups: a Phase has one or two"),
        ('"run 2",', "2,", ', line 15: phases: 2 is not a text: a list such as ["set 3 + set 3", "run 7"]'),
        ('"set 4 + pairrun 2"', '"pairrun 10"', ", line 17: phases: 'pairrun 10' is longer than the longest possible, 9"),
        ('"set 4 + pairrun 2"', '"oddrun 6"', ", line 17: phases: 'oddrun 6' is longer than the longest possible, 5"),
        ('"set 4 + pairrun 2"', '"evenrun 5"', ", line 17: phases: 'evenrun 5' is longer than the longest possible, 4"),
        ('"set 4 + pairrun 2"', '"run 10"', ", line 17: phases: 'run 10' is longer than the longest possible, 9"),
        ("shortest_run = 2", "shortest_run = 3", ", line 16: phases: 'run 2' is shorter than shortest_run = 3"),
        ('"set 4 + pairrun 2"', '"set 9"', ", line 15: phases: Phase 2 needs 9 cards, and nobody ever holds more than 8: deal more or ask for fewer"),
        ('"set 4 + pairrun 2"', '"set 5 + pairrun 2"', ", line 15: phases: Phase 2 needs 9 cards, and nobody ever holds more than 8: deal more or ask for fewer"),
        # what must be shown
        ("2 = 9", "2 = 10", f", line 21: must_show: 10 is not a card number: {SHOW}"),
        ("2 = 9", "2 = 0", f", line 21: must_show: 0 is not a card number: {SHOW}"),
        ("2 = 9", '2 = "9"', f", line 21: must_show: '9' is not a card number: {SHOW}"),
        ("2 = 9", "3 = 9", ", line 21: must_show: '3' is not the number of a Phase"),
        ("2 = 9", "0 = 9", ", line 21: must_show: '0' is not the number of a Phase"),
        ("2 = 9", "two = 9", ", line 21: must_show: 'two' is not the number of a Phase"),
        ("[must_show]\n2 = 9", "", ""),
        # the deck
        ("copies = 3", "copies = 1", ""),
        ("deal = 7", "deal = 20", ""),
    ],
)  # fmt: skip
def test_mistakes_are_named_with_their_line(old: str, new: str, message: str) -> None:
    assert OWN.count(old) == 1
    text = OWN.replace(old, new)
    if not message:
        assert read_edition(text, "own.toml").name == "own"
        return
    with pytest.raises(EditionError) as error:
        read_edition(text, "own.toml")
    assert str(error.value) == "own.toml" + message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('phases = []', "own.toml, line 2: phases: 0 Phases: a game has 1 to 20"),
        (f"phases = {['set 3'] * 21!r}", "own.toml, line 2: phases: 21 Phases: a game has 1 to 20"),
        ('must_show = 3', f"own.toml, line 2: must_show: 3 is not {SHOW}"),
        (
            "copies = 1\ndeal = 20\nhighest = 9\nwilds = 3\nskips = 2",
            "own.toml, line 3: deal: the deck has 41 cards, and 2 players need 42: deal fewer or add cards",
        ),
        (
            "players = [5, 6]\ndeal = 20\ncopies = 1\nwilds = 20",
            "own.toml, line 3: deal: the deck has 72 cards, and 5 players need 102: deal fewer or add cards",
        ),
    ],
)  # fmt: skip
def test_mistakes_against_the_base(change: str, message: str) -> None:
    with pytest.raises(EditionError) as error:
        read_edition(f'based_on = "classic"\n{change}\n', "own.toml")
    assert str(error.value) == message


def test_numbers_at_their_very_limits() -> None:
    for change in (
        "year = 0", "year = 9999", "deal = 20", "wilds = 20", "skips = 20", "wilds = 0",
        "copies = 3", "players = [2, 2]", "players = [6, 6]", "shortest_run = 2",
        f'title = "{"x" * 60}"', 'colors = ["R"]\ncopies = 3', "variations = []",
        f"phases = {['set 3'] * 20!r}", 'phases = ["run 12"]\ndeal = 11', 'phases = ["set 11"]',
        'phases = ["oddrun 6"]', 'phases = ["evenrun 6"]', 'phases = ["pairrun 5"]',
        "phases = ['colorrun 4 + run 4']",
    ):  # fmt: skip
        assert read_edition(f'based_on = "classic"\n{change}\n', "own.toml").source == ""


def test_the_smallest_deck_that_can_be_dealt() -> None:
    """Two players, each dealt their cards, one turned up, one to draw."""
    text = 'based_on = "classic"\nphases = ["set 2"]\ncolors = ["R"]\nhighest = 1\ncopies = 3\nwilds = 1\nskips = 0\nshortest_run = 2\n'
    assert len(read_edition(text + "deal = 1\n", "own.toml").deck) == 4
    with pytest.raises(EditionError) as error:
        read_edition(text + "deal = 2\n", "own.toml")
    assert str(error.value).endswith(
        "the deck has 4 cards, and 2 players need 6: deal fewer or add cards"
    )


# -- where a mistake stands --------------------------------------------------------------------


def line_of(text: str) -> str:
    with pytest.raises(EditionError) as error:
        read_edition(text, "own.toml")
    return str(error.value).partition(":")[0]


def test_the_line_of_a_table_nobody_knows() -> None:
    assert line_of('based_on = "classic"\n[colours]\nred = 1\n') == "own.toml, line 2"


def test_the_line_of_an_empty_table_at_the_end() -> None:
    assert line_of('based_on = "classic"\n[colours]\n') == "own.toml, line 2"


def test_the_line_of_a_table_before_a_blank_line() -> None:
    assert line_of('based_on = "classic"\n[colours]\n\nred = 1\n') == "own.toml, line 2"


def test_the_line_of_a_phase_that_begins_like_another() -> None:
    text = 'based_on = "classic"\nphases = [\n  "run 10",\n  "run 1",\n]\n'
    assert line_of(text) == "own.toml, line 4"


def test_the_line_of_an_entry_that_is_part_of_its_key() -> None:
    text = 'based_on = "classic"\ncolors = [\n  "R",\n  "c",\n]\n'
    assert line_of(text) == "own.toml, line 4"


def test_the_line_of_what_must_be_shown() -> None:
    text = 'based_on = "classic"\n[must_show]\n10 = 8\n1 = 99\n'
    assert line_of(text) == "own.toml, line 4"


def test_keys_may_be_indented_and_quoted() -> None:
    assert line_of('based_on = "classic"\n\n  "deal" = 99\n') == "own.toml, line 3"


def test_true_is_not_a_number_to_be_shown() -> None:
    with pytest.raises(EditionError, match="True is not a card number"):
        read_edition('based_on = "classic"\n[must_show]\n10 = true\n', "own.toml")


def test_a_number_too_long_to_be_one() -> None:
    with pytest.raises(EditionError, match="must_show"):
        read_edition(f'based_on = "classic"\n[must_show]\n{"1" * 5000} = 8\n', "own.toml")
    with pytest.raises(EditionError, match="number in it is too long"):
        read_edition(f'based_on = "classic"\ndeal = {"1" * 5000}\n', "own.toml")
