"""The end of a hand and of a game: what is shown, and what every offered key does."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from phaseten import Game
from phaseten.rules.actions import Discard
from phaseten.rules.events import CardDrawn
from phaseten.terminal.saves import Saves
from phaseten.terminal.screens.home import Home
from phaseten.terminal.screens.new_game import NewGameScreen
from phaseten.terminal.screens.pages import HelpPage, LogPage, ScorePage
from phaseten.terminal.screens.replay import ReplayScreen
from phaseten.terminal.screens.results import GameOver, HandOver
from phaseten.terminal.session import Session
from tests.terminal.driver import Driver, from_golden, options_for, resuming

Test = Callable[[Driver], Awaitable[None]]


def at_the_end(folder: Path, test: Test) -> None:
    """Play the last card of a game, and test what comes then."""
    from_golden(folder, "elchavo-4p-standard", lambda _view, left: left == 2)

    async def run() -> None:
        async with resuming(folder) as driver:
            await driver.press("x")
            assert isinstance(driver.app.screen, GameOver)
            await test(driver)

    asyncio.run(run())


def test_the_end_shows_the_score_sheet(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        text = driver.text
        assert re.search(r"Ana +Beto +Chus +Dora", text)
        assert re.search(r"Total +380 +615 +455 +455", text)
        hands = driver.session.game.state.sheet.hands
        assert re.search(rf"\n *{hands[-1].hand} +0✓ +5✓ +70 +50", text)
        for _ in hands:
            await driver.press("up")
        assert re.search(r" 1 +10✓ +0✓ +15✓ +20✓", driver.text)
        await driver.press("c")
        assert isinstance(driver.app.screen, ScorePage)
        assert "Score sheet" in driver.text
        await driver.press("escape")
        assert isinstance(driver.app.screen, GameOver)

    at_the_end(tmp_path, test)


def test_the_game_can_be_watched_again(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("w")
        assert isinstance(driver.app.screen, ReplayScreen)
        await driver.press("end", "q")
        assert isinstance(driver.app.screen, GameOver)
        await driver.press("right")
        await driver.press("enter")
        assert isinstance(driver.app.screen, ReplayScreen)

    at_the_end(tmp_path, test)


def test_every_key_that_is_offered_at_the_end_does_something(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        assert not driver.line[23].strip()  # the table's own keys mean nothing now
        assert "w watch  c scores  g log  ? help  q quit" in driver.text
        for key, page in (("g", LogPage), ("c", ScorePage), ("?", HelpPage)):
            await driver.press(key)
            assert isinstance(driver.app.screen, page)
            await driver.press("escape")
            assert isinstance(driver.app.screen, GameOver)
        await driver.fast_press("q")
        await driver.until(lambda: not driver.app.is_running)

    at_the_end(tmp_path, test)


def test_escape_goes_back_to_the_start(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("escape")
        await driver.until(lambda: isinstance(driver.app.screen, Home | NewGameScreen))

    at_the_end(tmp_path, test)


def test_the_keys_between_two_hands(tmp_path: Path) -> None:
    from_golden(tmp_path, "express-2p-phases=2-tiebreak", lambda _view, left: left == 38)

    async def run() -> None:
        async with resuming(tmp_path) as driver:
            await driver.press("x")
            assert isinstance(driver.app.screen, HandOver)
            assert "c scores  g log  ? help" in driver.text
            for key, page in (("g", LogPage), ("c", ScorePage), ("?", HelpPage)):
                await driver.press(key)
                assert isinstance(driver.app.screen, page)
                await driver.press("escape")
                assert isinstance(driver.app.screen, HandOver)

    asyncio.run(run())


def test_a_hand_that_nobody_ends_is_told(tmp_path: Path) -> None:
    """After fifty turns each without a lay-down or a hit; the last turn is a person's."""
    game = Game("classic", ["Ana", "Beto"], dealer=1, seed=3)
    before = game.copy()
    while not game.state.sheet.hands:
        if game.turn == 1:
            before = game.copy()
        game.play("D")
        drawn = game.events[-1]
        assert isinstance(drawn, CardDrawn)
        card = next(c for c in (drawn.card, *game.view().held) if not c.is_skip)
        game.play(Discard(card))
    players = options_for("Ana", bots=["rookie"]).players
    Session(before, players, Saves(tmp_path).new_file()).save(durable=True)

    async def run() -> None:
        async with resuming(tmp_path) as driver:
            await driver.press("d")
            await driver.go_to(next(face for face in driver.faces if not face.held.card.is_skip))
            await driver.press("x")
            assert isinstance(driver.app.screen, HandOver)
            assert "Hand 1" in driver.text
            assert driver.session.game.state.sheet.hands[-1].out is None
            await driver.press("enter")
            assert "Hand 2" in driver.line[0]

    asyncio.run(run())
