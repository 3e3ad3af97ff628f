import errno
from pathlib import Path

import pytest

from phaseten import parse_record
from phaseten.bots.ladder import make_bot
from phaseten.game import Game, IllegalMoveError
from phaseten.notation.moves import format_action
from phaseten.rules.actions import Discard, DrawDeck, Hit, LayPhase, TakeDiscard
from phaseten.rules.cards import SKIP
from phaseten.terminal.arrangement import COLOR
from phaseten.terminal.game_options import GameOptions
from phaseten.terminal.players import Player
from phaseten.terminal.saves import GameFile, SaveError, Saves
from phaseten.terminal.session import Session
from tests.terminal.driver import options_for


def session_of(folder: Path, options: GameOptions) -> Session:
    return Session(options.deal(), options.players, Saves(folder).new_file())


def saved(session: Session) -> Game:
    return GameFile(Path(session.path)).load()[0]


def play_until(session: Session, wanted: type, limit: int = 3000) -> None:
    """Play on until a person is about to do something of a kind."""
    bot = make_bot("sharp")
    for _ in range(limit):
        action = bot.choose(session.game.view())
        if session.person_on_turn == 1 and isinstance(action, wanted):
            return
        session.play(action)
    raise AssertionError(f"no {wanted.__name__}")


# -- saving --------------------------------------------------------------------------------------


