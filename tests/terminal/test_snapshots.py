"""How the screens look, as text. See snapshot.py for how to accept a change."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import pytest

from phaseten.rules.actions import LayPhase
from phaseten.rules.state import PLAY
from phaseten.rules.views import View, legal_actions
from tests.terminal.driver import GOLDEN, SMALL, dealt, from_golden, options_for, playing, resuming
from tests.terminal.layout import clipped
from tests.terminal.snapshot import assert_snapshot
from tests.terminal.test_replay import watching

LARGE = (140, 40)
SIX = options_for("Ana", bots=["rookie", "casual", "sharp", "casual", "rookie"])


def run(test: Awaitable[None]) -> None:
    async def wait() -> None:
        await test

    asyncio.run(wait())


async def first_deal(
    folder: Path, name: str, size: tuple[int, int] = SMALL, **settings: str
) -> None:
    async with playing(folder, SIX, size, **settings) as driver:
        assert_snapshot(name, driver.text)


def test_the_first_deal(tmp_path: Path) -> None:
    run(first_deal(tmp_path, "first-deal"))


@pytest.mark.parametrize("code", ["es", "fr", "pt"])
def test_the_first_deal_in_other_languages(tmp_path: Path, code: str) -> None:
    run(first_deal(tmp_path, f"first-deal-{code}", language=code))


async def table_with_melds(folder: Path, name: str, size: tuple[int, int]) -> None:
    def all_have_laid(view: View, _left: int) -> bool:
        board = view.board
        return bool(board and all(board.made) and board.step == PLAY)

    from_golden(folder, "classic-6p-standard-natural_per_meld", all_have_laid)
    async with resuming(folder, size=size) as driver:
        assert clipped(driver.app.screen) == []
        assert_snapshot(name, driver.text)


@pytest.mark.parametrize(("name", "size"), [("melds", SMALL), ("melds-large", LARGE)])
def test_a_table_with_melds(tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    run(table_with_melds(tmp_path, name, size))


def test_a_long_run_and_the_question_how_to_lay_it(tmp_path: Path) -> None:
    def many_ways(view: View, _left: int) -> bool:
        lays = [action for action in legal_actions(view) if isinstance(action, LayPhase)]
        return len(lays) > 3 and view.sheet.left[0][0] in (5, 6)

    from_golden(tmp_path, "elchavo-4p-standard", many_ways)

    async def test() -> None:
        async with resuming(tmp_path) as driver:
            assert_snapshot("complete", driver.text)
            await driver.press("l")
            assert_snapshot("ways", driver.text)

    run(test())


def test_chosen_cards_and_a_refusal(tmp_path: Path) -> None:
    dealt(tmp_path, "R3 B3 G4 Y5 R8 B8 G8 Y12 W S", "R1")

    async def test() -> None:
        async with resuming(tmp_path) as driver:
            await driver.press("d", "right", "space", "right", "space", "l")
            assert_snapshot("refusal", driver.text)

    run(test())


@pytest.mark.parametrize(("name", "key"), [("help", "?"), ("leave", "q"), ("rules", "r")])
def test_pages(tmp_path: Path, name: str, key: str) -> None:
    async def test() -> None:
        async with playing(tmp_path, SIX) as driver:
            await driver.press(key)
            assert_snapshot(name, driver.text)

    run(test())


def test_the_end_of_a_game(tmp_path: Path) -> None:
    from_golden(tmp_path, "elchavo-4p-standard", lambda _view, left: left == 2)

    async def test() -> None:
        async with resuming(tmp_path) as driver:
            await driver.press("x")
            assert_snapshot("won", driver.text)

    run(test())


def test_the_new_game_screen_and_the_privacy_screen(tmp_path: Path) -> None:
    async def test() -> None:
        async with playing(tmp_path) as driver:
            assert_snapshot("new_game", driver.text)
            await driver.press("escape")
            assert_snapshot("start", driver.text)
        async with playing(tmp_path, options_for("Ana", "Eva")) as driver:
            assert_snapshot("privacy", driver.text)

    run(test())


def test_a_replay(tmp_path: Path) -> None:
    async def test() -> None:
        text = (GOLDEN / "express-4p-standard.p10").read_text(encoding="utf-8")
        async with watching(tmp_path, text) as driver:
            await driver.press("n", "n", "down", "down", "down", "down", "down")
            assert_snapshot("replay", driver.text)
            await driver.press("end", "c")
            assert_snapshot("scores", driver.text)

    run(test())


def test_black_and_white(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without colours the screen says the same."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def test() -> None:
        async with playing(tmp_path, SIX) as driver:
            assert_snapshot("first-deal", driver.text)
            strips = driver.app.screen._compositor.render_strips(driver.app.size)
            grey = driver.app._filters[-1]
            background = driver.app.screen.styles.background
            for segment in [s for strip in strips for s in strip.apply_filter(grey, background)]:
                colors = [segment.style.color, segment.style.bgcolor] if segment.style else []
                for triplet in [color.triplet for color in colors if color is not None]:
                    assert triplet is not None
                    assert len(set(triplet)) == 1

    run(test())
