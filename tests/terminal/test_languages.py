"""Four languages: nothing is missing, and nothing is too long for 80x24."""

import asyncio
import re
import string
from pathlib import Path

import pytest

from phaseten import parse_record
from phaseten.bots.ladder import LADDER
from phaseten.language import LANGUAGES, language
from phaseten.rules.actions import Hit, LayPhase
from phaseten.rules.cards import SKIP
from phaseten.rules.state import PLAY
from phaseten.rules.views import View, legal_actions
from phaseten.terminal.app import ReplayApp
from phaseten.terminal.pace import PACES
from phaseten.terminal.players import KINDS
from phaseten.terminal.replay import Replay
from phaseten.terminal.rulebook import rulebook
from phaseten.terminal.saves import Saves
from phaseten.terminal.screens.new_game import NewGameScreen
from phaseten.terminal.screens.pages import RulesPage
from phaseten.terminal.screens.question import Question
from phaseten.terminal.screens.replay import ReplayScreen
from phaseten.terminal.screens.table import TableScreen
from phaseten.terminal.settings import THEMES
from phaseten.terminal.widgets.choice import Choice
from phaseten.terminal.widgets.key_bar import KeyHint
from phaseten.terminal.widgets.messages import MessageLine
from tests.effort import mainly
from tests.terminal.driver import Driver, options_for, playing, resuming, seated
from tests.terminal.layout import clipped
from tests.terminal.test_replay import GAME

SOURCES = Path(__file__).parents[2] / "src" / "phaseten" / "terminal"
SIX = options_for("Maximiliano", bots=["sharp"] * 5)


def terminal_sentences(code: str) -> dict[str, object]:
    return {
        name: sentence
        for name, sentence in language(code).sentences.items()
        if name.startswith("terminal.")
    }


def fields(sentence: object) -> set[str]:
    texts = sentence if isinstance(sentence, tuple) else (sentence,)
    return {
        field for text in texts for _, field, _, _ in string.Formatter().parse(str(text)) if field
    }


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_the_same_sentences_with_the_same_values(code: str) -> None:
    english, other = terminal_sentences("en"), terminal_sentences(code)
    assert set(other) == set(english)
    for name, sentence in english.items():
        assert fields(other[name]) == fields(sentence), name
        assert isinstance(other[name], tuple) == isinstance(sentence, tuple), name


def test_no_sentence_is_forgotten_in_the_catalogue() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    text += "".join((*KINDS, *LADDER, *PACES, *THEMES, "out_you", "out_other"))
    for command in ("hint.py", "play.py"):
        text += (SOURCES.parent / "cli" / command).read_text(encoding="utf-8")
    assert [name for name in terminal_sentences("en") if name.rpartition(".")[2] not in text] == []


# -- nothing is too long ---------------------------------------------------------------------------


async def readable(driver: Driver) -> None:
    await driver.rest()
    assert clipped(driver.app.screen) == []
    shown = [hint for hint in driver.app.screen.query(KeyHint) if hint.display]
    hidden = [hint.key.label for hint in driver.app.screen.query(KeyHint) if not hint.display]
    assert not [
        hint for hint in driver.app.screen.query(KeyHint) if hint.key.urged and not hint.display
    ]
    assert len(hidden) <= 4, [hint.key.label for hint in shown]


def test_what_cannot_be_read_is_noticed(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, SIX, (60, 16)) as driver:
            assert clipped(driver.app.screen)
        async with playing(tmp_path / "new", None, (60, 16)) as driver:
            assert clipped(driver.app.screen)

    asyncio.run(run())


@pytest.mark.parametrize("code", mainly(LANGUAGES, "fr"))
def test_the_new_game_screen(tmp_path: Path, code: str) -> None:
    async def run() -> None:
        async with playing(tmp_path, language=code) as driver:
            assert isinstance(driver.app.screen, NewGameScreen)
            await readable(driver)
            for choice in list(driver.app.screen.query(Choice)):
                if choice.id == "language":
                    continue
                driver.app.screen.set_focus(choice)
                for _ in choice._options:
                    await driver.press("right")
                    assert clipped(driver.app.screen) == []
            await driver.press("escape")
            await readable(driver)
            await driver.press("down", "enter")
            await readable(driver)

    asyncio.run(run())


def busy(view: View) -> bool:
    """A late, full table: others have laid, a Skip is held, the own Phase is down."""
    board = view.board
    return bool(
        board
        and board.step == PLAY
        and board.made[0]
        and sum(map(bool, board.made)) >= 4
        and any(isinstance(action, Hit) for action in legal_actions(view))
        and len(view.sheet.hands) > 2
    )


