"""Choosing a game, and the start."""

import asyncio
import os
from pathlib import Path

from textual.widgets import Input

from phaseten import Game
from phaseten.terminal.players import Player
from phaseten.terminal.saves import Saves
from phaseten.terminal.screens.curtain import Curtain
from phaseten.terminal.screens.home import Home
from phaseten.terminal.screens.pages import RulesPage
from phaseten.terminal.screens.records import Records
from phaseten.terminal.screens.replay import ReplayScreen
from phaseten.terminal.screens.setup import Setup
from phaseten.terminal.screens.table import TableScreen
from phaseten.terminal.settings import load_settings
from tests.terminal.sitting import Sitting, agreed, playing


async def turn(sitting: Sitting, name: str, by: int = 1) -> None:
    """Change a choice with the arrow keys."""
    choice = sitting.app.screen.query_one(f"#{name}")
    sitting.app.screen.set_focus(choice)
    for _ in range(abs(by)):
        await sitting.press("right" if by > 0 else "left")


def test_enter_deals_at_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as sitting:
            assert isinstance(sitting.app.screen, Setup)
            await sitting.press("enter")
            await sitting.until(lambda: isinstance(sitting.app.screen, TableScreen))
            await sitting.rest()
            assert sitting.session.names == ("You", "Beto", "Carla", "Dani")
            assert sitting.session.game.rules.edition.name == "classic"
            assert len(Saves(tmp_path).running()) == 1

    asyncio.run(run())


