"""Choosing a game, and the start."""

import asyncio
import os
from pathlib import Path

from textual.widgets import Input

from phaseten import Game
from phaseten.terminal.players import Player
from phaseten.terminal.saves import Saves
from phaseten.terminal.screens.home import Home
from phaseten.terminal.screens.new_game import NewGameScreen
from phaseten.terminal.screens.pages import HelpPage, NewGameHelpPage, RulesPage
from phaseten.terminal.screens.privacy import PrivacyScreen
from phaseten.terminal.screens.records import Records
from phaseten.terminal.screens.replay import ReplayScreen
from phaseten.terminal.screens.table import TableScreen
from phaseten.terminal.settings import load_settings
from tests.terminal.driver import Driver, options_for, playing


async def turn(driver: Driver, name: str, by: int = 1) -> None:
    """Change a choice with the arrow keys."""
    choice = driver.app.screen.query_one(f"#{name}")
    driver.app.screen.set_focus(choice)
    for _ in range(abs(by)):
        await driver.press("right" if by > 0 else "left")


def test_enter_deals_at_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as driver:
            assert isinstance(driver.app.screen, NewGameScreen)
            await driver.press("enter")
            await driver.until(lambda: isinstance(driver.app.screen, TableScreen))
            await driver.rest()
            assert driver.session.names == ("You", "Beto", "Carla", "Dani")
            assert driver.session.game.rules.edition.name == "classic"
            assert len(Saves(tmp_path).running()) == 1

    asyncio.run(run())


