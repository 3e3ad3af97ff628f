import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from phaseten import Game
from phaseten.bots.ladder import make_bot
from phaseten.terminal.saves import (
    ENDED,
    FINISHED,
    GameFile,
    SaveError,
    Saves,
    tagged,
)


def play_on(game: Game, actions: int = 10_000) -> None:
    bot = make_bot("sharp")
    while game.winner is None and actions:
        game.play(bot.choose(game.view()))
        actions -= 1


def test_a_game_comes_back_as_it_was(tmp_path: Path) -> None:
    game = Game("classic", ["Ana", "Beto", "Carla"], seed=3)
    file = Saves(tmp_path).new_file()
    for _ in range(5):
        play_on(game, 37)
        file.write(tagged(game.record(), {"Player1": "person"}), durable=True)
        back, tags = file.load()
        assert back.state == game.state
        assert back.events == game.events
        assert tags == {"Player1": "person"}


def test_house_rules_of_an_edition_file_survive(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(
        'based_on = "classic"\nname = "my"\ntitle = "My"\nhouse = ["choose_phase"]\n'
        'phases = ["run 9", "set 2 + set 2"]\n'
    )
    game = Game(str(path), ["Ana", "Beto"], seed=1)
    file = Saves(tmp_path).new_file()
    play_on(game, 60)
    file.write(game.record(), durable=False)
    assert file.load()[0].state.sheet == game.state.sheet
    path.unlink()
    assert file.load()[0].rules.edition == game.rules.edition


@pytest.mark.parametrize("content", [b"", b"\xff", b"nonsense", b'[Format "phaseten-1"]'])
def test_a_spoilt_save_is_said(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game-1.p10"
    path.write_bytes(content)
    with pytest.raises(SaveError, match="cannot be read"):
        GameFile(path).load()
    assert Saves(tmp_path).running() == []


def test_a_save_that_breaks_a_rule_is_said(tmp_path: Path) -> None:
    game = Game("express", ["Ana", "Beto"], seed=3)
    path = tmp_path / "game-1.p10"
    path.write_text(game.record() + "2 D D\n", encoding="utf-8")
    assert len(Saves(tmp_path).running()) == 1
    with pytest.raises(SaveError, match=r"game-1\.p10, line \d+: "):
        GameFile(path).load()


def test_a_save_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "game-1.p10").mkdir()
    with pytest.raises(SaveError, match="cannot be read"):
        GameFile(tmp_path / "game-1.p10").load()
    assert Saves(tmp_path).running() == []


def test_a_failed_save_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = Saves(tmp_path).new_file()
    file.write("before", durable=True)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        file.write("after", durable=True)
    assert file.path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file.path]


def test_games_are_listed_the_latest_first(tmp_path: Path) -> None:
    saves = Saves(tmp_path)
    assert saves.running() == saves.over() == []
    for number, name in enumerate(["game-a", "game-b", "unfinished-old", "game", "gamer"]):
        game = Game("express", ["Ana", f"Beto{number}"], seed=number)
        path = tmp_path / f"{name}.p10"
        path.write_text(game.record(), encoding="utf-8")
        os.utime(path, (number, number))
    assert [game.path.stem for game in saves.running()] == [
        "game",
        "unfinished-old",
        "game-b",
        "game-a",
    ]
    first = saves.running()[0]
    assert (first.names, first.edition, first.hand) == (("Ana", "Beto3"), "express", 1)


def test_names_of_files_are_never_taken_twice(tmp_path: Path) -> None:
    saves = Saves(tmp_path)
    for kind in (FINISHED, ENDED):
        for _ in range(3):
            file = saves.new_file()
            file.write(Game("express", ["Ana", "Beto"], seed=1).record(), durable=False)
            file.rename(kind)
    assert len(saves.over()) == 6
    assert saves.running() == []


@pytest.mark.skipif(sys.platform == "win32", reason="the other process is written for POSIX")
def test_only_one_plays_at_a_time(tmp_path: Path) -> None:
    hold = (
        "import sys; from pathlib import Path; from phaseten.terminal.saves import Saves\n"
        "with Saves(Path(sys.argv[1])).locked(): print('locked', flush=True); sys.stdin.read()"
    )
    saves = Saves(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        with pytest.raises(SaveError, match="another window"), saves.locked():
            pass
        other.kill()
        other.wait()
        with saves.locked():
            pass


def test_no_place_for_a_lock_is_no_reason_not_to_play(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Saves(tmp_path / "file" / "folder").locked():
        pass
