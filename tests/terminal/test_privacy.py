"""Several people at one keyboard: nobody sees what is not theirs to see."""

import asyncio
from pathlib import Path

from phaseten.rules.cards import SKIP, natural
from phaseten.terminal.card_faces import card_face
from phaseten.terminal.screens.privacy import PrivacyScreen
from phaseten.terminal.screens.table import TableScreen
from phaseten.terminal.widgets.phase import PhaseLine
from tests.terminal.driver import Driver, options_for, playing

PEOPLE = options_for("Ana", "Eva", bots=["rookie"], seed=4)


def shows_cards(text: str) -> bool:
    """Whether own cards are on the screen: the quiet numbers at their lower edge."""
    return any(card_face(natural("R", number))[-1].plain in text for number in range(1, 13))


def held_rows(driver: Driver) -> str:
    return "\n".join(driver.line[-7:-1])


async def end_turn(driver: Driver) -> None:
    await driver.press("d")
    card = next(card for card in driver.session.game.view().held if card is not SKIP)
    await driver.go_to(driver.face_of(card))
    await driver.press("x")


def test_the_privacy_screen_hides_everything(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, PEOPLE) as driver:
            assert isinstance(driver.app.screen, PrivacyScreen)
            assert "Ana, it is your turn" in driver.text
            assert not shows_cards(driver.text)
            await driver.press("enter")
            assert isinstance(driver.app.screen, TableScreen)
            assert shows_cards(held_rows(driver))
            assert "Phase 1: 2 sets of 3" in driver.text
            await end_turn(driver)
            assert isinstance(driver.app.screen, PrivacyScreen)
            assert "Eva, it is your turn" in driver.text
            assert "Ana" not in driver.text
            assert not shows_cards(driver.text)
            behind = driver.table
            assert behind._eyes is None
            assert driver.faces == []
            assert behind.query_one(PhaseLine).render().plain == ""
            assert "You draw" not in "".join(behind._told())

    asyncio.run(run())


def test_everybody_sees_the_own_cards_and_the_own_story(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, options_for("Ana", "Eva", seed=4)) as driver:
            await driver.press("enter")
            for seat in (1, 2):
                assert sorted(f.held.card.text for f in driver.faces) == sorted(
                    card.text for card in driver.session.view(seat).held
                )
                await end_turn(driver)
                assert isinstance(driver.app.screen, PrivacyScreen)
                await driver.press("enter")
            assert "You draw" in driver.text
            assert "Eva draws a card" in " ".join(driver.text.split())

    asyncio.run(run())


def test_the_last_step_can_be_taken_back_at_the_privacy_screen_only(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, PEOPLE) as driver:
            assert "Take the last step back" not in driver.text
            await driver.press("enter")
            await end_turn(driver)
            assert "Take the last step back (u)" in driver.text
            await driver.press("u")
            assert isinstance(driver.app.screen, TableScreen)
            assert driver.session.turn == 1
            assert driver.table._eyes == 1
            assert len(driver.faces) == 11
            await driver.go_to(driver.faces[0])
            await driver.press("x", "enter")
            assert driver.table._eyes == 2
            await driver.press("u")
            assert driver.session.turn == 2
            assert "There is nothing to take back" in driver.text

    asyncio.run(run())


def test_the_cards_stay_hidden_while_bots_play(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, PEOPLE) as driver:
            await driver.press("enter")
            await end_turn(driver)
            await driver.press("enter")
            await driver.press("d")
            driver.app.remember(pace="slow")
            card = next(c for c in driver.session.view(2).held if c is not SKIP)
            await driver.go_to(driver.face_of(card))
            await driver.fast_press("x")
            assert driver.session.turn == 3
            assert "Beto is playing…" in driver.text
            assert driver.faces == []
            assert not shows_cards(held_rows(driver))
            await driver.fast_press("space")
            await driver.until(lambda: isinstance(driver.app.screen, PrivacyScreen))
            await driver.rest()
            assert ", it is your turn" in driver.text

    asyncio.run(run())