def test_everything_can_be_chosen_and_is_remembered(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as driver:
            await turn(driver, "edition", -1)
            assert "54 cards, five each" in driver.text
            await turn(driver, "hands")
            await turn(driver, "phases", 4)
            await turn(driver, "even")
            await turn(driver, "no_rediscard")
            assert "stays with you for that turn" in driver.text
            await turn(driver, "kind-2")
            await turn(driver, "kind-4", 4)
            await turn(driver, "kind-5")
            await turn(driver, "pace")
            name = driver.app.screen.query_one("#name-1", Input)
            driver.app.screen.set_focus(name)
            name.value = "Ana"
            driver.app.screen.set_focus(driver.app.screen.query_one("#deal"))
            await driver.press("enter")
            await driver.until(lambda: isinstance(driver.app.screen, PrivacyScreen))
            rules = driver.session.game.rules
            assert rules.edition.name == "express"
            assert rules.variant.text == "ten-hands,phases=4,even"
            assert rules.house == {"no_rediscard"}
            assert driver.session.players == (
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


def test_help_and_leaving(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as driver:
            assert "? help" in driver.text
            for place in ("#deal", "#edition"):
                driver.app.screen.set_focus(driver.app.screen.query_one(place))
                await driver.press("?")
                assert isinstance(driver.app.screen, NewGameHelpPage)
                await driver.press("q")
                assert isinstance(driver.app.screen, NewGameScreen)
            name = driver.app.screen.query_one("#name-1", Input)
            name.value = ""
            driver.app.screen.set_focus(name)
            await driver.pilot.press("q", "?")  # in a name they are letters
            assert name.value == "q?"
            driver.app.screen.set_focus(driver.app.screen.query_one("#deal"))
            await driver.press("q")
            assert isinstance(driver.app.screen, Home)
            await driver.press("?")
            assert isinstance(driver.app.screen, HelpPage)

    asyncio.run(run())


def test_what_does_not_go_together_is_said(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as driver:
            screen = driver.app.screen
            await turn(driver, "phases")
            await turn(driver, "even")
            await driver.press("f5")
            assert "That does not go together: 'phases=1,even' leaves no Phase" in driver.text
            await turn(driver, "even")
            screen.query_one("#name-1", Input).value = "beto"
            await driver.press("f5")
            assert "Two players have the same name" in driver.text
            screen.query_one("#name-1", Input).value = " "
            await driver.press("f5")
            assert "Every player needs a name" in driver.text
            screen.query_one("#name-1", Input).value = "Ana"
            await turn(driver, "kind-1")
            await driver.press("f5")
            assert "At least one person has to play." in driver.text
            assert isinstance(driver.app.screen, NewGameScreen)

    asyncio.run(run())


def test_the_language_and_the_look_change_at_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as driver:
            screen = driver.app.screen
            screen.query_one("#name-1", Input).value = "Ana"
            await turn(driver, "language")
            assert "Una partida nueva" in driver.text
            assert "Ana" in driver.text
            assert driver.app.focused is not None
            assert driver.app.focused.id == "language"
            await turn(driver, "theme")
            assert driver.app.theme == "daylight"
        assert load_settings(tmp_path).language == "es"
        assert load_settings(tmp_path).theme == "daylight"

    asyncio.run(run())


def test_arrows_and_clicks(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as driver:
            await driver.press("up")
            assert driver.app.focused is not None
            assert driver.app.focused.id in ("endless_hands", "coach")
            await driver.click("#edition")
            assert "Deluxe (2002)" in driver.text
            await driver.click("#deal")
            await driver.until(lambda: isinstance(driver.app.screen, TableScreen))

    asyncio.run(run())


def test_escape_leads_to_the_start_and_q_out(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as driver:
            await driver.press("escape")
            assert isinstance(driver.app.screen, Home)
            await driver.press("n")
            assert isinstance(driver.app.screen, NewGameScreen)
            await driver.press("escape")
            await driver.fast_press("q")
            await driver.until(lambda: not driver.app.is_running)

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
        async with playing(tmp_path) as driver:
            assert isinstance(driver.app.screen, Home)
            lines = [line for line in driver.line if "Go on" in line]
            assert [
                "Eva, Carla · express · Hand 1" in lines[0],
                "Ana, Beto · express · Hand 1" in lines[1],
            ] == [True] * 2
            await driver.press("down", "enter")
            await driver.until(lambda: isinstance(driver.app.screen, TableScreen))
            assert driver.session.names == ("Ana", "Beto")

    asyncio.run(run())


def test_a_game_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    save(tmp_path, "game-1", "Ana", "Beto")
    path = tmp_path / "game-1.p10"
    path.write_text(path.read_text() + "1 D D\n")

    async def run() -> None:
        async with playing(tmp_path) as driver:
            await driver.press("enter")
            assert isinstance(driver.app.screen, Home)
            assert "This saved game cannot be read (game-1.p10, line" in driver.text

    asyncio.run(run())


def test_rules_and_old_games_from_the_start(tmp_path: Path) -> None:
    save(tmp_path, "finished-1", "Ana", "Beto")
    save(tmp_path, "game-1", "Eva", "Carla")
    (tmp_path / "finished-2.p10").write_text((tmp_path / "finished-1.p10").read_text() + "1 X\n")

    async def run() -> None:
        async with playing(tmp_path) as driver:
            await driver.press("down", "down", "down", "enter")
            assert isinstance(driver.app.screen, RulesPage)
            await driver.press("escape", "down", "down", "enter")
            assert isinstance(driver.app.screen, Records)
            assert driver.text.count("Ana, Beto · express · Hand 1") == 2
            await driver.press("enter")
            assert isinstance(driver.app.screen, Home)
            assert "cannot be read" in driver.text
            await driver.press("down", "down", "enter", "down", "enter")
            assert isinstance(driver.app.screen, ReplayScreen)
            await driver.press("q")
            assert isinstance(driver.app.screen, Home)

    asyncio.run(run())


def test_no_old_games(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path) as driver:
            await driver.press("escape", "down", "enter")
            assert "No game is finished yet." in driver.text
            await driver.press("escape")
            assert isinstance(driver.app.screen, Home)

    asyncio.run(run())


def test_an_edition_of_ones_own_is_offered_again(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text('based_on = "express"\nname = "my"\ntitle = "Mine"\n')

    async def run() -> None:
        async with playing(
            tmp_path, options_for("Ana", bots=["rookie"], edition=str(path))
        ) as driver:
            await driver.press("q", "3")
            await driver.press("n")
            assert "Mine" in driver.text

    asyncio.run(run())


def test_a_small_terminal_is_said(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, None, (70, 20)) as driver:
            words = driver.text.replace("▌", " ").split()
            assert "The terminal is too small" in " ".join(words)

    asyncio.run(run())
