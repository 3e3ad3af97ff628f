"""An edition in one line, and records that carry the edition they were played by."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phaseten import Game, judge, make_bot, parse_record
from phaseten.cli import main
from phaseten.language import language
from phaseten.notation.editions import edition_hash, format_edition, is_of_the_book, parse_edition
from phaseten.notation.positions import parse_position
from phaseten.notation.records import RecordSyntaxError, format_record
from phaseten.rules.editions import BOOK_EDITIONS, EditionError, edition, read_edition
from phaseten.server.http.replays import replay
from tests.laws.games import STYLES, box, custom_editions, examples

OWN = """based_on = "express"
name = "own"
title = "Ana's \\"own\\" edition"
phases = ["set 3", "run 4 + set 2"]
house = ["choose_phase"]
[must_show]
2 = 8
"""


def played(path: Path, actions: int = 10_000) -> Game:
    game = Game(path, ["Ana", "Beto"], seed=3)
    bot = make_bot("sharp")
    while not game.is_over and actions:
        game.play(bot.choose(game.view()))
        actions -= 1
    return game


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", BOOK_EDITIONS)
def test_the_five_in_one_line(name: str) -> None:
    line = format_edition(edition(name))
    assert "\n" not in line
    assert parse_edition(line) == edition(name)
    assert is_of_the_book(edition(name))
    assert not is_of_the_book(read_edition(f'based_on = "{name}"\nwilds = 5\n', "x", source=""))


@pytest.mark.parametrize("title", ["Ana's \N{GRINNING FACE} list", "Ana's \\", "Ana's \\'{"])
def test_a_title_of_any_letters_is_written_and_read(title: str) -> None:
    """What TOML and JSON escape differently, and what looks like the end of a text."""
    toml = f'based_on = "express"\nname = "own"\ntitle = {json.dumps(title, ensure_ascii=False)}\n'
    made = read_edition(toml, "x")
    assert parse_edition(format_edition(made)) == made
    game = Game(made, ["Ana", "Beto"], seed=3)
    assert parse_position(game.position()) == game.state
    assert parse_record(str(game.record())).header.carried == made


@examples(60)
@given(st.sampled_from([*STYLES, "roomy"]).flatmap(custom_editions))
def test_any_edition_round_trips(text: str) -> None:
    made = box(text)
    line = format_edition(made)
    assert parse_edition(line) == made
    assert format_edition(parse_edition(line)) == line
    assert edition_hash(parse_edition(line)) == edition_hash(made)


def test_a_quotation_mark_in_a_title(own: Path) -> None:
    box = edition(own)
    assert parse_edition(format_edition(box), source=str(own)) == box
    record = parse_record(Game(own).record())
    assert record.header.carried == box
    assert parse_record(format_record(record)) == record


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "not a TOML table in one line"),
        ("{}", "missing"),
        ("5", "not a TOML table in one line"),
        ("{name = 'x'", "not a TOML table in one line"),
        ("{name = 'x'}\nmore = 1", "not a TOML table in one line"),
        ("[" * 5000, "not a TOML table in one line"),
        ("{deal = " + "9" * 5000 + "}", "not a TOML table in one line"),
        ("{based_on = 'express'}", "has to be whole"),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_edition(line: str, problem: str) -> None:
    with pytest.raises(EditionError, match=problem):
        parse_edition(line)


# -- records --------------------------------------------------------------------------------------


def test_a_record_outlives_the_file_of_its_edition(own: Path) -> None:
    game = played(own)
    text = game.record()
    for change in ('based_on = "classic"\nname = "own"\ntitle = "Changed"\n', "nonsense", None):
        own.unlink() if change is None else own.write_text(change)
        verdict = judge(text)
        assert verdict["ok"]
        assert verdict["winner"] == game.winner
        again = Game.from_record(text)
        assert again.rules.edition == game.rules.edition
        assert again.record() == text


def test_a_saved_game_goes_on_without_the_file(own: Path) -> None:
    game = played(own, 30)
    own.unlink()
    again = Game.from_record(game.record())
    assert again.state.board == game.state.board
    assert again.legal_actions() == game.legal_actions()
    assert judge(game.record(2))["message"].startswith("this record shows only what seat 2 knew")


def test_referee_and_verify_need_no_file(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = own.with_name("game.p10")
    record.write_text(played(own).record(), encoding="utf-8")
    own.unlink()
    assert main(["referee", str(record)]) == 0
    assert main(["verify", str(record)]) == 0
    assert "ok" in capsys.readouterr().out


def test_the_browser_can_replay_it(own: Path) -> None:
    game = played(own)
    record = parse_record(game.record())
    own.unlink()
    film = replay(record, None, language("en"))
    assert film.rules["edition"] == "own"
    assert len(film.frames) == len(list(game.steps()))
    redacted = parse_record(game.record(1))
    assert replay(redacted, 1, language("en")).seat == 1


def test_records_of_the_five_carry_nothing() -> None:
    for name in BOOK_EDITIONS:
        assert "EditionText" not in Game(name).record()


def test_an_edition_that_was_changed_in_the_record_is_noticed(own: Path) -> None:
    text = Game(own).record()
    forged = text.replace("deal = 5", "deal = 6")
    assert forged != text
    with pytest.raises(RecordSyntaxError, match="not the one that was played") as caught:
        parse_record(forged)
    assert judge(forged)["line"] == caught.value.line == 4
    without = re.sub(r'\[EditionHash "[0-9a-f]+"\]\n', "", text)
    assert judge(without)["ok"]
    broken = text.replace("deal = 5", "deal = 500")
    verdict = judge(broken)
    assert (verdict["rule"], verdict["line"]) == ("SYNTAX", 3)
    assert "deal" in verdict["message"]


def test_an_edition_that_is_not_carried_is_not_looked_for_by_the_server(own: Path) -> None:
    text = re.sub(r"\[Edition(Text|Hash) .*\n", "", Game(own).record())
    assert judge(text)["ok"]
    with pytest.raises(RecordSyntaxError, match="does not carry it"):
        replay(parse_record(text), None, language("en"))
