import json
from pathlib import Path

import pytest

from phaseten.rules.options import OptionError, parse_variant
from phaseten.terminal.game_options import GameOptions, last_options, players_called
from phaseten.terminal.players import Player, bot_names, is_name
from phaseten.terminal.settings import FILE, PlayerSettings, load_settings, save_settings
from tests.terminal.driver import options_for


def test_settings_come_back(tmp_path: Path) -> None:
    settings = PlayerSettings(
        language="fr",
        edition="express",
        variant="ten-hands",
        house=("no_rediscard",),
        names=("Ana", "Eva"),
        kinds=("person", "person", "sharp"),
        pace="fast",
        sort="color",
        hint="rookie",
        theme="daylight",
        coach="on",
    )
    save_settings(tmp_path / "new", settings)
    assert load_settings(tmp_path / "new") == settings


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "3", "\ud800", "{" * 50])
def test_spoilt_settings_are_as_usual(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_bytes(text.encode("utf-8", "surrogatepass"))
    assert load_settings(tmp_path) == PlayerSettings()
    assert load_settings(tmp_path / "nowhere") == PlayerSettings()


def test_each_wrong_setting_is_left_out(tmp_path: Path) -> None:
    wrong = {
        "language": "tlh",
        "edition": 7,
        "variant": None,
        "house": "no_rediscard",
        "names": ["Ana", "", 3, "x" * 50],
        "kinds": ["rookie", "rookie"],
        "pace": "never",
        "sort": [],
        "hint": {},
        "theme": "pink",
        "coach": True,
        "other": 1,
    }
    (tmp_path / FILE).write_text(json.dumps(wrong))
    assert load_settings(tmp_path) == PlayerSettings(names=("Ana",))


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    save_settings(tmp_path / "file" / "folder", PlayerSettings())


def test_the_last_agreement_is_offered_again() -> None:
    options = options_for("Ana", "Eva", bots=["sharp"], edition="express", variant="phases=3")
    settings = options.remembered_in(PlayerSettings())
    again = last_options(settings, "You")
    assert again.players == options.players
    assert (again.edition, again.variant) == ("express", parse_variant("phases=3"))
    assert again.seed is None


@pytest.mark.parametrize(
    "settings",
    [
        PlayerSettings(edition="gone.toml"),
        PlayerSettings(variant="phases=99"),
        PlayerSettings(variant="nonsense"),
        PlayerSettings(house=("nonsense",)),
    ],
)
def test_what_no_longer_goes_together_is_forgotten(settings: PlayerSettings) -> None:
    assert last_options(settings, "You") == GameOptions(
        players_called(("You",), ("person", "casual", "casual", "casual"))
    )


def test_nameless_people_are_told_apart() -> None:
    settings = PlayerSettings(kinds=("person", "person", "person"), names=("Ana",))
    assert [player.name for player in last_options(settings, "You").players] == [
        "Ana",
        "You",
        "You 2",
    ]


def test_the_first_person_plays_first() -> None:
    players = (Player("Beto", "rookie"), Player("Ana"), Player("Eva"))
    assert GameOptions(players, seed=1).deal().turn == 2
    assert options_for("Ana", bots=["rookie"], seed=1).deal().turn == 1


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(OptionError, match="leaves no Phase"):
        options_for("Ana", bots=["rookie"], variant="phases=1,even").check()
    with pytest.raises(OptionError, match="2 to 6 players"):
        options_for("Ana").check()


def test_names() -> None:
    assert bot_names(["beto"], 2) == ["Carla", "Dani"]
    assert len(set(bot_names(["Ana"], 6))) == 6
    assert len(set(bot_names(["Beto", "Carla"], 6))) == 6
    assert is_name("Ana María")
    assert not any(map(is_name, ["", "  ", "a\nb", "x" * 21]))
