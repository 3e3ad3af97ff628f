import errno
import subprocess
import sys
from pathlib import Path

import pytest

from phaseten import Game, judge, parse_record
from phaseten.bots.casual import Casual
from phaseten.terminal.saves import SaveError, Saves, data_folder, record_text


def play_on(game: Game, actions: int = 10_000) -> None:
    bot = Casual()
    while game.winner is None and actions:
        game.play(bot.choose(game.view()))
        actions -= 1


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/phaseten"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "/home/ana/.local/share/phaseten"),
        ("linux", {}, "/home/ana/.local/share/phaseten"),
        ("darwin", {}, "/home/ana/Library/Application Support/phaseten"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/phaseten"),
        ("win32", {}, "/home/ana/AppData/Roaming/phaseten"),
    ],
)
def test_the_place_for_data(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("XDG_DATA_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ana"))
    assert data_folder() == Path(expected)


def test_a_saved_game_comes_back_as_it_was(tmp_path: Path) -> None:
    saves = Saves(tmp_path / "new" / "folder")
    assert saves.load() is None
    game = Game("express", ["Ana", "Beto"], variant="ten-hands", house=["no_rediscard"], seed=3)
    for _ in range(60):
        saves.save(game, resumed=False)
        back = saves.load()
        assert back is not None
        assert back.state == game.state
        assert back.events == game.events
        assert back.names == game.names
        play_on(game, 1)
    assert [path.name for path in saves.folder.iterdir()] == ["game.p10"]


def test_a_resumed_game_is_shuffled_anew_and_its_record_is_legal(tmp_path: Path) -> None:
    saves = Saves(tmp_path)
    game = Game("classic", ["Ana", "Beto"], variant="phases=3", seed=3)
    play_on(game, 40)
    saves.save(game, resumed=False)
    one, other = saves.load(), saves.load()
    assert one is not None
    assert other is not None
    play_on(one)
    play_on(other)
    assert one.events != other.events
    for resumed in (one, other):
        record = parse_record(record_text(resumed, resumed=True))
        assert record.header.server_seed is None
        assert judge(record)["winner"] == resumed.winner


def test_a_game_in_one_go_is_kept_with_its_seeds() -> None:
    game = Game("classic", ["Ana", "Beto"], variant="phases=1", seed=3)
    play_on(game)
    record = parse_record(record_text(game, resumed=False))
    assert record.header.server_seed is not None
    assert judge(record)["finished"]


def test_house_rules_of_an_edition_file_survive(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(
        'based_on = "classic"\nname = "my"\ntitle = "My"\nhouse = ["choose_phase"]\n'
        'phases = ["run 9", "set 2 + set 2"]\n'
    )
    game = Game(str(path), ["Ana", "Beto"], seed=1)
    saves = Saves(tmp_path)
    play_on(game, 60)
    saves.save(game, resumed=False)
    back = saves.load()
    assert back is not None
    assert back.state.sheet == game.state.sheet
    path.unlink()
    with pytest.raises(SaveError, match=r"my\.toml cannot be read"):
        saves.load()


@pytest.mark.parametrize("content", [b"", b"\xff", b"nonsense", b'[Format "phaseten-1"]'])
def test_a_spoilt_save_is_said(tmp_path: Path, content: bytes) -> None:
    saves = Saves(tmp_path)
    saves.path.write_bytes(content)
    with pytest.raises(SaveError, match="--new"):
        saves.load()


def test_a_save_that_is_a_folder(tmp_path: Path) -> None:
    saves = Saves(tmp_path)
    saves.path.mkdir()
    with pytest.raises(SaveError, match="cannot be read"):
        saves.load()


def test_a_failed_save_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saves = Saves(tmp_path)
    game = Game("express", ["Ana", "Beto"], seed=3)
    saves.save(game, resumed=False)
    before = saves.path.read_bytes()
    play_on(game, 5)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        saves.save(game, resumed=False)
    assert saves.path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [saves.path]


def test_putting_aside(tmp_path: Path) -> None:
    saves = Saves(tmp_path)
    assert saves.put_aside("finished") is None
    kept: set[Path] = set()
    for _ in range(3):
        saves.path.write_text("x")
        path = saves.put_aside("finished")
        assert path is not None
        kept.add(path)
    assert len(kept) == 3
    assert not saves.path.exists()


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
