"""What a player can do beside the moves: arrange the cards, ask for hints, read pages, leave."""

import asyncio
import errno
from pathlib import Path

import pytest

from phaseten.rules.actions import TakeDiscard
from phaseten.rules.events import CardDiscarded, DiscardTaken
from phaseten.terminal.arrangement import COLOR, OWN
from phaseten.terminal.saves import GameFile, Saves
from phaseten.terminal.screens.home import Home
from phaseten.terminal.screens.pages import HelpPage, LogPage, RulesPage, ScorePage
from phaseten.terminal.screens.table import TableScreen
from phaseten.terminal.settings import load_settings
from phaseten.terminal.widgets.cards import CardFace
from tests.terminal.driver import (
    ONE_BOT,
    Driver,
    at_table,
    events,
    from_golden,
    playing,
    resuming,
)

# -- the cards of the player ---------------------------------------------------------------------


def test_home_and_end_reach_the_first_and_the_last_card(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("end")
        assert driver.app.focused is driver.faces[-1]
        await driver.press("d", "end")
        assert driver.app.focused is driver.faces[-1]
        assert len(driver.faces) == 11
        await driver.press("home")
        assert driver.app.focused is driver.faces[0]
        await driver.press("up", "end")
        assert driver.app.focused is driver.faces[-1]

    at_table(tmp_path, test)


def test_a_question_hides_the_keys_that_mean_nothing(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        assert "? help" in driver.line[23]
        await driver.press("q")
        assert not driver.line[23].strip()
        await driver.press("escape")
        assert "? help" in driver.line[23]

    at_table(tmp_path, test)


def test_sorting_is_remembered(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        by_number = [face.held.card.text for face in driver.faces]
        await driver.press("s")
        by_color = [face.held.card.text for face in driver.faces]
        assert by_color != by_number
        assert sorted(by_color) == sorted(by_number)
        assert load_settings(tmp_path).sort == COLOR

    at_table(tmp_path, test)


def test_cards_are_moved_with_keys_and_by_dragging(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        cards = [face.held.card for face in driver.faces]
        await driver.press(">", ">")
        assert [face.held.card for face in driver.faces][:3] == [cards[1], cards[2], cards[0]]
        assert driver.app.focused is driver.faces[2]
        await driver.press("<", "shift+left")
        assert [face.held.card for face in driver.faces] == cards
        assert await driver.pilot.mouse_down(driver.faces[0])
        assert await driver.pilot.mouse_up(driver.faces[4])
        await driver.rest()
        moved = [*cards[1:5], cards[0], *cards[5:]]
        assert [face.held.card for face in driver.faces] == moved
        assert driver.session.arrangement(1).sort == OWN
        assert not any(face.held.chosen for face in driver.faces)

    at_table(tmp_path, test)


def test_a_card_is_dragged_onto_the_discards(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("d")
        face = next(face for face in driver.faces if face.held.card.is_natural)
        card = face.held.card
        assert await driver.pilot.mouse_down(face)
        assert await driver.pilot.mouse_up("#discard-pile")
        await driver.rest()
        discard = next(e for e in events(driver) if isinstance(e, CardDiscarded))
        assert discard.card is card

    at_table(tmp_path, test)


def test_the_focus_stays_with_its_card(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("right", "right", "right")
        face = driver.app.focused
        assert isinstance(face, CardFace)
        held = face.held
        await driver.press("d")
        now = driver.app.focused
        assert isinstance(now, CardFace)
        assert now.held is held
        await driver.press("s")
        again = driver.app.focused
        assert isinstance(again, CardFace)
        assert again.held is held

    at_table(tmp_path, test)


# -- hints ---------------------------------------------------------------------------------------


def test_a_hint_with_its_reason_and_doing_it(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("h")
        action = driver.best()
        assert "The sharp bot would " in driver.text
        words = driver.app.language.action(action, driver.session.view(1), driver.session.names)
        assert words.split()[0] in driver.text
        assert "y do it" in driver.text
        before = len(events(driver))
        await driver.press("y")
        assert len(events(driver)) == before + 1
        assert isinstance(action, TakeDiscard) == isinstance(events(driver)[-1], DiscardTaken)
        await driver.press("y")
        assert len(events(driver)) == before + 1

    at_table(tmp_path, test)


def test_another_bot_is_asked(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("h")
        assert "The rookie bot would " in driver.text
        await driver.press("H")
        assert "The casual bot would " in driver.text
        assert load_settings(tmp_path).hint == "casual"

    at_table(tmp_path, test, hint="rookie")


# -- pages and leaving ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "page", "words"),
    [
        ("question_mark", HelpPage, "take your last step back"),
        ("g", LogPage, "Hand 1: Beto deals and turns up"),
        ("c", ScorePage, "Total"),
        ("r", RulesPage, "M-SET"),
    ],
)
def test_pages(tmp_path: Path, key: str, page: type, words: str) -> None:
    async def test(driver: Driver) -> None:
        await driver.press(key)
        assert isinstance(driver.app.screen, page)
        assert words in driver.text
        await driver.press("escape")
        assert isinstance(driver.app.screen, TableScreen)

    at_table(tmp_path, test)


def test_the_keys_can_be_clicked(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.click("#do-help")
        assert isinstance(driver.app.screen, HelpPage)
        await driver.press("escape")
        await driver.click("#do-draw")
        assert len(driver.faces) == 11
        await driver.click("#do-hint")
        await driver.click("#do-do_hint")
        await driver.rest()
        assert len(events(driver)) > 2

    at_table(tmp_path, test)


def test_rules_are_linked(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("r")
        page = driver.app.screen
        assert isinstance(page, RulesPage)
        assert "M-SET · " in driver.text
        await driver.press("down")
        assert "M-RUN · " in driver.text

    at_table(tmp_path, test)


def test_quitting(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, ONE_BOT) as driver:
            await driver.press("d", "q")
            assert "The game is saved. What now?" in driver.text
            await driver.fast_press("1")
            await driver.until(lambda: not driver.app.is_running)
        assert len(Saves(tmp_path).running()) == 1

    asyncio.run(run())


def test_back_to_the_start_and_on_again(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("d")
        state = driver.session.game.state
        await driver.press("q", "2")
        await driver.until(lambda: isinstance(driver.app.screen, Home))
        assert "Go on  Ana, Beto · classic · Hand 1" in driver.text
        await driver.press("enter")
        await driver.until(lambda: isinstance(driver.app.screen, TableScreen))
        await driver.rest()
        assert driver.session.game.state == state

    at_table(tmp_path, test)


def test_a_game_can_be_ended_for_good(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("q", "3")
        await driver.until(lambda: isinstance(driver.app.screen, Home))
        assert "Go on" not in driver.text
        assert len(Saves(tmp_path).over()) == 1

    at_table(tmp_path, test)


def test_a_full_disk_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async def test(driver: Driver) -> None:
        monkeypatch.setattr(GameFile, "write", full)
        await driver.press("d")
        assert "No space left on device" in driver.text
        assert "would be lost if you left now" in " ".join(driver.text.split())
        await driver.press("escape")
        assert "No space left on device" not in driver.text

    at_table(tmp_path, test)


def test_a_tie_is_told_and_played_off(tmp_path: Path) -> None:
    from_golden(tmp_path, "express-2p-phases=2-tiebreak", lambda _view, left: left == 38)

    async def run() -> None:
        async with resuming(tmp_path) as driver:
            await driver.press("x")
            assert "Hand 3: you are out!" in driver.text
            assert "A tie: one more hand for the last Phase, between Beto and you." in driver.text
            await driver.press("enter")
            assert isinstance(driver.app.screen, TableScreen)
            assert "Hand 4" in driver.line[0]

    asyncio.run(run())
