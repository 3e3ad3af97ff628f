"""Games that begin in a position, and not with a deal."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from phaseten import Game, judge
from phaseten.notation.editions import format_edition_file
from phaseten.notation.positions import format_position
from phaseten.rules.editions import Edition, edition, read_edition
from phaseten.rules.views import view_of
from phaseten.server.store.records import record_of
from phaseten.server.store.snapshots import read_table, write_table
from phaseten.table.beginnings import complete_position, fit_to_position
from phaseten.table.commands import CallRematch, ChangeOptions, OpenTable
from phaseten.table.decisions import open_table
from phaseten.table.options import Options, OptionsError
from tests.server.socket.test_messages import steps_of
from tests.table.sitting import SEED, Sitting

OWN = """based_on = "express"
name = "family"
title = "Ana's own list"
deal = 6
phases = ["set 3", "run 4", "oddrun 3"]
house = ["no_rediscard"]
[must_show]
2 = 8
"""


def own(**changes: int) -> Edition:
    return replace(read_edition(OWN, "x"), **changes)  # pyright: ignore[reportArgumentType]


def middle(actions: int, box: str | Edition = "express") -> Game:
    """A game of two, so many actions on."""
    game = Game(seed=7, players=2, edition=box, variant="phases=2")
    rng = random.Random(1)
    for _ in range(actions):
        game.play(rng.choice(game.legal_actions()))
    return game


def sitting_at(position: str) -> Sitting:
    sitting = Sitting(Options(pace=0), position=position)
    seats = sitting.table.options.seats
    sitting.seat(*["ana", "beto", "cleo", "duda"][:seats])
    sitting.start()
    return sitting


def test_it_begins_as_the_position_says() -> None:
    game = middle(9)
    sitting = sitting_at(game.position())
    assert sitting.table.game == game.state
    options = sitting.table.options
    assert (options.edition, options.variant, options.seats) == ("express", "phases=2", 2)


def test_what_a_seat_knows_becomes_a_whole_game() -> None:
    game = middle(9)
    sitting = sitting_at(game.position(1))
    assert sitting.table.game is not None
    assert view_of(sitting.table.game, 1) == game.view(1)
    assert sitting_at(game.position(1)).table.game == sitting.table.game  # the seeds decide


def test_between_two_hands_the_next_one_is_dealt() -> None:
    game = middle(9)
    sheet = game.state._replace(board=None, held=(), draw_pile=())
    sitting = sitting_at(format_position(sheet))
    assert sitting.table.game is not None
    assert sitting.table.game.board is not None


def test_its_record_begins_in_the_position_and_is_judged() -> None:
    sitting = sitting_at(middle(9).position())
    sitting.play_on(random.Random(3), 3_000)
    assert sitting.table.stage == "finished"
    text = record_of(sitting.table, steps_of(sitting), None)
    assert text is not None
    assert "[Position " in text
    assert "ServerSeed" not in text  # it did not deal the first hand
    assert judge(text)["ok"]


def test_while_it_is_played_there_is_no_record_of_what_a_seat_knew() -> None:
    sitting = sitting_at(middle(9).position())
    assert record_of(sitting.table, steps_of(sitting), 1) is None


def test_a_rematch_begins_there_again() -> None:
    game = middle(9)
    sitting = sitting_at(game.position())
    sitting.play_on(random.Random(3), 3_000)
    sitting.ask("ana", CallRematch(SEED))
    sitting.start()
    assert sitting.table.game == game.state


def test_it_survives_a_snapshot() -> None:
    sitting = sitting_at(middle(9).position(1))
    sitting.play_on(random.Random(3), 3_000)
    assert read_table(write_table(sitting.table)) == sitting.table


def test_its_rules_are_the_positions_whatever_the_options_say() -> None:
    sitting = Sitting(Options(pace=0), position=middle(9).position())
    sitting.seat("ana")
    sitting.ask("ana", ChangeOptions(Options(edition="classic", seats=6, hints=False)))
    options = sitting.table.options
    assert (options.edition, options.seats, options.hints) == ("express", 2, False)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "position"),
        ("classic | nonsense", "position"),
        ("nonsense", "position-without-edition"),
        ("/etc/passwd.toml | hand 1 dealer 1 turn 2 draw", "position-without-edition"),
    ],
)
def test_what_is_no_position_is_refused(text: str, why: str) -> None:
    with pytest.raises(OptionsError) as error:
        fit_to_position(Options(), text)
    assert error.value.mistake.name == why


def test_nobody_plays_on_where_the_game_is_over() -> None:
    game = middle(0)
    rng = random.Random(2)
    while not game.is_over:
        game.play(rng.choice(game.legal_actions()))
    with pytest.raises(OptionsError, match="the game is over in it"):
        open_table("ana", OpenTable(Options(), "Ana", SEED, game.position()))


# -- of an edition of one's own ------------------------------------------------------------------


@pytest.mark.parametrize("seat", [None, 1])
def test_a_position_of_an_edition_of_ones_own_brings_it_along(seat: int | None) -> None:
    game = middle(9, own())
    sitting = sitting_at(game.position(seat))
    table = sitting.table
    assert table.game is not None
    assert table.rules == table.game.rules == game.rules
    assert view_of(table.game, 1) == game.view(1)
    assert read_edition(table.options.custom, "x") == own()


def test_it_is_played_out_recorded_and_kept() -> None:
    game = middle(9, own())
    sitting = sitting_at(game.position())
    sitting.play_on(random.Random(3), 3_000)
    assert sitting.table.stage == "finished"
    assert read_table(write_table(sitting.table)) == sitting.table
    text = record_of(sitting.table, steps_of(sitting), None)
    assert text is not None
    assert judge(text)["ok"]
    sitting.ask("ana", CallRematch(SEED))
    sitting.start()
    assert sitting.table.game == game.state


def test_an_edition_of_ones_own_may_have_the_name_of_one_of_the_book() -> None:
    box = replace(edition("express"), wilds=5)
    table = sitting_at(middle(9, box).position()).table
    assert table.rules.edition == box


def test_its_own_edition_stays_whatever_the_options_say() -> None:
    sitting = Sitting(Options(pace=0), position=middle(9, own()).position())
    sitting.seat("ana")
    other = format_edition_file(own(deal=5))
    sitting.ask("ana", ChangeOptions(Options(custom=other, hints=False)))
    assert sitting.table.rules.edition == own()
    assert not sitting.table.options.hints


@pytest.mark.parametrize(
    ("box", "why"),
    [
        (own(deal=16), "up to 15 cards, not 16"),
        (own(wilds=13), "up to 12 Wilds, not 13"),
    ],
)
def test_the_limits_of_tables_hold_in_positions(box: Edition, why: str) -> None:
    line = middle(9, box).position()
    with pytest.raises(OptionsError, match=why):
        complete_position(line)
    with pytest.raises(OptionsError, match=why):
        open_table("ana", OpenTable(Options(), "Ana", SEED, line))


NAMED = "{} phases=2 | hand 1 dealer 2 turn 1 draw | 1 held R8 G2 | 2 held Y4 B4 | draw rest | discards Y12"


@pytest.mark.parametrize(
    "text",
    [
        f"{NAMED.format('family')}\n{OWN}",
        f"{NAMED.format('homes/family.toml')}\r\n\r\n# Ours\r\n{OWN}",
        f"{NAMED.format('family').replace(' | ', chr(10) + '  | ')}\n\n{OWN}",
        f"{NAMED.format('family').replace(' phases', chr(10) + 'phases')}\n{OWN}",
    ],
)
def test_the_edition_may_stand_below_the_position(text: str) -> None:
    position = complete_position(text)
    assert position.rules.edition == own()
    assert position.rules.variant.text == "phases=2"
    assert sitting_at(format_position(position)).table.rules.edition == own()


@pytest.mark.parametrize("name", ["express", "classic"])
def test_below_a_position_of_the_book_no_edition_is_needed(name: str) -> None:
    assert complete_position(NAMED.format(name)).rules.edition == edition(name)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (NAMED.format("family"), "'family' is none of the editions"),
        (NAMED.format("family.toml"), "'family.toml' is none of the editions"),
        (f"{NAMED.format('cousins')}\n{OWN}", "of 'cousins', and the edition below it is 'family'"),
        (f"{NAMED.format('classic')}\n{OWN}", "of 'classic', and the edition below it is 'family'"),
        (f"{NAMED.format('family')}\n{OWN.replace('set 3', 'sett 3')}", "'sett 3'"),
        (f"{NAMED.format('family')}\n{OWN.replace('deal = 6', 'deal = 16')}", "up to 15 cards"),
        (f"{NAMED.format('family')}\ncolors = ['R', 'B', 'Y']\n{OWN}", "not so many of: G2"),
    ],
)
def test_an_edition_that_is_missing_or_another_one(text: str, why: str) -> None:
    with pytest.raises(OptionsError) as error:
        complete_position(text)
    assert why in error.value.mistake.sentence


def test_a_table_opens_no_files(tmp_path: Path) -> None:
    file = tmp_path / "family.toml"
    file.write_text(OWN)
    with pytest.raises(OptionsError, match="is none of the editions"):
        open_table("ana", OpenTable(Options(), "Ana", SEED, NAMED.format(file)))
