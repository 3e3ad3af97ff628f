"""Several people at one keyboard: nobody sees what is not theirs to see."""

import asyncio
from pathlib import Path

from phaseten.rules.cards import SKIP, natural
from phaseten.terminal.faces import card_face
from phaseten.terminal.screens.curtain import Curtain
from phaseten.terminal.screens.table import TableScreen
from phaseten.terminal.widgets.phase import PhaseLine
from tests.terminal.sitting import Sitting, agreed, playing

PEOPLE = agreed("Ana", "Eva", bots=["rookie"], seed=4)


def shows_cards(text: str) -> bool:
    """Whether own cards are on the screen: the quiet numbers at their lower edge."""
    return any(card_face(natural("R", number))[-1].plain in text for number in range(1, 13))


def held_rows(sitting: Sitting) -> str:
    return "\n".join(sitting.line[-7:-1])


async def end_turn(sitting: Sitting) -> None:
    await sitting.press("d")
    card = next(card for card in sitting.session.game.view().held if card is not SKIP)
    await sitting.go_to(sitting.face_of(card))
    await sitting.press("x")


def test_the_curtain_hides_everything(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, PEOPLE) as sitting:
            assert isinstance(sitting.app.screen, Curtain)
            assert "Ana, it is your turn" in sitting.text
            assert not shows_cards(sitting.text)
            await sitting.press("enter")
            assert isinstance(sitting.app.screen, TableScreen)
            assert shows_cards(held_rows(sitting))
            assert "Phase 1: 2 sets of 3" in sitting.text
            await end_turn(sitting)
            assert isinstance(sitting.app.screen, Curtain)
            assert "Eva, it is your turn" in sitting.text
            assert "Ana" not in sitting.text
            assert not shows_cards(sitting.text)
            behind = sitting.table
            assert behind._eyes is None
            assert sitting.faces == []
            assert behind.query_one(PhaseLine).render().plain == ""
            assert "You draw" not in "".join(behind._told())

    asyncio.run(run())


def test_everybody_sees_the_own_cards_and_the_own_story(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, agreed("Ana", "Eva", seed=4)) as sitting:
            await sitting.press("enter")
            for seat in (1, 2):
                assert sorted(f.held.card.text for f in sitting.faces) == sorted(
                    card.text for card in sitting.session.view(seat).held
                )
                await end_turn(sitting)
                assert isinstance(sitting.app.screen, Curtain)
                await sitting.press("enter")
            assert "You draw" in sitting.text
            assert "Eva draws a card" in " ".join(sitting.text.split())

    asyncio.run(run())


def test_the_last_step_can_be_taken_back_at_the_curtain_only(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, PEOPLE) as sitting:
            assert "Take the last step back" not in sitting.text
            await sitting.press("enter")
            await end_turn(sitting)
            assert "Take the last step back (u)" in sitting.text
            await sitting.press("u")
            assert isinstance(sitting.app.screen, TableScreen)
            assert sitting.session.turn == 1
            assert sitting.table._eyes == 1
            assert len(sitting.faces) == 11
            await sitting.go_to(sitting.faces[0])
            await sitting.press("x", "enter")
            assert sitting.table._eyes == 2
            await sitting.press("u")
            assert sitting.session.turn == 2
            assert "There is nothing to take back" in sitting.text

    asyncio.run(run())


def test_the_cards_stay_hidden_while_bots_play(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, PEOPLE) as sitting:
            await sitting.press("enter")
            await end_turn(sitting)
            await sitting.press("enter")
            await sitting.press("d")
            sitting.app.remember(pace="slow")
            card = next(c for c in sitting.session.view(2).held if c is not SKIP)
            await sitting.go_to(sitting.face_of(card))
            await sitting.fast_press("x")
            assert sitting.session.turn == 3
            assert "Beto is playing…" in sitting.text
            assert sitting.faces == []
            assert not shows_cards(held_rows(sitting))
            await sitting.fast_press("space")
            await sitting.until(lambda: isinstance(sitting.app.screen, Curtain))
            await sitting.rest()
            assert ", it is your turn" in sitting.text

    asyncio.run(run())
