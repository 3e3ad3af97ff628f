"""Watching records."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from phaseten import Game, parse_record
from phaseten.bots.ladder import make_bot
from phaseten.notation.records import RecordSyntaxError
from phaseten.rules.events import HandScored
from phaseten.terminal.app import ReplayApp
from phaseten.terminal.replay import Replay
from phaseten.terminal.saves import Saves
from phaseten.terminal.screens.pages import LogPage, ReplayHelpPage, ScorePage
from phaseten.terminal.screens.question import Question
from phaseten.terminal.screens.replay import SPEEDS, ReplayScreen
from phaseten.terminal.widgets.cards import HeldCards
from tests.terminal.driver import Driver, seated


def finished(seed: int = 3) -> Game:
    game = Game("express", ["Ana", "Beto", "Carla"], variant="phases=2", seed=seed)
    bots = [make_bot(level) for level in ("casual", "sharp", "rookie")]
    while game.winner is None:
        game.play(bots[(game.turn or 1) - 1].choose(game.view()))
    return game


GAME = finished()


@asynccontextmanager
async def watching(folder: Path, text: str, eyes: int | None = None) -> AsyncGenerator[Driver]:
    app = ReplayApp(Saves(folder), Replay(parse_record(text)), eyes, language="en")
    async with seated(app) as driver:
        await driver.until(lambda: isinstance(app.screen, ReplayScreen))
        await driver.settle()
        yield driver


# -- the record ----------------------------------------------------------------------------------


def test_every_moment_of_a_full_record() -> None:
    replay = Replay(parse_record(GAME.record()))
    for seat in (1, 2, 3):
        shown = [
            event for place in sorted(replay.hands.values()) for event in _hand(replay, place, seat)
        ]
        assert shown == GAME.seen(seat)
    assert replay.view(replay.last, 1).sheet == GAME.state.sheet
    assert replay.trouble == ""
    assert replay.eyes == (1, 2, 3)


def _hand(replay: Replay, deal: int, seat: int) -> list[object]:
    """Everything that a seat was shown in the hand that begins there."""
    following = replay.hand(deal, 1)
    last = following if following == replay.last else following - 1
    return list(replay.happened(last, seat))


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_every_moment_of_a_redacted_record(seat: int) -> None:
    full = Replay(parse_record(GAME.record()))
    redacted = Replay(parse_record(GAME.record(seat)))
    assert redacted.last == full.last
    assert redacted.hands == full.hands
    for place in range(full.last + 1):
        assert redacted.view(place, seat) == full.view(place, seat)
        assert redacted.happened(place, seat) == full.happened(place, seat)
        assert redacted.open_hands(place) == ()
    assert redacted.eyes == (seat,)


def test_a_record_that_breaks_a_rule_goes_as_far_as_it_can() -> None:
    game = Game("express", ["Ana", "Beto"], seed=3)
    for _ in range(6):
        game.play(make_bot("sharp").choose(game.view()))
    whole = Replay(parse_record(game.record()))
    broken = Replay(parse_record(game.record() + "1 D D D\n"))
    assert broken.last >= whole.last
    assert "drawn your card" in broken.trouble or "turn of seat" in broken.trouble


def test_a_record_without_a_hand_is_refused() -> None:
    text = GAME.record().partition("\nHand ")[0]
    with pytest.raises(RecordSyntaxError, match="no hand"):
        Replay(parse_record(text))


def test_turns_and_hands_forward_and_back() -> None:
    replay = Replay(parse_record(GAME.record()))
    forward = [0]
    while forward[-1] < replay.last:
        forward.append(replay.turn(forward[-1], 1))
    assert forward == sorted(set(forward))
    turns = [replay.view(place, None).board for place in forward[:-1]]
    pairs = pairwise(turns)
    assert all(
        one is None or two is None or one.turn != two.turn or one.hand != two.hand
        for one, two in pairs
    )
    back = [replay.last]
    while back[-1] > 0:
        back.append(replay.turn(back[-1], -1))
    assert back[-1] == 0
    assert len(back) >= len(forward) - 1
    deals = sorted(replay.hands.values())
    assert replay.hand(0, 1) == deals[1]
    assert replay.hand(deals[1] + 1, -1) == deals[1]
    assert replay.hand(deals[1], -1) == 0
    assert replay.hand(deals[-1], 1) == replay.last


# -- the screen ----------------------------------------------------------------------------------


def test_steps_turns_and_hands(tmp_path: Path) -> None:
    async def run() -> None:
        async with watching(tmp_path, GAME.record()) as driver:
            last = Replay(parse_record(GAME.record())).last
            assert f"Step 0 of {last}" in driver.text
            assert "All cards" in driver.line[0]
            await driver.press("right")
            assert f"Step 1 of {last}" in driver.text
            await driver.press("down", "up", "left", "left", "left")
            assert f"Step 0 of {last}" in driver.text
            await driver.press("n")
            assert "Hand 2" in driver.line[0]
            await driver.press("p", "end")
            assert f"Step {last} of {last}" in driver.text
            assert f"{GAME.names[(GAME.winner or 1) - 1]} has won the game." in driver.text
            await driver.press("home")
            assert "Step 0 of" in driver.text

    asyncio.run(run())


def test_all_cards_or_one_seats(tmp_path: Path) -> None:
    async def run() -> None:
        async with watching(tmp_path, GAME.record()) as driver:
            hands = Replay(parse_record(GAME.record())).open_hands(0)
            rows = [line for line in driver.line[1:8] if "Phase 1" in line]
            chips = [sum(row.count(shape) for shape in "▲●★■❖↷") for row in rows]
            assert sorted(chips) == [0, 5, 5]  # the one on turn has them in front
            await driver.press("v")
            assert "As Ana saw it" in driver.line[0]
            shown = sorted(f.held.card.text for f in driver.app.screen.query_one(HeldCards).faces)
            assert shown == sorted(card.text for card in hands[0])
            rows = [line for line in driver.line[1:8] if "Phase 1" in line]
            assert all(not any(shape in row for shape in "▲●★■❖↷") for row in rows)
            await driver.press("v", "v", "v")
            assert "All cards" in driver.line[0]

    asyncio.run(run())


def test_a_redacted_record_stays_with_its_seat(tmp_path: Path) -> None:
    async def run() -> None:
        async with watching(tmp_path, GAME.record(2)) as driver:
            assert "As Beto saw it" in driver.line[0]
            await driver.press("v", "end")
            assert "As Beto saw it" in driver.line[0]

    asyncio.run(run())


def step_of(text: str) -> int:
    """The number of the step that is shown."""
    found = re.search(r"Step (\d+) of", text)
    return int(found[1]) if found else 0


def test_it_plays_by_itself(tmp_path: Path) -> None:
    async def run() -> None:
        async with watching(tmp_path, GAME.record(), eyes=1) as driver:
            screen = driver.app.screen
            assert isinstance(screen, ReplayScreen)
            await driver.press("-", "-", "space")  # so slowly that it does not end before we look
            assert f"a step every {SPEEDS[0]:g} s" in driver.text
            await driver.until(lambda: step_of(driver.text) >= 1)
            await driver.press("+")
            assert f"a step every {SPEEDS[1]:g} s" in driver.text
            await driver.press("space")
            assert "a step every" not in driver.text
            assert screen._timer is None
            await driver.press("end", "space")
            await driver.until(lambda: "a step every" not in driver.text)

    asyncio.run(run())


def test_the_speed_has_two_ends(tmp_path: Path) -> None:
    async def run() -> None:
        async with watching(tmp_path, GAME.record()) as driver:
            screen = driver.app.screen
            assert isinstance(screen, ReplayScreen)
            await driver.press("+", "+", "+", "+", "+", "+")
            assert SPEEDS[screen._speed] == SPEEDS[-1]
            await driver.press("-", "-", "-", "-", "-", "-")
            assert SPEEDS[screen._speed] == SPEEDS[0]

    asyncio.run(run())


def test_jumping_and_pages(tmp_path: Path) -> None:
    async def run() -> None:
        async with watching(tmp_path, GAME.record()) as driver:
            await driver.press("j")
            assert isinstance(driver.app.screen, Question)
            await driver.press("2")
            assert "Hand 2" in driver.line[0]
            for key, page in (("g", LogPage), ("c", ScorePage), ("?", ReplayHelpPage)):
                await driver.press(key)
                assert isinstance(driver.app.screen, page)
                await driver.press("escape")
            await driver.press("s")
            await driver.click("#do-step")
            await driver.fast_press("q")
            await driver.until(lambda: not driver.app.is_running)

    asyncio.run(run())


def test_a_broken_record_says_where_it_ends(tmp_path: Path) -> None:
    text = GAME.record()
    scored = next(event for event in GAME.events if isinstance(event, HandScored))
    wrong = text.replace(f"End {_points(scored)}", "End 1:5 2:5 3:5", 1)

    async def run() -> None:
        async with watching(tmp_path, wrong) as driver:
            await driver.press("end")
            assert "The record goes no further. Line " in driver.text
            assert "Hand 1" in driver.line[0] or "Classic" not in driver.line[0]

    asyncio.run(run())


def _points(scored: HandScored) -> str:
    return " ".join(f"{seat}:{points}" for seat, points in scored.points)
