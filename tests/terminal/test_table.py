"""What a player can do at the table, one thing at a time."""

import asyncio
import errno
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from phaseten import parse_cards
from phaseten.rules.actions import Hit, LayPhase, TakeDiscard
from phaseten.rules.cards import SKIP, WILD
from phaseten.rules.events import CardDiscarded, DiscardTaken, MeldHit, PhaseLaid
from phaseten.rules.melds import open_ends
from phaseten.rules.needs import needs_of
from phaseten.rules.state import DRAW, PLAY
from phaseten.rules.views import View, legal_actions
from phaseten.terminal.arrangement import COLOR, OWN
from phaseten.terminal.saves import GameFile, Saves
from phaseten.terminal.screens.chooser import Chooser
from phaseten.terminal.screens.home import Home
from phaseten.terminal.screens.pages import HelpPage, LogPage, RulesPage, ScorePage
from phaseten.terminal.screens.table import TableScreen
from phaseten.terminal.settings import load_settings
from phaseten.terminal.widgets.cards import CardFace
from phaseten.terminal.widgets.piles import DrawPile
from tests.terminal.sitting import Sitting, agreed, dealt, from_golden, playing, resuming

ONE_BOT = agreed("Ana", bots=["rookie"])
TWO_BOTS = agreed("Ana", bots=["rookie", "rookie"])
Test = Callable[[Sitting], Awaitable[None]]


def at_table(folder: Path, test: Test, *, hint: str = "sharp") -> None:
    async def run() -> None:
        async with playing(folder, ONE_BOT, hint=hint) as sitting:
            await test(sitting)

    asyncio.run(run())


def when(folder: Path, ready: Callable[[View], object], test: Test, agreement=TWO_BOTS) -> None:
    async def run() -> None:
        async with resuming(folder, agreement, ready) as sitting:
            await test(sitting)

    asyncio.run(run())


def events(sitting: Sitting) -> list[object]:
    return list(sitting.session.game.events)


# -- drawing -------------------------------------------------------------------------------------


