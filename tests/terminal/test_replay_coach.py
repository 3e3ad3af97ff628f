"""The coach beside a replay, and playing on from any moment of it."""

import asyncio
from pathlib import Path

from phaseten.terminal.screens.pages import ReportPage
from phaseten.terminal.screens.question import Question
from phaseten.terminal.screens.replay import ReplayScreen
from phaseten.terminal.screens.table import TableScreen
from tests.terminal.test_replay import GAME, step_of, watching


def test_the_coach_comments_and_reports(tmp_path: Path) -> None:
    async def run() -> None:
        async with watching(tmp_path, GAME.record()) as driver:
            screen = driver.app.screen
            assert isinstance(screen, ReplayScreen)
            await driver.press("m")
            assert "No further mistake" in driver.text
            await driver.press("a")
            await driver.until(lambda: screen._coach is not None and screen._coach.mistakes)
            await driver.press("m")
            await driver.until(lambda: "gave away" in driver.text)
            assert step_of(driver.text) > 0
            assert "Ana" in driver.text
            await driver.press("M", "a")
            assert isinstance(driver.app.screen, ReportPage)
            assert "chance at the start" in driver.text
            await driver.press("escape")
            await driver.fast_press("q")
            await driver.until(lambda: not driver.app.is_running)
            assert screen._coach is not None
            assert screen._coach._stopped

    asyncio.run(run())


def test_the_coach_needs_all_cards(tmp_path: Path) -> None:
    async def run() -> None:
        async with watching(tmp_path, GAME.record(2)) as driver:
            await driver.press("a")
            assert "The coach needs the full record" in driver.text

    asyncio.run(run())


def test_play_on_from_here(tmp_path: Path) -> None:
    async def run() -> None:
        async with watching(tmp_path, GAME.record()) as driver:
            await driver.press("end", "f")
            assert "The game is over here" in driver.text
            await driver.press("home", "right", "right", "right", "f")
            assert isinstance(driver.app.screen, Question)
            await driver.press("2")
            await driver.until(lambda: isinstance(driver.app.screen, TableScreen))
            session = driver.session
            assert [player.kind for player in session.players].count("person") == 1
            assert session.players[(session.turn or 0) - 1].is_person
            assert {player.kind for player in session.players} == {"person", "casual"}
            await driver.press("q")
            await driver.until(lambda: isinstance(driver.app.screen, Question))
            await driver.press("1")
            await driver.until(lambda: not driver.app.is_running)

    asyncio.run(run())


def test_play_on_as_one_seat_knew_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with watching(tmp_path, GAME.record(2)) as driver:
            await driver.press("right", "f", "1")
            await driver.until(lambda: isinstance(driver.app.screen, TableScreen))

    asyncio.run(run())