def test_every_step_is_in_the_file_before_it_can_be_seen(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"], variant="phases=1"))
    bot = make_bot("sharp")
    steps = 0
    while session.turn is not None and steps < 60:
        session.play(bot.choose(session.game.view()))
        assert saved(session).events == session.game.events
        steps += 1
    assert steps > 10


def test_a_resumed_game_knows_who_plays(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", "Beto", bots=["sharp", "rookie"]))
    play_until(session, Discard)
    back = Session.resume(GameFile(Path(session.path)))
    assert back.players == session.players
    assert back.people == (1, 2)
    assert not back.alone
    assert back.game.state == session.game.state


def test_an_old_save_without_players_is_a_person_against_bots(tmp_path: Path) -> None:
    game = Game("classic", ["You", "Beto", "Carla"], seed=1)
    path = tmp_path / "game.p10"
    path.write_text(game.record(), encoding="utf-8")
    (listed,) = Saves(tmp_path).running()
    back = Session.resume(GameFile(listed.path))
    assert back.players == (Player("You"), Player("Beto", "casual"), Player("Carla", "casual"))


def test_the_order_of_the_own_cards_is_remembered(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"]))
    cards = session.arrangement(1)
    cards.move(0, 5)
    session.save(durable=False)
    back = Session.resume(GameFile(Path(session.path)))
    assert back.arrangement(1).faces == cards.faces
    cards.order_by(COLOR)
    session.save(durable=False)
    assert "Order1" not in Path(session.path).read_text(encoding="utf-8")


def test_a_spoilt_order_does_no_harm(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"]))
    session.arrangement(1).move(0, 5)
    session.save(durable=False)
    path = Path(session.path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('[Order1 "', '[Order1 "X9 '), encoding="utf-8")
    back = Session.resume(GameFile(path))
    assert sorted(c.text for c in back.arrangement(1).faces) == sorted(
        c.text for c in session.view(1).held
    )


def test_a_full_disk_is_told_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"]))
    session.save(durable=True)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(GameFile, "write", full)
        session.play(DrawDeck())
        assert session.trouble == "No space left on device"
    assert len(saved(session).events) == 1
    session.play(Discard(next(card for card in session.view(1).held if card is not SKIP)))
    assert session.trouble == ""
    assert saved(session).events == session.game.events


def test_a_finished_game_gets_another_name(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"], variant="phases=1", seed=24))
    bot = make_bot("sharp")
    while session.turn is not None:
        session.play(bot.choose(session.game.view()))
    assert Path(session.path).name.startswith("finished-")
    assert Saves(tmp_path).running() == []
    (over,) = Saves(tmp_path).over()
    record = parse_record(over.path.read_text(encoding="utf-8"))
    assert record.header.server_seed is not None
    assert record.header.other["Player2"] == "rookie"


def test_a_finished_game_that_was_not_renamed_in_time(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"], variant="phases=1", seed=24))
    bot = make_bot("sharp")
    while session.turn is not None:
        session.play(bot.choose(session.game.view()))
    path = tmp_path / "game-killed.p10"
    Path(session.path).rename(path)
    back = Session.resume(GameFile(path))
    assert back.turn is None
    assert Path(back.path).name.startswith("finished-")


def test_a_game_that_is_given_up_is_kept(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"]))
    session.save(durable=True)
    session.give_up()
    assert Saves(tmp_path).running() == []
    assert [game.path.name[:6] for game in Saves(tmp_path).over()] == ["ended-"]
    Path(session.path).unlink()
    with pytest.raises(SaveError, match="cannot be renamed"):
        session.give_up()


# -- undo ----------------------------------------------------------------------------------------


def test_a_draw_cannot_be_taken_back(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"]))
    assert not session.can_undo
    session.play(DrawDeck())
    assert not session.can_undo
    assert session.undo() is None


@pytest.mark.parametrize("wanted", [TakeDiscard, LayPhase, Hit])
def test_a_step_that_shows_nothing_new_can_be_taken_back(tmp_path: Path, wanted: type) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"]))
    play_until(session, wanted)
    before, events = session.game.state, list(session.game.events)
    action = make_bot("sharp").choose(session.game.view())
    session.play(action)
    assert session.can_undo
    after = session.game.state
    assert session.undo() == 1
    assert session.game.state == before
    assert session.game.events == events
    assert saved(session).events == events
    session.play(action)
    assert session.game.state == after


def test_a_discard_can_be_taken_back_until_a_bot_has_acted(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"]))
    session.play(DrawDeck())
    before = session.game.state
    card = next(card for card in session.view(1).held if card is not SKIP)
    session.play(Discard(card))
    assert session.turn == 2
    assert session.undo() == 1
    assert session.game.state == before
    session.play(Discard(card))
    session.play(session.choose(2))
    assert not session.can_undo


def test_a_discard_after_which_a_turn_was_lost_can_be_taken_back(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie", "rookie"], seed=8))
    session.play(DrawDeck())
    assert SKIP in session.view(1).held
    before = session.game.state
    session.play(Discard(SKIP, 2))
    assert session.turn == 3
    assert session.undo() == 1
    assert session.game.state == before


def test_going_out_cannot_be_taken_back(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", "Eva"))
    bot = make_bot("sharp")
    while not session.game.state.sheet.hands:
        session.play(bot.choose(session.game.view()))
    assert not session.can_undo


def test_what_the_next_person_has_seen_stays(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", "Eva"))
    session.play(DrawDeck())
    session.play(Discard(next(card for card in session.view(1).held if card is not SKIP)))
    assert session.can_undo
    session.turn_handed_over()
    assert not session.can_undo


def test_a_refused_move_changes_nothing(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"]))
    session.save(durable=True)
    before, file = session.game.state, Path(session.path).read_bytes()
    with pytest.raises(IllegalMoveError):
        session.play(Discard(session.view(1).held[0]))
    assert session.game.state == before
    assert Path(session.path).read_bytes() == file


# -- hints ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["rookie", "casual", "sharp"])
def test_a_hint_is_what_that_bot_would_do(tmp_path: Path, level: str) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["rookie"]))
    action, reasons = session.hint(level)
    assert action == make_bot(level).choose(session.game.view())
    assert reasons
    assert format_action(action)


def test_the_master_thinks_and_gives_a_legal_hint(tmp_path: Path) -> None:
    session = session_of(tmp_path, options_for("Ana", bots=["master"]))
    action, reasons = session.hint("master")
    assert action in session.game.legal_actions()
    assert reasons
