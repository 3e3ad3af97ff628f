"""Whole games through the application: by keys alone, by the mouse alone, long and short."""

import asyncio
from pathlib import Path

import pytest
from textual.widgets import OptionList

from phaseten import judge, parse_record
from phaseten.terminal.screens.results import GameOver
from phaseten.terminal.screens.table import TableScreen
from tests.terminal.driver import Driver, dealt, from_golden, options_for, playing, resuming

LONGEST = 500
"""A hand can be endless by the law: with bots that play otherwise, take another seed."""


async def play_out(driver: Driver, *, mouse: bool = False) -> None:
    for _ in range(LONGEST):
        if not await driver.my_turn():
            return
        action = driver.best()
        await (driver.click_play(action) if mouse else driver.play(action))
    raise AssertionError("the game does not end")


def finished_record(folder: Path) -> dict[str, object]:
    (kept,) = folder.glob("finished-*.p10")
    return judge(parse_record(kept.read_text(encoding="utf-8")))


def test_a_short_game_by_keys_alone(tmp_path: Path) -> None:
    async def run() -> None:
        options = options_for("Ana", bots=["rookie"], variant="phases=1", seed=24)
        async with playing(tmp_path, options) as driver:
            await play_out(driver)
            assert isinstance(driver.app.screen, GameOver)
            assert "won the game" in driver.text
            winner = driver.session.game.winner
            await driver.press("right", "right", "right")
            await driver.fast_press("enter")
            await driver.until(lambda: not driver.app.is_running)
            assert finished_record(tmp_path)["winner"] == winner

    asyncio.run(run())


def test_a_short_game_by_the_mouse_alone(tmp_path: Path) -> None:
    """Cards with which the bot has a turn or two: clicking takes its time."""
    dealt(tmp_path, "R3 B3 G3 Y3 R8 B8 G8 Y8 R12 W", "R1 B1 B3 R5 R8 B5", variant="phases=1")

    async def run() -> None:
        async with playing(tmp_path) as driver:
            assert await driver.pilot.click(OptionList, offset=(2, 0))
            await driver.until(lambda: isinstance(driver.app.screen, TableScreen))
            await play_out(driver, mouse=True)
            assert "won the game" in driver.text
            assert await driver.pilot.click("#quit")
            await driver.until(lambda: not driver.app.is_running)
            assert finished_record(tmp_path)["finished"]

    asyncio.run(run())


@pytest.mark.long
def test_a_long_game_with_every_kind_of_meld(tmp_path: Path) -> None:
    async def run() -> None:
        options = options_for("Ana", bots=["casual", "sharp"], edition="express", seed=15)
        async with playing(tmp_path, options) as driver:
            await play_out(driver)
            assert finished_record(tmp_path)["finished"]
            assert len(driver.session.game.state.sheet.hands) >= 10

    asyncio.run(run())


def test_another_game(tmp_path: Path) -> None:
    """The same players and rules again, also after a game that was saved and resumed."""
    from_golden(tmp_path, "elchavo-4p-standard", lambda _view, left: left == 2)

    async def run() -> None:
        async with resuming(tmp_path) as driver:
            await driver.press("x")
            assert isinstance(driver.app.screen, GameOver)
            await driver.press("enter")
            await driver.until(lambda: isinstance(driver.app.screen, TableScreen))
            assert driver.session.game.winner is None
            assert driver.session.names == ("Ana", "Beto", "Chus", "Dora")
            assert driver.session.game.rules.edition.name == "elchavo"

    asyncio.run(run())