def test_everything_can_be_chosen_and_is_remembered(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as sitting:
            await turn(sitting, "edition", -1)
            assert "54 cards, five each" in sitting.text
            await turn(sitting, "hands")
            await turn(sitting, "phases", 4)
            await turn(sitting, "even")
            await turn(sitting, "no_rediscard")
            assert "stays with you for that turn" in sitting.text
            await turn(sitting, "kind-2")
            await turn(sitting, "kind-4", 3)
            await turn(sitting, "kind-5")
            await turn(sitting, "pace")
            name = sitting.app.screen.query_one("#name-1", Input)
            sitting.app.screen.set_focus(name)
            name.value = "Ana"
            sitting.app.screen.set_focus(sitting.app.screen.query_one("#deal"))
            await sitting.press("enter")
            await sitting.until(lambda: isinstance(sitting.app.screen, Curtain))
            rules = sitting.session.game.rules
            assert rules.edition.name == "express"
            assert rules.variant.text == "ten-hands,phases=4,even"
            assert rules.house == {"no_rediscard"}
            assert sitting.session.players == (
                Player("Ana"),
                Player("Beto", "sharp"),
                Player("Carla", "casual"),
                Player("Emil"),
            )
        settings = load_settings(tmp_path)
        assert (settings.edition, settings.variant) == ("express", "ten-hands,phases=4,even")
        assert settings.kinds == ("person", "sharp", "casual", "person")
        assert settings.names == ("Ana", "Emil")
        assert settings.pace == "slow"

    asyncio.run(run())


def test_what_does_not_go_together_is_said(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as sitting:
            screen = sitting.app.screen
            await turn(sitting, "phases")
            await turn(sitting, "even")
            await sitting.press("f5")
            assert "That does not go together: 'phases=1,even' leaves no Phase" in sitting.text
            await turn(sitting, "even")
            screen.query_one("#name-1", Input).value = "beto"
            await sitting.press("f5")
            assert "Two players have the same name" in sitting.text
            screen.query_one("#name-1", Input).value = " "
            await sitting.press("f5")
            assert "Every player needs a name" in sitting.text
            screen.query_one("#name-1", Input).value = "Ana"
            await turn(sitting, "kind-1")
            await sitting.press("f5")
            assert "At least one person has to play." in sitting.text
            assert isinstance(sitting.app.screen, Setup)

    asyncio.run(run())


def test_the_language_and_the_look_change_at_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as sitting:
            screen = sitting.app.screen
            screen.query_one("#name-1", Input).value = "Ana"
            await turn(sitting, "language")
            assert "Una partida nueva" in sitting.text
            assert "Ana" in sitting.text
            assert sitting.app.focused is not None
            assert sitting.app.focused.id == "language"
            await turn(sitting, "theme")
            assert sitting.app.theme == "daylight"
        assert load_settings(tmp_path).language == "es"
        assert load_settings(tmp_path).theme == "daylight"

    asyncio.run(run())


def test_arrows_and_clicks(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as sitting:
            await sitting.press("up")
            assert sitting.app.focused is not None
            assert sitting.app.focused.id in ("choose_phase", "theme")
            await sitting.click("#edition")
            assert "Deluxe (2002)" in sitting.text
            await sitting.click("#deal")
            await sitting.until(lambda: isinstance(sitting.app.screen, TableScreen))

    asyncio.run(run())


def test_escape_leads_to_the_start_and_q_out(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as sitting:
            await sitting.press("escape")
            assert isinstance(sitting.app.screen, Home)
            await sitting.press("n")
            assert isinstance(sitting.app.screen, Setup)
            await sitting.press("escape")
            await sitting.fast_press("q")
            await sitting.until(lambda: not sitting.app.is_running)

    asyncio.run(run())


# -- the start -----------------------------------------------------------------------------------


def save(folder: Path, name: str, *players: str, when: int = 0) -> None:
    path = folder / f"{name}.p10"
    path.write_text(Game("express", players, seed=when).record(), encoding="utf-8")
    os.utime(path, (when, when))


def test_saved_games_are_listed_and_resumed(tmp_path: Path) -> None:
    save(tmp_path, "game-1", "Ana", "Beto", when=86_400)
    save(tmp_path, "game-2", "Eva", "Carla", when=2 * 86_400)

    async def run() -> None:
        async with playing(tmp_path) as sitting:
            assert isinstance(sitting.app.screen, Home)
            lines = [line for line in sitting.line if "Go on" in line]
            assert [
                "Eva, Carla · express · Hand 1" in lines[0],
                "Ana, Beto · express · Hand 1" in lines[1],
            ] == [True] * 2
            await sitting.press("down", "enter")
            await sitting.until(lambda: isinstance(sitting.app.screen, TableScreen))
            assert sitting.session.names == ("Ana", "Beto")

    asyncio.run(run())


def test_a_game_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    save(tmp_path, "game-1", "Ana", "Beto")
    path = tmp_path / "game-1.p10"
    path.write_text(path.read_text() + "1 D D\n")

    async def run() -> None:
        async with playing(tmp_path) as sitting:
            await sitting.press("enter")
            assert isinstance(sitting.app.screen, Home)
            assert "This saved game cannot be read (game-1.p10, line" in sitting.text

    asyncio.run(run())


def test_rules_and_old_games_from_the_start(tmp_path: Path) -> None:
    save(tmp_path, "finished-1", "Ana", "Beto")
    save(tmp_path, "game-1", "Eva", "Carla")
    (tmp_path / "finished-2.p10").write_text((tmp_path / "finished-1.p10").read_text() + "1 X\n")

    async def run() -> None:
        async with playing(tmp_path) as sitting:
            await sitting.press("down", "down", "down", "enter")
            assert isinstance(sitting.app.screen, RulesPage)
            await sitting.press("escape", "down", "down", "enter")
            assert isinstance(sitting.app.screen, Records)
            assert sitting.text.count("Ana, Beto · express · Hand 1") == 2
            await sitting.press("enter")
            assert isinstance(sitting.app.screen, Home)
            assert "cannot be read" in sitting.text
            await sitting.press("down", "down", "enter", "down", "enter")
            assert isinstance(sitting.app.screen, ReplayScreen)
            await sitting.press("q")
            assert isinstance(sitting.app.screen, Home)

    asyncio.run(run())


def test_no_old_games(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as sitting:
            await sitting.press("escape", "down", "enter")
            assert "No game is finished yet." in sitting.text
            await sitting.press("escape")
            assert isinstance(sitting.app.screen, Home)

    asyncio.run(run())


def test_an_edition_of_ones_own_is_offered_again(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text('based_on = "express"\nname = "my"\ntitle = "Mine"\n')

    async def run() -> None:
        async with playing(tmp_path, agreed("Ana", bots=["rookie"], edition=str(path))) as sitting:
            await sitting.press("q", "3")
            await sitting.press("n")
            assert "Mine" in sitting.text

    asyncio.run(run())


def test_a_small_terminal_is_said(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, None, (70, 20)) as sitting:
            words = sitting.text.replace("▌", " ").split()
            assert "The terminal is too small" in " ".join(words)

    asyncio.run(run())
