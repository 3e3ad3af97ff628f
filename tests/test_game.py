"""The friendly front: one running game."""

import pytest

import phaseten
from phaseten.bots.ladder import make_bot
from phaseten.game import Game
from phaseten.notation.records import parse_record
from phaseten.notation.verdict import describe, judge
from phaseten.rules.editions import BOOK_EDITIONS, EditionError
from phaseten.rules.options import OptionError
from phaseten.rules.state import State


def played(game: Game, actions: int = 100_000) -> Game:
    bot = make_bot("casual")
    for _ in range(actions):
        if game.winner is not None:
            break
        game.play(bot.choose(game.view()))
    return game


def plain(state: State) -> dict[str, object]:
    return describe(state)


@pytest.mark.parametrize("box", BOOK_EDITIONS)
def test_a_finished_game_tells_its_seeds_and_judges_ok(box: str) -> None:
    game = played(Game(box, ["Ana", "Beto", "Cleo"], seed=1, dealer=3))
    record = parse_record(game.record())
    assert record.header.server_seed is not None
    assert record.hands[0].deck is None
    assert judge(record) == plain(game.state)
    assert judge(record)["winner"] == game.winner


def test_a_running_game_keeps_its_seed_to_itself() -> None:
    game = played(Game(seed=1), 30)
    record = parse_record(game.record())
    assert record.header.server_seed is None
    assert record.hands[0].deck is not None
    assert judge(record) == plain(game.state)


@pytest.mark.parametrize("actions", [0, 1, 2, 57, 200])
def test_a_resumed_game_goes_on_with_new_secrets_and_stays_legal(actions: int) -> None:
    game = played(Game("express", ["Ana", "Beto"], seed=3), actions)
    resumed = Game.from_record(parse_record(game.record()))
    assert resumed.commitment != game.commitment
    assert plain(resumed.state) == plain(game.state)
    played(resumed)
    assert judge(parse_record(resumed.record())) == plain(resumed.state)


def test_a_resumed_record_with_seeds_goes_on_with_them() -> None:
    whole = played(Game("express", ["Ana", "Beto"], seed=3))
    record = parse_record(whole.record())
    cut = type(record)(record.header, record.hands[:2])
    resumed = played(Game.from_record(cut))
    assert resumed.commitment == whole.commitment
    assert resumed.record() == whole.record()


def test_house_rules_of_a_file_are_written_into_the_record(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("own") / "own.toml"
    path.write_text('based_on = "express"\nname = "own"\ntitle = "Own"\nhouse = ["choose_phase"]\n')
    game = played(Game(str(path), ["Ana", "Beto"], seed=2))
    record = parse_record(game.record())
    assert record.header.house == {"choose_phase"}
    assert judge(record) == plain(game.state)


def test_the_score_sheet() -> None:
    game = played(Game("express", ["Ana", "Beto"], seed=4, variant="phases=2"))
    sheet = game.score_sheet().split("\n")
    assert sheet[0].split() == ["Ana", "Beto"]
    assert sheet[1].split()[0] == "Phases"
    assert "x x" in sheet[1]
    assert len(sheet) == 3 + len(game.state.sheet.hands)
    assert sheet[-1].split() == ["Total", *map(str, game.state.sheet.totals)]


def test_a_refused_move_says_why_and_changes_nothing() -> None:
    game = Game(seed=5)
    before, events = game.state, list(game.events)
    with pytest.raises(phaseten.IllegalMoveError, match="T-TURN") as caught:
        game.play("D", seat=1)
    assert caught.value.refusal.rule == "T-TURN"
    assert game.state is before
    assert game.events == events


def test_a_redacted_record_names_only_what_the_seat_saw() -> None:
    game = played(Game(seed=6), 40)
    record = parse_record(game.record(2))
    assert record.header.seen == 2
    deck = record.hands[0].deck
    assert deck is not None
    assert sum(card is not None for card in deck) == 11
    assert judge(record)["rule"] == "SYNTAX"


def test_wrong_options() -> None:
    with pytest.raises(EditionError, match="no edition 'nonsense'"):
        Game("nonsense")
    with pytest.raises(OptionError, match="2 to 6 players, not 7"):
        Game("classic", ["?"] * 7)
    with pytest.raises(ValueError, match="seat 3 cannot deal"):
        Game("classic", dealer=3)