def test_the_draw_pile_by_key_and_the_discard_by_enter(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        assert "Your turn" in sitting.line[0]
        assert "Draw from the pile (d), or take" in sitting.text
        await sitting.press("up")
        assert isinstance(sitting.app.focused, DrawPile)
        await sitting.press("right", "enter")
        assert isinstance(events(sitting)[-1], DiscardTaken)
        assert "new" in sitting.text
        assert len(sitting.faces) == 11

    at_table(tmp_path, test)


def test_a_refusal_is_the_rule_in_a_sentence_and_r_shows_it(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        before = events(sitting)
        await sitting.press("x")
        assert "Draw a card first: from the draw pile or the discard pile. (T-DRAW)" in sitting.text
        assert "r why?" in sitting.text
        await sitting.press("r")
        assert isinstance(sitting.app.screen, RulesPage)
        assert "T-DRAW · Draw one card first" in sitting.text
        await sitting.press("escape", "d", "d")
        assert "You have drawn your card for this turn" in sitting.text
        assert len(events(sitting)) == len(before) + 1

    at_table(tmp_path, test)


@pytest.mark.parametrize("key", ["t", "l"])
def test_what_cannot_be_done_after_drawing(tmp_path: Path, key: str) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("d")
        before = events(sitting)
        await sitting.press(key)
        missing = needs_of(sitting.session.view(1))[0].missing
        words = {
            "t": "(T-DRAW)",
            "l": f"You cannot lay your Phase yet: {missing} cards are missing.",
        }
        assert words[key] in sitting.text
        assert events(sitting) == before

    async def run() -> None:
        async with playing(tmp_path, agreed("Ana", bots=["rookie"], seed=7)) as sitting:
            await test(sitting)

    asyncio.run(run())


# -- laying --------------------------------------------------------------------------------------


def can_lay(view: View) -> bool:
    return any(isinstance(action, LayPhase) for action in legal_actions(view))


def test_a_phase_is_laid_and_taken_back(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        assert "Your Phase is complete: lay it (l)." in sitting.text
        before = sitting.session.game.state
        await sitting.press("l")
        if isinstance(sitting.app.screen, Chooser):
            assert "How do you want to lay it?" in sitting.text
            await sitting.press("1")
        assert isinstance(events(sitting)[-1], PhaseLaid)
        assert "is down. Get rid of your cards!" in sitting.text
        assert sitting.table.query("#meld-1-1")
        await sitting.press("u")
        assert sitting.session.game.state == before
        assert not sitting.table.query("#meld-1-1")
        (file,) = Saves(tmp_path).running()
        assert GameFile(file.path).load()[0].state == before

    when(tmp_path, can_lay, test)


def test_a_question_can_be_taken_back(tmp_path: Path) -> None:
    def many_ways(view: View) -> bool:
        return sum(isinstance(action, LayPhase) for action in legal_actions(view)) > 4

    async def test(sitting: Sitting) -> None:
        before = events(sitting)
        await sitting.press("l")
        assert isinstance(sitting.app.screen, Chooser)
        await sitting.press("escape")
        assert isinstance(sitting.app.screen, TableScreen)
        await sitting.press("l")
        assert await sitting.pilot.click(offset=(1, 1))  # beside the question
        await sitting.rest()
        assert isinstance(sitting.app.screen, TableScreen)
        assert events(sitting) == before

    when(tmp_path, many_ways, test)


def test_more_cards_than_needed_are_laid_when_they_are_chosen(tmp_path: Path) -> None:
    dealt(tmp_path, "R3 B3 G3 Y3 R8 B8 G8 Y12 R12 W", "R1")

    async def run() -> None:
        async with resuming(tmp_path) as sitting:
            await sitting.press("d")
            await sitting.choose(*parse_cards("R3 B3 G3 Y3 R8 B8 G8"))
            assert "7 cards chosen: lay them (l)." in sitting.text
            await sitting.press("l")
            laid = events(sitting)[-1]
            assert isinstance(laid, PhaseLaid)
            assert [len(meld.cards) for meld in laid.melds] == [3, 4]

    asyncio.run(run())


def test_where_the_wilds_go_is_asked(tmp_path: Path) -> None:
    dealt(tmp_path, "R3 B3 G3 R8 B8 G8 Y12 R12 W W", "R1")

    async def run() -> None:
        async with resuming(tmp_path) as sitting:
            await sitting.press("d")
            await sitting.choose(*parse_cards("R3 B3 G3 R8 B8 G8 W"))
            await sitting.press("l")
            assert "How do you want to lay it?" in sitting.text
            assert [_wild_place(way) for way in sitting.answers()] == ["W=3", "W=8"]
            await sitting.press("2")
            laid = events(sitting)[-1]
            assert isinstance(laid, PhaseLaid)
            assert _wild_place(laid) == "W=8"

    asyncio.run(run())


def _wild_place(laid: object) -> str:
    cards = str(laid)
    return "W=3" if "W=3" in cards else "W=8"


def test_chosen_cards_that_are_no_phase_are_refused_by_their_rule(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("d")
        naturals = [card for card in sitting.session.view(1).held if card.is_natural]
        await sitting.choose(*naturals[:6])
        await sitting.press("l")
        assert "(M-SET)" in sitting.text
        await sitting.press("escape")
        assert not any(face.held.chosen for face in sitting.faces)
        assert "(M-SET)" not in sitting.text

    at_table(tmp_path, test)


# -- adding to melds -----------------------------------------------------------------------------


def can_hit(view: View) -> list[Hit]:
    return [action for action in legal_actions(view) if isinstance(action, Hit)]


def test_a_card_is_added_with_enter_on_the_card(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        assert "Add cards to the melds marked +" in sitting.text
        hit = can_hit(sitting.session.view(1))[0]
        await sitting.go_to(sitting.face_of(hit.cards[0].held))
        await sitting.press("enter")
        assert "What do you want to do with it?" in sitting.text
        assert sitting.answers()[0] == hit
        await sitting.press("1")
        assert isinstance(events(sitting)[-1], MeldHit)

    when(tmp_path, lambda view: can_hit(view) and can_hit(view)[0].cards[0].is_natural, test)


def test_enter_on_a_meld_without_a_chosen_card(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        hit = can_hit(sitting.session.view(1))[0]
        strip = sitting.strip(hit.owner, hit.meld)
        assert strip.possible
        await sitting.go_to(strip)
        await sitting.press("enter")
        if isinstance(sitting.app.screen, Chooser):
            await sitting.press("1")
        assert isinstance(events(sitting)[-1], MeldHit)

    when(tmp_path, can_hit, test)


def test_a_card_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    def some_card_does_not_fit(view: View) -> bool:
        return bool(can_hit(view)) and any(
            card.is_natural and all(hit.cards != (card,) for hit in can_hit(view))
            for card in view.held
        )

    async def test(sitting: Sitting) -> None:
        view = sitting.session.view(1)
        hits = can_hit(view)
        card = next(c for c in view.held if c.is_natural and all(h.cards != (c,) for h in hits))
        before = events(sitting)
        await sitting.choose(card)
        await sitting.go_to(sitting.strip(hits[0].owner, hits[0].meld))
        await sitting.press("enter")
        assert "does not fit that meld" in sitting.text
        assert "(T-HIT)" in sitting.text
        assert events(sitting) == before

    when(tmp_path, some_card_does_not_fit, test)


def test_a_wild_on_a_run_asks_for_its_end(tmp_path: Path) -> None:
    def wild_and_open_run(view: View) -> bool:
        return len({hit.cards for hit in _wild_hits(view)}) > 1

    async def test(sitting: Sitting) -> None:
        hit = _wild_hits(sitting.session.view(1))[1]
        await sitting.choose(WILD)
        await sitting.go_to(sitting.strip(hit.owner, hit.meld))
        await sitting.press("enter")
        assert "Where does the Wild go?" in sitting.text
        await sitting.press("2")
        done = events(sitting)[-1]
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

    async def test(sitting: Sitting) -> None:
        board = sitting.session.view(1).board
        assert board is not None
        owner = next(seat for seat, number in enumerate(board.made, 1) if number)
        await sitting.go_to(sitting.strip(owner, 1))
        await sitting.press("enter")
        assert "Lay your own Phase first: only then can you hit. (T-HIT)" in sitting.text

    when(tmp_path, others_have_laid, test)


def test_nothing_fits(tmp_path: Path) -> None:
    def laid_and_stuck(view: View) -> bool:
        board = view.board
        return bool(board and board.step == PLAY and board.made[0] and not can_hit(view))

    async def test(sitting: Sitting) -> None:
        await sitting.go_to(sitting.strip(1, 1))
        await sitting.press("enter")
        assert "None of your cards fits that meld." in sitting.text

    when(tmp_path, laid_and_stuck, test)


# -- discarding ----------------------------------------------------------------------------------


def skip_in_hand(view: View) -> bool:
    board = view.board
    return bool(board and board.step == PLAY and SKIP in view.held and not any(board.skipped_by))


def test_a_skip_asks_whom_and_can_be_kept(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        before = events(sitting)
        await sitting.go_to(sitting.face_of(SKIP))
        await sitting.press("x")
        assert "Whom do you want to skip?" in sitting.text
        await sitting.press("escape")
        assert events(sitting) == before
        await sitting.press("enter")
        assert isinstance(sitting.app.screen, Chooser)
        await sitting.press("2")
        discard = next(e for e in events(sitting)[len(before) :] if isinstance(e, CardDiscarded))
        assert (discard.card, discard.target) == (SKIP, 3)

    when(tmp_path, skip_in_hand, test)


def test_a_click_on_a_player_with_a_skip_chosen(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        before = events(sitting)
        await sitting.click("#seat-3")
        assert events(sitting) == before
        await sitting.click(sitting.face_of(SKIP))
        await sitting.click("#seat-1")
        assert "You cannot skip yourself. (S-SELF)" in sitting.text
        await sitting.click("#seat-3")
        discard = next(e for e in events(sitting)[len(before) :] if isinstance(e, CardDiscarded))
        assert discard.target == 3

    when(tmp_path, skip_in_hand, test)


def test_a_skip_that_hits_nobody_asks_too(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        game = sitting.session.game
        assert game.state.board is not None
        protected = game.state.board._replace(skipped_by=(0, 1, 1))
        game.state = game.state._replace(board=protected)
        await sitting.go_to(sitting.face_of(SKIP))
        await sitting.press("x")
        assert "nobody: put it away without effect" in sitting.text
        await sitting.press("enter")
        discard = next(
            e for e in reversed(events(sitting)) if isinstance(e, CardDiscarded) and e.seat == 1
        )
        assert (discard.card, discard.target) == (SKIP, None)

    when(tmp_path, skip_in_hand, test)


def test_one_card_is_discarded_at_a_time(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("d", "space", "right", "space", "x")
        assert "Choose one card to discard" in sitting.text
        await sitting.press("escape", "up", "right", "enter")
        assert "Choose one card to discard" in sitting.text

    at_table(tmp_path, test)


def test_a_discard_can_be_taken_back_while_the_bot_thinks(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("d")
        before = sitting.session.game.state
        sitting.app.remember(pace="slow")
        await sitting.fast_press("x")
        assert sitting.session.turn == 2
        assert "Beto is playing…" in sitting.line[0]
        await sitting.fast_press("u")
        assert sitting.session.game.state == before
        assert "Your turn" in sitting.line[0]
        assert "new" not in sitting.text
        await sitting.press("u")
        assert "There is nothing to take back" in sitting.text

    at_table(tmp_path, test)


def test_any_key_hurries_the_bots(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("d")
        sitting.app.remember(pace="slow")
        await sitting.fast_press("x")
        assert sitting.session.turn == 2
        await sitting.fast_press("d")
        await sitting.until(lambda: sitting.session.turn == 1)
        board = sitting.session.view(1).board
        assert board is not None
        assert board.step == DRAW

    at_table(tmp_path, test)


# -- the own cards -------------------------------------------------------------------------------


def test_sorting_is_remembered(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        by_number = [face.held.card.text for face in sitting.faces]
        await sitting.press("s")
        by_color = [face.held.card.text for face in sitting.faces]
        assert by_color != by_number
        assert sorted(by_color) == sorted(by_number)
        assert load_settings(tmp_path).sort == COLOR

    at_table(tmp_path, test)


def test_cards_are_moved_with_keys_and_by_dragging(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        cards = [face.held.card for face in sitting.faces]
        await sitting.press(">", ">")
        assert [face.held.card for face in sitting.faces][:3] == [cards[1], cards[2], cards[0]]
        assert sitting.app.focused is sitting.faces[2]
        await sitting.press("<", "shift+left")
        assert [face.held.card for face in sitting.faces] == cards
        assert await sitting.pilot.mouse_down(sitting.faces[0])
        assert await sitting.pilot.mouse_up(sitting.faces[4])
        await sitting.rest()
        moved = [*cards[1:5], cards[0], *cards[5:]]
        assert [face.held.card for face in sitting.faces] == moved
        assert sitting.session.arrangement(1).sort == OWN
        assert not any(face.held.chosen for face in sitting.faces)

    at_table(tmp_path, test)


def test_a_card_is_dragged_onto_the_discards(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("d")
        face = next(face for face in sitting.faces if face.held.card.is_natural)
        card = face.held.card
        assert await sitting.pilot.mouse_down(face)
        assert await sitting.pilot.mouse_up("#discard-pile")
        await sitting.rest()
        discard = next(e for e in events(sitting) if isinstance(e, CardDiscarded))
        assert discard.card is card

    at_table(tmp_path, test)


def test_a_card_is_dragged_onto_a_meld(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        hit = can_hit(sitting.session.view(1))[0]
        assert await sitting.pilot.mouse_down(sitting.face_of(hit.cards[0].held))
        assert await sitting.pilot.mouse_up(sitting.strip(hit.owner, hit.meld))
        await sitting.rest()
        if isinstance(sitting.app.screen, Chooser):
            await sitting.press("1")
        done = events(sitting)[-1]
        assert isinstance(done, MeldHit)
        assert (done.owner, done.meld) == (hit.owner, hit.meld)

    when(tmp_path, can_hit, test)


def test_the_focus_stays_with_its_card(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("right", "right", "right")
        face = sitting.app.focused
        assert isinstance(face, CardFace)
        held = face.held
        await sitting.press("d")
        now = sitting.app.focused
        assert isinstance(now, CardFace)
        assert now.held is held
        await sitting.press("s")
        again = sitting.app.focused
        assert isinstance(again, CardFace)
        assert again.held is held

    at_table(tmp_path, test)


# -- hints ---------------------------------------------------------------------------------------


def test_a_hint_with_its_reason_and_doing_it(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("h")
        action = sitting.best()
        assert "The sharp bot would " in sitting.text
        words = sitting.app.language.action(action, sitting.session.view(1), sitting.session.names)
        assert words.split()[0] in sitting.text
        assert "y do it" in sitting.text
        before = len(events(sitting))
        await sitting.press("y")
        assert len(events(sitting)) == before + 1
        assert isinstance(action, TakeDiscard) == isinstance(events(sitting)[-1], DiscardTaken)
        await sitting.press("y")
        assert len(events(sitting)) == before + 1

    at_table(tmp_path, test)


def test_another_bot_is_asked(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("h")
        assert "The rookie bot would " in sitting.text
        await sitting.press("H")
        assert "The casual bot would " in sitting.text
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
    async def test(sitting: Sitting) -> None:
        await sitting.press(key)
        assert isinstance(sitting.app.screen, page)
        assert words in sitting.text
        await sitting.press("escape")
        assert isinstance(sitting.app.screen, TableScreen)

    at_table(tmp_path, test)


def test_the_keys_can_be_clicked(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.click("#do-help")
        assert isinstance(sitting.app.screen, HelpPage)
        await sitting.press("escape")
        await sitting.click("#do-draw")
        assert len(sitting.faces) == 11
        await sitting.click("#do-hint")
        await sitting.click("#do-do_hint")
        await sitting.rest()
        assert len(events(sitting)) > 2

    at_table(tmp_path, test)


def test_rules_are_linked(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("r")
        page = sitting.app.screen
        assert isinstance(page, RulesPage)
        assert "M-SET · " in sitting.text
        await sitting.press("down")
        assert "M-RUN · " in sitting.text

    at_table(tmp_path, test)


def test_quitting(tmp_path: Path) -> None:
    async def run() -> None:
        async with playing(tmp_path, ONE_BOT) as sitting:
            await sitting.press("d", "q")
            assert "The game is saved. What now?" in sitting.text
            await sitting.fast_press("1")
            await sitting.until(lambda: not sitting.app.is_running)
        assert len(Saves(tmp_path).running()) == 1

    asyncio.run(run())


def test_back_to_the_start_and_on_again(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("d")
        state = sitting.session.game.state
        await sitting.press("q", "2")
        await sitting.until(lambda: isinstance(sitting.app.screen, Home))
        assert "Go on  Ana, Beto · classic · Hand 1" in sitting.text
        await sitting.press("enter")
        await sitting.until(lambda: isinstance(sitting.app.screen, TableScreen))
        await sitting.rest()
        assert sitting.session.game.state == state

    at_table(tmp_path, test)


def test_a_game_can_be_ended_for_good(tmp_path: Path) -> None:
    async def test(sitting: Sitting) -> None:
        await sitting.press("q", "3")
        await sitting.until(lambda: isinstance(sitting.app.screen, Home))
        assert "Go on" not in sitting.text
        assert len(Saves(tmp_path).over()) == 1

    at_table(tmp_path, test)


def test_a_full_disk_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async def test(sitting: Sitting) -> None:
        monkeypatch.setattr(GameFile, "write", full)
        await sitting.press("d")
        assert "No space left on device" in sitting.text
        assert "would be lost if you left now" in " ".join(sitting.text.split())
        await sitting.press("escape")
        assert "No space left on device" not in sitting.text

    at_table(tmp_path, test)


def test_a_tie_is_told_and_played_off(tmp_path: Path) -> None:
    from_golden(tmp_path, "express-2p-phases=2-tiebreak", lambda _view, left: left == 38)

    async def run() -> None:
        async with resuming(tmp_path) as sitting:
            await sitting.press("x")
            assert "Hand 3: you are out!" in sitting.text
            assert "A tie: one more hand for the last Phase, between Beto and you." in sitting.text
            await sitting.press("enter")
            assert isinstance(sitting.app.screen, TableScreen)
            assert "Hand 4" in sitting.line[0]

    asyncio.run(run())
