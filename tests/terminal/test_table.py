"""What a player can do at the table, one thing at a time."""

import asyncio
from pathlib import Path

import pytest

from phaseten import parse_cards
from phaseten.rules.actions import Hit, LayPhase
from phaseten.rules.cards import SKIP, WILD
from phaseten.rules.events import CardDiscarded, DiscardTaken, MeldHit, PhaseLaid
from phaseten.rules.melds import open_ends
from phaseten.rules.needs import needs_of
from phaseten.rules.state import DRAW, PLAY
from phaseten.rules.views import View, legal_actions
from phaseten.terminal.saves import GameFile, Saves
from phaseten.terminal.screens.pages import RulesPage
from phaseten.terminal.screens.question import Question
from phaseten.terminal.screens.table import TableScreen
from phaseten.terminal.widgets.piles import DrawPile
from tests.terminal.driver import (
    Driver,
    at_table,
    dealt,
    events,
    options_for,
    playing,
    resuming,
    when,
)

# -- drawing -------------------------------------------------------------------------------------


def test_the_draw_pile_by_key_and_the_discard_by_enter(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        assert "Your turn" in driver.line[0]
        assert "Draw from the pile (d), or take" in driver.text
        await driver.press("up")
        assert isinstance(driver.app.focused, DrawPile)
        await driver.press("right", "enter")
        assert isinstance(events(driver)[-1], DiscardTaken)
        assert "new" in driver.text
        assert len(driver.faces) == 11

    at_table(tmp_path, test)


def test_a_refusal_is_the_rule_in_a_sentence_and_r_shows_it(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        before = events(driver)
        await driver.press("x")
        assert "Draw a card first: from the draw pile or the discard pile. (T-DRAW)" in driver.text
        assert "r why?" in driver.text
        await driver.press("r")
        assert isinstance(driver.app.screen, RulesPage)
        assert "T-DRAW · Draw one card first" in driver.text
        await driver.press("escape", "d", "d")
        assert "You have drawn your card for this turn" in driver.text
        assert len(events(driver)) == len(before) + 1

    at_table(tmp_path, test)


@pytest.mark.parametrize("key", ["t", "l"])
def test_what_cannot_be_done_after_drawing(tmp_path: Path, key: str) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("d")
        before = events(driver)
        await driver.press(key)
        missing = needs_of(driver.session.view(1))[0].missing
        words = {
            "t": "(T-DRAW)",
            "l": f"You cannot lay your Phase yet: {missing} cards are missing.",
        }
        assert words[key] in driver.text
        assert events(driver) == before

    async def run() -> None:
        async with playing(tmp_path, options_for("Ana", bots=["rookie"], seed=7)) as driver:
            await test(driver)

    asyncio.run(run())


# -- laying --------------------------------------------------------------------------------------


def can_lay(view: View) -> bool:
    return any(isinstance(action, LayPhase) for action in legal_actions(view))


def test_a_phase_is_laid_and_taken_back(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        assert "Your Phase is complete: lay it (l)." in driver.text
        before = driver.session.game.state
        await driver.press("l")
        if isinstance(driver.app.screen, Question):
            assert "How do you want to lay it?" in driver.text
            await driver.press("1")
        assert isinstance(events(driver)[-1], PhaseLaid)
        assert "is down. Get rid of your cards!" in driver.text
        assert driver.table.query("#meld-1-1")
        await driver.press("u")
        assert driver.session.game.state == before
        assert not driver.table.query("#meld-1-1")
        (file,) = Saves(tmp_path).running()
        assert GameFile(file.path).load()[0].state == before

    when(tmp_path, can_lay, test)


def test_a_question_can_be_taken_back(tmp_path: Path) -> None:
    def many_ways(view: View) -> bool:
        return sum(isinstance(action, LayPhase) for action in legal_actions(view)) > 4

    async def test(driver: Driver) -> None:
        before = events(driver)
        await driver.press("l")
        assert isinstance(driver.app.screen, Question)
        await driver.press("escape")
        assert isinstance(driver.app.screen, TableScreen)
        await driver.press("l")
        assert await driver.pilot.click(offset=(1, 1))  # beside the question
        await driver.rest()
        assert isinstance(driver.app.screen, TableScreen)
        assert events(driver) == before

    when(tmp_path, many_ways, test)


def test_more_cards_than_needed_are_laid_when_they_are_chosen(tmp_path: Path) -> None:
    dealt(tmp_path, "R3 B3 G3 Y3 R8 B8 G8 Y12 R12 W", "R1")

    async def run() -> None:
        async with resuming(tmp_path) as driver:
            await driver.press("d")
            await driver.choose(*parse_cards("R3 B3 G3 Y3 R8 B8 G8"))
            assert "7 cards chosen: lay them (l)." in driver.text
            await driver.press("l")
            laid = events(driver)[-1]
            assert isinstance(laid, PhaseLaid)
            assert [len(meld.cards) for meld in laid.melds] == [3, 4]

    asyncio.run(run())


def test_where_the_wilds_go_is_asked(tmp_path: Path) -> None:
    dealt(tmp_path, "R3 B3 G3 R8 B8 G8 Y12 R12 W W", "R1")

    async def run() -> None:
        async with resuming(tmp_path) as driver:
            await driver.press("d")
            await driver.choose(*parse_cards("R3 B3 G3 R8 B8 G8 W"))
            await driver.press("l")
            assert "How do you want to lay it?" in driver.text
            assert [_wild_place(way) for way in driver.answers()] == ["W=3", "W=8"]
            await driver.press("2")
            laid = events(driver)[-1]
            assert isinstance(laid, PhaseLaid)
            assert _wild_place(laid) == "W=8"

    asyncio.run(run())


def _wild_place(laid: object) -> str:
    cards = str(laid)
    return "W=3" if "W=3" in cards else "W=8"


def test_chosen_cards_that_are_no_phase_are_refused_by_their_rule(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("d")
        naturals = [card for card in driver.session.view(1).held if card.is_natural]
        await driver.choose(*naturals[:6])
        await driver.press("l")
        assert "(M-SET)" in driver.text
        await driver.press("escape")
        assert not any(face.held.chosen for face in driver.faces)
        assert "(M-SET)" not in driver.text

    at_table(tmp_path, test)


# -- adding to melds -----------------------------------------------------------------------------


def can_hit(view: View) -> list[Hit]:
    return [action for action in legal_actions(view) if isinstance(action, Hit)]


def test_a_card_is_added_with_enter_on_the_card(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        assert "Add cards to the melds marked +" in driver.text
        hit = can_hit(driver.session.view(1))[0]
        await driver.go_to(driver.face_of(hit.cards[0].held))
        await driver.press("enter")
        assert "What do you want to do with it?" in driver.text
        assert driver.answers()[0] == hit
        await driver.press("1")
        assert isinstance(events(driver)[-1], MeldHit)

    when(tmp_path, lambda view: can_hit(view) and can_hit(view)[0].cards[0].is_natural, test)


def test_enter_on_a_meld_without_a_chosen_card(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        hit = can_hit(driver.session.view(1))[0]
        strip = driver.strip(hit.owner, hit.meld)
        assert strip.possible
        await driver.go_to(strip)
        await driver.press("enter")
        if isinstance(driver.app.screen, Question):
            await driver.press("1")
        assert isinstance(events(driver)[-1], MeldHit)

    when(tmp_path, can_hit, test)


def test_a_card_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    def some_card_does_not_fit(view: View) -> bool:
        return bool(can_hit(view)) and any(
            card.is_natural and all(hit.cards != (card,) for hit in can_hit(view))
            for card in view.held
        )

    async def test(driver: Driver) -> None:
        view = driver.session.view(1)
        hits = can_hit(view)
        card = next(c for c in view.held if c.is_natural and all(h.cards != (c,) for h in hits))
        before = events(driver)
        await driver.choose(card)
        await driver.go_to(driver.strip(hits[0].owner, hits[0].meld))
        await driver.press("enter")
        assert "does not fit that meld" in driver.text
        assert "(T-HIT)" in driver.text
        assert events(driver) == before

    when(tmp_path, some_card_does_not_fit, test)


def test_a_wild_on_a_run_asks_for_its_end(tmp_path: Path) -> None:
    def wild_and_open_run(view: View) -> bool:
        return len({hit.cards for hit in _wild_hits(view)}) > 1

    async def test(driver: Driver) -> None:
        hit = _wild_hits(driver.session.view(1))[1]
        await driver.choose(WILD)
        await driver.go_to(driver.strip(hit.owner, hit.meld))
        await driver.press("enter")
        assert "Where does the Wild go?" in driver.text
        await driver.press("2")
        done = events(driver)[-1]
        assert isinstance(done, MeldHit)
        assert done.cards == hit.cards

    when(tmp_path, wild_and_open_run, test)


def _wild_hits(view: View) -> list[Hit]:
    """Hits with a Wild on the first run that is open at both ends."""
    board = view.board
    hits = [hit for hit in can_hit(view) if hit.cards[0].is_wild]
    for hit in hits:
        meld = board.melds[hit.owner - 1][hit.meld - 1] if board else None
        if meld and meld.group.kind.chain and len(open_ends(meld, view.rules.edition)) == 2:
            return [h for h in hits if (h.owner, h.meld) == (hit.owner, hit.meld)]
    return []


def test_hitting_before_laying_is_refused(tmp_path: Path) -> None:
    def others_have_laid(view: View) -> bool:
        board = view.board
        return bool(board and board.step == PLAY and not board.made[0] and any(board.made))

    async def test(driver: Driver) -> None:
        board = driver.session.view(1).board
        assert board is not None
        owner = next(seat for seat, number in enumerate(board.made, 1) if number)
        await driver.go_to(driver.strip(owner, 1))
        await driver.press("enter")
        assert "Lay your own Phase first: only then can you hit. (T-HIT)" in driver.text

    when(tmp_path, others_have_laid, test)


def test_nothing_fits(tmp_path: Path) -> None:
    def laid_and_stuck(view: View) -> bool:
        board = view.board
        return bool(board and board.step == PLAY and board.made[0] and not can_hit(view))

    async def test(driver: Driver) -> None:
        await driver.go_to(driver.strip(1, 1))
        await driver.press("enter")
        assert "None of your cards fits that meld." in driver.text

    when(tmp_path, laid_and_stuck, test)


def test_a_card_is_dragged_onto_a_meld(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        hit = can_hit(driver.session.view(1))[0]
        assert await driver.pilot.mouse_down(driver.face_of(hit.cards[0].held))
        assert await driver.pilot.mouse_up(driver.strip(hit.owner, hit.meld))
        await driver.rest()
        if isinstance(driver.app.screen, Question):
            await driver.press("1")
        done = events(driver)[-1]
        assert isinstance(done, MeldHit)
        assert (done.owner, done.meld) == (hit.owner, hit.meld)

    when(tmp_path, can_hit, test)


# -- discarding ----------------------------------------------------------------------------------


def skip_in_hand(view: View) -> bool:
    board = view.board
    return bool(board and board.step == PLAY and SKIP in view.held and not any(board.skipped_by))


def test_a_skip_asks_whom_and_can_be_kept(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        before = events(driver)
        await driver.go_to(driver.face_of(SKIP))
        await driver.press("x")
        assert "Whom do you want to skip?" in driver.text
        await driver.press("escape")
        assert events(driver) == before
        await driver.press("enter")
        assert isinstance(driver.app.screen, Question)
        await driver.press("2")
        discard = next(e for e in events(driver)[len(before) :] if isinstance(e, CardDiscarded))
        assert (discard.card, discard.target) == (SKIP, 3)

    when(tmp_path, skip_in_hand, test)


def test_a_click_on_a_player_with_a_skip_chosen(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        before = events(driver)
        await driver.click("#seat-3")
        assert events(driver) == before
        await driver.click(driver.face_of(SKIP))
        await driver.click("#seat-1")
        assert "You cannot skip yourself. (S-SELF)" in driver.text
        await driver.click("#seat-3")
        discard = next(e for e in events(driver)[len(before) :] if isinstance(e, CardDiscarded))
        assert discard.target == 3

    when(tmp_path, skip_in_hand, test)


def test_a_skip_that_hits_nobody_asks_too(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        game = driver.session.game
        assert game.state.board is not None
        protected = game.state.board._replace(skipped_by=(0, 1, 1))
        game.state = game.state._replace(board=protected)
        await driver.go_to(driver.face_of(SKIP))
        await driver.press("x")
        assert "nobody: put it away without effect" in driver.text
        await driver.press("enter")
        discard = next(
            e for e in reversed(events(driver)) if isinstance(e, CardDiscarded) and e.seat == 1
        )
        assert (discard.card, discard.target) == (SKIP, None)

    when(tmp_path, skip_in_hand, test)


def test_one_card_is_discarded_at_a_time(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("d", "space", "right", "space", "x")
        assert "Choose one card to discard" in driver.text
        await driver.press("escape", "up", "right", "enter")
        assert "Choose one card to discard" in driver.text

    at_table(tmp_path, test)


def test_a_discard_can_be_taken_back_while_the_bot_thinks(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("d")
        before = driver.session.game.state
        driver.app.remember(pace="slow")
        await driver.fast_press("x")
        assert driver.session.turn == 2
        assert "Beto is playing…" in driver.line[0]
        await driver.fast_press("u")
        assert driver.session.game.state == before
        assert "Your turn" in driver.line[0]
        assert "new" not in driver.text
        await driver.press("u")
        assert "There is nothing to take back" in driver.text

    at_table(tmp_path, test)


def test_any_key_hurries_the_bots(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.press("d")
        driver.app.remember(pace="slow")
        await driver.fast_press("x")
        assert driver.session.turn == 2
        await driver.fast_press("d")
        await driver.until(lambda: driver.session.turn == 1)
        board = driver.session.view(1).board
        assert board is not None
        assert board.step == DRAW

    at_table(tmp_path, test)