@pytest.mark.parametrize("code", mainly(LANGUAGES, "pt"))
def test_a_full_table_and_its_questions(tmp_path: Path, code: str) -> None:
    async def run() -> None:
        async with resuming(tmp_path, SIX, busy, language=code) as driver:
            await readable(driver)
            await driver.press("h")
            await readable(driver)
            await driver.press("escape", "l")
            await readable(driver)
            for key in ("?", "g", "c", "r", "q"):
                await driver.press(key)
                await readable(driver)
                await driver.press("escape")
            hit = next(a for a in driver.session.game.legal_actions() if isinstance(a, Hit))
            await driver.go_to(driver.face_of(hit.cards[0].held))
            await driver.press("enter")
            await readable(driver)
            await driver.press("escape", "space")
            await readable(driver)

    asyncio.run(run())


@pytest.mark.parametrize("code", mainly(LANGUAGES, "es"))
def test_skips_laying_and_the_end_of_a_hand(tmp_path: Path, code: str) -> None:
    def skip_and_phase(view: View) -> bool:
        lays = any(isinstance(action, LayPhase) for action in legal_actions(view))
        return SKIP in view.held and lays

    async def run() -> None:
        async with resuming(tmp_path, SIX, skip_and_phase, language=code) as driver:
            await driver.go_to(driver.face_of(SKIP))
            await driver.press("x")
            assert driver.answers()
            await readable(driver)
            await driver.press("escape", "l")
            await readable(driver)
            if isinstance(driver.app.screen, Question):
                await driver.press("enter")
            while isinstance(driver.app.screen, TableScreen):
                assert driver.session.person_on_turn
                await driver.play(driver.best())
            await readable(driver)

    asyncio.run(run())


@pytest.mark.parametrize("code", mainly(LANGUAGES, "fr"))
def test_the_privacy_screen_and_the_replay(tmp_path: Path, code: str) -> None:
    async def run() -> None:
        people = options_for("Maximiliano", "Fernanda", seed=1)
        async with playing(tmp_path, people, language=code) as driver:
            await readable(driver)
            await driver.press("enter", "d")
            await driver.go_to(next(f for f in driver.faces if f.held.card.is_natural))
            await driver.press("x")
            await readable(driver)

        app = ReplayApp(Saves(tmp_path), Replay(parse_record(GAME.record())), language=code)
        async with seated(app) as driver:
            await driver.until(lambda: isinstance(app.screen, ReplayScreen))
            for key in ("right", "n", "v", "space", "?", "escape", "j", "escape", "end"):
                await driver.press(key)
                await readable(driver)

    asyncio.run(run())


@pytest.mark.parametrize("code", LANGUAGES)
def test_refusals_and_hints_have_room(tmp_path: Path, code: str) -> None:
    words = {"cards": "▲12 ●12 ★12", "card": "❖12", "group": "5 cards of one colour"}
    words |= dict.fromkeys(("wanted", "detail", "targets"), "Maximiliano, Fernanda, Beto")

    async def run() -> None:
        async with playing(tmp_path, options_for("Ana", bots=["rookie"]), language=code) as driver:
            notice = driver.table.query_one(MessageLine)
            for name, sentence in driver.app.language.sentences.items():
                texts = sentence if isinstance(sentence, tuple) else (sentence,)
                if name.startswith(("refusals.", "reasons.")):
                    for text in texts:
                        plain = re.sub(
                            r"\{(\w+)(:\w+)?\}", lambda m: words.get(m[1], "Fernanda"), text
                        )
                        assert notice.has_room_for(f"{plain} (S-ONCE-A-ROUND)"), name
                if name.startswith("terminal.prompt."):
                    assert all(notice.has_room_for(text) for text in texts), name

    asyncio.run(run())


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_rules_are_in_the_language_of_the_game(tmp_path: Path, code: str) -> None:
    async def run() -> None:
        async with playing(tmp_path, options_for("Ana", bots=["rookie"]), language=code) as driver:
            await driver.press("x")  # before drawing
            await driver.press("r")
            page = driver.app.screen
            assert isinstance(page, RulesPage)
            (rule,) = rulebook(code).find("T-DRAW")
            assert f"T-DRAW · {rule.title}" in driver.text
            assert language(code).say("rules.example").split()[0] in driver.text
            assert clipped(page) == []

    asyncio.run(run())
