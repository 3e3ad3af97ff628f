"""The coach beside a game in the terminal: off until it is chosen, and silent where several people play."""

import asyncio
from pathlib import Path

import pytest

from phaseten.terminal.game_options import GameOptions, players_called
from phaseten.terminal.players import PERSON
from phaseten.terminal.screens.pages import LogPage
from tests.analysis.mistakes import BETTER, MISTAKE, POSITION
from tests.terminal.driver import Driver, playing

ALONE = GameOptions(players_called(("Ana",), (PERSON, "rookie")), seed=1, position=POSITION)
TOGETHER = GameOptions(players_called(("Ana", "Beto"), (PERSON, PERSON)), seed=1, position=POSITION)
WORDS = "gave away about 4 %"


async def discard(driver: Driver, *, well: bool = False) -> None:
    await driver.go_to(driver.face_of((BETTER if well else MISTAKE).card))
    await driver.press("x")
    await driver.rest()


def test_a_mistake_gets_a_word_which_stands_in_the_log_too(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, ALONE, coach="on") as driver:
            await discard(driver)
            assert WORDS in driver.text
            await driver.press("escape")
            assert WORDS not in driver.text
            await driver.press("g")
            assert isinstance(driver.app.screen, LogPage)
            assert "The coach: To discard" in driver.text

    asyncio.run(run())


@pytest.mark.parametrize(
    ("options", "coach", "well"),
    [(ALONE, "off", False), (ALONE, "on", True), (TOGETHER, "on", False)],
)
def test_otherwise_nothing_is_said(
    tmp_path: Path, options: GameOptions, coach: str, *, well: bool
) -> None:
    async def run() -> None:
        async with playing(tmp_path, options, coach=coach) as driver:
            if options is TOGETHER:
                await driver.press("enter")
            await discard(driver, well=well)
            assert "gave away" not in driver.text

    asyncio.run(run())
